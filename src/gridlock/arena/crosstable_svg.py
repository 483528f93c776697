"""Cross-tables as SVG pictures."""

from collections.abc import Sequence

from gridlock.arena.crosstable import Crosstable, Line, details, legend
from gridlock.arena.intervals import Axis
from gridlock.drawing.markup import safe_text, text_width

ROW, EDGE, GAP, AXIS = 26, 20, 18, 150  # heights and widths in pixels, at a font size of 13
_TOP = 62  # above the first table's headings
_FACTS = ("#", "Player", "Elo", "+/-", "", "Games", "Score")  # the column without a heading shows the intervals

# Every CSS rule names the picture's class, so that no style affects the rest of a page that includes the picture.
_STYLE = """
.gridlock-table{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;font-size:13px}
.gridlock-table .page{fill:#fff}
.gridlock-table text{fill:#20242b}
.gridlock-table .title{font-size:17px;font-weight:600}
.gridlock-table .head{font-weight:600}
.gridlock-table .note,.gridlock-table .tick{fill:#5b616b}
.gridlock-table .tick{font-size:10px}
.gridlock-table .rule{fill:none;stroke:#20242b;stroke-width:1.5}
.gridlock-table .line{fill:none;stroke:#d3d6db}
.gridlock-table .bar{fill:none;stroke:#1b4b7a;stroke-width:1.5}
.gridlock-table .dot{fill:#1b4b7a}
.gridlock-table .most{fill:#a5cbe8}
.gridlock-table .won{fill:#cfe3f3}
.gridlock-table .even{fill:none}
.gridlock-table .lost{fill:#fae3d3}
.gridlock-table .least{fill:#f4c9ab}
@media (prefers-color-scheme:dark){
.gridlock-table .page{fill:#15181e}
.gridlock-table text{fill:#e6e9ef}
.gridlock-table .note,.gridlock-table .tick{fill:#a9b2c3}
.gridlock-table .rule{stroke:#e6e9ef}
.gridlock-table .line{stroke:#3b4352}
.gridlock-table .bar{stroke:#7db7f2}
.gridlock-table .dot{fill:#7db7f2}
.gridlock-table .most{fill:#24527c}
.gridlock-table .won{fill:#1d3a54}
.gridlock-table .lost{fill:#4a2b1c}
.gridlock-table .least{fill:#6b3417}
}
"""


def as_svg(table: Crosstable) -> str:
    """Draw a cross-table: the ratings with their intervals, the results by opponent, a table of details, and notes."""
    parts: list[str] = []
    width, y = 480, _TOP
    if table.lines:
        wide, y = _draw_results(table, parts, y)
        wider, y = _draw_details(table, parts, y + 2 * ROW)
        width = max(width, wide, wider)
    notes = [part for words in (*table.notes, *legend(table)) for part in _broken(words, width - 2 * EDGE)]
    for number, words in enumerate(notes):
        parts.append(_text(EDGE, y + 24 + 18 * number, words, "note", "start"))
    width = max(width, 2 * EDGE + text_width(table.title) * 17 // 13)
    height = y + 24 + 18 * len(notes) + EDGE // 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="gridlock-table" role="img" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            f"<title>{safe_text(table.title)}</title>",
            f"<desc>{safe_text(_described(table))}</desc>",
            f"<style>{_STYLE}</style>",
            f'<rect class="page" width="{width}" height="{height}"/>',
            _text(EDGE, 32, table.title, "title", "start"),
            *parts,
            "</svg>",
            "",
        ]
    )


def _described(table: Crosstable) -> str:
    """Describe what the picture shows, for people who cannot see it."""
    ranks = (
        f"{at}. {line.name}, Elo {line.rating.elo:+z.0f} +/- {line.rating.margin:.0f}, {line.total.won} of "
        f"{line.total.games} games won."
        for at, line in enumerate(table.lines, 1)
    )
    return " ".join([*ranks, *table.notes])


def _draw_results(table: Crosstable, parts: list[str], top: int) -> tuple[int, int]:
    """Draw the ratings and the results by opponent; return the drawing's width and its lower edge."""
    lines = table.lines
    axis = Axis([line.rating for line in lines], AXIS)
    columns = [
        [str(at) for at in range(1, len(lines) + 1)],
        [line.name for line in lines],
        [f"{line.rating.elo:+z.0f}" for line in lines],
        [f"{line.rating.margin:.0f}" for line in lines],
        ["" for _ in lines],
        [str(line.total.games) for line in lines],
        [f"{line.total.share:.1%}" for line in lines],
        *([str(line.against[at] or "") for line in lines] for at in range(len(lines))),
    ]
    heads = [*_FACTS, *columns[0]]
    widest = GAP + max(text_width(cell) for column in columns[len(_FACTS) :] for cell in column)
    records = dict.fromkeys(range(len(_FACTS), len(columns)), widest)
    rights = _rights(heads, columns, {_FACTS.index(""): AXIS + 2 * GAP, **records})
    left = rights[_FACTS.index("")] - AXIS - GAP // 2
    for tick in axis.ticks:
        x = left + axis.place(tick)
        parts.append(_text(x, top + ROW // 2 + 4, f"{tick:+d}" if tick else "0", "tick", "middle"))
        parts.append(f'<path class="line" d="M{x:.1f} {top + ROW}v{ROW * len(lines)}"/>')
    for row, line in enumerate(lines):
        y = top + ROW * (row + 1)
        for at, record in enumerate(line.against):
            right, before = rights[len(_FACTS) + at], rights[len(_FACTS) + at - 1]
            if record:
                box = f'x="{before + GAP / 2:g}" y="{y}" width="{right - before:g}" height="{ROW}"'
                parts.append(f'<rect class="{record.shade}" {box}/>')
            elif at == row:
                parts.append(_text((before + right + GAP) / 2, y + ROW // 2 + 5, "\N{MIDDLE DOT}", "note", "middle"))
        parts.append(f'<g transform="translate({left} {y + ROW // 2})">{axis.mark(line.rating)}</g>')
    return _draw_columns(heads, columns, rights, lines, parts, top)


def _draw_details(table: Crosstable, parts: list[str], top: int) -> tuple[int, int]:
    """Draw the details table; return its width and its lower edge."""
    known = details(table)
    heads = ["#", "Player", *known]
    numbers = [str(at) for at in range(1, len(table.lines) + 1)]
    columns = [numbers, [line.name for line in table.lines], *known.values()]
    return _draw_columns(heads, columns, _rights(heads, columns, {}), table.lines, parts, top)


def _rights(heads: Sequence[str], columns: Sequence[Sequence[str]], fixed: dict[int, int]) -> list[int]:
    """Return every column's right edge; `fixed` gives some columns' widths, and bold headings get extra space."""
    rights, x = [], EDGE - GAP
    for number, (head, cells) in enumerate(zip(heads, columns, strict=True)):
        x += fixed.get(number) or GAP + max(text_width(head) * 6 // 5 + 4, *map(text_width, cells))
        rights.append(x)
    return rights


def _draw_columns(
    heads: Sequence[str],
    columns: Sequence[Sequence[str]],
    rights: Sequence[int],
    lines: Sequence[Line],
    parts: list[str],
    top: int,
) -> tuple[int, int]:
    """Draw a table's text and lines, with only the names left-aligned; return the table's width and lower edge."""
    width, bottom = rights[-1] + EDGE, top + ROW * (len(lines) + 1)
    across = rights[-1] + GAP // 2 - EDGE
    for number, (head, cells) in enumerate(zip(heads, columns, strict=True)):
        for row, text in enumerate([head, *cells]):
            x, anchor = (rights[0] + GAP, "start") if number == 1 else (rights[number], "end")
            parts.append(_text(x, top + ROW * row + ROW // 2 + 5, text, "" if row else "head", anchor) if text else "")
    for row, line in enumerate(lines):
        style = "rule" if not row or line.begins_group else "line"
        parts.append(f'<path class="{style}" d="M{EDGE} {top + ROW * (row + 1)}h{across}"/>')
    parts += [f'<path class="rule" d="M{EDGE} {y}h{across}"/>' for y in (top, bottom)]
    return width, bottom


def _text(x: float, y: float, text: str, style: str, anchor: str) -> str:
    named = f'class="{style}" ' if style else ""
    return f'<text {named}x="{x:g}" y="{y:g}" text-anchor="{anchor}">{safe_text(text)}</text>'


def _broken(words: str, room: int) -> list[str]:
    """Break a sentence into lines of at most `room` pixels."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if text_width(longer) <= room else [*lines, word]
    return [line for line in lines if line]
