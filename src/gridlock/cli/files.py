"""What commands read and write: recorded games, pictures, and the JSON that docs/json.md describes."""

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
    """Return game `number` from a file or from a saved match.

    A saved match is given by its number or id; the default is the last match.
    """
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
    """Return the games of the saved match with a given number or id, or of the last match."""
    entry = find(reference)
    if entry.saved is None:
        raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
    if not entry.saved.match.games:
        raise BadRecord(f"Game {entry.name} has no moves yet.")
    return entry.saved.match.games


def how_played(reference: str | None, number: int | None) -> tuple[tuple[str, str], int | None]:
    """Return each player's kind ("human" or an agent's name) and the number of hints used (None if unknown)."""
    saved = find(reference).saved if reference is None or _is_saved(reference) else None
    return (saved.match.kinds, saved.match.hints[(number or 0) - 1]) if saved else (("human", "human"), None)


def _is_saved(reference: str) -> bool:
    """Return whether a reference looks like a saved game's number or id rather than a file name."""
    path = Path(reference)
    return is_number(reference) or not (reference == "-" or path.exists() or path.suffix or len(path.parts) != 1)


def _load(file: str) -> list[Game]:
    """Return the games in a file; read no more bytes than a record file of maximum length can contain."""
    try:
        with click.open_file(file, "rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        what = "standard input" if file == "-" else visible(file)
        raise BadRecord(f"{what}: {str(error).rstrip('.')}.") from None


def check_picture(out: str | None, as_json: bool, option: str = "--svg") -> None:
    """Check, before a long calculation, that a picture can be written and will not be mixed with the JSON output."""
    if out == "-" and as_json:
        raise click.UsageError(
            f"'{option} -' and --json would both write to standard output. Name a file for {option}."
        )
    if out is not None and out != "-":
        _write(out, None, option)


def write_picture(out: str, picture: str | bytes, option: str = "--svg", what: str = "picture") -> None:
    """Write a picture atomically to a new file (- for standard output); errors name the option that was used."""
    if out == "-":
        click.echo(picture.encode() if isinstance(picture, str) else picture, nl=False)
        return
    _write(out, picture, option)
    tell(f"Wrote the {what} to {visible(out)}.", err=True)


def _write(out: str, picture: str | bytes | None, option: str) -> None:
    """Write a picture; if the picture is None, only check that the file could be written."""
    if not out:
        raise click.BadParameter("the file name is empty.", param_hint=f"'{option}'")
    if Path(out).is_file():
        raise click.BadParameter(f"{visible(out)} already exists. Choose another name.", param_hint=f"'{option}'")
    try:
        if picture is not None:
            write = _write_to_device if Path(out).exists() else write_safely
            write(Path(out), picture)
        elif not Path(out).exists():
            check_place(Path(out))
    except OSError as error:
        raise OSError(error.errno, error.strerror, out) from None  # name the picture, not the temporary file


def _write_to_device(path: Path, content: str | bytes) -> None:
    """Write to a device or a pipe, which must not be replaced by a file."""
    with path.open("wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def shared(lines: list[str]) -> list[str]:
    """Return a result to share, converted to ASCII if standard output cannot encode it."""
    from gridlock.play.share import in_ascii  # imported here because it loads the engine

    return printable(lines, in_ascii)


# -- JSON --------------------------------------------------------------------------------------------------------------


def print_json(facts: object) -> None:
    """Print an answer as one line of JSON."""
    print(json.dumps(facts), flush=True)


def spot(variant: Variant, cell: Cell) -> list[int]:
    """Return a cell's row and column, numbered as in the game."""
    return list(variant.coordinates(cell))


def spots(variant: Variant, cells: Iterable[Cell]) -> list[list[int]]:
    """Return the row and column of each cell."""
    return [spot(variant, cell) for cell in cells]


def move(variant: Variant, made: Cell) -> list[int] | str:
    """Return a move: a cell's row and column, or the word `swap`."""
    return "swap" if made == SWAP else spot(variant, made)


def setup(variant: Variant) -> dict[str, Any]:
    """Return the game's name, board size and adjacency."""
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
    """Return a position: the moves so far, the legal moves (after any forced pass), the board, and the winner."""
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
    """Return the winner, given the verdict for the player to move; None if the winner is unknown."""
    return {"win": turn, "loss": 3 - turn}.get(verdict)


def solved(entry: "Entry") -> dict[str, Any]:
    """Return a board, its winner, and the method that determined the winner."""
    known = winner(entry.verdict)
    return {"board": f"{entry.rows}x{entry.cols}", "winner": known, "method": known and str(entry.method)}
