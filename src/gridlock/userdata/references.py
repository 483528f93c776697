"""References to saved games: a number in the list, an id or its end, or none for the last one."""

import re

from gridlock.core.errors import GridLockError
from gridlock.userdata.lock import Lock
from gridlock.userdata.saves import Entry, entries, entry_of, folder

SHORTEST_ID = 6  # characters at the end of an id that are enough to refer to a game


def is_number(reference: str) -> bool:
    """Return whether a reference is the number of a game in the list, where the latest is 1."""
    return reference.isascii() and reference.isdigit() and len(reference) < 6


def find(reference: str | None) -> Entry:
    """Return the saved game that a reference means; without one, the last that can be read."""
    if reference is None:
        latest = next((entry for entry in entries() if entry.saved), None)
        if latest is None:
            raise GridLockError("There is no game yet. To start one: gridlock play showdown")
        return latest
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
    """Return the part of a game's id that lists show, and that is enough to refer to it."""
    return name[-SHORTEST_ID:] if re.fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", name) else name


def delete(entry: Entry) -> None:
    """Delete a saved game, or raise GameIsOpen while a process has it open."""
    path = folder() / f"{entry.name}.json"
    lock = Lock(path)
    try:
        path.unlink(missing_ok=True)
    finally:
        lock.release()
