"""Setups: a game and its moves as they travel, within the limits of this server."""

import re
from functools import lru_cache

from gridlock.errors import BadBoard, GridLockError, IllegalMove, UnreadableMove
from gridlock.game import Game
from gridlock.grid import board_size
from gridlock.movetext import push_stored, written
from gridlock.notation import play_moves
from gridlock.records import load_json, loads, read_json
from gridlock.rulebook import Variant
from gridlock.rules import variant
from gridlock.web.answers import WholeSetup
from gridlock.web.limits import LONGEST_SIDE
from gridlock.web.messages import Setup, Source

_BOARD = re.compile(r'^\[Board "([^"]*)"\]', re.MULTILINE)


@lru_cache(maxsize=256)
def variant_of(game: str, board: str | None, adjacency: str | None) -> Variant:
    """A game on a board; games share what they know about their board."""
    if board:
        _small_enough(*board_size(board))
    return variant(game, board, adjacency)


def _small_enough(rows: int, cols: int) -> None:
    if max(rows, cols) > LONGEST_SIDE:
        raise BadBoard(f"Boards in the browser go up to {LONGEST_SIDE}x{LONGEST_SIDE}.")


def setup_of(game: Game) -> WholeSetup:
    """The setup that leads to a game as it stands."""
    grid = game.variant.grid
    return WholeSetup(
        game=game.variant.book.name,
        board=str(grid),
        adjacency=grid.adjacency,
        starts=game.starts,
        swap=game.swap,
        moves=written(game),
    )


def game_of(setup: Setup, starts: int | None = None) -> Game:
    """The game that a setup describes."""
    game = Game(
        variant_of(setup.game.strip().lower(), setup.board, setup.adjacency),
        starts=starts or setup.starts,
        swap=setup.swap,
    )
    for number, text in enumerate(setup.moves, 1):
        try:
            push_stored(game, text)
        except (IllegalMove, UnreadableMove) as error:
            raise IllegalMove(f"Move {number} ({text}) is not possible: {error}.") from None
    return game


def game_from(source: Source) -> Game:
    """The game that a setup, pasted moves or a pasted record describe."""
    if source.record is not None:
        if source.setup is not None or source.text is not None:
            raise GridLockError("A record says everything itself; send no setup and no moves with it.")
        return _recorded(source.record)
    if source.setup is None:
        raise GridLockError("There is neither a setup nor a record.")
    game = game_of(source.setup)
    play_moves(game, source.text or "")
    return game


def _recorded(text: str) -> Game:
    """The first game of a record; how large its board is gets looked at before anything is replayed."""
    if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith("[GridLock "):
        data = read_json(text)
        data = data[0] if isinstance(data, list) and data else data
        board = data.get("Board") if isinstance(data, dict) else None
        if isinstance(board, str):
            _small_enough(*board_size(board))
        return load_json(data)
    first = text.lstrip().partition("\n[GridLock ")[0]
    for match in _BOARD.finditer(first):
        _small_enough(*board_size(match[1]))
    return loads(first)[0]
