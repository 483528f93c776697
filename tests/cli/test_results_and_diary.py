"""Tests of the data saved between sessions: results, solved puzzles and completed lessons."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from window import window

from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.play.lessons import lessons
from gridlock.play.results import collect, win_converted
from gridlock.userdata import diary
from gridlock.userdata.diary import Diary
from gridlock.userdata.saves import Entry, Saved, dump, entries, folder
from gridlock.userdata.settings import Preferences
from gridlock.web.command import start_page

ASKED = "enter your move (row and column): "
Command = Callable[..., str]


# -- statistics ------------------------------------------------------------------------------------------------------


def a_match(game: str, kinds: tuple[str, str], *games: tuple[int, str]) -> Match:
    """Return a finished match; each game is given as a pair: the player who starts and the player who resigns."""
    match = Match(variant(game, "3x3"), rounds=len(games), kinds=kinds, starts=games[0][0])
    for _, loser in games:
        match.current().resign(int(loser))
    return match


def entry(changed: float, match: Match | None) -> Entry:
    return Entry(f"game {changed}", changed, Saved(match, None) if match else None, "")


def test_results_are_counted_by_game_level_and_side() -> None:
    found = collect(
        [
            entry(5, a_match("chain", ("human", "easy"), (1, "2"))),
            entry(1, a_match("chain", ("human", "easy"), (1, "1"))),
            entry(2, a_match("trails", ("hard", "human"), (1, "1"), (2, "1"), (1, "2"))),
            entry(3, a_match("trails", ("human", "human"), (1, "2"))),
            entry(4, a_match("trails", ("easy", "hard"), (1, "2"))),
            entry(6, None),
            entry(7, Match(variant("chain"), kinds=("human", "easy"), games=[])),
        ]
    )

    def told(tallies: object) -> dict[str, tuple[int, int]]:
        assert isinstance(tallies, dict)
        return {name: (tally.won, tally.played) for name, tally in tallies.items()}

    assert (found.total.won, found.total.played) == (3, 5)
    assert told(found.by_game) == {"chain": (1, 2), "trails": (2, 3)}
    assert told(found.by_level) == {"easy": (1, 2), "hard": (2, 3)}
    assert told(found.by_side) == {"first": (2, 3), "second": (1, 2)}
    assert (found.streak, found.best_streak) == (1, 2)
    assert (found.among_friends, found.unfinished, found.damaged) == (1, 0, 1)


def test_a_winning_position_is_converted_or_not(home: Path) -> None:
    won = collect([entry(1, a_match("keepaway", ("human", "easy"), (1, "2")))]).games[0]
    assert home.is_dir()
    assert win_converted(won, 1.0) is None, "nobody moved while it was won: the other one gave up"
    match = Match(variant("keepaway"), kinds=("human", "easy"))
    match.current().push(4)  # player 1 plays the only winning move at once
    assert win_converted(collect([entry(1, match)]).games[0], 1.0) is True
    match = Match(variant("keepaway"), kinds=("human", "easy"))
    match.current().push(0)  # this move gives up the win
    match.current().resign(1)
    assert win_converted(collect([entry(1, match)]).games[0], 1.0) is False
    match = Match(variant("keepaway"), kinds=("easy", "human"))
    match.current().push(4)
    assert win_converted(collect([entry(1, match)]).games[0], 1.0) is None, "there was never a chance"


def test_the_command_shows_statistics(command: Command) -> None:
    assert "You have not finished a game against the computer yet." in command("stats")
    for _ in range(2):
        command("play", "keepaway", "--player2", "easy", typed=("2 2",))
    command("play", "keepaway", "--player1", "hard", "--seed", "1", typed=("resign",))
    command("play", "showdown", typed=("3 3", "resign"))
    command("play", "showdown", typed=("3 3",))
    lines = command("stats", "--kept").splitlines()
    assert lines[0].split() == ["won", "of", "%", "unaided"]
    assert [line.split()[-4:] for line in lines if line.startswith(("all", "against easy", "moving second"))] == [
        ["2", "3", "67", "2"],
        ["2", "2", "100", "2"],
        ["0", "1", "0", "0"],
    ]
    assert "Won without hints (unaided): 2, with hints: 0." in lines
    assert "Winning positions reached: 2, converted: 2." in lines
    assert "Winning streak: 0 (best: 2)." in lines
    assert "Two-player games: 1. Unfinished: 1." in lines
    assert "--time needs --kept." in command("stats", "--time", "5", code=2)


# -- puzzles ---------------------------------------------------------------------------------------------------------


def solver_of(said: dict) -> tuple[str, ...]:
    """Return the moves that a puzzle's solver must make, as they would be typed."""
    return tuple("{},{}".format(*place) for place in said["line"][::2])


def test_only_the_first_result_of_a_day_counts(command: Command) -> None:
    today = date.today()
    said = json.loads(command("puzzle", "--today", "--json"))
    assert said["day"] == today.isoformat()
    assert "You have until midnight to solve it." in command("puzzle", "--today", typed=("quit",))
    assert diary.read().days == {}
    diary.write(lambda pages: pages.with_daily(today - timedelta(1), "1", "chain"))
    out = command("puzzle", "--today", typed=solver_of(said))
    assert "Solved!" in out
    assert "Daily streak: 2." in out
    out = command("puzzle", "--today", typed=("show",))
    assert "You've already solved this puzzle, so this is practice." in out
    assert "Daily streak: 2." in out
    stats = command("stats")
    assert "Daily puzzles: 2 of 2 solved, 2 days in a row (best: 2)." in stats
    assert "Puzzles solved by game: chain " in stats
    assert json.loads(command("stats", "--json"))["days"] == {"solved": 2, "asked": 2, "streak": 2, "best_streak": 2}


def test_giving_up_ends_the_streak(command: Command) -> None:
    diary.write(lambda pages: pages.with_daily(date.today() - timedelta(1), "1", "chain"))
    assert diary.read().days_in_a_row(date.today()) == 1, "while today's is open"
    assert "Daily streak: none yet." in command("puzzle", "--today", typed=("show",))
    assert diary.read().days_in_a_row(date.today()) == 0


def test_another_day_counts_for_nothing(command: Command) -> None:
    said = json.loads(command("puzzle", "--day", "2026-11-09", "--json"))
    out = command("puzzle", "--day", "2026-11-09", typed=solver_of(said))
    assert "Daily puzzle for 2026-11-09." in out
    assert "Solved!" in out
    assert diary.read() == Diary()
    assert "'yesterday' is not a date such as 2026-11-15." in command("puzzle", "--day", "yesterday", code=2)
    assert "leave out --difficulty" in command("puzzle", "--today", "--difficulty", "4", code=2)


def test_a_streak_lasts(command: Command) -> None:
    said = json.loads(command("puzzle", "showdown", "--seed", "3", "--json"))
    assert "Streak: 1." in command("puzzle", "showdown", "--seed", "3", typed=(*solver_of(said), "quit"))
    assert "Streak: 2." in command("puzzle", "showdown", "--seed", "3", typed=(*solver_of(said), "quit"))
    assert "Streak: 0 (your best: 2)." in command("puzzle", "showdown", "--seed", "3", typed=("show", "quit"))
    assert "Puzzles: 2 of 3 solved. Streak: 0 (your best: 2)." in command("stats")


@pytest.mark.usefixtures("home")
def test_an_older_diary_is_read_and_continued(command: Command) -> None:
    old = {"asked": 4, "best": 2, "days": {"2026-11-09": True}, "lessons": {"chain": [1]}, "solved": 3, "streak": 1}
    diary.place().write_text(json.dumps(old))
    assert diary.read() == Diary(**old)
    assert "Streak: 0 (your best: 2)." in command("puzzle", "showdown", "--seed", "3", typed=("show", "quit"))
    assert diary.read() == replace(Diary(**old), asked=5, streak=0, games={"showdown": [0, 1]})


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", "{}", '{"days": 1}', "null"),
        json.dumps(asdict(Diary()) | {"days": {"one day": True}}),
        json.dumps(asdict(Diary()) | {"marks": {"2026-11-09": 1}}),
        json.dumps(asdict(Diary()) | {"games": {"chain": [1]}}),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_damaged_diary_is_neither_believed_nor_lost(text: str, command: Command) -> None:
    for name in ("diary.json.damaged", "diary.json.damaged2"):
        diary.place().write_text(text)
        assert "is damaged" in command("stats")
        assert "is damaged" not in command("stats"), "one warning is enough"
        assert diary.read() == Diary()
        assert diary.place().read_text() == text, "reading changes nothing"
        assert "Streak: 0." in command("puzzle", "showdown", "--seed", "3", typed=("show", "quit"))
        assert diary.read() == Diary(asked=1, games={"showdown": [0, 1]})
        assert diary.place().with_name(name).read_text() == text


@pytest.mark.usefixtures("home")
def test_a_diary_that_cannot_be_read_is_not_overwritten(command: Command) -> None:
    diary.place().mkdir()
    assert "cannot be read" in command("stats")
    found = diary.write(lambda pages: pages.with_answer(True, "chain"))
    assert found == Diary(solved=1, asked=1, streak=1, best=1, games={"chain": [1, 1]})
    assert diary.place().with_name("diary.json.damaged").is_dir()


def test_a_puzzle_draws_what_its_answer_rests_on(command: Command) -> None:
    out = command("puzzle", "chain", "--seed", "1", typed=("show", "quit"))
    shown = out[: out.index("Streak")]
    assert "Cells with the same letter form a pair; * is the move:" in shown
    assert "+ wins, - loses, : is closed" in shown
    assert "answers with its partner" in shown.splitlines()[-1], "the reason comes last"


# -- lessons ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["keepaway", "chain", "scatter", "trails", "showdown"])
def test_a_course_can_be_taken_with_the_answers_shown_to_programs(game: str, command: Command) -> None:
    course = lessons(RULE_BOOKS[game])
    for lesson in course:
        if lesson.task == "finish":
            continue
        out = command("learn", game, "--lesson", str(lesson.number), typed=(lesson.answers[0], "quit"))
        assert f"Lesson {lesson.number} of {len(course)}: {lesson.title}" in out
        assert "Right!" in out
        assert " ".join(lesson.after.split()) in " ".join(out.split())
    done = [lesson.number for lesson in course if lesson.task != "finish"]
    assert diary.read().lessons == {game: done}
    out = command("learn", game, typed=("quit",))
    first_open = next(lesson.number for lesson in course if lesson.number not in done)
    assert f"Lesson {first_open} of" in out, "it begins where one stopped"


def test_a_lesson_played_to_the_end_continues_until_it_is_won(command: Command) -> None:
    out = command("learn", "trails", "--lesson", "3", typed=("right", "down", "show"))
    assert "0,2 does not win. Try another cell." in out
    assert "Right. The opponent plays 0,2. Keep going." in out
    assert diary.read().lessons == {}, "it was given up"
    out = command("learn", "trails", "--lesson", "3", typed=("1,1", "left", "quit"))
    assert "Right!" in out
    assert diary.read().lessons == {"trails": [3]}
    assert "3  Take the centre first  (done)" in command("learn")


def test_a_lesson_that_is_shown_is_not_done(command: Command) -> None:
    out = command("learn", "showdown", "--lesson", "3", typed=("9 9", "nonsense", "1 1", "show", "quit"))
    assert "The cell is outside the grid." in out
    assert "Type 'show' for the answer, or 'quit' to stop." in out
    assert "1,1 does not win." in out
    assert "The answer is 2,2." in out
    assert diary.read().lessons == {}
    assert "there is no lesson 99: showdown has 7 lessons." in command("learn", "showdown", "--lesson", "99", code=2)


def test_two_windows_write_one_diary(home: Path) -> None:
    import threading

    assert home.is_dir()
    threads = [
        threading.Thread(
            target=lambda: [diary.write(lambda pages: pages.with_answer(True, "chain")) for _ in range(10)]
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert diary.read().solved == 40
    assert [path.name for path in home.iterdir()] == ["diary.json"], "no lock stays behind"
    assert list(entries()) == []


def test_the_page_opens_with_your_name_and_level() -> None:
    address = "http://127.0.0.1:8000"
    assert start_page(address, Preferences()) == f"{address}/"
    assert start_page(address, Preferences(name="Ada & Bö")) == f"{address}/#name=Ada%20%26%20B%C3%B6"
    assert start_page(address, Preferences(name="Ada", level="hard")) == f"{address}/#name=Ada&level=hard"


def test_hints_are_counted_where_they_are_used(command: Command) -> None:
    command("play", "keepaway", "--player2", "easy", typed=("why", "2 2"))  # there is nothing to explain yet
    command("play", "keepaway", "--player2", "easy", typed=("hint", "why", "2 2"))
    command("play", "keepaway", "--player2", "easy", typed=("values", "2 2"))
    assert [one["hints"] for one in json.loads(command("games", "--json"))["games"]] == [[1], [2], [0]]
    assert "Won without hints (unaided): 1, with hints: 2." in command("stats")
    total = json.loads(command("stats", "--json"))["total"]
    assert total == {"won": 3, "played": 3, "won_without_hints": 1, "won_with_hints": 2}


def test_the_result_of_the_day_can_be_shared(command: Command) -> None:
    said = json.loads(command("puzzle", "--today", "--json"))
    out = command("puzzle", "--today", typed=solver_of(said))
    assert f"To share your result:\nGridLock daily {said['day']}: " in out
    assert f"difficulty {said['difficulty']} of 5\n{'🟩' * len(solver_of(said))} solved\n" in out
    assert f"gridlock puzzle --day {said['day']}\n" in out
    assert "# solved  x missed" in command("stats")
    assert "share" not in command("puzzle", "--day", "2026-11-09", typed=("show",))


def test_a_reviewed_game_can_be_shared(command: Command) -> None:
    command("play", "keepaway", "--player2", "easy", typed=("hint", "2 2"))
    assert command("review", "--share") == "GridLock: Keep-Away 3x3 against easy: won in 1 move, 1 hint\n🟩\n"
    assert "cannot be used with" in command("review", "--share", "--json", code=2)


def test_a_game_that_never_began_is_not_kept(command: Command, home: Path) -> None:
    out = command("play", "chain", "--record", str(home / "record.txt"), typed=("quit",))
    assert out.endswith("No moves were made, so the game isn't saved.\n")
    assert [path.name for path in home.rglob("*") if path.is_file()] == []
    assert "There are no unfinished games." in command("resume", code=3)
    command("play", "showdown", typed=("3 3", "quit"))
    command("play", "chain", typed=("1 1", "undo", "quit"))
    assert "showdown" in command("games")
    assert "chain" not in command("games")


def test_an_old_game_without_moves_comes_after_those_that_began(command: Command) -> None:
    command("play", "showdown", "--player2", "easy", typed=("3 3", "quit"))
    empty = Match(variant("chain"))
    empty.current()
    (folder() / "z.json").write_text(dump(Saved(empty, None)))
    assert "no moves    chain 4x4" in command("games")
    assert "1. X 3,3" in command("resume", typed=("history", "quit"))
    assert "Showdown" in command("review")


def test_watched_games_are_marked(command: Command, tmp_path: Path) -> None:
    command("play", "keepaway", "--player1", "easy", "--player2", "random", "--seed", "1")
    assert "finished    keepaway 3x3, watched, " in command("games")
    assert json.loads(command("games", "--json"))["games"][0]["watched"] is True
    left = Match(variant("trails"), kinds=("perfect", "hard"))
    left.current().push(1)
    (folder() / "z.json").write_text(dump(Saved(left, None)))
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        assert "  r   resume trails 3x3, watched, perfect against hard, 1 move, just now (z)" in asked.plain
