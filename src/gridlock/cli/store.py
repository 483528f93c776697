"""Saved games: one file a match, complete after every move."""

import json
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from gridlock.cli.files import write_safely
from gridlock.errors import BadRecord, GridLockError
from gridlock.play.match import Match
from gridlock.records import dump_json, dump_text, load_json, read_json
from gridlock.rules import variant

VERSION = 1
LARGEST = 64_000_000  # bytes; far more than a match on the largest board


class Saved(NamedTuple):
    """A saved match, and the record file it keeps up to date, if any."""

    match: Match
    record: str | None


class Entry(NamedTuple):
    """A file among the saved games: readable, or damaged with the reason."""

    name: str
    changed: float
    saved: Saved | None
    damage: str


def folder() -> Path:
    """Where games are saved: GRIDLOCK_HOME, or the user's data folder."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home) / "games"
    from platformdirs import user_data_path

    return user_data_path("gridlock", appauthor=False) / "games"


def new_name() -> str:
    """A name for a new saved game: when it began, and something nobody else has."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}"


def dump(saved: Saved) -> str:
    """A saved match as text, with a checksum over all of it."""
    match = saved.match
    body = {
        "game": match.variant.book.name,
        "board": str(match.variant.grid),
        "adjacency": str(match.variant.grid.adjacency),
        "rounds": match.rounds,
        "starts": match.starts,
        "swap": match.swap,
        "names": list(match.names),
        "kinds": list(match.kinds),
        "seed": match.seed,
        "record": saved.record,
        "games": [dump_json(game) for game in match.games],
    }
    return json.dumps({"gridlock-save": VERSION, "check": _check(body), "match": body}) + "\n"


def _check(body: Any) -> str:
    return f"{zlib.crc32(json.dumps(body, sort_keys=True).encode()):08x}"


def load(text: str) -> Saved:
    """The match that such a text holds; a damaged one is refused."""
    data = read_json(text)
    if (
        not isinstance(data, dict)
        or data.get("gridlock-save") != VERSION
        or set(data) != {"gridlock-save", "check", "match"}
    ):
        raise BadRecord("this is not a game saved by GridLock")
    body = data["match"]
    if data["check"] != _check(body):
        raise BadRecord("the file is damaged (its checksum does not fit)")
    try:  # the checksum fits, so this is what was saved; a program that writes its own saves can still err
        match = Match(
            variant(body["game"], body["board"], body["adjacency"]),
            body["rounds"],
            body["starts"],
            body["swap"],
            tuple(body["names"]),
            tuple(body["kinds"]),
            body["seed"],
            [load_json(game) for game in body["games"]],
        )
        return Saved(match, body["record"])
    except (KeyError, TypeError, GridLockError) as error:
        raise BadRecord(f"the saved match makes no sense ({error})") from None


class Slot:
    """The file of one match, held by this process alone."""

    def __init__(self, name: str, record: str | None) -> None:
        self.name = name
        self.record = record
        self.path = folder() / f"{name}.json"
        self._lock: IO[str] | None = None
        self._written = ""

    def hold(self) -> None:
        """Make sure that no other window plays this match."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = self.path.with_suffix(".lock").open("w")
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise GridLockError(f"Game {self.name} is open in another window.") from None

    def release(self) -> None:
        """Let others have it."""
        if self._lock:
            self._lock.close()
            self.path.with_suffix(".lock").unlink(missing_ok=True)
            self._lock = None

    def save(self, match: Match) -> None:
        """Put everything played so far on disk."""
        text = dump(Saved(match, self.record))
        if text == self._written:
            return
        write_safely(self.path, text)
        if self.record:
            write_safely(Path(self.record), match_record(match))
        self._written = text


def match_record(match: Match) -> str:
    """All games of a match as one text file."""
    if match.rounds == 1:
        return "\n".join(dump_text(game) for game in match.games)
    return "\n".join(dump_text(game, {"Round": str(number)}) for number, game in enumerate(match.games, 1))


def entries() -> Iterator[Entry]:
    """Every saved game, the latest first."""
    found = [(path.stat().st_mtime_ns, path) for path in folder().glob("*.json")]
    for changed, path in sorted(found, reverse=True):
        try:
            if path.stat().st_size > LARGEST:
                raise BadRecord("the file is larger than any game")
            yield Entry(path.stem, changed / 1e9, load(path.read_bytes().decode()), "")
        except (BadRecord, UnicodeDecodeError) as error:
            damage = str(error) if isinstance(error, BadRecord) else "the file is not text"
            yield Entry(path.stem, changed / 1e9, None, damage)
