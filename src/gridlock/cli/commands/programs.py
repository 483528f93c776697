"""Commands for programs (`gridlock legal` and `gridlock perft`) and for shells (`gridlock completion`)."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import click

from gridlock.cli.files import print_json, setup, spot, standing
from gridlock.cli.options import board_options, game_argument, json_option, position_options
from gridlock.cli.terminal import Progress, tell
from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.grid import LONGEST_SIDE, Cell
from gridlock.core.perft import parts
from gridlock.core.perft import perft as counted
from gridlock.core.rulebook import RuleBook
from gridlock.param_types import WholeNumber
from gridlock.play.exits import Exit


@click.command(epilog='Example: gridlock legal showdown --moves "3,3 1,1"')
@position_options
@json_option
def legal(start: Game, as_json: bool) -> None:
    """List the legal moves of GAME after the moves given with --moves.

    Rows and columns are numbered as in the game. Do not list passes in --moves: if a player must pass, the answer says
    so, and the next move in the list is the other player's.
    """
    if as_json:
        print_json(standing(start))
        return
    mover = start.player_name(start.positions[-1].turn)  # the player to move before a forced pass
    cells = start.variant.legal_cells(start.positions[-1])
    if start.outcome:
        tell(f"{mover} has no move. {start.player_name(start.outcome.winner)} wins.")
    elif start.passing:
        tell(f"{mover} has no move and must pass.")
    else:
        tell(f"{mover} can play {len(cells)} cell{'s' if len(cells) > 1 else ''}:")
        tell(" ".join(start.variant.name(cell) for cell in cells))


@click.command(epilog="Example: gridlock perft chain --depth 5 --divide")
@game_argument()
@click.option(
    "--depth", type=WholeNumber(1, LONGEST_SIDE**2), required=True, metavar="N", help="The maximum sequence length."
)
@board_options
@click.option("--divide", is_flag=True, help="Also count the move sequences of length N for each first move.")
@json_option
def perft(game: RuleBook, depth: int, board: str | None, adjacency: str | None, divide: bool, as_json: bool) -> int:
    """Count all move sequences from the start, for every length up to N.

    Passes do not count as moves, and a sequence ends when the player to move is stuck. The counts grow quickly with N.
    Each count is printed as soon as it is known. Press Ctrl-C to stop.
    """
    variant = rules.variant(game, board, adjacency)
    counts: list[int] = []
    firsts: dict[Cell, int] = {}
    started = monotonic()
    shown = 0.0
    interrupted = False

    def tick(sequences: int) -> None:
        nonlocal shown
        now = monotonic()
        if now - shown > 0.2 and now - started > 0.5:
            shown = now
            progress.tell(f"length {len(counts) + 1}, {sequences:,} sequences, {now - started:.0f} s")

    def count() -> Iterator[str]:
        while len(counts) < depth:
            ended = counts[-1:] == [0]  # a count of 0 means that no longer sequence exists
            counts.append(0 if ended else counted(variant, len(counts) + 1, tick=tick)[-1])
            yield f"{len(counts)} {counts[-1]}"
        if divide:
            yield f"\nof length {depth}, by first move:"
            for cell, firsts[cell] in parts(variant, depth, tick=tick):
                yield f"{variant.name(cell)} {firsts[cell]}"

    with Progress(f"Counting {game.name} {variant.grid}") as progress:
        try:
            for line in count():
                progress.done()
                if not as_json:
                    tell(line)
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        facts: dict[str, Any] = {**setup(variant), "counts": counts}
        if divide:
            facts["divide"] = [{"cell": spot(variant, cell), "count": count} for cell, count in firsts.items()]
        print_json(facts)
    if interrupted:
        tell("Interrupted: these are the counts so far.", err=True)
        return Exit.INTERRUPTED
    return Exit.DONE


@click.command(epilog="Example: gridlock completion bash >> ~/.bash_completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that lets SHELL complete what you type: commands, games, levels, boards and saved games.

    \b
    To use it in every new shell, add one line to a file:
      eval "$(gridlock completion bash)"         to ~/.bashrc
      eval "$(gridlock completion zsh)"          to ~/.zshrc
      gridlock completion fish | source          to ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click supports all three shells
    click.echo(kind(ctx.find_root().command, {}, "gridlock", "_GRIDLOCK_COMPLETE").source())
