"""Boards that show the values of moves or pairs of cells, and the words for boards too wide to draw."""

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
LISTED = 6  # moves or pairs of a large board that are listed in words


def values_board(variant: Variant, position: Position, values: Values, colour: bool) -> list[str]:
    """Return the lines of a board that shows the value of every move."""
    texts = {cell: text for cell, (text, _) in values.items()}
    colours = {cell: COLOURS[verdict] for cell, (_, verdict) in values.items()} if colour else {}
    return _board(variant, position, texts, colours, CLOSED)


def position_board(variant: Variant, position: Position, last: Cell | None) -> list[str]:
    """Return the lines of a board with numbered rows and columns, and the last move, if given, in reverse colours."""
    return _board(variant, position, {}, {} if last is None else {last: "1;7"}, ".")


def partners_board(variant: Variant, position: Position, pairs: Mapping[Cell, Cell], played: Cell | None) -> list[str]:
    """Return a heading and a board with a letter for each pair and a star on the move; nothing if letters run out."""
    letters = letters_of(pairs)
    if not letters or len(letters) < len(pairs):
        return []
    texts = letters if played is None else {**letters, played: "*"}
    return [f"{PAIRS}{'' if played is None else '; * is the move'}:", *_board(variant, position, texts, {}, ".")]


def letters_of(pairs: Mapping[Cell, Cell]) -> dict[Cell, str]:
    """Return a letter for each cell of each pair, as far as there are letters."""
    twos = [(one, other) for one, other in pairs.items() if one < other]
    return {cell: letter for letter, pair in zip(LETTERS, twos, strict=False) for cell in pair}


def partners_in_words(variant: Variant, why: Reason) -> list[str]:
    """Return a sentence with some cells and their answers, except the one that the reason names."""
    position = why.answered or (why.position if why.played is None else why.position.after(why.played))
    takes = [cell for cell in variant.legal_cells(position) if cell in why.pairs][0 if why.answered else 1 :]
    name = variant.name
    some = "; ".join(f"{name(cell)} by {name(why.pairs[cell])}" for cell in takes[:LISTED])
    more = "; and others" * (len(takes) > LISTED)
    begin = "After that, for instance," if why.answered else "Likewise"
    return [f"{begin} {some.replace('by', 'is answered by', 1)}{more}."] if some else []


def values_in_words(variant: Variant, values: Values) -> list[str]:
    """Return how many moves win and lose, with the first few of each."""
    lines = []
    for verdict, one, more in (("win", "wins", "win"), ("loss", "loses", "lose"), ("unknown", "unsolved", "unsolved")):
        names = [variant.name(cell) for cell, (_, value) in values.items() if value == verdict]
        if names:
            rest = " ..." if len(names) > LISTED else ""
            word = one if len(names) == 1 else more
            lines.append(f"{count_of_moves(len(names))} {word}: {'  '.join(names[:LISTED])}{rest}")
    return lines


def _board(
    variant: Variant,
    position: Position,
    texts: Mapping[Cell, str],
    colours: Mapping[Cell, str],
    empty: str,
) -> list[str]:
    """Return the lines of a board with these texts in place of what the cells hold."""
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
