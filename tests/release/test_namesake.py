"""Tests of an installation overwritten by PyPI's `gridlock`, a different project with the same package name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock

# The relevant lines from the __init__.py of PyPI's `gridlock`, a different project.
NAMESAKE = "from .grid import Grid as Grid\n__version__ = '2.2'\n"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copy the package to a separate folder, as pip would install it."""
    copy = tmp_path / "site-packages" / "gridlock"
    shutil.copytree(Path(gridlock.__file__).parent, copy, ignore=shutil.ignore_patterns("static", "*.c", "__pycache__"))
    return copy


def run(installed: Path, *python: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command with --version, importing the package from the given folder."""
    return subprocess.run(
        [sys.executable, *python, "--version"],
        env=os.environ | {"PYTHONPATH": str(installed.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def overwrite(package: Path) -> None:
    (package / "__init__.py").write_text(NAMESAKE)
    (package / "grid.py").write_text("class Grid: pass\n")


def uninstall(package: Path) -> None:
    """Delete the file that both projects share, as `pip uninstall gridlock` does."""
    (package / "__init__.py").unlink()


def test_an_installation_that_is_whole_runs(installed: Path) -> None:
    assert run(installed, "-m", "gridlock").stdout == f"gridlock, version {gridlock.__version__}\n"


@pytest.mark.parametrize("happens", [overwrite, uninstall])
def test_an_overwritten_installation_says_how_to_repair_it(happens, installed: Path) -> None:
    happens(installed)
    for start in (["-c", "from gridlock.entry import main; main()"], ["-m", "gridlock"]):
        done = run(installed, "-S", *start)  # without the package that these tests run on
        assert (done.returncode, done.stdout) == (1, "")
        assert "another project's package, also called gridlock, has overwritten" in done.stderr
        assert "pip install --force-reinstall --no-deps gridlock-games" in done.stderr
        assert "Traceback" not in done.stderr
