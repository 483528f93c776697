"""Boards on which the cells show something else than they do in play: the values of moves, or pairs of cells.

Where a board is too wide to draw, the same is said in words.
"""

from collections.abc import Mapping

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED, paint
from gridlock.play.advice import Reason, Values
from gridlock.play.match_text import count_of_moves

COLOURS = {"win": "1;32", "loss": "31", "unknown": "33"}
PAIRS = "Cells with the same letter answer each other"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MENTIONED = 6  # moves or pairs of a large board that are listed in words


def values_board(variant: Variant, position: Position, values: Values, colour: bool) -> list[str]:
    """The board with every move's value, line by line."""
    texts = {cell: text for cell, (text, _) in values.items()}
    colours = {cell: COLOURS[verdict] for cell, (_, verdict) in values.items()} if colour else {}
    return _board(variant, position, texts, colours, CLOSED)


def position_board(variant: Variant, position: Position, last: Cell | None) -> list[str]:
    """The board as it stands, with its rows and columns numbered and perhaps the last move in reverse colours."""
    return _board(variant, position, {}, {} if last is None else {last: "1;7"}, ".")


def partners_board(variant: Variant, position: Position, pairs: Mapping[Cell, Cell], played: Cell | None) -> list[str]:
    """A line about it, and the board with a letter for each cell and its answer and a star on the move.

    Without letters enough there is nothing to see.
    """
    letters = letters_of(pairs)
    if not letters or len(letters) < len(pairs):
        return []
    texts = letters if played is None else {**letters, played: "*"}
    return [f"{PAIRS}{'' if played is None else '; * is the move'}:", *_board(variant, position, texts, {}, ".")]


def letters_of(pairs: Mapping[Cell, Cell]) -> dict[Cell, str]:
    """A letter for each pair, as far as letters go."""
    twos = [(one, other) for one, other in pairs.items() if one < other]
    return {cell: letter for letter, pair in zip(LETTERS, twos, strict=False) for cell in pair}


def partners_in_words(variant: Variant, why: Reason) -> list[str]:
    """Some cells with their answers, where there are too many to draw; the first one is in the reason already."""
    position = why.answered or (why.position if why.played is None else why.position.after(why.played))
    takes = [cell for cell in variant.legal_cells(position) if cell in why.pairs][0 if why.answered else 1 :]
    name = variant.name
    some = "; ".join(f"{name(cell)} by {name(why.pairs[cell])}" for cell in takes[:MENTIONED])
    more = "; and so on" * (len(takes) > MENTIONED)
    begin = "After that, for instance," if why.answered else "Likewise"
    return [f"{begin} {some.replace('by', 'is answered by', 1)}{more}."] if some else []


def values_in_words(variant: Variant, values: Values) -> list[str]:
    """How many moves win and lose, and some of them, where the board is too wide to draw."""
    said = []
    for verdict, one, more in (("win", "wins", "win"), ("loss", "loses", "lose"), ("unknown", "unknown", "unknown")):
        names = [variant.name(cell) for cell, (_, value) in values.items() if value == verdict]
        if names:
            rest = " ..." if len(names) > MENTIONED else ""
            word = one if len(names) == 1 else more
            said.append(f"{count_of_moves(len(names))} {word}: {'  '.join(names[:MENTIONED])}{rest}")
    return said


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
