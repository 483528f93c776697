"""Boards as SVG pictures that work in black and white, on light and dark screens, and with screen readers."""

from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant
from gridlock.drawing.markup import safe_text

CELL = 60  # the side of a cell, in the picture's own units
LARGEST = 960  # the default length of a picture's longer side, in pixels; pictures can be scaled to any size
_LISTED = 64  # the largest board, in cells, whose description names every cell

# Every CSS rule names the picture's class, so that no style leaks into a page that includes the picture.
_STYLE = """
.gridlock-board .page{fill:#f4f0e6}
.gridlock-board .board{fill:#fffdf8}
.gridlock-board .lines{fill:none;stroke:#d3cab6;stroke-width:2}
.gridlock-board .edge{fill:none;stroke:#8f866f;stroke-width:3}
.gridlock-board .label{fill:#655d4c;font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
.gridlock-board .shade{fill:#ebe4d3}
.gridlock-board .one{fill:none;stroke:#1b4b7a;stroke-linecap:round}
.gridlock-board .two{fill:none;stroke:#b03f14;stroke-linecap:round}
.gridlock-board .mark{stroke-width:9}
.gridlock-board .hatch{stroke-width:3}
.gridlock-board .one.pawn{fill:#1b4b7a;stroke-width:4}
.gridlock-board .two.pawn{fill:#fffdf8;stroke-width:4}
.gridlock-board .letter{font:bold 27px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
.gridlock-board .letter.first{fill:#fffdf8}
.gridlock-board .letter.second{fill:#b03f14}
.gridlock-board .open{fill:none;stroke:#7d7660;stroke-width:9;stroke-linecap:round}
.gridlock-board .last{fill:#fdeeb9;stroke:#8f6a00;stroke-width:4}
@media (prefers-color-scheme:dark){
.gridlock-board .page{fill:#15181e}
.gridlock-board .board{fill:#1f242d}
.gridlock-board .lines{stroke:#3b4352}
.gridlock-board .edge{stroke:#77829a}
.gridlock-board .label{fill:#a9b2c3}
.gridlock-board .shade{fill:#2b313d}
.gridlock-board .one{stroke:#7db7f2}
.gridlock-board .two{stroke:#f4a071}
.gridlock-board .one.pawn{fill:#7db7f2}
.gridlock-board .two.pawn{fill:#1f242d}
.gridlock-board .letter.first{fill:#15181e}
.gridlock-board .letter.second{fill:#f4a071}
.gridlock-board .open{stroke:#8792a6}
.gridlock-board .last{fill:#3d3518;stroke:#e6bf4d}
}
"""
_CROSS = "m-13-13l26 26m0-26l-26 26"
_RING = "m-15 0a15 15 0 1 0 30 0a15 15 0 1 0-30 0z"
_DISC = "m-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0z"
_SQUARE = "m-25-25h50v50h-50z"
_FRAME = "m-17-25h34a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8h-34a8 8 0 0 1-8-8v-34a8 8 0 0 1 8-8z"
_DOT = "h0"
_RISING = "m-22-6l16-16m-16 30l30-30m-30 44l44-44m-30 44l30-30m-16 30l16-16"  # the first side's blocked cells
_FALLING = "m22-6l-16-16m16 30l-30-30m30 44l-44-44m30 44l-30-30m16 30l-16-16"  # the second side's blocked cells


def board_svg(
    variant: Variant, position: Position, *, title: str, last: Cell | None = None, legal: Bitboard | None = None
) -> str:
    """Draw a position, with the last move framed and a dot on each cell in `legal` (default: all legal cells)."""
    if legal is None:
        legal = variant.legal(position)
    grid = variant.grid
    side = max(grid.rows, grid.cols)
    size = 20 if side <= 20 else 40 if side <= 50 else 80  # large labels, because large boards are scaled down
    left = size + len(str(grid.rows - 1 + variant.book.origin)) * size * 2 // 3
    top, rest = size * 2, size * 3 // 2
    width, height = left + grid.cols * CELL + rest, top + grid.rows * CELL + rest
    scale = min(1, LARGEST / max(width, height))
    inside = [
        f'<rect class="page" width="{width}" height="{height}" rx="14"/>',
        f'<g transform="translate({left} {top})">',
        *_labels(variant, size),
        f'<rect class="board" width="{grid.cols * CELL}" height="{grid.rows * CELL}" rx="6"/>',
        *_cells(variant, position, last, legal),
        "</g>",
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gridlock-board" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}">\n'
        f"<title>{safe_text(title)}</title>\n<desc>{safe_text(describe(variant, position, last, legal))}</desc>\n"
        f"<style>{_STYLE}</style>\n" + "\n".join(inside) + "\n</svg>\n"
    )


def describe(variant: Variant, position: Position, last: Cell | None, legal: Bitboard) -> str:
    """Describe a position in words, for people who cannot see the picture."""

    def where(bits: Bitboard) -> str:
        count = bits.bit_count()
        if count == 0 or variant.grid.size > _LISTED:
            return f"{count} {'cell' if count == 1 else 'cells'}" if count else "no cell"
        return "; ".join(variant.name(cell) for cell in cells_of(bits))

    words = [f"{variant.book.title}, {variant.grid.rows} rows by {variant.grid.cols} columns."]
    for side in (1, 2):
        words.append(f"{variant.book.mark(side)} on {where(_pieces(variant, position, side))}.")
    if variant.book.pawns:
        words.append(f"Blocked: {where(_blocked(variant, position, 1) | _blocked(variant, position, 2))}.")
    if last is not None:
        words.append(f"Last move: {variant.name(last)}.")
    if legal:
        words.append(f"Open to {variant.book.mark(position.turn)}: {where(legal)}.")
    return " ".join(words)


def _pieces(variant: Variant, position: Position, side: Side) -> Bitboard:
    """Return the cells of a side's markers or, in a game with pawns, only the cell of its pawn."""
    head = position.head(side)
    return 1 << head if variant.book.pawns and head is not None else position.markers(side)


def _blocked(variant: Variant, position: Position, side: Side) -> Bitboard:
    """Return the cells that a side's pawn has left behind."""
    return position.markers(side) & ~_pieces(variant, position, side)


# -- drawing; every kind of mark is one path over the whole board, which keeps large pictures small ----------------


def _path(variant: Variant, name: str, shape: str, bits: Bitboard) -> list[str]:
    """Draw a shape in the middle of each given cell."""
    if not bits:
        return []
    places = (divmod(cell, variant.grid.cols) for cell in cells_of(bits))
    steps = "".join(f"M{col * CELL + CELL // 2} {row * CELL + CELL // 2}{shape}" for row, col in places)
    return [f'<path class="{name}" d="{steps}"/>']


def _cells(variant: Variant, position: Position, last: Cell | None, legal: Bitboard) -> list[str]:
    """Draw the grid lines, the highlights, the markers and the edge of the board."""
    rows, cols = variant.grid.rows, variant.grid.cols
    across = "".join(f"M0 {row * CELL}h{cols * CELL}" for row in range(1, rows))
    down = "".join(f"M{col * CELL} 0v{rows * CELL}" for col in range(1, cols))
    sides = ((1, "one", _RISING), (2, "two", _FALLING))
    parts = [f'<path class="lines" d="{across}{down}"/>'] if rows * cols > 1 else []
    parts += _path(variant, "shade", _SQUARE, _blocked(variant, position, 1) | _blocked(variant, position, 2))
    parts += _path(variant, "last", _FRAME, 0 if last is None else 1 << last)
    parts += _path(variant, "open", _DOT, legal)
    for side, name, hatch in sides:
        parts += _path(variant, f"{name} hatch", hatch, _blocked(variant, position, side))
    for side, name, _ in sides:
        parts += _markers(variant, name, variant.book.mark(side), _pieces(variant, position, side))
    return [*parts, f'<rect class="edge" width="{cols * CELL}" height="{rows * CELL}" rx="6"/>']


def _markers(variant: Variant, name: str, mark: str, bits: Bitboard) -> list[str]:
    """Draw one side's markers: X and O as strokes, others as letters on discs (filled for the first side)."""
    if mark in ("X", "O"):
        return _path(variant, f"{name} mark", _CROSS if mark == "X" else _RING, bits)
    parts = _path(variant, f"{name} pawn", _DISC, bits)
    letter = "first" if name == "one" else "second"
    for cell in cells_of(bits):
        row, col = divmod(cell, variant.grid.cols)
        x, y = col * CELL + CELL // 2, row * CELL + CELL // 2 + 10
        parts.append(f'<text class="letter {letter}" text-anchor="middle" x="{x}" y="{y}">{safe_text(mark)}</text>')
    return parts


def _labels(variant: Variant, size: int) -> list[str]:
    """Draw row and column numbers in the game's own numbering; on a large board, only every fifth or tenth number."""
    first, step = variant.book.origin, {20: 1, 40: 5, 80: 10}[size]
    parts = [f'<g class="label" font-size="{size}">', '<g text-anchor="middle">']
    for col in range(-first % step, variant.grid.cols, step):
        parts.append(f'<text x="{col * CELL + CELL // 2}" y="{-size * 3 // 5}">{col + first}</text>')
    parts += ["</g>", '<g text-anchor="end">']
    for row in range(-first % step, variant.grid.rows, step):
        parts.append(f'<text x="{-size * 3 // 5}" y="{row * CELL + CELL // 2 + size * 7 // 20}">{row + first}</text>')
    return [*parts, "</g>", "</g>"]
