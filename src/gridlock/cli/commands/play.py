"""`gridlock play`: play a game at the terminal."""

from pathlib import Path
from random import Random

import click

from gridlock.cli import options
from gridlock.cli.fullscreen import open_screen, possible, screen_option
from gridlock.cli.line.session import play_match
from gridlock.cli.menu import choose_and_play, with_own_name
from gridlock.cli.terminal import Terminal
from gridlock.core.match import LONGEST_MATCH, Match
from gridlock.core.names import clean_name
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import variant
from gridlock.userdata.saves import Slot, new_name


@click.command(
    cls=options.AgentsCommand,
    context_settings={"token_normalize_func": lambda token: "time" if token == "think" else token},  # its old name
    epilog="Examples: gridlock play showdown --board 6x6 --player2 perfect, gridlock play trails --rounds 3",
)
@options.game_argument(required=False)
@options.board_options
@click.option(
    "--starts", type=click.Choice(["1", "2", "random"]), default="1", help="The player who starts the first round."
)
@click.option(
    "--rounds",
    type=options.WholeNumber(1, LONGEST_MATCH),
    default=1,
    help="Play a match of this many rounds; with an even number it can end in a tie.",
)
@click.option("--swap", is_flag=True, help="The second player may take over the first move (the pie rule).")
@click.option("--name1", default="", help="Player 1's name.")
@click.option("--name2", default="", help="Player 2's name.")
@options.player_option(1)
@options.player_option(2)
@click.option(
    "--time",
    "think",
    type=options.Seconds(0.01, 3600),
    default=2.0,
    show_default=True,
    help="Seconds the computer may think per move.",
)
@options.pause_option
@options.seed_option("A random seed, to repeat the same random choices.")
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
    pause: float,
    seed: int,
    record: str | None,
    full: bool,
) -> int:
    """Play GAME: keepaway, chain, scatter, trails or showdown, or your own game from a file such as ./hermit.toml.

    Without GAME, gridlock asks what to play. To move, type a row and a column; type help to see what else you can do.
    Every move is saved as you play. At a terminal, player 1 has your name from 'gridlock settings'.
    """
    terminal = Terminal()
    full = full and possible(terminal)
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
    )
    slot = Slot(new_name(), record)
    return open_screen(match, slot) if full else play_match(match, slot, terminal, pause)
