"""What commands read and write: recorded games, pictures, and JSON with the same names everywhere (docs/json.md)."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli.terminal import printable, tell
from gridlock.core import records
from gridlock.core.errors import BadRecord
from gridlock.core.files import check_place, write_safely
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import visible
from gridlock.userdata.saves import find, is_number

if TYPE_CHECKING:
    from gridlock.engine.atlas import Entry
    from gridlock.engine.evidence import Verdict


def load_game(reference: str | None, number: int | None) -> Game:
    """Return game `number` of a file or of a saved match, which is given by number or id and by default the last."""
    if reference is None or _is_saved(reference):
        games = saved_games(reference)
        which, what = len(games), "match"
    else:
        games, which, what = _load(reference), 1, "file"
    if number is None and len(games) > 1:
        tell(
            f"The {what} has {len(games)} games; this is the {'first' if which == 1 else 'last'}. "
            f"For another, use --game {3 - which if which < 3 else 1}.",
            err=True,
        )
    if number is not None and number > len(games):
        count = "one game" if len(games) == 1 else f"{len(games)} games"
        raise click.BadParameter(f"there is no game {number}: the {what} has {count}.", param_hint="'--game'")
    return games[(number or which) - 1]


def saved_games(reference: str | None) -> list[Game]:
    """Return the games of a saved match, by its number or id, or of the last match."""
    entry = find(reference)
    if entry.saved is None:
        raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
    if not entry.saved.match.games:
        raise BadRecord(f"Game {entry.name} has no moves yet.")
    return entry.saved.match.games


def how_played(reference: str | None, number: int | None) -> tuple[tuple[str, str], int | None]:
    """Return what the players of a game were, and how many hints were used in it, if that is known."""
    saved = find(reference).saved if reference is None or _is_saved(reference) else None
    return (saved.match.kinds, saved.match.hints[(number or 0) - 1]) if saved else (("human", "human"), None)


def _is_saved(reference: str) -> bool:
    """Return whether a reference means a saved game: a number, or an id, which looks like no file."""
    path = Path(reference)
    return is_number(reference) or not (reference == "-" or path.exists() or path.suffix or len(path.parts) != 1)


def _load(file: str) -> list[Game]:
    """Return the games in a file; no more of it is read than a record can need."""
    try:
        with click.open_file(file, "rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        raise BadRecord(f"{'standard input' if file == '-' else visible(file)}: {error}") from None


def check_picture(out: str | None, as_json: bool, option: str = "--svg") -> None:
    """Fail before a long calculation if its picture could not be written, or would be mixed with the JSON."""
    if out == "-" and as_json:
        raise click.UsageError(f"{option} - and --json would both write to standard output. Name a file for {option}.")
    if out is not None and out != "-":
        _write(out, None, option)


def write_picture(out: str, picture: str | bytes, option: str = "--svg", what: str = "picture") -> None:
    """Write a picture to a new file (- for standard output) in one step; errors name the option it was given with."""
    if out == "-":
        click.echo(picture.encode() if isinstance(picture, str) else picture, nl=False)
        return
    _write(out, picture, option)
    tell(f"Wrote the {what} to {visible(out)}.", err=True)


def _write(out: str, picture: str | bytes | None, option: str) -> None:
    """Write a picture, or, without one, check that it could be written."""
    if not out:
        raise click.BadParameter("the file name is empty.", param_hint=f"'{option}'")
    if Path(out).is_file():
        raise click.BadParameter(f"{visible(out)} already exists. Choose another name.", param_hint=f"'{option}'")
    try:
        check_place(Path(out)) if picture is None else write_safely(Path(out), picture)
    except OSError as error:
        raise OSError(error.errno, error.strerror, out) from None  # name the picture, not the temporary file


def shared(lines: list[str]) -> list[str]:
    """Return a result to share in characters that standard output has."""
    from gridlock.play.share import in_ascii  # loads the engine, so only when it is needed

    return printable(lines, in_ascii)


# -- JSON --------------------------------------------------------------------------------------------------------------


def print_json(facts: object) -> None:
    """Print an answer as one line of JSON."""
    print(json.dumps(facts), flush=True)


def spot(variant: Variant, cell: Cell) -> list[int]:
    """Return a cell as row and column, counted as the game counts them."""
    return list(variant.coordinates(cell))


def spots(variant: Variant, cells: Iterable[Cell]) -> list[list[int]]:
    """Return several cells as rows and columns."""
    return [spot(variant, cell) for cell in cells]


def move(variant: Variant, made: Cell) -> list[int] | str:
    """Return a move: a cell, or the word swap."""
    return "swap" if made == SWAP else spot(variant, made)


def setup(variant: Variant) -> dict[str, Any]:
    """Return the game and its board."""
    return {"game": variant.book.name, "board": str(variant.grid), "adjacency": str(variant.grid.adjacency)}


def played(game: Game) -> dict[str, Any]:
    """Return the game, its moves so far, and the player to move (null once the game is over)."""
    return {
        **setup(game.variant),
        "swap": game.swap,
        "starts": game.starts,
        "moves": [move(game.variant, made) for made in game.moves],
        "to_move": None if game.outcome else game.turn,
    }


def standing(game: Game) -> dict[str, Any]:
    """Return a position: the moves so far, the legal moves (after an enforced pass), the board, and the winner."""
    variant, outcome = game.variant, game.outcome
    rows, cols = variant.grid.rows, variant.grid.cols
    cells = [variant.content(game.position, cell) or "." for cell in range(variant.grid.size)]
    return {
        **played(game),
        "legal": [] if outcome else spots(variant, cells_of(game.legal)),
        "can_swap": game.can_swap,
        "passed": game.passing,
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "termination": str(outcome.termination) if outcome else None,
        "rows": ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)],
    }


def players(game: Game) -> list[str]:
    """Return the players' names."""
    return [game.player_name(1), game.player_name(2)]


def winner(verdict: "Verdict", turn: int = 1) -> int | None:
    """Return the player who wins, from a verdict for the player to move."""
    return {"win": turn, "loss": 3 - turn}.get(verdict)


def solved(entry: "Entry") -> dict[str, Any]:
    """Return a board, its winner, and how the winner is known."""
    known = winner(entry.verdict)
    return {"board": f"{entry.rows}x{entry.cols}", "winner": known, "method": known and str(entry.method)}
