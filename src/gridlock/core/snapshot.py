"""Write a position as one line of text, such as `showdown king 5/2X2/5/5/O4 X 3,3 5,1 -`, and read it back.

The fields are the game, its adjacency, the rows from the top, the mark of the side to move, the cell each side took
last (- for none), and the swap field. In a row, a number stands for a run of that many empty cells, and a lower-case
letter stands for a cell that a pawn has left. The swap field is `swap` if a swap may still be made, `swapped` if the
players have exchanged sides, and `-` otherwise.

A position's text becomes a single word if its spaces are replaced with colons.
"""

import re

from gridlock.core import rules
from gridlock.core.errors import BadPosition
from gridlock.core.grid import LONGEST_SIDE, Cell
from gridlock.core.notation import PLACE
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant

NOTHING, PENDING, SWAPPED = "-", "swap", "swapped"
FIELDS = 7
JOINT = ":"  # separates the fields of a position that is written as one word
ANY = "?"  # an unknown last cell, while a position is being set up


def position_text(variant: Variant, position: Position, swap: str) -> str:
    """Return a position as one line of text, ending with the swap field."""
    book, heads = variant.book, (position.head(1), position.head(2))
    rows = "/".join(_row(variant, position, row) for row in range(variant.grid.rows))
    lasts = [NOTHING if head is None else variant.name(head) for head in heads]
    return " ".join([book.name, variant.grid.adjacency, rows, book.mark(position.turn), *lasts, swap])


def _row(variant: Variant, position: Position, row: int) -> str:
    signs = "".join(_sign(variant, position, row * variant.grid.cols + col) for col in range(variant.grid.cols))
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), signs)


def _sign(variant: Variant, position: Position, cell: Cell) -> str:
    for side in (1, 2):
        if position.markers(side) >> cell & 1:
            mark = variant.book.mark(side)
            return mark.lower() if variant.book.pawns and position.head(side) != cell else mark
    return "."


def read_position(text: str, known: RuleBook | None = None, is_loose: bool = False) -> tuple[Variant, Position, str]:
    """Read a position from text; return the game with its board, the position, and the swap field.

    If `is_loose` is true, the cell that a side took last may be given as ANY, which stands for any cell with one of
    that side's markers.
    """
    fields = text.replace(JOINT, " ").split()
    if len(fields) != FIELDS:
        raise BadPosition(
            f"A position has {FIELDS} fields (game, adjacency, rows, turn, the cell each side took last, and swap), "
            f"not {len(fields)}: '{text[:40]}'."
        )
    name, adjacency, rows, turn, *lasts, swap = fields
    book = known if known is not None and known.name == name else rules.named(name)
    if swap not in (NOTHING, PENDING, SWAPPED):
        raise BadPosition(f"The last field must be {PENDING}, {SWAPPED} or {NOTHING}, not '{swap[:40]}'.")
    if turn not in book.marks:
        raise BadPosition(f"The turn must be {' or '.join(book.marks)}, not '{turn[:40]}'.")
    lines = [_spelled_out(line) for line in rows.split("/", LONGEST_SIDE)]
    variant = rules.variant(book, f"{len(lines)}x{len(lines[0])}", adjacency)
    signs = "".join(lines)
    if any(len(line) != len(lines[0]) for line in lines):
        raise BadPosition(f"The rows '{rows[:40]}' do not all have the same length.")
    sides = []
    for side in (1, 2):
        mark = book.mark(side)
        own = {mark, mark.lower()} if book.pawns else {mark}
        cells = [cell for cell, sign in enumerate(signs) if sign in own]
        pawns = [cell for cell in cells if signs[cell] == mark]
        is_any = is_loose and lasts[side - 1] == ANY
        last = _last(variant, lasts[side - 1], mark, pawns, is_any)
        sides.append((sum(1 << cell for cell in cells), last))
    strange = set(signs) - {".", *book.marks, *(mark.lower() for mark in book.marks if book.pawns)}
    if strange:
        raise BadPosition(f"'{min(strange)}' cannot stand on a board of {book.name}.")
    (first, first_head), (second, second_head) = sides
    position = Position(first, second, first_head, second_head, 1)
    return variant, position if turn == book.marks[0] else position.passed(), swap


def _spelled_out(line: str) -> str:
    """Return one row of a position's text, with a dot for each empty cell."""
    if len(line) > LONGEST_SIDE:
        raise BadPosition(f"A row has at most {LONGEST_SIDE} cells, so '{line[:20]}...' is too long.")
    return re.sub(r"[0-9]{1,3}", lambda empty: "." * int(empty[0]), line)


def _last(variant: Variant, text: str, mark: str, cells: list[Cell], is_any: bool) -> Cell | None:
    """Read the cell that a side took last, which must contain the side's marker (in a game with pawns, its pawn)."""
    if variant.book.pawns and len(cells) != 1:
        raise BadPosition(f"There must be one pawn {mark} on the board, not {len(cells)}.")
    if text == NOTHING and not cells:
        return None
    if is_any:
        return cells[-1] if cells else None
    match = PLACE.fullmatch(text)
    cell = variant.cell(int(match[1]), int(match[2])) if match else None
    if cell is None or cell not in cells:
        raise BadPosition(
            f"The cell that {mark} took last must be one that {mark} occupies, but '{text[:40]}' was given. If "
            f"{mark} occupies no cell, write {NOTHING}."
        )
    return cell
