"""Fixtures that give a test its own home folder and run commands in it."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gridlock.command import run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr("gridlock.userdata.folder._warned", set())
    return tmp_path


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def do(*words: str, typed: tuple[str, ...] = (), code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert run(list(words)) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    assert home.is_dir()
    return do


@pytest.fixture
def gridlock(capsys):
    """Run a command in this process; return its exit code, output and errors."""

    def call(*arguments):
        code = run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
