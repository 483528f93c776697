"""`gridlock play` and `gridlock resume`: play a new or a saved game at the terminal."""

from pathlib import Path
from random import Random

import click

from gridlock.cli import options
from gridlock.cli.line.session import play_match
from gridlock.cli.menu import choose_and_play, open_screen, possible, screen_option, with_own_name
from gridlock.cli.terminal import Terminal, tell
from gridlock.core.errors import AgentFailed, BadRecord, GridLockError
from gridlock.core.match import LONGEST_MATCH, Match
from gridlock.core.names import clean_name
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import variant
from gridlock.drawing.text import visible
from gridlock.param_types import Seconds, WholeNumber
from gridlock.play.clocks import BadClock, read_clock
from gridlock.play.match import resume as resume_match
from gridlock.userdata.folder import GameIsOpen
from gridlock.userdata.saves import Entry, Slot, entries, find, new_name


def _read_clock(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Return each player's time in seconds, and the seconds added after each move."""
    try:
        return None if value is None else read_clock(value)
    except BadClock as error:
        raise click.BadParameter(str(error)) from None


@click.command(
    cls=options.AgentsCommand,
    context_settings=options.old_name("think", "time"),
    epilog="Examples: gridlock play showdown --board 6x6 --player2 perfect, gridlock play trails --rounds 3",
)
@options.game_argument(required=False)
@options.board_options
@click.option(
    "--starts", type=click.Choice(["1", "2", "random"]), default="1", help="The player who starts the first round."
)
@click.option(
    "--rounds",
    type=WholeNumber(1, LONGEST_MATCH),
    default=1,
    help="Play a match of this many rounds; an even number allows a tie.",
)
@click.option("--swap", is_flag=True, help="The second player may take over the first move (the pie rule).")
@click.option("--name1", default="", help="Player 1's name.")
@click.option("--name2", default="", help="Player 2's name.")
@options.player_option(1)
@options.player_option(2)
@click.option(
    "--time",
    "think",
    type=Seconds(0.01, 3600),
    default=2.0,
    show_default=True,
    help="The computer's thinking time per move, in seconds.",
)
@click.option(
    "--clock",
    callback=_read_clock,
    metavar="MINUTES+SECONDS",
    help="Time control: minutes per player and seconds added after each move, such as 5+3; full-screen only.",
)
@options.pause_option
@options.seed_option("A random seed, for reproducible games.")
@click.option("--record", type=click.Path(dir_okay=False), help="Also write a record of the match to this file.")
@screen_option
def play(
    game: RuleBook | None,
    board: str | None,
    adjacency: str | None,
    starts: str,
    rounds: int,
    swap: bool,
    name1: str,
    name2: str,
    player1: str,
    player2: str,
    think: float,
    clock: tuple[int, int] | None,
    pause: float,
    seed: int,
    record: str | None,
    full: bool,
) -> int:
    """Play GAME: keepaway, chain, scatter, trails or showdown, or your own game from a file such as ./hermit.toml.

    Without GAME, gridlock asks what to play. To move, type a row and a column; type 'help' to see what else you can do.
    Every move is saved as you play. At a terminal, player 1 has the name that you set with 'gridlock settings'.
    """
    terminal = Terminal()
    full = (full or clock is not None) and possible(terminal)
    if clock is not None and not full:
        raise click.UsageError("--clock needs the full screen, which cannot be opened here.")
    if game is None:
        if full:
            return open_screen()
        if not terminal.interactive or options.given_options("full"):
            raise click.UsageError("which game? For example: gridlock play showdown")
        return choose_and_play()
    if record is not None:
        if Path(record).exists():
            raise click.UsageError(f"{record} already exists. Choose another name for the record.")
        if not Path(record).absolute().parent.is_dir():
            raise click.UsageError(f"there is no folder {Path(record).parent} for the record.")
        record = str(Path(record).absolute())
    names = with_own_name((clean_name(name1), clean_name(name2)), (player1, player2), terminal)
    match = Match(
        variant(game, board, adjacency),
        rounds=rounds,
        starts=Random(f"{seed}/starts").choice((1, 2)) if starts == "random" else int(starts),
        swap=swap,
        names=names,
        kinds=(player1, player2),
        seed=seed,
        think=think,
        clock=clock,
    )
    slot = Slot(new_name(), record)
    return open_screen(match, slot) if full else play_match(match, slot, terminal, pause)


@click.command(epilog="Examples: gridlock resume, gridlock resume 3 --screen")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=options.complete_saved)
@options.pause_option
@screen_option
def resume(game: str | None, pause: float, full: bool) -> int:
    """Resume GAME, or the latest unfinished game that is not open in another window.

    GAME is a number or an id from 'gridlock games'.
    """
    terminal = Terminal()
    full = full and possible(terminal)

    def continue_game(entry: Entry) -> int:
        match, slot = resume_match(entry)
        return open_screen(match, slot) if full else play_match(match, slot, terminal, pause)

    if game is not None:
        entry = find(game)
        if entry.saved is None:
            raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
        if entry.saved.match.finished:
            raise GridLockError(f"Game {entry.name} is finished. Review it with: gridlock review {entry.name}")
        return continue_game(entry)
    skipped: GridLockError | None = None
    for entry in entries():
        if entry.saved is None:
            tell(f"Skipping game {visible(entry.name)}: {entry.damage}.", err=True)
        elif entry.saved.match.begun and not entry.saved.match.finished:
            try:
                return continue_game(entry)
            except (GameIsOpen, AgentFailed) as error:
                skipped = error
                tell(f"Skipping a game: {error}", err=True)
    raise skipped or GridLockError("There are no unfinished games. To start a game: gridlock play showdown")
