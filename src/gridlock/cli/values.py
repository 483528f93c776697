"""A board on which every move shows what it is worth: + wins, - loses, with the plies it takes."""

from gridlock.cli.drawing import paint
from gridlock.engine.analysis import Analysis, MoveValue, Verdict

SIGNS = {Verdict.WIN: "+", Verdict.LOSS: "-", Verdict.UNKNOWN: "?"}
COLOURS = {Verdict.WIN: "1;32", Verdict.LOSS: "31", Verdict.UNKNOWN: "33"}


def value_text(move: MoveValue) -> str:
    """A move's value such as `+7`, or `+` where the plies are not known."""
    return SIGNS[move.verdict] + ("" if move.distance is None else str(move.distance))


def values_board(analysis: Analysis, colour: bool) -> list[str]:
    """The board, line by line."""
    variant, grid = analysis.variant, analysis.variant.grid
    texts = [variant.content(analysis.position, cell) or "." for cell in range(grid.size)]
    colours = [""] * grid.size
    for move in analysis.moves:
        texts[move.cell] = value_text(move)
        colours[move.cell] = COLOURS[move.verdict] if colour else ""
    first = variant.book.origin
    width = max(len(text) for text in [*texts, str(grid.cols - 1 + first)]) + 1
    label = len(str(grid.rows - 1 + first))
    lines = [" " * label + "".join(f"{first + col:>{width}}" for col in range(grid.cols))]
    for row in range(grid.rows):
        cells = range(row * grid.cols, (row + 1) * grid.cols)
        lines.append(
            f"{first + row:>{label}}" + "".join(paint(f"{texts[cell]:>{width}}", colours[cell]) for cell in cells)
        )
    return lines
