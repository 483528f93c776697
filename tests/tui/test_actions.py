"""Tests of the action list, the keys in the footer, the keys for going back, cursor movement and clocks."""

import asyncio

import pytest
from textual.widgets import OptionList
from textual.widgets._footer import FooterKey
from thinkers import LateThinker
from tui_pages import PAGES, opened_at_each

from gridlock.core.match import Match
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import rule_book, variant
from gridlock.core.shape import Shape
from gridlock.play.puzzle_sources import Series
from gridlock.play.puzzles import Kind
from gridlock.tui.board import Board
from gridlock.tui.home import HomePage
from gridlock.tui.page import Note, Question
from gridlock.tui.palette import Palette
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.training import PuzzlePage
from gridlock.userdata.saves import entries
from tiers import mostly_deep

pytestmark = pytest.mark.slow


def match(name="showdown", **settings):
    return Match(variant(rule_book(name), settings.pop("board", None)), **settings)


# -- the search over actions -----------------------------------------------------------------------------------------


def test_actions_are_found_by_their_words_and_done(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("enter")
        assert len(page.live.game.moves) == 1
        await stage.press("ctrl+p")
        assert isinstance(stage.app.screen, Palette)
        listed = {action.words for action in stage.app.screen.actions}
        assert {"undo", "hint", "resign", "rules", "change the theme"} <= listed
        assert not listed & {
            "move the cursor",
            "search for an action",
            "redo",
        }  # no cursor keys, nothing that cannot be
        await stage.press(*"und")
        shown = stage.app.screen.query_one(OptionList)
        assert "undo" in str(shown.get_option_at_index(0).prompt)
        await stage.press("enter")
        await stage.until(lambda: stage.app.screen is page and not page.live.game.moves)

    play(scene, match=match())


def test_the_list_of_actions_can_be_walked_clicked_and_left(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("ctrl+p", "down", "down", "up", "escape")
        assert stage.app.screen is page
        await stage.press("ctrl+p", *"xyzzy", "enter")
        assert isinstance(stage.app.screen, Palette)  # nothing is found, so nothing is done
        await stage.press(*["backspace"] * 5, *"rules")
        await stage.pilot.click(OptionList, offset=(3, 0))
        await stage.until(lambda: isinstance(stage.app.screen, Note))
        assert page.live.match.variant.book.rules in stage.app.screen.lines
        await stage.press("ctrl+p")
        assert isinstance(stage.app.screen, Note)  # a dialogue comes first

    play(scene, match=match())


def test_a_key_that_comes_before_a_note_is_drawn_does_no_harm():
    Note("keys", ["a line"]).action_scroll(1)


@pytest.mark.parametrize("page", mostly_deep(PAGES, "against", "lessons", "watch"))
def test_every_page_has_its_actions(play, page):
    async def scene(stage):
        async for size in opened_at_each(stage, page, [(80, 24), (40, 12), (24, 8)]):
            await stage.press("ctrl+p")
            palette = stage.app.screen
            assert isinstance(palette, Palette)
            assert len(palette.actions) == len({action.words for action in palette.actions}) > 2
            assert palette.query_one(OptionList).region.bottom < size[1]

    play(scene)


# -- keys ----------------------------------------------------------------------------------------------------------


def whole(stage):
    """Return whether the footer shows every key with its full label, including the ? key."""
    keys = [f"{key.key_display} {key.description}" for key in stage.app.screen.query(FooterKey)]
    return "? keys" in keys and all(key in stage.lines()[-1] for key in keys)


@pytest.mark.parametrize("page", mostly_deep(PAGES, "against", "home", "puzzles"))
def test_no_key_in_the_footer_is_cut(play, page):
    async def scene(stage):
        async for columns, rows in opened_at_each(stage, page, [(60, 20), (80, 20), (40, 20), (24, 20)]):
            await stage.until(lambda: whole(stage))
            await stage.pilot.resize_terminal(columns // 2 + 10, rows)
            await stage.until(lambda: whole(stage))

    play(scene)


def test_the_end_of_a_watched_game_leaves_no_key_that_does_nothing(play, monkeypatch):
    monkeypatch.setattr("gridlock.tui.play.SPEEDS", (0.0,) * 5)

    async def scene(stage):
        page = stage.app.screen
        assert isinstance(page, WatchPage)
        await stage.until(lambda: page.live.game.outcome)
        await stage.until(lambda: "review" in stage.lines()[-1])
        for words in ("pause", "one move", "faster", "slower"):
            assert words not in stage.lines()[-1]

    play(scene, match=match("chain", board="2x2", kinds=("random", "random")))


def test_a_key_for_a_board_that_is_gone_does_nothing(play):
    async def scene(stage):
        board = stage.app.screen.query_one(Board)
        await stage.press("escape")
        await stage.until(lambda: not board.is_attached)
        assert await stage.app.run_action("choose", board)
        assert isinstance(stage.app.screen, HomePage)

    play(scene, match=match())


def test_everything_about_a_game_is_listed_without_scrolling(play):
    async def scene(stage):
        await stage.press("enter", "?")
        shown = stage.text()
        assert "type a move, such as 2 3" in shown
        for words in ("suspend (fg to return)", "search for an action", "hint", "rules"):
            assert words in shown

    play(scene, (80, 24), match())


def test_brackets_in_a_games_title_are_shown_as_they_are(play):
    book = RuleBook(title="A [/b] [bold]game", name="brackets", shape=Shape(closes_own=True))

    async def scene(stage):
        for key, heading in {"i": "─ A [/b] [bold]game ─", "d": "─ A [/b] [bold]game, 5x5 ─"}.items():
            await stage.press(key)
            assert heading in stage.text()
            await stage.press("escape")

    play(scene, match=Match(variant(book)))


@pytest.mark.parametrize("key", ["q", "escape"])
def test_q_and_escape_go_back_one_step(play, key):
    async def scene(stage):
        page = stage.app.screen
        for opens in ("?", "i", "g"):
            await stage.press(opens)
            assert stage.app.screen is not page
            await stage.press(key)
            assert stage.app.screen is page
        assert page.live.game.outcome is None
        await stage.press("1")
        await stage.press("escape")  # what is being typed; q would be a letter of it
        assert stage.app.screen is page
        await stage.press(key)
        assert isinstance(stage.app.screen, HomePage)
        await stage.press("c", key)
        assert isinstance(stage.app.screen, HomePage)
        await stage.press("escape")
        assert stage.app.is_running

    play(scene, match=match())


def test_leaving_is_a_question_only_if_something_would_be_lost(play, home):
    async def scene(stage):
        page = stage.app.screen
        (home / "games").rename(home / "elsewhere")
        (home / "games").write_text("no folder")
        await stage.press("enter")
        await stage.press("q")
        assert isinstance(stage.app.screen, Question)
        await stage.press("n")
        assert stage.app.screen is page
        (home / "games").unlink()
        (home / "elsewhere").rename(home / "games")
        await stage.press("u")  # saves again
        await stage.press("q")
        assert isinstance(stage.app.screen, HomePage)

    play(scene, match=match("scatter"))


def test_letters_move_the_cursor_where_they_mean_nothing_else(play):
    async def scene(stage):
        page = PuzzlePage(stage.app.state, Series(rule_book("scatter")))
        stage.app.push_screen(page)
        await stage.until(lambda: page.solving)
        board = page.query_one(Board)
        board.point(0)
        cols = page.solving.game.variant.grid.cols
        for key, cell in (("l", 1), ("j", cols + 1), ("h", cols), ("k", 0)):
            await stage.press(key)
            assert board.cursor == cell
        await stage.press("?")
        assert "↑ k ↓ j ← h → l" in stage.text()

    play(scene)


def test_a_key_changes_the_kind_of_puzzles(play):
    async def scene(stage):
        page = PuzzlePage(stage.app.state, Series(seed=3))
        stage.app.push_screen(page)
        await stage.until(lambda: page.solving)
        await stage.press("t")
        await stage.until(lambda: page.solving)
        assert page.solving.puzzle.kind is Kind.HOTTEST
        assert "Find the hottest region, difficulty 2 of 5" in stage.text()
        board, cell = page.query_one(Board), page.solving.puzzle.winning[0]
        board.point(cell)
        await stage.press("enter")
        await stage.until(lambda: page.solving.over)
        assert "Right: A, " in stage.text()
        assert "(s: see the regions)" in stage.text()
        await stage.press("d")
        assert "─ Find the hottest region, difficulty 2 of 5 ─" in stage.text()
        await stage.press("escape", "s")
        await stage.until(lambda: "Letters are regions" in stage.text())
        await stage.press("escape", "t")
        await stage.until(lambda: page.solving)
        assert page.solving.puzzle.kind is Kind.TRAP
        await stage.press("t")
        await stage.until(lambda: page.solving)
        assert page.solving.puzzle.kind is Kind.WIN

    play(scene)


def test_the_kind_stays_the_same_for_a_game_that_has_only_one(play):
    async def scene(stage):
        page = PuzzlePage(stage.app.state, Series(rule_book("chain"), seed=3))
        stage.app.push_screen(page)
        await stage.until(lambda: page.solving)
        assert " kind" not in stage.text()
        await stage.press("t")
        await stage.until(lambda: page.solving)
        assert page.solving.puzzle.kind is Kind.WIN
        await stage.press("x")
        await stage.until(lambda: page.solving)

    play(scene)


def test_in_a_game_they_mean_something_else(play):
    async def scene(stage):
        page = stage.app.screen
        cursor = page.board.cursor
        stage.app.state.adviser = LateThinker()
        await stage.press("j", "k", "l", "h")
        assert page.board.cursor == cursor
        assert page.coach.step == 1

    play(scene, match=match())


# -- two programs ----------------------------------------------------------------------------------------------------


def test_the_speed_is_shown_while_paused_and_values_address_nobody(play):
    async def scene(stage):
        page = stage.app.screen
        stage.app.state.opponent = LateThinker()
        await stage.press("p")
        await stage.sees("Paused (1 s per move)")
        await stage.press("+")
        await stage.sees("Paused (0.5 s per move)")
        await stage.press("v")
        await stage.until(lambda: page.coach.advice)
        assert stage.said("#words").startswith("Player ")  # whoever is to move when the pause begins
        assert "You" not in stage.said("#words")

    play(scene, match=match(board="3x3", kinds=("easy", "easy")))


# -- clocks ----------------------------------------------------------------------------------------------------------


def test_a_clock_is_chosen_shown_and_kept(play, monkeypatch):
    monkeypatch.setattr("gridlock.play.clocks.monotonic", lambda: 0.0)  # time stands

    async def first(stage):
        await stage.press("h", "end", "right", "home", "enter")
        page = stage.app.screen
        assert isinstance(page, PlayPage)
        assert page.live.match.clock == (60, 0)
        assert stage.said("#players").count("1:00") == 2
        await stage.press("enter")
        page.live.match.times = (47.5, 31.5)
        await stage.press("escape")

    async def second(stage):
        await stage.press("1")
        await stage.sees("0:47")
        assert "0:31" in stage.text()

    play(first)
    play(second)


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (40, 12), (24, 8)])
def test_clocks_are_seen_in_every_window_and_time_ends_the_game(play, size):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("enter")
        shown = "X 5:00" if page.has_class("-narrow") else "5:00 Player 1 (X)"
        assert shown in stage.text()
        page.live.match.times = (300.0, 0.01)
        await stage.until(lambda: page.live.game.outcome)
        await stage.until(lambda: "ran out of time" in stage.said("#words"))
        assert stage.said("#words") == "Player 1 wins: Player 2 ran out of time."
        await stage.press("u")
        assert page.live.game.outcome  # time does not come back
        await stage.press("n")
        assert page.live.match.times == (300, 300)

    play(scene, size, match(clock=(300, 3)))
    assert [entry.saved.match.finished for entry in entries()] == [True]  # the new game has no moves yet


def test_a_programs_clock_stands_while_its_move_waits_to_be_shown(play, monkeypatch):
    may_show = asyncio.Event()

    async def until_shown(_page, _began):
        await may_show.wait()

    monkeypatch.setattr(PlayPage, "until_shown", until_shown)
    monkeypatch.setattr("gridlock.tui.match.choose_move", lambda *_turn: 0)

    async def scene(stage):
        page = stage.app.screen
        opponent = stage.app.state.opponent = LateThinker()
        opponent.may_answer.set()
        await stage.press("enter")
        await stage.until(lambda: page._answered)
        before = page.live.match.times
        await asyncio.sleep(0.5)
        assert page.live.match.times == before
        may_show.set()
        await stage.until(lambda: len(page.live.game.moves) == 2)
        assert page.live.match.times[1] == before[1] + 3

    play(scene, match=match("scatter", kinds=("human", "easy"), clock=(300, 3)))
