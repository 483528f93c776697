"""The folders of a person's files: GRIDLOCK_HOME, or the system's folders; and damaged files in them."""

import os
import sys
from itertools import count
from pathlib import Path

_warned: set[str] = set()  # what this process has already warned about


def data_folder() -> Path:
    """Return the folder of saved games, the diary and the server's database."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home)
    from platformdirs import user_data_path

    return user_data_path("gridlock", appauthor=False)


def settings_folder() -> Path:
    """Return the folder of the settings file."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home)
    from platformdirs import user_config_path

    return user_config_path("gridlock", appauthor=False)


def warn(line: str) -> None:
    """Print a warning on standard error, once per process."""
    if line not in _warned:
        _warned.add(line)
        print(line, file=sys.stderr, flush=True)


def name_aside(path: Path) -> Path:
    """Return the name that a damaged file gets, so that nothing in it is lost: one that is free."""
    names = (path.with_name(f"{path.name}.damaged{'' if number == 1 else number}") for number in count(1))
    return next(name for name in names if not name.exists())
