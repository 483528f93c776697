"""The user's settings, stored in a TOML file (docs/terminal.md). An invalid setting causes a warning and is ignored."""

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gridlock.core import rules
from gridlock.core.errors import BadBoard, GridLockError
from gridlock.core.files import alone, read_regular, write_safely
from gridlock.core.grid import board_size
from gridlock.core.names import clean_name
from gridlock.core.rulebook import RuleBook
from gridlock.userdata.folder import name_aside, settings_folder, warn

THEMES = ("dark", "light", "contrast")
CHOICES = {"theme": THEMES, "screen": ("full", "lines")}  # `gridlock` opens full-screen, or in lines for screen readers
DEFAULT_LEVEL = "medium"
KEYS = ("name", "level", "theme", "screen")  # all settings except board.GAME
LARGEST = 100_000  # bytes; a larger file is not read


class BadSettings(GridLockError):
    """An unknown setting, or an invalid value for a setting."""


def place() -> Path:
    """Return the path of the settings file."""
    return settings_folder() / "settings.toml"


def validate(key: str, value: object, levels: Container[str] | None = None) -> str:
    """Return a setting's value in its standard form, or raise BadSettings."""
    if not isinstance(value, str):
        raise BadSettings(f"{_printable(key)} must be text in quotes.")
    kind, _, game = key.partition(".")
    if key == "name":
        return clean_name(value)
    if key == "level":
        level = clean_name(value).lower()
        if level and levels is not None and level != "human" and level not in levels:
            raise BadSettings(f"there is no level '{_printable(value)}'.")
        return level
    if key in CHOICES:
        if value and value not in CHOICES[key]:
            raise BadSettings(f"{key} must be one of {', '.join(CHOICES[key])}, not '{_printable(value)}'.")
        return value
    if kind == "board" and game:
        try:
            size = "{}x{}".format(*board_size(value)) if value else ""
            if size and game in rules.RULE_BOOKS:
                rules.variant(rules.RULE_BOOKS[game], size)
        except BadBoard as error:
            raise BadSettings(_printable(str(error), 200)) from None
        return size
    raise BadSettings(f"there is no setting '{_printable(key)}'. The settings are {', '.join(KEYS)} and board.GAME.")


@dataclass(frozen=True)
class Preferences:
    """A person's name, preferred level and boards, and screen settings."""

    name: str = ""
    level: str = ""
    theme: str = ""
    board: dict[str, str] = field(default_factory=dict)  # the board size for each game's name
    screen: str = ""
    stored: dict[str, Any] = field(default_factory=dict, compare=False)  # all settings in the file, valid or not
    problems: dict[str, str] = field(default_factory=dict, compare=False)  # why each ignored setting is bad, by key
    damage: str = field(default="", compare=False)  # why the file cannot be read

    @classmethod
    def load(cls, levels: Container[str] | None = None) -> "Preferences":
        """Return the valid settings in the file, and report in `problems` or `damage` why any others were left out.

        `levels` are the known agents; if they are not given, any level is valid.
        """
        import tomllib

        path = place()
        try:
            content = read_regular(path, LARGEST + 1)
            if len(content) > LARGEST:
                return cls(damage=f"{path} is too large.")
            stored = tomllib.loads(content.decode())
        except FileNotFoundError:
            return cls()
        except OSError as error:
            return cls(damage=f"{path} cannot be read ({error.strerror or error}).")
        except UnicodeDecodeError:
            return cls(damage=f"{path}: this is not UTF-8 text.")
        except (ValueError, RecursionError) as error:  # not TOML, or numbers and lists beyond Python's limits
            return cls(damage=f"{path}: invalid TOML ({_printable(str(error), 200)}).")
        return cls._read(stored, levels)

    @classmethod
    def _read(cls, stored: dict[str, Any], levels: Container[str] | None) -> "Preferences":
        good: dict[str, str] = {}
        problems: dict[str, str] = {}
        boards = stored.get("board", {})
        if not isinstance(boards, dict):
            problems["board"] = "board must be a table of games."
            boards = {}
        for key, value in [
            *((key, stored[key]) for key in KEYS if key in stored),
            *((f"board.{game}", size) for game, size in boards.items()),
        ]:
            try:
                good[key] = validate(key, value, levels)
            except BadSettings as error:
                problems[key] = str(error)
        sizes = {key.removeprefix("board."): good[key] for key in good if key.startswith("board.") and good[key]}
        return cls(**{key: good.get(key, "") for key in KEYS}, board=sizes, stored=stored, problems=problems)

    @property
    def unknown(self) -> list[str]:
        """The unknown keys in the settings file, which this version leaves unchanged."""
        return [key for key in self.stored if key not in (*KEYS, "board")]

    def set(self, key: str, value: str, levels: Container[str] | None = None) -> "Preferences":
        """Return the settings with one changed; an empty value clears the setting, even if its old value is invalid."""
        stored = dict(self.stored)
        new = "" if not value and (key in stored or key in self.problems) else validate(key, value, levels)
        table, name = stored, key
        if key.startswith("board."):
            boards = stored.get("board")
            table = stored["board"] = dict(boards) if isinstance(boards, dict) else {}
            name = key.removeprefix("board.")
        table[name] = new
        if not new:
            del table[name]
        if not table:
            stored.pop("board", None)
        return replace(self._read(stored, levels), damage=self.damage)

    def level_among(self, known: list[str]) -> str:
        """Return the remembered level if it is still available; otherwise, return the default level."""
        return self.level if self.level in known else DEFAULT_LEVEL

    def board_of(self, book: RuleBook) -> str:
        """Return the remembered board for a game, or the game's default."""
        own = "{}x{}".format(*book.board)
        try:
            return str(rules.variant(book, self.board.get(book.name) or own).grid)
        except GridLockError:
            return own

    def text(self) -> str:
        """Return the contents of the settings file: one line per setting, then the tables."""
        plain = [key for key in (*KEYS, *self.unknown, "board") if not isinstance(self.stored.get(key, {}), dict)]
        tables = [key for key in self.stored if isinstance(self.stored[key], dict)]
        lines = [f"{_key(key)} = {_toml(self.stored[key])}" for key in plain]
        for table in tables:
            inside = (f"{_toml(key)} = {_toml(value)}" for key, value in self.stored[table].items())
            lines += ["", f"[{_key(table)}]", *inside]
        return "\n".join([*lines, ""]).lstrip("\n")


def load_and_warn(levels: Container[str] | None = None) -> Preferences:
    """Return the settings; report each problem with the settings file once, on standard error."""
    found = Preferences.load(levels)
    ignored = [f"{place()}: {problem} This setting is ignored." for problem in found.problems.values()]
    for line in [*([f"{found.damage} All settings are ignored."] if found.damage else []), *ignored]:
        warn(line)
    return found


def store(changes: Mapping[str, str], levels: Container[str] | None = None) -> Preferences:
    """Change some settings in the file and leave the rest unchanged; if the file is damaged, rename it first."""
    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    with alone(path.with_suffix(".lock")):
        before = changed = Preferences.load(levels)
        for key, value in changes.items():
            changed = changed.set(key, value, levels)
        if before.damage:
            path.replace(name_aside(path))
        if changed.stored != before.stored or before.damage:
            write_safely(path, changed.text())
    return replace(changed, damage="")


def remember(level: str, book: RuleBook, board: str) -> None:
    """Remember the level and the board chosen for a game, if the file can be written."""
    own = "{}x{}".format(*book.board)
    try:
        if not Preferences.load().damage:  # keep a damaged file until the person changes a setting
            store({"level": level, f"board.{book.name}": "" if board == own else board})
    except OSError:
        return  # a forgotten setting is no reason to stop a game


def _printable(text: str, longest: int = 40) -> str:
    """Return the text with control characters replaced, because they could control the terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:longest])


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:
    """Return a value as TOML text."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return hex(value) if value >= 2**64 else str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(inner)}' for key, inner in value.items())}}}"
    return repr(value) if isinstance(value, float) else value.isoformat()  # the rest are dates and times
