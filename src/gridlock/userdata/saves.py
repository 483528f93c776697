"""Saved games: one file per match, rewritten in full after every move."""

import json
import os
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.files import read_regular, sweep_drafts, write_safely
from gridlock.core.match import LONGEST_MATCH, Match
from gridlock.core.records import dump_json, dump_text, load_json, read_json
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import BUILT_IN, named, variant
from gridlock.userdata.folder import Lock, data_folder, sweep

VERSION = 1
LARGEST = 64_000_000  # bytes; far more than a match on the largest board needs
SETTINGS = ("rounds", "starts", "swap", "names", "kinds", "seed", "think")  # a match's settings, saved by name


class Saved(NamedTuple):
    """A saved match, and the path of its record file, if it has one."""

    match: Match
    record: str | None


class Entry(NamedTuple):
    """A saved-game file, with either the match that it contains or the reason it cannot be read."""

    name: str
    changed: float
    saved: Saved | None
    damage: str


def folder() -> Path:
    """Return the folder that holds the saved games."""
    return data_folder() / "games"


def new_name() -> str:
    """Return a unique name, beginning with the current time, for a new saved game."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}"


def dump(saved: Saved) -> str:
    """Return a saved match as text, with a checksum."""
    match, book = saved.match, saved.match.variant.book
    definition = None if book.name in BUILT_IN else definition_of(book)
    body = {
        "game": book.name,
        **({"definition": definition} if definition else {}),  # so the match can be resumed without the game's file
        "board": str(match.variant.grid),
        "adjacency": str(match.variant.grid.adjacency),
        **{name: getattr(match, name) for name in SETTINGS},
        **({"practice": True} if match.practice else {}),
        **({} if set(match.hints) <= {None} else {"hints": match.hints}),
        **({"clock": match.clock, "times": match.times} if match.clock else {}),
        "record": saved.record,
        "games": [dump_json(game) for game in match.games],
    }
    return json.dumps({"gridlock-save": VERSION, "check": _check(body), "match": body}) + "\n"


def _check(body: Any) -> str:
    return f"{zlib.crc32(json.dumps(body, sort_keys=True).encode()):08x}"


def load(text: str) -> Saved:
    """Return the match saved as this text, or raise BadRecord if the text is damaged."""
    data = read_json(text)
    if (
        not isinstance(data, dict)
        or data.get("gridlock-save") != VERSION
        or set(data) != {"gridlock-save", "check", "match"}
    ):
        raise BadRecord("this is not a game saved by GridLock")
    body = data["match"]
    if data["check"] != _check(body):
        raise BadRecord("the file is damaged (its checksum does not match)")
    try:  # the checksum is right, but another program may have written the file
        _check_settings(body)
        settings = {name: body[name] for name in SETTINGS}
        settings |= {name: tuple(body[name]) for name in ("names", "kinds")}  # JSON stores tuples as lists
        games = [load_json(game) for game in body["games"]]
        settings["practice"] = body.get("practice", False) is True
        settings["hints"] = body.get("hints", [])  # older versions did not count hints
        settings |= {name: tuple(body[name]) for name in ("clock", "times") if body.get(name)}
        match = Match(variant(_book(body), body["board"], body["adjacency"]), **settings, games=games)
        return Saved(match, body["record"])
    except (KeyError, TypeError, AttributeError, ValueError, GridLockError) as error:
        raise BadRecord(f"the saved match is inconsistent ({error})") from None


def _book(body: dict[str, Any]) -> RuleBook:
    """Return a saved match's rule book, based on the match's definition or, if it has none, on the game's name."""
    if "definition" not in body:
        return named(body["game"])
    book = book_from(body["definition"], body["game"])
    if book.name != body["game"] or book.name in BUILT_IN:
        raise BadRecord(f"its definition does not describe {body['game'][:40]}")
    return book


def _check_settings(body: dict[str, Any]) -> None:
    """Raise BadRecord for settings that no match can have."""
    if not (
        isinstance(body["rounds"], int)
        and len(body["games"]) <= body["rounds"] <= LONGEST_MATCH
        and body["starts"] in (1, 2)
        and len(body["names"]) == len(body["kinds"]) == 2
        and all(isinstance(name, str) for name in [*body["names"], *body["kinds"]])
        and isinstance(body["think"], float)
        and isinstance(body["record"], str | None)
        and ("hints" not in body or _are_hints(body["hints"], len(body["games"])))
        and all(_is_clock(body.get(name)) for name in ("clock", "times"))
    ):
        raise BadRecord("its settings are invalid")


def _are_hints(hints: Any, rounds: int) -> bool:
    """Return whether a value is a valid list of hint counts, with one entry for each round."""
    counts = [one for one in hints if one is not None] if isinstance(hints, list) and len(hints) == rounds else [""]
    return all(type(count) is int and count >= 0 for count in counts)


def _is_clock(pair: Any) -> bool:
    """Return whether a value is valid as a time control or as the two players' remaining times."""
    return pair is None or (
        isinstance(pair, list) and len(pair) == 2 and all(type(one) in (int, float) and 0 <= one < 1e6 for one in pair)
    )


class Slot:
    """The file in which one match is saved, locked by this process."""

    def __init__(self, name: str, record: str | None = None) -> None:
        self.name = name
        self.record = record
        self.path = folder() / f"{name}.json"
        self._written: dict[Path, str] = {}
        self._lock: Lock | None = None
        with suppress(OSError):  # if the lock cannot be created, saving will report an error of its own
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(self.path)
            sweep(self.path.parent)
        self._sweep_record()

    def _sweep_record(self) -> None:
        """Remove the temporary files that an interrupted run left beside the record."""
        if self.record:
            with suppress(OSError):
                sweep_drafts(Path(self.record).parent, Path(self.record).name)

    def release(self) -> None:
        """Unlock the match for other processes."""
        if self._lock:
            self._lock.release()
            self._lock = None

    def load(self) -> Match:
        """Return the match in the file, and remember its record for later saves."""
        saved = _read(self.path)
        self._written[self.path] = dump(saved)  # viewing a match does not change its date
        self.record = saved.record
        self._sweep_record()
        return saved.match

    def save(self, match: Match) -> None:
        """Write the match to its file, or delete the file if the match has not begun."""
        self._write(self.path, dump(Saved(match, self.record)) if match.begun else "")

    def save_record(self, match: Match) -> None:
        """Update the match's record, if there is one; if the match has not begun, delete the record instead."""
        if self.record:
            for number, game in enumerate(match.games if match.rounds > 1 else [], 1):
                game.tags["Round"] = str(number)
            self._write(Path(self.record), "\n".join(map(dump_text, match.games)) if match.begun else "")

    def _write(self, path: Path, text: str) -> None:
        if not text:
            path.unlink(missing_ok=True)
        elif self._written.get(path) != text:
            write_safely(path, text)
        self._written[path] = text


def _read(path: Path) -> Saved:
    """Return the match in a file, or raise BadRecord with the reason why it cannot be read."""
    try:
        content = read_regular(path, LARGEST + 1)
        if len(content) > LARGEST:
            raise BadRecord("the file is larger than any game")
        return load(content.decode())
    except OSError as error:
        raise BadRecord(f"the file cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise BadRecord("the file is not text") from None


def entries() -> Iterator[Entry]:
    """Yield the saved games one by one, newest first."""
    found = []
    for path in folder().glob("*.json"):
        with suppress(FileNotFoundError):  # another process has just deleted the file
            found.append((path.lstat().st_mtime_ns, path))  # lstat, because a link may be broken
    for changed, path in sorted(found, reverse=True):
        yield entry_of(path, changed / 1e9)


def entry_of(path: Path, changed: float) -> Entry:
    """Return a saved game, read from its file."""
    try:
        return Entry(path.stem, changed, _read(path), "")
    except BadRecord as error:
        return Entry(path.stem, changed, None, str(error))


SHORTEST_ID = 6  # the last characters of an id, enough to refer to a game


def is_number(reference: str) -> bool:
    """Return whether a reference is a game's number in the list, where the newest game is 1."""
    return reference.isascii() and reference.isdigit() and len(reference) < 6


def find(reference: str | None) -> Entry:
    """Return the saved game that a reference names or, by default, the newest readable game that has begun."""
    if reference is None:
        damaged = False
        for entry in entries():
            if entry.saved and entry.saved.match.begun:
                return entry
            damaged = damaged or not entry.saved
        if damaged:
            raise GridLockError("None of your games can be read. To see what is wrong: gridlock games")
        raise GridLockError("There are no games yet. To start a game: gridlock play showdown")
    if is_number(reference):
        for number, entry in enumerate(entries(), 1):
            if number == int(reference):
                return entry
        raise GridLockError(f"There is no game {reference}. To list your games: gridlock games")
    paths = {path.stem: path for path in folder().glob("*.json")}
    wanted = reference.strip().lower()
    meant = [name for name in paths if name.lower() == wanted]
    if not meant and len(wanted) >= SHORTEST_ID:
        meant = [name for name in paths if name.lower().endswith(wanted)]
    if len(meant) != 1:
        raise GridLockError(
            f"{'Several games match' if meant else 'There is no game'} {reference[:40]!r}. "
            "To list your games: gridlock games"
        )
    return entry_of(paths[meant[0]], paths[meant[0]].lstat().st_mtime)


def short_id(name: str) -> str:
    """Return the short form of a game's id, as shown in lists and accepted by commands."""
    return name[-SHORTEST_ID:] if re.fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", name) else name


def delete(entry: Entry) -> None:
    """Delete a saved game, or raise GameIsOpen if a process has it open."""
    path = folder() / f"{entry.name}.json"
    lock = Lock(path)
    try:
        path.unlink(missing_ok=True)
    finally:
        lock.release()
