"""A fixture that simulates an installed package with agents, and import paths for the helpers in web/ and bots/."""

import sys
from collections.abc import Callable
from importlib import invalidate_caches
from pathlib import Path

import pytest

import gridlock as gl

sys.path += [str(Path(__file__).parents[1] / name) for name in ("web", "bots")]

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs an agent package so that this process and its child processes can load it."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(folder))

    def made(module: str, code: str, **agents: str) -> Path:
        (folder / f"{module}.py").write_text(code)
        facts = folder / f"{module}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        points = "\n".join(f"{name} = {module}:{function}" for name, function in agents.items())
        (facts / "entry_points.txt").write_text(f"[gridlock.agents]\n{points}\n")
        invalidate_caches()
        monkeypatch.setattr(gl.agents, "_packages", None)
        return folder

    return made
