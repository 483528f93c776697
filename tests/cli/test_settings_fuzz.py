"""Tests that commands and screens work, whatever the settings file contains."""

import asyncio
import io
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridlock.cli.menu import choose_and_play
from gridlock.command import run
from gridlock.core.rules import RULE_BOOKS
from gridlock.players import agents
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState, Page
from gridlock.tui.setup import SetupPage
from gridlock.userdata import settings as kept
from gridlock.userdata.settings import KEYS, THEMES, Preferences, place

WORDS = st.sampled_from(
    [*KEYS, *THEMES, "hard", "human", "0x0", "1x1", "5x5", "999x999", "-1x3", "board", "lines", "\x7f"]
)
SIMPLE = (
    WORDS
    | st.text(max_size=20)
    | st.integers()
    | st.integers(min_value=2**70, max_value=2**5000)
    | st.floats()
    | st.booleans()
    | st.datetimes().map(lambda time: time.replace(fold=0))
    | st.dates()
    | st.times().map(lambda time: time.replace(fold=0))
)
VALUES = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
BOARDS = st.dictionaries(st.sampled_from([*RULE_BOOKS, "hermit"]) | st.text(max_size=5), SIMPLE, max_size=3)
TABLES = st.dictionaries(WORDS | st.text(max_size=5), VALUES, max_size=5).flatmap(
    lambda table: st.just(table) | BOARDS.map(lambda boards: {**table, "board": boards})
)
CONTENTS = (
    st.binary(max_size=50)
    | st.text(max_size=50).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | TABLES.map(lambda table: Preferences(stored=table).text().encode("utf-8", "surrogatepass"))
    | st.sampled_from(
        [b"a = " + b"[" * 50_000, b"x = 1\n" * 50_000, b"n = " + b"9" * 5000, b'name = "' + b"x" * 90_000 + b'"']
    )
)
ANY = settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr("gridlock.userdata.folder._warned", set())
    return tmp_path


def others(preferences: Preferences) -> str:
    """Return a string with all stored settings except the theme.

    The settings are compared as strings, because NaN does not equal itself.
    """
    return repr(sorted((key, value) for key, value in preferences.stored.items() if key != "theme"))


@ANY
@given(content=CONTENTS)
def test_the_settings_command_opens_and_repairs(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    place().write_bytes(content)
    assert run(["settings"]) == 0
    assert run(["settings", "--json"]) == 0
    before = Preferences.load(agents)
    assert run(["settings", "theme", "light"]) == 0
    after = Preferences.load(agents)
    assert not after.damage
    assert after.theme == "light"
    assert others(after) == others(before)
    for key in [*after.problems, *after.unknown]:
        assert run(["settings", "--", key, ""]) == 0
    last = Preferences.load(agents)
    assert not last.problems
    assert not last.unknown
    capsys.readouterr()


@ANY
@given(table=TABLES)
def test_what_is_written_is_what_was_there(table: dict[str, object]) -> None:
    text = Preferences(stored=table).text()
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert repr(sorted(tomllib.loads(text).items())) == repr(sorted(table.items()))


@ANY
@given(content=CONTENTS)
def test_the_menu_opens(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    place().write_bytes(content)
    before, sys.stdin = sys.stdin, io.StringIO("chain\n\nq\n")
    try:
        assert choose_and_play() == 0
    finally:
        sys.stdin = before
    assert "Which board [" in capsys.readouterr().out


def a_game_begins(content: bytes, *games: str) -> None:
    """Open full-screen mode with this settings file, and start each of the games."""
    place().write_bytes(content)

    async def scene() -> None:
        state = AppState(kept.load_and_warn(agents))
        app = FullScreen(state)
        try:
            async with app.run_test() as pilot:
                for name in games:
                    app.push_screen(SetupPage(state, RULE_BOOKS[name]))
                    await pilot.pause()
                    await pilot.press("enter", "escape")
                    assert isinstance(app.screen, Page)
        finally:
            await state.stop()

    asyncio.run(scene())


@pytest.mark.slow
@settings(ANY, max_examples=8)
@given(content=CONTENTS, game=st.sampled_from(list(RULE_BOOKS)))
def test_the_full_screen_opens_and_a_game_begins(content: bytes, game: str) -> None:
    a_game_begins(content, game)


@pytest.mark.deep
@ANY
@given(content=CONTENTS)
def test_the_full_screen_opens_and_every_game_begins(content: bytes) -> None:
    a_game_begins(content, *RULE_BOOKS)
