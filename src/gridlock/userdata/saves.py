"""Saved games: one file a match, complete after every move."""

import json
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.files import sweep_drafts, write_safely
from gridlock.core.match import LONGEST_MATCH, Match
from gridlock.core.records import dump_json, dump_text, load_json, read_json
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import BUILT_IN, named, variant
from gridlock.userdata.folder import data_folder
from gridlock.userdata.lock import Lock, sweep

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
    """Return where games are saved."""
    return data_folder() / "games"


def new_name() -> str:
    """A name for a new saved game: when it began, and something nobody else has."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}"


def dump(saved: Saved) -> str:
    """A saved match as text, with a checksum over all of it."""
    match, book = saved.match, saved.match.variant.book
    definition = None if book.name in BUILT_IN else definition_of(book)
    body = {
        "game": book.name,
        **({"definition": definition} if definition else {}),  # so that it goes on where nobody knows the game
        "board": str(match.variant.grid),
        "adjacency": str(match.variant.grid.adjacency),
        "rounds": match.rounds,
        "starts": match.starts,
        "swap": match.swap,
        "names": list(match.names),
        "kinds": list(match.kinds),
        "seed": match.seed,
        "think": match.think,
        **({"practice": True} if match.practice else {}),
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
        _check_settings(body)
        match = Match(
            variant(_book(body), body["board"], body["adjacency"]),
            body["rounds"],
            body["starts"],
            body["swap"],
            tuple(body["names"]),
            tuple(body["kinds"]),
            body["seed"],
            body["think"],
            [load_json(game) for game in body["games"]],
            body.get("practice", False) is True,
        )
        return Saved(match, body["record"])
    except (KeyError, TypeError, AttributeError, ValueError, GridLockError) as error:
        raise BadRecord(f"the saved match makes no sense ({error})") from None


def _book(body: dict[str, Any]) -> RuleBook:
    """The game that was played: by its definition where it has one, otherwise by its name."""
    if "definition" not in body:
        return named(body["game"])
    book = book_from(body["definition"], body["game"])
    if book.name != body["game"] or book.name in BUILT_IN:
        raise BadRecord(f"its definition is not that of {body['game'][:40]}")
    return book


def _check_settings(body: dict[str, Any]) -> None:
    """Refuse settings that no match can have."""
    if not (
        isinstance(body["rounds"], int)
        and len(body["games"]) <= body["rounds"] <= LONGEST_MATCH
        and body["starts"] in (1, 2)
        and len(body["names"]) == len(body["kinds"]) == 2
        and all(isinstance(name, str) for name in [*body["names"], *body["kinds"]])
        and isinstance(body["think"], float)
        and isinstance(body["record"], str | None)
    ):
        raise BadRecord("its settings are not those of a match")


class Slot:
    """The file of one match, held by this process alone from now on."""

    def __init__(self, name: str, record: str | None = None) -> None:
        self.name = name
        self.record = record
        self.path = folder() / f"{name}.json"
        self._written: dict[Path, str] = {}
        self._lock: Lock | None = None
        with suppress(OSError):  # where no lock can be had, saving will fail and say so, or works without
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(self.path)
            sweep(self.path.parent)
        self._sweep_record()

    def _sweep_record(self) -> None:
        """Remove what an interrupted run has left beside the record."""
        if self.record:
            with suppress(OSError):
                sweep_drafts(Path(self.record).parent, Path(self.record).name)

    def release(self) -> None:
        """Let others have it."""
        if self._lock:
            self._lock.release()
            self._lock = None

    def load(self) -> Match:
        """The match as it stands on disk; its record goes on, too."""
        saved = _read(self.path)
        self.record = saved.record
        self._sweep_record()
        return saved.match

    def save(self, match: Match) -> None:
        """Put everything played so far on disk."""
        self._write(self.path, dump(Saved(match, self.record)))

    def save_record(self, match: Match) -> None:
        """Bring the record up to date, if there is one."""
        if self.record:
            self._write(Path(self.record), match_record(match))

    def _write(self, path: Path, text: str) -> None:
        if self._written.get(path) != text:
            write_safely(path, text)
            self._written[path] = text


def match_record(match: Match) -> str:
    """All games of a match as one text file."""
    if match.rounds == 1:
        return "\n".join(dump_text(game) for game in match.games)
    for number, game in enumerate(match.games, 1):
        game.tags["Round"] = str(number)
    return "\n".join(map(dump_text, match.games))


def _read(path: Path) -> Saved:
    """What a file holds; whatever is wrong with it is a bad record."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadRecord("the file is larger than any game")
        return load(path.read_bytes().decode())
    except OSError as error:
        raise BadRecord(f"the file cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise BadRecord("the file is not text") from None


def entries() -> Iterator[Entry]:
    """Every saved game, the latest first."""
    found = []
    for path in folder().glob("*.json"):
        with suppress(FileNotFoundError):  # deleted meanwhile
            found.append((path.stat().st_mtime_ns, path))
    for changed, path in sorted(found, reverse=True):
        yield entry_of(path, changed / 1e9)


def entry_of(path: Path, changed: float) -> Entry:
    """What a file among the saved games is."""
    try:
        return Entry(path.stem, changed, _read(path), "")
    except BadRecord as error:
        return Entry(path.stem, changed, None, str(error))
