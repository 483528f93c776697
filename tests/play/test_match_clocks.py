"""Tests of clocks: their notation, whose time they count down, and how much time a pause costs."""

import pytest

from gridlock.core.errors import IllegalMove
from gridlock.core.game import Termination
from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.play import clocks
from gridlock.play.clocks import PAUSE, BadClock, read_clock, time_text
from gridlock.play.match import LiveMatch, resume
from gridlock.play.match_text import result
from gridlock.userdata.saves import Saved, Slot, dump, find, load, new_name


class Hours:
    """A monotonic clock that a test can move forward."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def hours(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Hours:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    made = Hours()
    monkeypatch.setattr(clocks, "monotonic", made)
    return made


def pass_time(live: LiveMatch, hours: Hours, seconds: float) -> bool:
    """Advance the time in small steps, and check the clock after each step, as the user interface does."""
    ended = live.run_clock()
    for _ in range(round(seconds / 0.5)):
        hours.now += 0.5
        ended = live.run_clock() or ended
    return ended


@pytest.fixture
def a_match():
    """Return a function that creates timed matches, and release the matches' files after the test."""
    made = []

    def match(clock: str = "1+2", **settings: object) -> LiveMatch:
        made.append(
            LiveMatch(Match(variant(rule_book("scatter")), clock=read_clock(clock), **settings), Slot(new_name()))
        )
        made[-1].start_round()
        return made[-1]

    yield match
    for live in made:
        live.slot.release()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5+3", (300, 3)), ("1+0", (60, 0)), (" 10 + 5 ", (600, 5)), ("180+180", (10800, 180)), ("5", (300, 0))],
)
def test_time_controls_as_people_write_them(text: str, seconds: tuple[int, int]) -> None:
    assert read_clock(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "x", "5+", "+3", "0+5", "-1+0", "5+3+1", "181+0", "5+181", "1e3", "٣+٢", "9" * 5000]
)
def test_other_words_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadClock) as refused:
        read_clock(text)
    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 120


def test_times_as_people_read_them() -> None:
    assert [time_text(s) for s in (0, 0.04, 9.99, 10, 59.9, 60, 299, 3600, 10799)] == [
        *("0:00.0", "0:00.0", "0:09.9", "0:10", "0:59", "1:00", "4:59", "1:00:00", "2:59:59")
    ]


def test_the_player_to_move_is_charged_and_earns_time_by_moving(a_match, hours: Hours) -> None:
    live = a_match()
    assert not pass_time(live, hours, 100)
    assert live.match.times == (60, 60)  # before the first move, the clocks stand
    live.push(0)
    assert live.match.times == (60, 60)
    pass_time(live, hours, 10)
    assert live.match.times == (60, 50)
    live.push(24)
    assert live.match.times == (60, 52)
    pass_time(live, hours, 3)
    assert live.match.times == (57, 52)


def test_time_that_has_run_out_ends_the_game_for_good(a_match, hours: Hours) -> None:
    live = a_match("1+0", kinds=("easy", "human"))
    live.push(0)
    assert pass_time(live, hours, 70)
    assert live.game.outcome == (1, Termination.TIME)
    assert result(live.game, 2) == "You lose: you ran out of time."
    assert not live.can_undo
    with pytest.raises(IllegalMove, match="the time is up"):
        live.undo()
    assert not pass_time(live, hours, 10)  # once is enough
    saved = find(live.slot.name).saved
    assert saved is not None
    assert saved.match.games[0].outcome == (1, Termination.TIME)


def test_a_program_that_is_suspended_costs_no_time(a_match, hours: Hours) -> None:
    live = a_match()
    live.push(0)
    live.run_clock()
    hours.now += 3600
    assert not live.run_clock()
    assert live.match.times == (60, 60 - PAUSE)


def test_clocks_stand_while_the_game_is_closed(a_match, hours: Hours) -> None:
    live = a_match()
    live.push(0)
    pass_time(live, hours, 7)
    live.leave()
    hours.now += 10_000
    again = LiveMatch(*resume(find(live.slot.name)))
    again.start_round()
    assert (again.match.clock, again.match.times) == ((60, 2), (60, 53))
    pass_time(again, hours, 1)
    assert again.match.times == (60, 52)
    again.leave()


def test_a_new_round_and_another_match_begin_with_full_clocks(a_match, hours: Hours) -> None:
    live = a_match(rounds=2)
    live.push(0)
    pass_time(live, hours, 5)
    live.resign()
    live.start_round()
    assert live.match.times == (60, 60)
    live.resign()
    another = live.again(exchanged=False)
    another.start_round()
    assert (another.match.clock, another.match.times) == ((60, 2), (60, 60))
    another.leave()


def test_clocks_follow_the_players_when_sides_are_changed(a_match, hours: Hours) -> None:
    live = a_match(kinds=("human", "easy"))
    live.push(0)
    pass_time(live, hours, 5)
    live.exchange()
    assert live.match.times == (55, 60)


def test_a_program_thinks_no_longer_than_its_clock_allows(a_match, hours: Hours) -> None:
    live = a_match("1+0", kinds=("human", "hard"), think=5.0)
    live.push(0)
    assert live.turn_of_program[3] == 3.0
    pass_time(live, hours, 50)
    assert live.turn_of_program[3] == 0.5


def test_games_without_clocks_are_saved_as_before() -> None:
    match = Match(variant(rule_book("scatter")))
    assert '"clock"' not in dump(Saved(match, None))
    assert load(dump(Saved(match, None))).match.clock is None
