"""The options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gridlock.errors import BadBoard
from gridlock.grid import Adjacency, board_size
from gridlock.rules import RULE_BOOKS

Command = TypeVar("Command", bound=Callable[..., Any])


def _known_game(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """Accept a registered name, in any case; looked up now, so that a newly registered game counts too."""
    name = value.strip().lower()
    if name not in RULE_BOOKS:
        raise click.BadParameter(f"there is no game called '{value[:40]}'. The games are {', '.join(RULE_BOOKS)}.")
    return name


def _readable_board(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Accept what can be read as a board."""
    try:
        if value is not None:
            board_size(value)
    except BadBoard as error:
        raise click.BadParameter(str(error)) from None
    return value


game_argument = click.argument("game", metavar="GAME", callback=_known_game)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def board_options(command: Command) -> Command:
    """Add --board and --adjacency."""
    adjacency = click.option(
        "--adjacency",
        type=click.Choice([str(kind) for kind in Adjacency]),
        help="Which cells touch: eight neighbours or four. [default: the game's own]",
    )
    board = click.option(
        "--board", metavar="ROWSxCOLS", callback=_readable_board, help="1x1 to 100x100. [default: the game's own]"
    )
    return board(adjacency(command))
