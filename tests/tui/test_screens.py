"""Tests that operate every screen with the keyboard."""

import json
from datetime import date

import pytest

from gridlock.core.grid import cells_of
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.play.lessons import lessons
from gridlock.play.puzzles import give_up
from gridlock.tui.board import Board
from gridlock.tui.page import Note
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.review import ReviewPage
from gridlock.tui.setup import SetupPage
from gridlock.tui.training import LessonPage, PuzzlePage
from gridlock.userdata import diary
from gridlock.userdata.saves import entries
from gridlock.userdata.settings import THEMES, Preferences
from tiers import mostly_deep

pytestmark = pytest.mark.slow

SIZES = [(60, 20), (80, 24), (200, 60)]


@pytest.mark.parametrize("size", SIZES)
def test_the_list_shows_everything_there_is_to_do(play, size):
    async def scene(stage):
        for book in RULE_BOOKS.values():
            assert book.name in stage.text()
        for words in ("daily puzzle", "puzzles", "lessons", "watch", "results"):
            assert words in stage.text()
        assert next(iter(RULE_BOOKS.values())).summary in stage.said("#about")  # of the game that is highlighted
        assert "┌" in stage.text()  # and its picture

    play(scene, size)


def test_each_game_has_a_key_of_its_own_that_opens_its_choices(play):
    async def scene(stage):
        items = [item for item in stage.app.screen.items if not isinstance(item, str)]
        assert len({item.key for item in items}) == len(items)
        for book, item in zip(RULE_BOOKS.values(), items, strict=False):
            await stage.press(item.key)
            assert isinstance(stage.app.screen, SetupPage)
            assert stage.app.screen.book is book
            await stage.press("escape")

    play(scene)


def test_going_back_too_often_leaves_the_current_screen(play):
    async def scene(stage):
        await stage.press("l", "escape", "escape", "escape")
        assert stage.app.is_running
        await stage.press("c")
        assert isinstance(stage.app.screen, SetupPage)
        await stage.press("escape", "question_mark")
        await stage.sees("quit")

    play(scene)


def test_choices_are_made_by_arrows_and_remembered(play):
    async def scene(stage):
        await stage.press("c", "down", "right", "down", "right")
        page = stage.app.screen
        level, board = page.players[0].chosen, page.board.chosen
        assert level in stage.text()
        assert board in stage.text()
        await stage.press("up", "up", "enter")
        assert isinstance(stage.app.screen, PlayPage)
        match = stage.app.screen.live.match
        assert level in match.kinds or match.kinds == ("human", "human")
        assert str(match.variant.grid) == board

    play(scene)
    assert Preferences.load().board or Preferences.load().level


def test_a_board_can_be_typed(play):
    async def scene(stage):
        await stage.press("h", "b")
        await stage.press(*["backspace"] * 5, *"4x7", "enter")
        assert stage.app.screen.board.chosen == "4x7"
        await stage.press("b", *["backspace"] * 5, *"0x7", "enter")
        assert stage.app.screen.board.chosen == "4x7"  # impossible values are rejected
        await stage.sees("not possible")

    play(scene)


def test_every_theme_is_another_look_and_remembered(play):
    async def scene(stage):
        seen = set()
        for _ in THEMES:
            await stage.press("T")
            style = stage.app.screen.query_one(Board)._style("open")
            seen.add((stage.app.theme, str(style)))
        assert {theme for theme, _ in seen} == set(THEMES)
        assert len({style for _, style in seen}) == len(THEMES)
        await stage.press("T")

    play(scene)
    assert Preferences.load().theme == THEMES[1]


def test_a_name_is_remembered_and_played_under(play):
    async def scene(stage):
        await stage.press("N")
        await stage.press(*"Ada", "enter")
        await stage.press("c", "enter")
        await stage.sees("Ada (X)")

    play(scene)
    assert Preferences.load().name == "Ada"


def test_the_keys_that_work_here_are_listed(play):
    async def scene(stage):
        await stage.press("question_mark")
        await stage.sees("Keys on this page")
        for words in ("resign", "hint", "values", "rules"):
            assert words in stage.text()
        assert "other side" not in stage.text()  # only after a game
        await stage.press("escape")
        assert isinstance(stage.app.screen, PlayPage)

    play(scene, match=Match(variant(rule_book("chain"), "4x4")))


async def choose(stage, page, cell):
    """Play a cell, and wait until the move is judged."""
    page.query_one(Board).point(cell)
    await stage.press("enter")
    await stage.until(lambda: not page.thinking)


async def solve(stage, page):
    """Play the solution to the end."""
    while not page.solving.over:
        await choose(stage, page, give_up(page.solving.game).winning[0])


def wrong_move(page):
    game = page.solving.game
    return next(cell for cell in cells_of(game.legal) if cell not in give_up(game).winning)


def test_the_puzzle_of_the_day_counts_once(play):
    async def scene(stage):
        await stage.press("d")
        page = stage.app.screen
        assert isinstance(page, PuzzlePage)
        await stage.until(lambda: page.solving)
        await solve(stage, page)
        await stage.sees("Solved!")
        await stage.sees("Daily streak: 1")
        await stage.press("s")
        await stage.sees("wins")

    play(scene, (80, 40))
    today = date.today().isoformat()
    assert diary.read().days == {today: True}
    assert set(diary.read().marks[today]) == {"1"}


def test_puzzles_have_a_streak_a_refutation_and_a_difficulty(play):
    async def scene(stage):
        await stage.press("p")
        page = stage.app.screen
        await stage.until(lambda: page.solving)
        await solve(stage, page)
        await stage.sees("Streak: 1.")
        await stage.press("n")
        await stage.until(lambda: page.solving)
        wrong, before = wrong_move(page), page.query_one(Board).picture
        await choose(stage, page, wrong)
        await stage.sees("loses to")
        assert page.query_one(Board).picture.position.taken >> wrong & 1, "the refutation is on the board"
        await stage.press("a")
        await stage.sees("Try again.")
        assert page.query_one(Board).picture.position == before.position
        for _ in range(2):
            await choose(stage, page, wrong)
            assert page.refuted
            await stage.press("enter")  # the same as a
            assert not page.refuted
        assert page.solving.marks == "x"
        await stage.press("x")
        await stage.sees("difficulty 3 of 5")
        await stage.until(lambda: page.solving)
        await stage.press("s")
        await stage.sees("The winning move is")

    play(scene, (80, 40))
    assert diary.read().asked == 3
    assert diary.read().solved == 1


@pytest.mark.parametrize("name", mostly_deep(RULE_BOOKS, "keepaway", "trails"))
def test_every_lesson_can_be_done_and_is_remembered(play, name):
    book = rule_book(name)

    async def scene(stage):
        stage.app.push_screen(LessonPage(stage.app.state, book))
        await stage.pilot.pause()
        page = stage.app.screen
        for lesson in lessons(book):
            assert page.number == lesson.number
            await stage.sees(lesson.title)
            page.query_one(Board).point(page.game.variant.cell(*map(int, lesson.answers[0].split(","))))
            await stage.press("enter")
            if lesson.task == "finish":
                await _play_on(stage, page)
            await stage.until(lambda: page.over)
            await stage.sees("Right!")
            await stage.press("n")

    play(scene, (100, 40))
    assert diary.read().lessons[name] == [lesson.number for lesson in lessons(book)]


async def _play_on(stage, page):
    """Finish a lesson by playing the engine's winning moves."""
    from gridlock.play.thinking.questions import advise

    while not page.over:
        await stage.until(lambda: page.over or not page.thinking)
        if page.over:
            return
        page.query_one(Board).point(advise(page.game, 1.0).move)
        await stage.press("enter")


def test_a_wrong_answer_and_a_refused_cell_in_a_lesson(play):
    book = rule_book("showdown")

    async def scene(stage):
        page = LessonPage(stage.app.state, book)
        stage.app.push_screen(page)
        await stage.pilot.pause()
        taken = page.game.moves[0]
        page.query_one(Board).point(taken)
        await stage.press("enter")
        await stage.sees("The cell is already occupied")
        await stage.press("s")
        await stage.sees("The answer is")

    play(scene, (100, 40))
    assert diary.read().lessons == {}


def test_a_lessons_task_that_is_cut_can_be_read_as_a_whole(play):
    book = rule_book("showdown")

    async def scene(stage):
        page = LessonPage(stage.app.state, book)
        stage.app.push_screen(page)
        await stage.pilot.pause()
        await stage.press("n", "n", "n")
        assert page.lesson.text not in stage.text()
        assert "... (d)" in stage.text()
        await stage.press("d")
        note = stage.app.screen
        assert isinstance(note, Note)
        assert [page.lesson.text, "Find a move that wins, and play on until you have won.", "", "You are X."] == (
            "\n".join(note.lines).split("\n")
        )
        await stage.press("escape")
        await stage.pilot.resize_terminal(80, 40)
        await stage.pilot.pause()
        assert page.lesson.text in stage.text()
        assert "(d)" not in stage.text()

    play(scene, (40, 12))


def test_two_programs_are_watched_step_by_step(play):
    async def scene(stage):
        page = stage.app.screen
        assert isinstance(page, WatchPage)
        await stage.press("p")
        await stage.sees("Paused")
        before = len(page.live.game.moves)
        await stage.press(".")
        await stage.until(lambda: len(page.live.game.moves) == before + 1)
        await stage.press("+", "=", "+", "-", "+")
        await stage.press("p")
        assert page.waiting == "0.2 s per move."
        await stage.until(lambda: page.live.game.outcome)
        await stage.press("e")
        assert isinstance(stage.app.screen, ReviewPage)

    play(scene, match=Match(variant(rule_book("chain"), "3x3"), kinds=("random", "random")))
    assert [entry.saved.match.finished for entry in entries()] == [True]


def test_lessons_and_watching_begin_with_a_game(play):
    second = list(RULE_BOOKS.values())[1]

    async def scene(stage):
        await stage.press("l")
        await stage.sees("0 of 6 done")
        await stage.press("2")
        assert isinstance(stage.app.screen, LessonPage)
        assert stage.app.screen.lesson.book is second
        await stage.press("escape", "w", "down", "enter")
        assert isinstance(stage.app.screen, SetupPage)
        assert stage.app.screen.watching
        await stage.press("enter")
        assert isinstance(stage.app.screen, WatchPage)
        assert stage.app.screen.live.match.variant.book is second

    play(scene)


def test_a_failing_program_is_reported_and_the_screen_stays(play):
    async def scene(stage):
        await stage.press("enter")
        await stage.sees("There is no agent called 'nobody'. The agents are random")
        assert stage.app.state.failed
        for key in ("up", "left"):  # the sentence stays until something changes
            assert "is thinking" not in stage.text()
            await stage.press(key)
            assert "There is no agent called 'nobody'." in stage.said("#words")
        await stage.press("u")
        assert not stage.app.screen.live.game.moves
        assert "nobody" not in stage.said("#words")

    play(scene, (120, 30), match=Match(variant(rule_book("chain")), kinds=("human", "nobody")))


def test_the_only_person_wins_in_one_sentence(play):
    async def scene(stage):
        assert stage.said("#words") == "It's your move (X)."
        assert "> You (X)" in stage.text()
        await stage.press("enter")  # the middle ends it at once
        assert stage.said("#words") == "You win: the computer has no legal move."

    play(scene, match=Match(variant(rule_book("keepaway")), kinds=("human", "easy")))


def test_one_sentence_at_a_time(play):
    async def scene(stage):
        await stage.press("enter")
        assert stage.said("#words") == "Player 2 (O), it's your move."
        await stage.press("enter")
        assert stage.said("#words") == "Invalid move. The cell is already occupied."
        await stage.press("u")
        assert stage.said("#words") == "Undid 1 move."
        await stage.press("left")
        assert stage.said("#words") == "Player 1 (X), it's your move."

    play(scene, match=Match(variant(rule_book("showdown"))))


def test_results_by_game_level_and_side(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("enter")  # the middle ends it at once
        await stage.until(lambda: page.live.game.outcome)
        await stage.press("escape", "r")
        for words in ("all games", "against easy", "moving first", "Winning streak: 1"):
            await stage.sees(words)
        await stage.press("k")
        await stage.sees("Winning positions reached: 1, converted: 1.")

    play(scene, match=Match(variant(rule_book("keepaway"), "3x3"), kinds=("human", "easy")))


def test_an_unfinished_game_comes_first_and_resumes(play):
    async def first(stage):
        await stage.press("enter")
        assert len(stage.app.screen.live.game.moves) == 1

    async def second(stage):
        assert "Continue" in stage.text()
        assert "just now" in stage.text()
        await stage.press("1")
        assert len(stage.app.screen.live.game.moves) == 1

    play(first, match=Match(variant(rule_book("scatter"), "5x5")))
    play(second)


def test_a_game_open_in_another_window_is_not_opened_twice(play):
    async def first(stage):
        await stage.press("enter")
        name = stage.app.screen.live.slot.name
        lock = json.loads((stage.app.screen.live.slot.path.with_suffix(".lock")).read_text())
        assert lock["process"]
        stage.app.push_screen(type(stage.app.screen_stack[1])(stage.app.state))
        await stage.pilot.pause()
        await stage.press("1")
        await stage.sees(f"Game {name} is open")

    play(first, (120, 30), Match(variant(rule_book("scatter"), "5x5")))
