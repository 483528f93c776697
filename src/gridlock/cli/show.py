"""`gridlock show`: replay a record, or draw a position of it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gridlock import records
from gridlock.cli.files import check_place, write_safely
from gridlock.cli.options import json_option
from gridlock.drawing import plain_board
from gridlock.errors import BadRecord
from gridlock.game import SWAP, Game, Termination
from gridlock.grid import cells_of
from gridlock.svg import board_svg


@click.command(epilog="Example: gridlock show final.txt --at 4")
@click.argument("file", metavar="FILE")
@click.option("--game", "number", type=click.IntRange(1), metavar="K", help="Which game, where a file holds several.")
@click.option("--at", type=int, metavar="N", help="Stop after N moves (0: before the first).")
@click.option("--svg", "picture", metavar="OUT", help="Write a picture of the board to OUT (- for the output).")
@json_option
def show(file: str, number: int | None, at: int | None, picture: str | None, as_json: bool) -> None:
    """Replay the game recorded in FILE (- for the input): every move, the board and the result."""
    if picture is not None and as_json:
        raise click.UsageError("--svg and --json cannot be used together.")
    game = load_game(file, number)
    if at is not None:
        if not 0 <= at <= len(game.moves):
            raise click.BadParameter(f"{at} is not between 0 and {len(game.moves)}.", param_hint="'--at'")
        stop = game.at(at)
    else:
        stop = game
    if picture is not None:
        _draw(stop, picture)
    elif as_json:
        click.echo(json.dumps(records.dump_json(game) if at is None else state(stop), indent=2))
    else:
        click.echo("\n".join(replay(stop)))


# -- reading ------------------------------------------------------------------------------------------------------


def load_game(file: str, number: int | None) -> Game:
    """The game of that number in a file; the first one, and a word about the others, if none is asked for."""
    games = _load(file)
    if number is None and len(games) > 1:
        click.echo(f"The file holds {len(games)} games; this is the first. For another, add --game 2.", err=True)
    if number is not None and number > len(games):
        count = "one game" if len(games) == 1 else f"{len(games)} games"
        raise click.BadParameter(f"{number} is too much: the file holds {count}.", param_hint="'--game'")
    return games[(number or 1) - 1]


def _load(file: str) -> list[Game]:
    """The games of a file; how much of it is read is limited by what a record can need."""
    try:
        if file == "-":
            return records.load_bytes(sys.stdin.buffer.read(4 * records.LONGEST))
        with Path(file).open("rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        raise BadRecord(f"{'standard input' if file == '-' else _shown(file)}: {error}") from None


def _shown(path: str) -> str:
    """A file's name, fit to be shown."""
    return "".join(char if char.isprintable() else "?" for char in path)


# -- text ---------------------------------------------------------------------------------------------------------


def heading(game: Game) -> list[str]:
    """What was played, and by whom."""
    grid, marks = game.variant.grid, game.variant.book.marks
    swap = ", with swap" if game.swap else ""
    return [
        f"{game.variant.book.title} on a board of {grid}, adjacency {grid.adjacency}{swap}",
        f"{game.player_name(1)} ({marks[0]}) against {game.player_name(2)} ({marks[1]}); "
        f"{game.player_name(game.starts)} starts",
        "",
    ]


def replay(game: Game) -> list[str]:
    """A game as it is told: who played what, move by move, the board, and the result."""
    lines, marks = heading(game), game.variant.book.marks
    early = game.at(1)  # before a swap, who plays which side is the other way round
    number = 0
    for event in game.history():
        told = early if number < 2 else game
        name, mark = told.player_name(told.player(event.side)), marks[event.side - 1]
        number += event.swap or event.cell is not None
        if event.swap:
            lines.append(f"{number:>4}. {name} takes over {marks[2 - event.side]}: the players change sides")
        elif event.cell is None:
            lines.append(f"      {name} ({mark}) passes")
        else:
            lines.append(f"{number:>4}. {name} ({mark}) {game.variant.name(event.cell)}")
    if game.resigned:
        lines.append(f"      {game.player_name(game.resigned)} resigns")
    if number or game.resigned:
        lines.append("")
    return [*lines, plain_board(game.variant, game.position), "", result(game)]


def _mark(game: Game, player: int) -> str:
    return game.variant.book.marks[game.side(player) - 1]


def result(game: Game) -> str:
    """How the game stands, in a sentence."""
    outcome = game.outcome
    if outcome is None:
        name, count = game.player_name(game.turn), game.legal.bit_count()
        cells = f"{count or 'no'} {'cell' if count == 1 else 'cells'}"
        swap = ", and the right to swap" if game.can_swap else ""
        return f"No result yet: {name} ({_mark(game, game.turn)}) is to move, with {cells} to choose from{swap}."
    winner, loser = game.player_name(outcome.winner), game.player_name(3 - outcome.winner)
    if outcome.termination is Termination.RESIGNED:
        return f"{winner} wins: {loser} resigned."
    if game.variant.book.passes:
        return f"{winner} wins: neither player can go on, and {winner} was the last who could."
    return f"{winner} wins: {loser} has no legal move."


# -- JSON and pictures --------------------------------------------------------------------------------------------


def state(game: Game) -> dict[str, Any]:
    """A position for programs: whose turn it is (None once the game is over), what is legal, what stands where."""
    variant, position, outcome = game.variant, game.position, game.outcome
    rows, cols = variant.grid.rows, variant.grid.cols
    cells = [variant.content(position, cell) or "." for cell in range(variant.grid.size)]
    return {
        "at": len(game.moves),
        "to_move": None if outcome else game.turn,
        "legal": [variant.name(cell) for cell in cells_of(game.legal)],
        "can_swap": game.can_swap,
        "passed": game.passing,
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "board": ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)],
    }


def _draw(game: Game, out: str) -> None:
    """Write the board as a picture."""
    names = " against ".join(game.player_name(player) for player in (1, 2))
    last = next((move for move in reversed(game.moves) if move != SWAP), None)
    picture = board_svg(
        game.variant,
        game.position,
        title=f"{game.variant.book.title}: {names}, after move {len(game.moves)}. {result(game)}",
        last=last,
        legal=game.legal,
    )
    write_picture(out, picture)


def check_picture(out: str | None, as_json: bool) -> None:
    """Fail before a long work if its picture could not be written afterwards, or not apart from the JSON."""
    if out == "-" and as_json:
        raise click.UsageError("--svg - and --json would both go to the output. Give the picture a file.")
    if out is not None and out != "-":
        _to_picture(out, check_place)


def write_picture(out: str, text: str) -> None:
    """Write a picture to a file (- for the output), whole or not at all, and over nothing but another picture."""
    if out == "-":
        click.echo(text.encode(), nl=False)
        return
    _to_picture(out, lambda path: write_safely(path, text))
    click.echo(f"The picture is in {_shown(out)}.", err=True)


def _to_picture(out: str, act: Callable[[Path], None]) -> None:
    """Do something to the file of a picture, if it may be one."""
    if not out:
        raise click.BadParameter("a file needs a name.", param_hint="'--svg'")
    path = Path(out)
    try:
        if path.exists() and path.suffix.lower() != ".svg":
            raise click.BadParameter(f"{_shown(out)} exists, and its name does not end in .svg.", param_hint="'--svg'")
        act(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, out) from None  # name the picture, not its draft
