"""The options that several commands share."""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gridlock import rules
from gridlock.errors import BadBoard, BadGame
from gridlock.game import Game
from gridlock.grid import Adjacency, board_size
from gridlock.notation import play_moves
from gridlock.players import AGENTS, NoAgent, agents
from gridlock.rulebook import RuleBook

Command = TypeVar("Command", bound=Callable[..., Any])


def book_called(game: str) -> RuleBook:
    """A game by name, in any case, or by the file that describes it; packages may have brought more of them."""
    if is_file(game):
        return rules.rule_book(Path(game))
    try:
        return rules.named(game.strip().lower())
    except BadGame as error:
        raise click.BadParameter(
            f"{str(error)[:1].lower()}{str(error)[1:]} For one of your own, name its file, such as ./hermit.toml.",
            param_hint="'GAME'",
        ) from None


def known_game(_ctx: click.Context, _param: click.Parameter, value: str | None) -> RuleBook | None:
    """The game that an argument means, if it is given."""
    return None if value is None else book_called(value)


def _known_player(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """A person, or an agent by name; packages are asked only for a name that is not known without them."""
    if value not in ("human", *AGENTS):
        try:
            agents[value]
        except NoAgent as error:
            raise click.BadParameter(f"{str(error)[:1].lower()}{str(error)[1:]} Or human, for a person.") from None
    return value


def is_file(game: str) -> bool:
    """Whether somebody means a file that describes a game, not a game's name."""
    return game.lower().endswith(".toml") or "/" in game or os.sep in game


def _readable_board(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Accept what can be read as a board."""
    try:
        if value is not None:
            board_size(value)
    except BadBoard as error:
        raise click.BadParameter(str(error)) from None
    return value


class Seconds(click.FloatRange):
    """A time: click alone would take "nan" for one that never ends."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The time as a number."""
        try:
            finite = math.isfinite(float(value))
        except ValueError:
            finite = False
        if not finite:
            self.fail(f"'{str(value)[:40]}' is not a number of seconds.", param, ctx)
        return super().convert(value, param, ctx)


def player_option(player: int) -> Callable[[Command], Command]:
    """Make --player1 or --player2."""
    return click.option(
        f"--player{player}",
        default="human",
        show_default=True,
        callback=_known_player,
        metavar=f"[{'|'.join(['human', *AGENTS])}]",
        help=f"Who plays for player {player}.",
    )


def new_seed() -> int:
    """A seed that nobody chose."""
    return int.from_bytes(os.urandom(6))


def seed_option(words: str) -> Callable[[Command], Command]:
    """Make --seed; without it there is a new one."""
    return click.option("--seed", type=int, default=new_seed, help=words)


game_argument = click.argument("game", metavar="GAME", callback=known_game)
memory_option = click.option(
    "--memory", type=click.IntRange(1, 1 << 20), default=256, show_default=True, help="Tables, in MiB."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
swap_option = click.option("--swap", is_flag=True, help="With the swap rule.")
adjacency_option = click.option(
    "--adjacency",
    type=click.Choice([str(kind) for kind in Adjacency]),
    help="Which cells touch: eight neighbours or four. [default: the game's own]",
)


def board_options(command: Command) -> Command:
    """Add --board and --adjacency."""
    board = click.option(
        "--board", metavar="ROWSxCOLS", callback=_readable_board, help="1x1 to 100x100. [default: the game's own]"
    )
    return board(adjacency_option(command))


def position_options(command: Command) -> Command:
    """Add --moves and --starts, which lead to a position."""
    moves = click.option("--moves", default="", help='Moves played so far, such as "3,3 1,1"; passes are left out.')
    starts = click.option("--starts", type=click.Choice(["1", "2"]), default="1", help="Who made the first move.")
    return moves(starts(command))


def time_option(words: str, default: float | None = None) -> Callable[[Command], Command]:
    """Make --time."""
    return click.option(
        "--time", "seconds", type=Seconds(0, min_open=True), default=default, show_default=True, help=words
    )


def game_after(
    game: RuleBook, board: str | None, adjacency: str | None, starts: str, moves: str, swap: bool = False
) -> Game:
    """The game that the options describe."""
    begun = Game(rules.variant(game, board, adjacency), starts=int(starts), swap=swap)
    play_moves(begun, moves)
    return begun
