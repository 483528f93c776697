"""The options that several commands share."""

import os
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency
from gridlock.core.match import new_seed
from gridlock.core.notation import play_moves, read_board
from gridlock.core.rulebook import RuleBook
from gridlock.param_types import Seconds, WholeNumber
from gridlock.players import HUMAN, AgentFailed, NoAgent, agents, is_spec, read_spec

MOST_COMPLETED = 50  # saved games offered for completion
Command = TypeVar("Command", bound=Callable[..., Any])


def find_book(game: str, argument: str = "GAME") -> RuleBook:
    """Find a game by its file, or by its name, ignoring case; an error names the argument that gave it.

    Installed packages and the user's `own-games` folder can add games.
    """
    if is_file(game):
        return rules.rule_book(Path(game))
    name = game.strip().lower()
    try:
        return rules.named(name)
    except BadGame as error:
        from gridlock.userdata.library import own_games

        found = own_games()
        own = {one.book.name: one.book for one in found if one.book}
        if name in own:
            return own[name]
        broken = next((one.problem for one in found if one.problem and one.file == f"{name}.toml"), None)
        if broken:
            raise BadGame(broken) from None
        yours = f" Your own games are {', '.join(own)}." if own else ""
        meant = did_you_mean(game, [*rules.RULE_BOOKS, *own])
        message = (
            f"{_uncapitalised(error)}{yours}{meant} "
            "To use your own game, give the path to its file, such as ./hermit.toml."
        )
        raise click.BadParameter(message, param_hint=f"'{argument}'") from None


def _uncapitalised(error: Exception) -> str:
    """Return the error's message with a lower-case first letter, for use after a colon."""
    return f"{str(error)[:1].lower()}{str(error)[1:]}"


def did_you_mean(text: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """Return a space followed by a question that suggests the closest name, or an empty string if no name is close."""
    from difflib import get_close_matches

    close = get_close_matches(text.strip().lower()[:40], list(names), 1, likeness)
    return f" Did you mean {close[0]}?" if close else ""


def _read_player(ctx: click.Context, _param: click.Parameter, value: str, is_agent: bool = False) -> str:
    """Return `human`, the agent's name, or a program's command in a form that works from any folder.

    An agent that cannot be loaded, or a program that does not exist, is rejected before a game begins.
    """
    if is_spec(value.strip()):
        try:
            if ctx.resilient_parsing:  # shell completion must not run anyone's file
                agents.entry(value.strip())
            else:
                agents.check(value.strip())
        except AgentFailed as error:
            raise click.BadParameter(_uncapitalised(error)) from None
        return read_spec(value.strip()).text
    name = value.strip().lower()
    try:
        if name != HUMAN and not agents.entry(name).ready:
            agents[name]
    except NoAgent as error:
        others = [] if is_agent else [HUMAN]
        person = "" if is_agent else " For a human player, use 'human'."
        meant = did_you_mean(value, [*others, *agents])
        raise click.BadParameter(f"{_uncapitalised(error)}{person}{meant}") from None
    return name


def read_agent(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return an agent's name, or a program's command in a form that works from any folder; reject `human`."""
    name = _read_player(ctx, param, value, is_agent=True)
    if name == HUMAN:
        raise click.BadParameter("a person cannot play here. Use 'gridlock play'.")
    return name


def is_file(game: str) -> bool:
    """Return whether the text is the path of a game's file, as opposed to a game's name."""
    return game.lower().endswith(".toml") or "/" in game or os.sep in game


def _read_board(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Return a board size in its usual form, such as 5x6."""
    try:
        return None if value is None else "{}x{}".format(*read_board(value))
    except BadBoard as error:
        raise click.BadParameter(str(error)) from None


class AgentsCommand(click.Command):
    """A command that takes agents as options, and lists the installed agents in its help."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help for the options, and a list of the installed agents."""
        super().format_options(ctx, formatter)
        with formatter.section("Agents"):
            formatter.write_dl([(entry.name, entry.summary) for entry in agents.offered()])


def player_option(player: int) -> Callable[[Command], Command]:
    """Create the option --player1 or --player2."""
    return click.option(
        f"--player{player}",
        default="human",
        show_default=True,
        callback=_read_player,
        metavar="AGENT",
        shell_complete=complete_player,
        help=f"Who plays as player {player}: human, an agent such as easy or perfect, a program "
        "(process:./my-bot), or a Python function (./my.py:agent).",
    )


# -- shell completion -----------------------------------------------------------------------------------------------


def complete_game(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer shell completions for a game: the names of games or, if none match, file names."""
    from gridlock.userdata.library import own_books

    rules.load_packages()
    named = [
        CompletionItem(book.name, help=book.summary)
        for book in [*rules.RULE_BOOKS.values(), *own_books()]
        if book.name.startswith(begun.lower())
    ]
    return named or [CompletionItem(begun, type="file")]


def complete_player(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer shell completions for a player: `human` and the names of the agents."""
    human = CompletionItem(HUMAN, help="A person at this keyboard.")
    items = [human, *(CompletionItem(entry.name, help=entry.summary) for entry in agents.offered())]
    return [item for item in items if item.value.startswith(begun.lower())]


def complete_saved(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the short ids of saved games (for `resume`, unfinished games only) or, if none match, file names."""
    from gridlock.userdata.saves import entries, short_id

    named = [
        CompletionItem(short_id(entry.name), help=entry.saved.match.variant.book.title if entry.saved else "damaged")
        for entry in islice(entries(), MOST_COMPLETED)
        if ctx.info_name != "resume" or (entry.saved and not entry.saved.match.finished)
    ]
    found = [item for item in named if item.value.startswith(begun.lower())]
    return found or [CompletionItem(begun, type="file")]


def complete_board(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Suggest common board sizes for shell completion, starting with the game's default."""
    book = ctx.params.get("game")
    own = ["{}x{}".format(*book.board)] if isinstance(book, RuleBook) else []
    sizes = dict.fromkeys([*own, *(f"{side}x{side}" for side in range(3, 10))])
    return [CompletionItem(size) for size in sizes if size.startswith(begun.lower())]


# -- options --------------------------------------------------------------------------------------------------------


def seed_option(words: str) -> Callable[[Command], Command]:
    """Create the option --seed, which defaults to a random number."""
    return click.option("--seed", type=int, default=new_seed, help=words)


def game_argument(required: bool = True) -> Callable[[Command], Command]:
    """Create the GAME argument; if it is optional and omitted, its value is None."""
    return click.argument(
        "game",
        metavar="GAME" if required else "[GAME]",
        required=required,
        callback=lambda _ctx, _param, value: None if value is None else find_book(value),
        shell_complete=complete_game,
    )


memory_option = click.option(
    "--memory", type=WholeNumber(1, 1 << 20), default=256, show_default=True, help="Memory for search tables, in MiB."
)
processes_option = click.option(
    "--processes", type=WholeNumber(1, 256), default=1, show_default=True, help="The number of processes."
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster, such as tcp://HOST:8786, or start two local workers with local:2.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
adjacency_option = click.option(
    "--adjacency",
    type=click.Choice([str(kind) for kind in Adjacency]),
    help="Which cells touch: all eight neighbours (king) or four (orthogonal). [default: the game's own]",
)


pause_option = click.option(
    "--pause", type=Seconds(0, 60), default=0.0, help="Seconds to pause after each move when only programs are playing."
)


def board_options(command: Command) -> Command:
    """Add --board and --adjacency."""
    board = click.option(
        "--board",
        metavar="ROWSxCOLS",
        callback=_read_board,
        shell_complete=complete_board,
        help="The board size, from 1x1 to 100x100. [default: the game's own]",
    )
    return board(adjacency_option(command))


def position_options(command: Command) -> Command:
    """Add GAME, --board, --adjacency, --moves and --starts; the command gets the resulting game as `start`."""

    @wraps(command)
    def command_with_start(
        game: RuleBook,
        board: str | None,
        adjacency: str | None,
        moves: str,
        starts: str,
        swap: bool = False,
        **options: object,
    ) -> object:
        start = Game(rules.variant(game, board, adjacency), starts=int(starts), swap=swap)
        play_moves(start, moves)
        return command(start, **options)

    moves = click.option("--moves", default="", help='Moves played so far, without passes, such as "3,3 1,1".')
    starts = click.option(
        "--starts", type=click.Choice(["1", "2"]), default="1", help="The player who made the first move."
    )
    return cast(Command, game_argument()(board_options(moves(starts(command_with_start)))))


def recorded_options(command: Command) -> Command:
    """Add the argument GAME and the option --game, for `files.load_game`."""
    file = click.argument("file", metavar="[GAME]", required=False, shell_complete=complete_saved)
    number = click.option(
        "--game", "number", type=WholeNumber(1), metavar="K", help="Use game number K of a match or file."
    )
    return file(number(command))


def model_option(words: str) -> Callable[[Command], Command]:
    """Create the option --model: the kind of Elo rating in which a test's bounds are given."""
    from gridlock.arena.sprt import Model  # only two commands need it

    return click.option(
        "--model",
        type=click.Choice([str(model) for model in Model], case_sensitive=False),
        default=str(Model.NORMALISED),
        show_default=True,
        help=words,
    )


def old_name(old: str, new: str) -> dict[str, Any]:
    """Return the context settings for a command that still accepts an option's old name."""
    return {"token_normalize_func": lambda token: new if token == old else token}


def time_option(words: str, default: float | None = None) -> Callable[[Command], Command]:
    """Create the option --time."""
    return click.option(
        "--time", "seconds", type=Seconds(0, min_open=True), default=default, show_default=True, help=words
    )


def check_workers(processes: int, cluster: str | None) -> None:
    """Reject a command line that asks for both multiple processes and a cluster."""
    if processes > 1 and cluster is not None:
        raise click.UsageError("--processes and --cluster cannot be combined: the cluster has its own processes.")


def given_options(*ignored: str) -> list[str]:
    """Return the arguments and options that the user gave, except those in `ignored`, spelt as in the help."""
    ctx, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    given = [one for one in ctx.command.params if one.name and ctx.get_parameter_source(one.name) is typed]
    return [one.opts[0] if one.opts[0][0] == "-" else one.opts[0].upper() for one in given if one.name not in ignored]
