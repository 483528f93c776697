"""Boards as text with lines around groups of cells."""

from collections.abc import Mapping

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

# A corner's index is the sum of the numbers of its lines: 1 for up, 2 for right, 4 for down, and 8 for left.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_PLAIN = str.maketrans("─│╵╶└╷┌├╴┘┴┐┤┬┼", "-||-+|++-++++++")
_WIDE = 4  # columns from one cell to the next


def outlined_board(
    variant: Variant,
    position: Position,
    groups: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    empty: str,
    plain: bool = False,
) -> list[str]:
    """Draw a numbered board with a line around each group of cells; if `plain` is true, use only ASCII.

    A cell shows its text or, if it has none, its marker or the name of its group.
    """
    grid, first = variant.grid, variant.book.origin
    label = len(str(grid.rows - 1 + first))

    def group(row: int, col: int) -> str | None:
        return groups.get(row * grid.cols + col) if 0 <= row < grid.rows and 0 <= col < grid.cols else None

    def across(row: int, col: int) -> bool:
        """Return whether there is a line above a cell."""
        return group(row - 1, col) != group(row, col)

    def down(row: int, col: int) -> bool:
        """Return whether there is a line to the left of a cell."""
        return group(row, col - 1) != group(row, col)

    def corner(row: int, col: int) -> str:
        ends = down(row - 1, col), across(row, col), down(row, col), across(row, col - 1)
        return _CORNERS[sum(1 << place for place, drawn in enumerate(ends) if drawn)]

    lines = [" " * (label + 1) + "".join(f"{first + col:>{_WIDE - 1}} " for col in range(grid.cols)).rstrip()]
    for row in range(grid.rows + 1):
        rule = "".join(corner(row, col) + (_WIDE - 1) * (" ─"[across(row, col)]) for col in range(grid.cols + 1))
        if rule.strip():  # lines that separate nothing are left out
            lines.append(" " * (label + 1) + rule.rstrip())
        if row == grid.rows:
            break
        line = f"{first + row:>{label}} "
        for col in range(grid.cols + 1):
            cell = row * grid.cols + col
            line += " │"[down(row, col)]
            if col < grid.cols:
                shown = texts.get(cell) or variant.content(position, cell) or groups.get(cell) or empty
                line += shown.center(_WIDE - 1)
        lines.append(line.rstrip())
    return [line.translate(_PLAIN) for line in lines] if plain else lines
