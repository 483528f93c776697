"""Boards on which the cells show something else than they do in play: what a move is worth, or its partner."""

from collections.abc import Mapping

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED, paint
from gridlock.engine.analysis import Analysis
from gridlock.engine.evidence import Verdict
from gridlock.play.advice import value_text

COLOURS = {Verdict.WIN: "1;32", Verdict.LOSS: "31", Verdict.UNKNOWN: "33"}
PAIRS = "Cells with the same letter answer each other"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def values_board(analysis: Analysis, colour: bool) -> list[str]:
    """The board with every move's value, line by line."""
    texts = {move.cell: value_text(move) for move in analysis.values}
    colours = {move.cell: COLOURS[move.verdict] for move in analysis.values}
    return _board(analysis.variant, analysis.position, texts, colours if colour else {}, CLOSED)


def position_board(variant: Variant, position: Position, last: Cell | None) -> list[str]:
    """The board as it stands, with its rows and columns numbered and perhaps the last move in reverse colours."""
    return _board(variant, position, {}, {} if last is None else {last: "1;7"}, ".")


def partners_board(analysis: Analysis, pairs: Mapping[Cell, Cell], played: Cell | None) -> list[str]:
    """The board with a letter for each cell and its answer and a star on the move; nothing without letters enough."""
    twos = [(one, other) for one, other in pairs.items() if one < other]
    if not twos or len(twos) > len(LETTERS):
        return []
    letters = {cell: letter for letter, pair in zip(LETTERS, twos, strict=False) for cell in pair}
    texts = letters if played is None else {**letters, played: "*"}
    return _board(analysis.variant, analysis.position, texts, {}, ".")


def _board(
    variant: Variant,
    position: Position,
    texts: Mapping[Cell, str],
    colours: Mapping[Cell, str],
    empty: str,
) -> list[str]:
    """The board, with these texts in place of what the cells hold."""
    grid = variant.grid
    shown = [texts.get(cell) or variant.content(position, cell) or empty for cell in range(grid.size)]
    first = variant.book.origin
    width = max(len(text) for text in [*shown, str(grid.cols - 1 + first)]) + 1
    label = len(str(grid.rows - 1 + first))
    lines = [" " * label + "".join(f"{first + col:>{width}}" for col in range(grid.cols))]
    for row in range(grid.rows):
        cells = range(row * grid.cols, (row + 1) * grid.cols)
        drawn = (paint(f"{shown[cell]:>{width}}", colours.get(cell, "")) for cell in cells)
        lines.append(f"{first + row:>{label}}" + "".join(drawn))
    return lines
