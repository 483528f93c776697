"""The folders of a person's files: GRIDLOCK_HOME, or the system's folders for data and settings."""

import os
from pathlib import Path


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
