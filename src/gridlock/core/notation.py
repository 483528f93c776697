"""Moves as players type them, and as files store them.

Records, setups and links store a move as `row,column` in the game's own numbering, or as `swap`. Players may also type
moves in other forms, such as directions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridlock.core.errors import IllegalMove, UnreadableMove
from gridlock.core.grid import Cell, board_size, first_of
from gridlock.core.position import SWAP, Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow

if TYPE_CHECKING:
    from gridlock.core.game import Game

SWAP_WORD, PASS_WORD = "swap", "pass"
PLACE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")
_NUMBER = r"([+-]?[0-9]+)"
_MOVE = re.compile(
    r"(?:place (?P<mark>\S+) at )?"
    rf"(?:row {_NUMBER} ?,? ?col(?:umn)? {_NUMBER}|\( ?{_NUMBER} ?, ?{_NUMBER} ?\)|{_NUMBER}(?: ?, ?| ){_NUMBER})",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"[a-z] ?[0-9]{1,3}|[0-9]{1,3} ?[a-z]", re.IGNORECASE)
DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_STEPS = DIRECTIONS | {key: DIRECTIONS[word] for key, word in zip("wsad", DIRECTIONS, strict=True)}


def read_board(text: str) -> tuple[int, int]:
    """Return the rows and columns of a board as people type it: 5x6, 5 x 6, 5*6, 5×6 or 5 by 6."""  # noqa: RUF002
    return board_size(re.sub(r"(?<=[0-9])\s*(?:x|\*|\N{MULTIPLICATION SIGN}|by)\s*(?=[0-9])", "x", text.lower()))


def read_number(text: str) -> int:
    """Return a typed row or column as a number, or -1 (which is outside every grid) if the text is absurdly long."""
    return int(text) if len(text) < 9 else -1


def read_move(text: str, variant: Variant, mark: str, example: Cell = 0) -> Cell | None:
    """Return the cell of a typed move (`2 3` or `Place X at row 2 column 3`), or None if it is outside the grid."""
    words = " ".join(text.split())
    match = _MOVE.fullmatch(words)
    if not match:
        numbers = "Columns have numbers here, not letters. " if _LETTERED.fullmatch(words) else ""
        raise UnreadableMove(f"{numbers}Enter a row and a column, such as {variant.name(example)}")
    if match["mark"] and match["mark"].upper().strip("'\"") != mark:
        raise UnreadableMove(f"Your marker is {mark}")
    row, col = (read_number(number) for number in match.groups()[1:] if number)
    return variant.cell(row, col)


def takes_steps(variant: Variant) -> bool:
    """Return whether players may type directions, that is, whether every move is a step of the player's own pawn."""
    return variant.shape is not None and variant.shape.pawn and variant.shape.follows is Follow.NEAR


def step_word(variant: Variant, position: Position, cell: Cell) -> str:
    """Return the direction from the mover's pawn to a cell, such as `right` or `down left`."""
    assert position.my_head is not None  # pawns stand on the board from the start
    (row, col), (to_row, to_col) = variant.coordinates(position.my_head), variant.coordinates(cell)
    words = {step: word for word, step in DIRECTIONS.items()}
    ways = [words.get((to_row - row, 0), ""), words.get((0, to_col - col), "")]
    return " ".join(filter(None, ways))


def read_step(text: str, variant: Variant, position: Position) -> tuple[int, int] | None:
    """Return the row and column that a direction such as `up`, `w` or `down left` leads to, or None for other text."""
    words = text.lower().replace("-", " ").split()
    if not takes_steps(variant) or position.my_head is None or not 1 <= len(words) <= 2:
        return None
    if not all(word in _STEPS for word in words):
        return None
    row, col = variant.coordinates(position.my_head)
    steps = [_STEPS[word] for word in words]
    if len(steps) == 2 and (steps[0][0] == 0) == (steps[1][0] == 0):  # such as up down
        return None
    return row + sum(down for down, _ in steps), col + sum(across for _, across in steps)


def read_turn(text: str, variant: Variant, position: Position) -> Cell | None:
    """Return the cell given by coordinates or by a direction from the mover's pawn, or None for a cell off the grid."""
    if place := read_step(text, variant, position):
        return variant.cell(*place)
    mark = variant.book.mark(position.turn)
    return read_move(text, variant, mark, first_of(variant.legal(position)) or 0)


def split_moves(text: str) -> list[str]:
    """Split a list such as `3,3 1,1`, `3 3; 1 1` or `3 3 / 1 1` into moves; line breaks also separate moves."""
    pieces = []
    for part in re.split(r";|\n|\s/\s", text):
        words = " ".join(part.split())
        pieces += [words] if _MOVE.fullmatch(words) else re.sub(r" ?, ?", ",", words).split()
    return pieces


def write_move(variant: Variant, move: Cell) -> str:
    """Return a move in its stored form."""
    return SWAP_WORD if move == SWAP else variant.name(move)


def read_stored(variant: Variant, text: str) -> Cell | None:
    """Return the cell (or SWAP) that a stored string represents, or None if the cell is outside the grid."""
    if text == SWAP_WORD:
        return SWAP
    match = PLACE.fullmatch(text)
    if not match:
        raise UnreadableMove(f"a move is a row and a column, such as {variant.name(0)}, or {SWAP_WORD}")
    return variant.cell(int(match[1]), int(match[2]))


# -- lists of moves, played in a game ---------------------------------------------------------------------------------


def play_moves(game: Game, text: str) -> None:
    """Play a list of typed moves, which may include swaps but not passes; an error names the invalid move."""
    for number, piece in enumerate(split_moves(text), 1):
        try:
            game.push(piece)
        except UnreadableMove as error:
            raise UnreadableMove(f"Move {number} ('{piece[:40]}') cannot be read: {error.why}.") from None
        except IllegalMove as error:
            raise IllegalMove(f"Move {number} ({piece[:40]}) is not possible: {error.why}.") from None


def push_stored(game: Game, text: str) -> None:
    """Make a move given in its stored form."""
    game.push(read_stored(game.variant, text))


def play_stored(game: Game, moves: Iterable[str]) -> None:
    """Play a list of stored moves; an error names the invalid move."""
    for number, text in enumerate(moves, 1):
        try:
            push_stored(game, text)
        except (IllegalMove, UnreadableMove) as error:
            raise IllegalMove(f"Move {number} ({text}) is not possible: {error.why}.") from None


def push_with_passes(game: Game, moves: Iterable[str]) -> bool:
    """Play stored moves, which may include passes, and return whether the last one is a pass.

    A stored pass changes nothing, because the game makes forced passes itself. A pass that is not forced is rejected.
    """
    passed = False
    for number, text in enumerate(moves, 1):
        try:
            if text != PASS_WORD:
                push_stored(game, text)
            elif passed or not game.passing:
                raise IllegalMove("the game is over" if game.outcome else "the player to move has a move")
            passed = text == PASS_WORD
        except (IllegalMove, UnreadableMove) as error:
            raise IllegalMove(f"Move {number} ({text[:40]}) is not possible: {error.why}.") from None
    return passed


def with_passes(game: Game) -> list[str]:
    """Return every move in its stored form, including passes, so that the players always alternate."""
    return [
        SWAP_WORD if event.swap else PASS_WORD if event.cell is None else game.variant.name(event.cell)
        for event in game.history()
    ]


def written(game: Game) -> list[str]:
    """Return every move of a game in its stored form; passes are left out, because the rules imply them."""
    return [write_move(game.variant, move) for move in game.moves]
