"""Tests that a version missing from the changelog is not released, and that a wheel contains the right files."""

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[2] / ".ci"
CHANGELOG = """# Changelog

## 0.3.0 (unreleased)

- Something new.

## 0.2.0 (2025-03-01)

- Faster.
- Smaller.

## 0.1.1 (2025-02-01)

## 0.1.0 (2025-01-01)

- The first.
"""


def script(name: str) -> ModuleType:
    """Load a script from .ci, which is not a package."""
    spec = importlib.util.spec_from_file_location(name, CI / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release_notes, release_links, wheel = script("release_notes"), script("release_links"), script("wheel")


@pytest.mark.parametrize(("version", "text"), [("0.2.0", "- Faster.\n- Smaller."), ("0.1.0", "- The first.")])
def test_the_notes_are_the_section_of_the_version(version, text):
    assert release_notes.notes(version, CHANGELOG, version) == text


@pytest.mark.parametrize(
    ("version", "project", "words"),
    [
        ("0.4.0", "0.4.0", "CHANGELOG.md has no section for 0.4.0: expected '## 0.4.0 (YYYY-MM-DD)'."),
        ("0.2", "0.2", "CHANGELOG.md has no section for 0.2: expected '## 0.2 (YYYY-MM-DD)'."),
        ("0.3.0", "0.3.0", "CHANGELOG.md gives 0.3.0 no date: expected '## 0.3.0 (YYYY-MM-DD)'."),
        ("0.1.1", "0.1.1", "CHANGELOG.md says nothing about 0.1.1."),
        ("0.2.0", "0.1.0", "The tag says 0.2.0, but pyproject.toml says 0.1.0."),
    ],
)
def test_what_cannot_be_released_is_refused_with_the_reason(version, project, words):
    with pytest.raises(release_notes.NotReady) as refused:
        release_notes.notes(version, CHANGELOG, project)
    assert str(refused.value) == words


def test_the_command_rejects_a_version_missing_from_the_changelog():
    command = [sys.executable, str(CI / "release_notes.py"), "v99.0"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("The tag says 99.0, but pyproject.toml says ")


OWN = {"gridlock/py.typed", "gridlock/engine/kernels/exact_kernel.py", "gridlock/web/static/play.js"}
MADE = {"gridlock/engine/kernels/exact_kernel.cpython-311-x86_64-linux-gnu.so", "gridlock_games-1.dist-info/RECORD"}


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (OWN | MADE, []),
        (OWN | MADE | {"gridlock/engine/kernels/exact_kernel.c"}, ["exact_kernel.c does not belong there"]),
        (OWN | MADE | {"tests/conftest.py"}, ["conftest.py does not belong there"]),
        ((OWN | MADE) - {"gridlock/py.typed"}, ["py.typed is missing"]),
        (OWN, ["exact_kernel is not compiled"]),
        (OWN | MADE | {"gridlock_games-1.data/data/share/man/man1/other.1"}, ["other.1 does not belong there"]),
    ],
)
def test_wheel_errors_are_explained(held, words):
    assert [one.rsplit("/", 1)[-1] for one in wheel.complaints(held, OWN)] == words


def test_the_files_of_the_package_are_known():
    own = wheel.own_files()
    assert {"gridlock/py.typed", "gridlock/engine/kernels/bits.pxd", "gridlock/web/static/index.html"} <= own
    assert wheel.complaints({f"gridlock_games-1.data/data/{wheel.MANUAL}"}, {wheel.MANUAL}) == []
    assert not [name for name in own if name.endswith((".c", ".so", ".d.ts"))]


def test_the_links_that_pypi_shows_are_whole():
    text = (CI.parent / "README.md").read_text()
    shown = release_links.readme(text, "someone/games", "v1.2.0")
    assert "](https://github.com/someone/games/blob/v1.2.0/docs/terminal.md)" in shown
    assert '<img src="https://raw.githubusercontent.com/someone/games/v1.2.0/docs/images/play.png"' in shown
    assert not release_links.LINK.search(shown)
    assert shown.count("\n") == text.count("\n")


def test_the_project_gets_the_addresses_of_the_repository_that_releases_it():
    text = (CI.parent / "pyproject.toml").read_text()
    before, after = tomllib.loads(text), tomllib.loads(release_links.project(text, "Someone/games", "v1.2.0"))
    urls = after["project"].pop("urls")
    assert before["project"].pop("urls")
    assert after == before
    assert urls["Homepage"] == "https://github.com/Someone/games"
    assert urls["Documentation"] == "https://someone.github.io/games/"


def test_sentences_are_drawn_evenly_and_repeatably():
    sources = script("sentences").sources()
    drawn = script("sentences").drawn
    first, again, other = (drawn(sources, 40, seed) for seed in ("1", "1", "2"))
    assert first == again != other
    assert len(first) == 40
    assert all(len(set(texts) & set(first)) >= 6 for texts in sources)
