"""Your own games, described by files in one folder; menus list them alongside the built-in games."""

import os
from pathlib import Path
from typing import NamedTuple

from gridlock.core.errors import BadGame
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, rule_book
from gridlock.drawing.text import visible
from gridlock.userdata.folder import data_folder

MOST = 100  # files to read at most
LONGEST = 400  # characters in the description of a problem


class OwnGame(NamedTuple):
    """A file in your games folder, with the game that it describes or the reason why it cannot be used."""

    file: str
    book: RuleBook | None
    problem: str = ""


def folder() -> Path:
    """Return the folder that holds your own games."""
    return data_folder() / "own-games"


def own_games() -> list[OwnGame]:
    """Read the files in your games folder, sorted by name; a file that cannot be used does not affect the others."""
    try:
        files = sorted(name for name in os.listdir(folder()) if name.endswith(".toml") and not name.startswith("."))
    except OSError:  # usually because the folder does not exist
        return []
    found: list[OwnGame] = []
    taken = dict.fromkeys(RULE_BOOKS, "")
    for file in files[:MOST]:
        try:
            book = rule_book(folder() / file)
        except BadGame as error:
            problem = str(error).replace(f"{folder()}{os.sep}", "")
            found.append(OwnGame(visible(file), None, visible(problem, LONGEST)))
            continue
        if book.name in taken:
            where = f" (in {taken[book.name]})" if taken[book.name] else ""
            problem = f"{visible(file)}: there is already a game called {book.name}{where}. Choose another name."
            found.append(OwnGame(visible(file), None, problem))
        else:
            taken[book.name] = visible(file)
            found.append(OwnGame(visible(file), book))
    return found


def own_books() -> list[RuleBook]:
    """Return the playable games in your games folder."""
    return [game.book for game in own_games() if game.book is not None]
