"""Tests that whole sessions match their transcripts, character for character.

A transcript consists of one or more blocks. Each block has a command, its input (lines that begin with `<`), a line
with `--`, and the output.

After an intended change, set GRIDLOCK_REWRITE=1 to rewrite the transcripts, and check the diff before you commit it.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock
from gridlock.core.rules import RULE_BOOKS

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.txt"))


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS", "LINES")}
    return kept | {"GRIDLOCK_HOME": str(home), "PYTHONPATH": str(Path(gridlock.__file__).parents[1])}


def blocks(text: str) -> list[tuple[str, list[str], str]]:
    """Return the command, input and output of every block."""
    found: list[tuple[str, list[str], str]] = []
    for block in text.removeprefix("$ gridlock ").split("\n$ gridlock "):
        head, _, output = block.partition("\n--\n")
        command, *typed = head.split("\n")
        assert all(line.startswith("<") for line in typed), block
        found.append((command, [line.removeprefix("< ").removeprefix("<") for line in typed], output.rstrip("\n")))
    return found


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_session_reads_like_its_transcript(path: Path, tmp_path: Path) -> None:
    written = []
    before = path.read_text(encoding="utf-8")
    for command, typed, _ in blocks(before):
        done = subprocess.run(
            [sys.executable, "-m", "gridlock", *shlex.split(command)],
            input="".join(f"{line}\n" for line in typed),
            env=environment(tmp_path / "home"),
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        entered = "".join(f"< {line}\n" for line in typed)
        written.append(f"$ gridlock {command}\n{entered}--\n{done.stdout.rstrip(chr(10))}\n")
    after = "\n".join(written)
    if os.environ.get("GRIDLOCK_REWRITE"):
        path.write_text(after, encoding="utf-8")
    assert after.split("\n") == before.split("\n")


def test_every_game_has_transcripts() -> None:
    games = {path.stem.partition("_")[0] for path in TRANSCRIPTS}
    assert games >= set(RULE_BOOKS)
