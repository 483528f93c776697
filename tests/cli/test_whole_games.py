"""Whole games in full-screen mode, played with only the keyboard or only the mouse, in terminals of several sizes."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from glass import Glass
from test_full_screen import HOME_LIST
from window import Window, window

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import variant
from gridlock.userdata.saves import load

pytestmark = pytest.mark.slow

PATIENCE = 60.0  # seconds to wait for a move on a busy machine
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
Take = Callable[[Glass, tuple[int, int]], None]


def saved(home: Path) -> Match:
    """Return the saved match, or a new match if no move has been saved yet."""
    paths = list((home / "games").glob("*.json"))
    if not paths:
        return Match(variant("showdown"), games=[Game("showdown")])
    return load(paths[0].read_text()).match


def until(window: Window, home: Path, there: Callable[[Match], bool]) -> Match:
    """Wait until the saved match meets a condition."""
    end = time.monotonic() + PATIENCE
    while not there(match := saved(home)):
        window._read(0.05)
        assert time.monotonic() < end, f"{match.games[-1].moves}\n{window.plain[-3000:]}"
    return match


def steps(one: int, other: int, back: str, on: str) -> str:
    return (on if other > one else back) * abs(other - one)


def by_keys(glass: Glass, place: tuple[int, int]) -> None:
    """Use the arrow keys to move the cursor to a cell, and press Enter to take the cell."""
    row, col = glass.cursor()
    glass.window.type(steps(row, place[0], UP, DOWN) + steps(col, place[1], LEFT, RIGHT))
    end = time.monotonic() + PATIENCE
    while glass.cursor() != place:
        assert time.monotonic() < end, "\n".join(glass.lines())
    glass.window.type("\r")


def by_mouse(glass: Glass, place: tuple[int, int]) -> None:
    """Scroll to a cell with the mouse wheel and with clicks at the board's left or right edge, then click the cell."""
    end = time.monotonic() + PATIENCE
    while True:
        columns, rows = glass.axes()
        middle = f"{glass.window.columns // 2};{min(rows.values()) + 2}"
        if place[0] not in rows:
            glass.window.type(f"\x1b[<{64 if place[0] < min(rows) else 65};{middle}M")
        elif place[1] > max(columns):
            glass.click(max(columns.values()) + 1, min(rows.values()) + 2)
        elif place[1] < min(columns):
            glass.click(min(columns.values()) - 2, min(rows.values()) + 2)
        else:
            glass.click(columns[place[1]], rows[place[0]])
            return
        assert time.monotonic() < end, "\n".join(glass.lines())


# FULL tests each input device in one window size; DEEP adds the other combinations of input device and window size.
FULL = [(by_keys, (60, 20)), (by_mouse, (80, 24))]
DEEP = [(by_mouse, (60, 20)), (by_keys, (80, 24)), (by_keys, (120, 40)), (by_mouse, (120, 40))]
WAYS = pytest.mark.parametrize(("take", "size"), [*FULL, *(pytest.param(*one, marks=pytest.mark.deep) for one in DEEP)])


@WAYS
def test_a_game_from_the_first_screen_to_the_last(take: Take, size: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('level = "easy"\n')
    mouse = take is by_mouse
    with window("", tmp_path, *size) as opened:
        glass = Glass(opened)

        def choose(key: str, words: str, then: str) -> None:
            glass.click_on(words) if mouse else opened.type(key)
            glass.wait_for(then)

        glass.wait_for(HOME_LIST)
        choose("h", "showdown", "swap rule")
        choose("\r", "Start", "your move")
        match = saved(tmp_path)
        while not match.finished:
            game = match.games[0]
            before = len(game.moves)
            cell = game.variant.legal_cells(game.position)[-1]
            take(glass, game.variant.coordinates(cell))
            match = until(opened, tmp_path, lambda now, before=before: len(now.games[0].moves) > before)
            assert match.games[0].moves[before] == cell
            match = until(opened, tmp_path, lambda now: now.finished or now.games[0].turn == 1)
        glass.wait_for("You win" if match.games[0].winner == 1 else "You lose")
        glass.wait_for("e review")  # the available actions are listed
        choose("q", "Esc", HOME_LIST)
        if mouse:
            glass.click_on("q quit")
        else:
            opened.type("q")
        assert opened.exit_code() == 0


FIRST = [(1, 0), (1, 1), (1, 2), (0, 2), (0, 1)]  # a path into a dead end
SECOND = [(29, column) for column in (28, 27, 26, 25, 24)]


@WAYS
def test_a_game_on_a_board_of_30_by_30(take: Take, size: tuple[int, int], tmp_path: Path) -> None:
    """The pawns start in opposite corners; a board too large for the window scrolls to the other pawn at each turn."""
    with window("play trails --board 30x30 --screen", tmp_path, *size) as opened:
        glass = Glass(opened)
        glass.wait_for("your move")
        moves: list[int] = []
        for pair in zip(FIRST, SECOND, strict=True):
            for row, column in pair:
                at_pawn(glass, saved(tmp_path).games[0] if moves else Game("trails", "30x30"))
                take(glass, (row, column))
                moves.append(30 * row + column)
                until(opened, tmp_path, lambda now: now.games[0].moves == moves)
        glass.wait_for("Player B wins")
        assert saved(tmp_path).games[0].winner == 2


def at_pawn(glass: Glass, game: Game) -> None:
    """Wait until the cursor is on the pawn whose turn it is."""
    end = time.monotonic() + PATIENCE
    while game.variant.cell(*glass.cursor()) != game.position.my_head:
        assert time.monotonic() < end, "\n".join(glass.lines())
