"""Tests of shareable results, the calendar of daily puzzles, and the counts of wins with and without hints."""

from dataclasses import replace
from datetime import date, timedelta

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import variant
from gridlock.play.puzzle_sources import Daily
from gridlock.play.results import collect, report
from gridlock.play.review import review_game
from gridlock.play.share import MOST_SQUARES, calendar, daily_result, game_result, in_ascii
from gridlock.userdata.diary import Diary
from gridlock.userdata.saves import Entry, Saved

TODAY = date(2026, 11, 17)  # a Tuesday


def days(*answers: tuple[int, bool]) -> Diary:
    """Return a diary of daily puzzles, given how many days ago each puzzle was answered and whether it was solved."""
    return Diary(days={(TODAY - timedelta(ago)).isoformat(): right for ago, right in answers})


def test_a_daily_result_has_a_square_for_each_step_and_no_answer() -> None:
    pages = replace(days((0, True), (1, True), (2, True), (3, False)), marks={TODAY.isoformat(): "121"})
    assert daily_result(TODAY, variant("scatter"), 2, pages) == [
        "GridLock daily 2026-11-17: Scatter 5x5, difficulty 2 of 5",
        "🟩🟨🟩 solved, 3 days in a row",
        "gridlock puzzle --day 2026-11-17",
    ]
    missed = replace(days((0, False)), marks={TODAY.isoformat(): "12x"})
    assert daily_result(TODAY, variant("scatter"), 2, missed)[1] == "🟩🟨🟥 missed"
    assert daily_result(TODAY, variant("scatter"), 2, days((0, True)))[1] == "🟩 solved", "from an older diary"
    assert daily_result(TODAY, variant("scatter"), 2, days((1, True))) == []
    assert Daily(TODAY, counts=False).shared() == []
    assert in_ascii(["🟩🟨🟥⬜"]) == ["#+x."]


def test_the_best_days_in_a_row_are_counted() -> None:
    assert Diary().best_days == 0
    assert days((0, False), (1, True), (3, True), (4, True), (5, True), (6, False), (8, True)).best_days == 3


def test_a_games_result_has_a_square_for_each_own_move() -> None:
    game = Game(variant("keepaway"))
    for move in (0, 8, 2):  # the corner loses the win
        game.push(move)
    found = review_game(game, 1.0)
    assert [step.mistake for step in found.steps] == [True, False, False] or found.steps[0].mistake
    lines = game_result(found, ("human", "hard"), 0)
    assert lines[0] == "GridLock: Keep-Away 3x3 against hard: unfinished in 3 moves, without hints"
    assert lines[1][0] == "🟥"
    assert len(lines[1]) == 2
    assert game_result(found, ("hard", "human"), 2)[0].endswith("against hard: unfinished in 3 moves, 2 hints")
    game.resign(2)
    found = review_game(game, 1.0)
    assert game_result(found, ("human", "easy"))[0] == "GridLock: Keep-Away 3x3 against easy: won in 3 moves"
    assert game_result(found, ("easy", "human"), 1)[0].endswith("against easy: lost in 3 moves, 1 hint")
    both = game_result(found)
    assert both[0] == "GridLock: Keep-Away 3x3, Player 1 against Player 2: Player 1 won in 3 moves"
    assert [line[0] for line in both[1:]] == ["X", "O"]
    coordinates = [game.variant.name(move) for move in game.moves]
    assert not any(name in " ".join(both) for name in coordinates), "no move is given away"


def test_a_long_game_has_no_more_squares_than_fit() -> None:
    game = Game(variant("scatter", "20x20"))
    while len(game.moves) < 2 * MOST_SQUARES + 4:
        game.push(game.variant.legal_cells(game.position)[-1])
    found = review_game(game, 0.0)
    assert len(game_result(found, ("human", "easy"))[1]) == MOST_SQUARES + len("...")


def test_the_calendar_has_a_line_for_each_week() -> None:
    assert calendar(Diary(), TODAY) == []
    lines = calendar(days((0, True), (1, False), (2, True), (8, True), (400, True)), TODAY)
    assert lines == [
        "Daily puzzles",
        "      Mo Tu We Th Fr Sa Su",
        "10-12  .  .  .  .  .  .  .",
        "10-19  .  .  .  .  .  .  .",
        "10-26  .  .  .  .  .  .  .",
        "11-02  .  .  .  .  .  .  .",
        "11-09  #  .  .  .  .  .  #",
        "11-16  x [#]",
        "# solved  x missed  . untried",
    ]
    assert max(map(len, lines)) <= 30


def entry(changed: float, kinds: tuple[str, str], loser: int, hints: int | None) -> Entry:
    match = Match(variant("chain"), kinds=kinds)
    match.current().push(0)
    match.current().resign(loser)
    match.hints = [hints]
    return Entry(f"game {changed}", changed, Saved(match, None), "")


def test_wins_with_hints_are_told_from_wins_without() -> None:
    against_easy, against_hard = ("human", "easy"), ("hard", "human")
    found = collect(
        [
            entry(1, against_easy, 2, 0),
            entry(2, against_easy, 2, 3),
            entry(3, against_hard, 1, None),
            entry(4, against_hard, 1, 0),
            entry(5, against_hard, 2, 0),
        ]
    )
    total = found.total
    assert (total.won, total.played) == (4, 5)
    assert (total.won_without_hints, total.won_with_hints, total.won_by_unknown) == (2, 1, 1)
    assert (found.by_level["easy"].won_without_hints, found.by_level["hard"].won_without_hints) == (1, 1)
    assert "Won without hints (unaided): 2, with hints: 1, unknown (older games): 1." in report(found, None)
    assert max(map(len, report(found, None)[:10])) < 40
    assert replace(found.games[0], hints=None).hints is None
