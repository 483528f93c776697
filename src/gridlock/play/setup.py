"""Choices before a match: unfinished games to resume, sides, and the players' names."""

import random
import time
from itertools import islice

from gridlock.core.match import Match
from gridlock.core.rulebook import RuleBook
from gridlock.players import agents
from gridlock.userdata.saves import Entry, Slot, entries

FRIEND = "a friend at this keyboard"
CHANCE = "random"
SEARCHED = 50  # latest saved games, among which unfinished ones are offered


def unfinished(most: int) -> list[Entry]:
    """Return the latest unfinished games."""
    found = (entry for entry in islice(entries(), SEARCHED) if entry.saved and not entry.saved.match.finished)
    return list(islice(found, most))


def resume(entry: Entry) -> tuple[Match, Slot]:
    """Return a saved match, and its file, which is locked; raise NoAgent, GameIsOpen or BadRecord if that fails."""
    agents.require(entry.saved.match.kinds if entry.saved else ())
    slot = Slot(entry.name)
    return slot.load(), slot  # read again, now that no other window can change it


def ago(changed: float) -> str:
    """Return how long ago a time was, in words."""
    minutes = max(0, int(time.time() - changed)) // 60
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{minutes // size} {unit}{'s' * (minutes // size > 1)} ago"
    return "just now"


def side_choices(book: RuleBook, kind: str) -> dict[str, tuple[int, int]]:
    """Return the choices of side by their words: which player the person is, and who starts."""
    first, second = book.marks
    if kind == "human":
        return {f"{book.players[0]} ({first}) starts": (1, 1), f"{book.players[1]} ({second}) starts": (1, 2)}
    return {
        f"you play {first} and start": (1, 1),
        f"you play {first}, the computer starts": (1, 2),
        f"you play {second}, the computer starts": (2, 1),
        f"you play {second} and start": (2, 2),
    }


def seats(book: RuleBook, kind: str, choice: str) -> tuple[tuple[str, str], int]:
    """Return the kinds of both players, and who starts, for one of the side choices or CHANCE."""
    choices = side_choices(book, kind)
    player, starts = random.choice(list(choices.values())) if choice == CHANCE else choices[choice]
    return (("human", kind) if player == 1 else (kind, "human")), starts


def with_name(names: tuple[str, str], kinds: tuple[str, str], own: str) -> tuple[str, str]:
    """Give the one person in a match, or the first of two, their own name unless another is given."""
    if "human" not in kinds:
        return names
    first, second = names
    return (first or own, second) if kinds[0] == "human" else (first, second or own)
