"""`gridlock puzzle`: find the only winning move."""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING

import click

from gridlock import rules
from gridlock.cli.exits import Exit
from gridlock.cli.options import board_options, known_game, memory_option, seed_option, time_option
from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal
from gridlock.cli.values import position_board, values_board
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.kernels.interface import CELLS
from gridlock.engine.puzzle import Level, level_for, make_puzzle
from gridlock.errors import UnreadableMove
from gridlock.game import Game
from gridlock.grid import Cell
from gridlock.notation import read_move
from gridlock.position import Position
from gridlock.rulebook import RuleBook, Variant

if TYPE_CHECKING:
    from random import Random


@click.command(epilog="Example: gridlock puzzle showdown --hard")
@click.argument("game", metavar="[GAME]", required=False, callback=known_game)
@seed_option("Make the same puzzles again.")
@click.option("--hard", is_flag=True, help="Larger boards, and no quick wins.")
@board_options
@time_option("Seconds for making a puzzle.", 20.0)
@memory_option
@click.option("--json", "as_json", is_flag=True, help="Print one puzzle with its answer as JSON.")
def puzzle(
    game: RuleBook | None,
    seed: int,
    hard: bool,
    board: str | None,
    adjacency: str | None,
    seconds: float,
    memory: int,
    as_json: bool,
) -> int:
    """Positions with exactly one winning move: find it. Without GAME, of all games in turn.

    --board (of up to 128 cells) and --adjacency are for one GAME; without them, each has boards that make good puzzles.
    """
    from random import Random

    if game is None and (board or adjacency):
        raise click.UsageError("--board and --adjacency are for one game: name it.")
    if game is None:
        rules.load_packages()
    books = [game] if game else [book for book in rules.RULE_BOOKS.values() if book.shape]
    levels = [_level(book, hard, board, adjacency) for book in books]
    puzzles = _puzzles(levels, Random(seed), seconds, memory << 20)
    try:
        if as_json:
            _, made, analysis = next(puzzles)
            click.echo(json.dumps(_facts(made, analysis)))
        else:
            _play(puzzles, Terminal())
    except _NoPuzzle as error:
        click.echo(f"gridlock puzzle: {error}", err=True)
        return Exit.LIMIT
    return Exit.DONE


def _level(book: RuleBook, hard: bool, board: str | None, adjacency: str | None) -> tuple[Variant, Level]:
    """What puzzles of a game are made of, on its usual board or another."""
    if book.shape is None:
        raise click.UsageError(
            f"there are no puzzles for {book.name}: only shapes can be counted out, and it has none."
        )
    level = level_for(book.shape, hard)
    variant = rules.variant(book, board or level.board, adjacency)
    if variant.grid.size > CELLS:
        raise click.UsageError(f"puzzles are made on boards of up to {CELLS} cells.")
    return variant, level.on(variant.grid.rows, variant.grid.cols) if board else level


class _NoPuzzle(Exception):
    """None could be made."""


def _puzzles(
    levels: list[tuple[Variant, Level]], rng: "Random", seconds: float, memory: int
) -> Iterator[tuple[Engine, Game, Analysis]]:
    """One puzzle after another, of all these games in turn."""
    engines = [(Engine(variant, memory), level) for variant, level in levels]
    for engine, level in cycle(engines):
        progress = Progress("Making a puzzle")
        try:
            made = make_puzzle(engine, rng, level, Clock(seconds, progress))
        finally:
            progress.done()
        if made is None:
            grid = engine.variant.grid
            raise _NoPuzzle(
                f"no puzzle was found for {engine.variant.book.name} on {grid} ({grid.adjacency}). "
                "Another board, or more --time, may have one."
            )
        yield engine, *made


def _play(puzzles: Iterator[tuple[Engine, Game, Analysis]], terminal: Terminal) -> None:
    """Ask for the answers, and count the streak."""
    streak = 0
    try:
        for engine, made, analysis in puzzles:
            streak = streak + 1 if _ask(engine, made, analysis, terminal) else 0
            terminal.say(f"Streak: {streak}.", "")
    except (EOFError, _Enough):
        terminal.say("", "Come back soon.")


def _facts(game: Game, analysis: Analysis) -> dict[str, object]:
    spot = game.variant.coordinates
    return {
        "game": game.variant.book.name,
        "board": str(game.variant.grid),
        "adjacency": str(game.variant.grid.adjacency),
        "moves": [list(spot(cell)) for cell in game.moves],
        "to_move": game.turn,
        "answer": list(spot(analysis.winning[0])),
        "distance": analysis.distance,
        "explanation": analysis.words(),
    }


class _Enough(Exception):
    """No more puzzles."""


def _ask(engine: Engine, game: Game, analysis: Analysis, terminal: Terminal) -> bool:
    """Show one puzzle, read the answer, and show why it is right or wrong."""
    book, position = engine.variant.book, game.position
    mark, other = book.marks[position.turn - 1], book.marks[2 - position.turn]
    name = engine.variant.name
    terminal.say(f"{book.title} on {engine.variant.grid}. {book.summary}", "")
    terminal.say(*position_board(engine.variant, position, game.moves[-1] if terminal.colour else None), "")
    terminal.say(f"{other}'s last move: {name(game.moves[-1])}.")
    terminal.say(f"{mark} is to move. Only one of {len(analysis.values)} moves wins.")
    cell = _answer(engine.variant, position, mark, terminal)
    right = [cell] == analysis.winning
    if right:
        terminal.say(f"Right! {analysis.words()}")
    elif cell is None:
        terminal.say(f"The answer is {name(analysis.winning[0])}. {analysis.words()}")
    else:
        answer = engine.weigh(position.after(cell), Clock(2.0)).best
        against = f"{name(answer)} refutes it" if answer is not None else "it is refuted"
        terminal.say(f"No: after {name(cell)}, {against}.", analysis.words())
    terminal.say(*values_board(analysis, terminal.colour))
    return right


def _answer(variant: Variant, position: Position, mark: str, terminal: Terminal) -> Cell | None:
    """A legal move, or None from somebody who gives up."""
    while True:
        text = terminal.ask("Your move (row and column, show or quit): ").strip()
        if text.lower() == "quit":
            raise _Enough
        if text.lower() in ("show", "skip"):
            return None
        try:
            cell = read_move(text, variant, mark)
        except UnreadableMove as error:
            terminal.say(f"{error}; show, for the answer; or quit.")
            continue
        refusal = variant.refusal(position, cell)
        if refusal is None and cell is not None:
            return cell
        terminal.say(f"The cell is {refusal.words if refusal else 'not there'}. Try again.")
