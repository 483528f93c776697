"""What is remembered about whoever plays here: one small TOML file (docs/terminal.md)."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gridlock.core.errors import BadBoard, GridLockError
from gridlock.core.files import write_safely
from gridlock.core.grid import board_size
from gridlock.core.names import clean_name
from gridlock.core.rulebook import RuleBook

THEMES = ("dark", "light", "contrast")
SCREENS = ("full", "lines")  # how `gridlock` alone begins: lines are what a screen reader reads
DEFAULT_LEVEL = "medium"


class BadSettings(GridLockError):
    """The file of settings says something that is none."""


def place() -> Path:
    """Where settings are kept: in GRIDLOCK_HOME, or in the user's folder for such files."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home) / "settings.toml"
    from platformdirs import user_config_path

    return user_config_path("gridlock", appauthor=False) / "settings.toml"


@dataclass(frozen=True)
class Preferences:
    """A person's name, the level they play against, the boards they play on, and how the screen looks."""

    name: str = ""
    level: str = ""
    theme: str = ""
    board: dict[str, str] = field(default_factory=dict)  # by the name of the game
    screen: str = ""

    @classmethod
    def load(cls) -> "Preferences":
        """What the file says; nothing is remembered where there is none."""
        try:
            text = place().read_bytes()[:100_000].decode()
        except OSError:
            return cls()
        except UnicodeDecodeError:
            raise BadSettings(f"{place()}: this is not UTF-8 text.") from None
        import tomllib

        try:
            return cls()._with(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise BadSettings(f"{place()}: this is not TOML ({error}).") from None
        except GridLockError as error:
            raise BadSettings(f"{place()}: {error}") from None

    def _with(self, data: dict[str, Any]) -> "Preferences":
        """These, and what a file or somebody says; what cannot be is refused."""
        changed = self
        for key, value in data.items():
            if key == "board" and isinstance(value, dict):
                for game, size in value.items():
                    changed = changed.set(f"board.{game}", size)
            else:
                changed = changed.set(key, value)
        return changed

    def set(self, key: str, value: object) -> "Preferences":
        """These with one of them changed; an empty text forgets it."""
        if not isinstance(value, str):
            raise BadSettings(f"{key[:40]} is a text, not {str(value)[:40]}.")
        if key == "name":
            return replace(self, name=clean_name(value))
        if key == "level":
            return replace(self, level=clean_name(value).lower())
        if key in ("theme", "screen"):
            known = THEMES if key == "theme" else SCREENS
            if value and value not in known:
                raise BadSettings(f"{key} is one of {', '.join(known)}, not '{value[:40]}'.")
            return replace(self, theme=value) if key == "theme" else replace(self, screen=value)
        kind, _, game = key.partition(".")
        if kind == "board" and game:
            try:
                size = "{}x{}".format(*board_size(value)) if value else ""
            except BadBoard as error:
                raise BadSettings(str(error)) from None
            return replace(self, board={name: kept for name, kept in {**self.board, game: size}.items() if kept})
        raise BadSettings(f"there is no setting '{key[:40]}'; there are name, level, theme, screen and board.GAME.")

    def remember(self, level: str, board: tuple[RuleBook, str]) -> None:
        """Keep what was chosen just now, as far as it is new and can be kept."""
        book, size = board
        own = "{}x{}".format(*book.board)
        changed = self.set("level", level).set(f"board.{book.name}", "" if size == own else size)
        if changed != self:
            try:
                changed.save()
            except OSError:
                return  # not worth stopping a game for

    def level_among(self, known: list[str]) -> str:
        """The level remembered, if there is one of that name."""
        return self.level if self.level in known else DEFAULT_LEVEL

    def board_of(self, book: RuleBook) -> str:
        """The board remembered for a game, or its own."""
        return self.board.get(book.name) or "{}x{}".format(*book.board)

    def text(self) -> str:
        """The file: one line a setting."""
        lines = [
            f"{key} = {_quoted(value)}" for key in ("name", "level", "theme", "screen") if (value := getattr(self, key))
        ]
        if self.board:
            lines += ["", "[board]", *(f"{_quoted(game)} = {_quoted(size)}" for game, size in self.board.items())]
        return "\n".join([*lines, ""]).lstrip("\n")

    def save(self) -> None:
        """Write the file."""
        place().parent.mkdir(parents=True, exist_ok=True)
        write_safely(place(), self.text())


def _quoted(text: str) -> str:
    """A text as TOML has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
