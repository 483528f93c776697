"""Saved games as people name them: by a number in the list, by an id or its end, or simply the last one."""

import re

from gridlock.core.errors import GridLockError
from gridlock.userdata.lock import Lock
from gridlock.userdata.saves import Entry, entries, entry_of, folder

SHORTEST_ID = 6  # characters at the end of an id that are enough to name a game


def is_number(reference: str) -> bool:
    """Whether a reference is the number of a game in the list, the latest being 1."""
    return reference.isascii() and reference.isdigit() and len(reference) < 6


def find(reference: str | None) -> Entry:
    """A saved game by its number in the list, its id or an end of that; without any, the last one that can be read."""
    if reference is None:
        for entry in entries():
            if entry.saved is not None:
                return entry
        raise GridLockError("There is no game yet. To start one: gridlock play showdown")
    if is_number(reference):
        for number, entry in enumerate(entries(), 1):
            if number == int(reference):
                return entry
        raise GridLockError(f"There is no game {reference}. 'gridlock games' lists what there is.")
    paths = {path.stem: path for path in folder().glob("*.json")}
    wanted = reference.strip().lower()
    meant = [name for name in paths if name.lower() == wanted]
    if not meant and len(wanted) >= SHORTEST_ID:
        meant = [name for name in paths if name.lower().endswith(wanted)]
    if len(meant) != 1:
        raise GridLockError(
            f"There {'are several games' if meant else 'is no game'} {reference[:40]!r}. "
            "'gridlock games' lists what there is."
        )
    return entry_of(paths[meant[0]], paths[meant[0]].stat().st_mtime)


def short_id(name: str) -> str:
    """As much of a game's id as is shown, and is enough to name it."""
    return name[-SHORTEST_ID:] if re.fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", name) else name


def delete(entry: Entry) -> None:
    """Throw a saved game away, unless somebody plays it just now."""
    lock = Lock(folder() / f"{entry.name}.json")
    try:
        (folder() / f"{entry.name}.json").unlink(missing_ok=True)
    finally:
        lock.release()
