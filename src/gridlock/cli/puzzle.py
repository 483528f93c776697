"""`gridlock puzzle`: find the only winning move."""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING

import click

from gridlock.cli.drawing import Marks, full_board
from gridlock.cli.play import new_seed
from gridlock.cli.terminal import Terminal
from gridlock.cli.values import values_board
from gridlock.engine.analysis import Analysis
from gridlock.engine.engine import Engine
from gridlock.engine.explain import best_move
from gridlock.engine.puzzle import LEVELS, make_puzzle
from gridlock.errors import UnreadableMove
from gridlock.game import Game
from gridlock.notation import read_move
from gridlock.rules import variant

if TYPE_CHECKING:
    from random import Random


@click.command(epilog="Example: gridlock puzzle showdown --hard")
@click.argument("game", metavar="[GAME]", required=False)
@click.option("--seed", type=int, help="Make the same puzzles again.")
@click.option("--hard", is_flag=True, help="Larger boards, and no quick wins.")
@click.option("--json", "as_json", is_flag=True, help="Print one puzzle with its answer as JSON.")
def puzzle(game: str | None, seed: int | None, hard: bool, as_json: bool) -> None:
    """Positions with exactly one winning move: find it. Without GAME, of all games in turn."""
    from random import Random

    if game is not None and game.lower() not in LEVELS:
        raise click.UsageError(f"there are no puzzles for '{game[:40]}'. The games are {', '.join(LEVELS)}.")
    puzzles = _puzzles([game.lower()] if game else list(LEVELS), Random(new_seed() if seed is None else seed), hard)
    if as_json:
        _, made, found = next(puzzles)
        click.echo(json.dumps(_facts(made, found)))
        return
    terminal = Terminal()
    streak = 0
    try:
        for engine, made, found in puzzles:
            streak = streak + 1 if _ask(engine, made, found, terminal) else 0
            terminal.say(f"Streak: {streak}.", "")
    except (EOFError, _Enough):
        terminal.say("", "Come back soon.")


def _puzzles(names: list[str], rng: "Random", hard: bool) -> Iterator[tuple[Engine, Game, Analysis]]:
    """One puzzle after another, of all these games in turn."""
    levels = {name: LEVELS[name][hard] for name in names}
    engines = {name: Engine(variant(name, level.board)) for name, level in levels.items()}
    for name in cycle(names):
        yield engines[name], *make_puzzle(engines[name], rng, levels[name])


def _facts(game: Game, found: Analysis) -> dict[str, object]:
    spot = game.variant.coordinates
    return {
        "game": game.variant.book.name,
        "board": str(game.variant.grid),
        "adjacency": str(game.variant.grid.adjacency),
        "moves": [list(spot(cell)) for cell in game.moves],
        "to_move": game.to_move,
        "answer": list(spot(found.winning[0])),
        "distance": found.distance,
        "explanation": found.explanation,
    }


class _Enough(Exception):
    """No more puzzles."""


def _ask(engine: Engine, game: Game, found: Analysis, terminal: Terminal) -> bool:
    """Show one puzzle, read the answer, and show why it is right or wrong."""
    book, position = engine.variant.book, game.position
    mark = book.marks[position.turn - 1]
    marks = Marks(game.moves[-1], game.legal) if terminal.colour else None
    terminal.say(f"{book.title} on {engine.variant.grid}. {book.summary}", "")
    terminal.say(*full_board(engine.variant, position, marks), "")
    terminal.say(f"{mark} is to move. Only one of {len(found.moves)} moves wins.")
    while True:
        text = terminal.ask("Your move (or quit): ").strip()
        if text.lower() == "quit":
            raise _Enough
        try:
            cell = read_move(text, engine.variant, mark)
        except UnreadableMove as error:
            terminal.say(f"{error}, or quit.")
            continue
        refusal = engine.variant.refusal(position, cell)
        if refusal is None and cell is not None:
            break
        terminal.say(f"The cell is {refusal.words if refusal else 'not there'}. Try again.")
    right = [cell] == found.winning
    if right:
        terminal.say(f"Right! {found.explanation}")
    else:
        reply = engine.analyse(position.after(cell), 2.0)
        answer = best_move(reply)
        against = f"{engine.variant.name(answer)} refutes it" if answer is not None else "it is refuted"
        terminal.say(f"No: after {engine.variant.name(cell)}, {against}.", found.explanation)
    terminal.say(*values_board(found, terminal.colour))
    return right
