"""Files that are either the old one or the new one, whatever happens in between."""

import os
from pathlib import Path


def write_safely(path: Path, text: str) -> None:
    """Replace a file at once: a kill at any instant leaves the old text or the new one, never a torn one."""
    temporary = _draft(path)
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the new name itself has to reach the disk, too
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def check_place(path: Path) -> None:
    """Fail as write_safely would if nothing can be written there, and leave no trace."""
    temporary = _draft(path)
    temporary.touch(exist_ok=False)
    temporary.unlink()


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name[:40]}.{os.urandom(4).hex()}.part")
