"""Positions in addresses that the server sees: `?at=<game>/<board>/<adjacency>/<starts>/<swap>/<moves>[/<more>]`."""

from typing import Any

import msgspec

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.web.wire.messages import Setup
from gridlock.web.wire.setups import game_of

LONGEST = 12_000  # characters: about as many moves as a large board has cells
_FIELDS = 6  # that every address has; JSON may follow them


def game_at(text: str) -> Game:
    """The game that stands in an address, with its moves."""
    fields = text.split("/", _FIELDS)
    if len(text) > LONGEST or len(fields) < _FIELDS or fields[3] not in ("1", "2") or fields[4] not in ("0", "1"):
        raise _unreadable()
    data: dict[str, Any] = {
        "game": fields[0],
        "board": fields[1],
        "adjacency": fields[2],
        "starts": int(fields[3]),
        "swap": fields[4] == "1",
        "moves": fields[5].split("_") if fields[5] else [],
    }
    try:
        more = msgspec.json.decode(fields[_FIELDS], type=dict[str, Any]) if fields[_FIELDS:] else {}
        return game_of(msgspec.convert({**more, **data}, Setup))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise _unreadable() from None


def _unreadable() -> GridLockError:
    return GridLockError("This address of a position cannot be read. It may have been cut short when it was copied.")
