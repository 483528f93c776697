"""Writing games to a record file that the player names."""

import json
from pathlib import Path

from gridlock.core import records
from gridlock.core.files import write_safely
from gridlock.core.game import Game
from gridlock.drawing.text import visible


def record_text(file: str, games: list[Game]) -> str:
    """Return games as a record: JSON if the file's name ends in `.json`, otherwise text."""
    if not file.lower().endswith(".json"):
        return "\n".join(map(records.dump_text, games))
    data = [records.dump_json(game) for game in games]
    return json.dumps(data if len(data) > 1 else data[0], indent=2) + "\n"


def write_record(file: str, games: list[Game]) -> str:
    """Write games to a new file, and return a sentence about the result."""
    try:
        path = Path(file).expanduser()
        if path.exists():
            return f"{visible(file)} exists already. Choose another name."
        write_safely(path, record_text(file, games))
    except (OSError, ValueError, RuntimeError) as error:  # a name can be wrong in many ways
        return f"Not saved: {getattr(error, 'strerror', None) or error}."
    return f"Saved to {visible(file)}."
