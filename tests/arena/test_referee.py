"""Tests of the referee: forfeits and their reasons, time limits, swaps, passes, adjudication and exact verdicts."""

from random import Random
from typing import Any

import pytest
from exact import wins

from gridlock.arena.referee import (
    ADJUDICATED,
    FAILED,
    ILLEGAL,
    STUCK,
    TIME,
    Conditions,
    Judged,
    Played,
    judge,
    play,
    winner_of,
)
from gridlock.core.errors import AgentFailed
from gridlock.core.game import SWAP, Game, Termination
from gridlock.core.rules import variant
from gridlock.players import FunctionPlayer, MoveClock, agents
from sample_games import random_game

SMALL = variant("showdown", "4x4")
WORK = 1_000_000


class Clock:
    """A simulated clock that advances only by the time that players spend thinking."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Slow:
    """A player that takes the first legal cell after preset thinking times, and records the time limits it receives."""

    name, report = "slow", ""

    def __init__(self, clock: Clock, *times: float) -> None:
        self.clock = clock
        self.times = list(times)
        self.told: list[tuple[float, MoveClock | None]] = []

    def prepare(self) -> None:
        pass

    def choose(self, game: Game, _rng: Random, seconds: float, clock: MoveClock | None = None) -> int:
        self.told.append((seconds, clock))
        self.clock.now += self.times.pop(0) if self.times else 0.0
        return game.variant.legal_cells(game.position)[0]

    def close(self) -> None:
        pass


def function(answer: Any) -> FunctionPlayer:
    """Return a player that always gives the same answer, or raises the answer if it is an exception."""

    def agent(*_question: object) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return FunctionPlayer("mine", lambda: agent)


def against(player: Any, conditions: Conditions | None = None, **options: Any) -> Played:
    """Play a game against a random opponent; the given player moves first."""
    players = player, agents.start("random")
    return play(SMALL, (), players, conditions or Conditions(margin=60), 1, ("mine", "random"), **options)


@pytest.mark.parametrize("name", ["keepaway", "chain", "scatter", "trails", "showdown"])
def test_a_game_is_played_to_its_end(name: str) -> None:
    conditions = Conditions(seconds=0, margin=60)
    players = agents.start("random"), agents.start("random")
    played = play(variant(name), (), players, conditions, 5)
    assert played.reason == STUCK
    assert played.game.outcome is not None
    assert played.winner == played.game.outcome.winner
    assert played.game == play(variant(name), (), players, conditions, 5).game  # the same seed gives the same game
    games = {tuple(play(variant(name), (), players, conditions, seed).game.moves) for seed in range(20)}
    assert len(games) > 1


def test_an_enforced_pass_does_not_confuse_the_turns() -> None:
    board = variant("scatter", "3x3")
    players = agents.start("random"), agents.start("random")
    passed = 0
    for seed in range(60):
        played = play(board, (), players, Conditions(seconds=0, margin=60), seed)
        events = list(played.game.history())
        passed += any(event.cell is None for event in events[:-1])
        assert played.reason == STUCK
    assert passed


@pytest.mark.parametrize(
    ("answer", "reason", "words"),
    [
        (ValueError("oops"), FAILED, "The computer (mine) failed with ValueError: oops."),
        (SystemExit(3), FAILED, "The computer (mine) failed with SystemExit: 3."),
        (RecursionError(), FAILED, "RecursionError"),
        (99, ILLEGAL, "outside the grid"),
        ("somewhere", ILLEGAL, "cannot be read"),
        (SWAP, ILLEGAL, "this game has no swap rule"),
        (None, ILLEGAL, "outside the grid"),
    ],
)
def test_a_player_that_fails_forfeits_the_game_with_its_reason(answer: Any, reason: str, words: str) -> None:
    played = against(function(answer))
    assert (played.winner, played.reason) == (2, reason)
    assert words in played.report
    assert played.game.outcome == (2, Termination.LEFT)


def test_a_player_that_is_not_even_one_of_ours_forfeits() -> None:
    class Rude(Slow):
        def choose(self, *_question: Any) -> int:
            raise OSError("no such device")

    class Cheat(Slow):
        def choose(self, *_question: Any) -> int:
            return 1_000

    assert against(Rude(Clock()))[1:4] == (2, FAILED, "mine failed (OSError: no such device).")
    assert against(Cheat(Clock())).reason == ILLEGAL


def test_ctrl_c_is_no_forfeit() -> None:
    with pytest.raises(KeyboardInterrupt):
        against(function(KeyboardInterrupt()))


def test_a_move_may_be_late_by_the_margin_and_no_more() -> None:
    for late, reason in ((0.5, STUCK), (0.501, TIME)):
        clock = Clock()
        played = against(Slow(clock, 0.0, 1.0 + late), Conditions(seconds=1.0, margin=0.5), now=clock)
        assert played.reason == reason
    assert played.report == "mine took 1.50 s for a move, which is too long."
    assert played.game.outcome == (2, Termination.TIME)
    assert len(played.game.moves) == 2  # the late move does not count
    assert played.seconds == (1.501, 0.0)


def test_a_program_that_was_stopped_because_it_was_late_loses_on_time() -> None:
    class Stopped(Slow):
        def choose(self, *_question: Any) -> int:
            self.clock.now += 1.6
            raise AgentFailed("The computer (mine) failed: it did not move within 1 second.")

    clock = Clock()
    played = against(Stopped(clock), Conditions(seconds=1.0), now=clock)
    assert (played.reason, played.report) == (TIME, "The computer (mine) failed: it did not move within 1 second.")


def test_a_clock_runs_down_and_gains_the_increment() -> None:
    clock = Clock()
    one, two = Slow(clock, 2.0, 3.0), Slow(clock, 0.5)
    play(SMALL, (), (one, two), Conditions(clock=(10.0, 1.0), margin=0), 1, now=clock)
    lefts = [told.left for _, told in one.told if told]
    assert lefts[:3] == [(10.0, 10.0), (9.0, 10.5), (7.0, 11.5)]
    assert all(told and told.increment == 1.0 for _, told in one.told)
    assert one.told[0][0] == pytest.approx(10 / 20 + 0.5)  # a share of the remaining time


def test_a_clock_that_runs_out_loses() -> None:
    clock = Clock()
    played = against(Slow(clock, 6.0, 5.0), Conditions(clock=(10.0, 0.5), margin=0.1), now=clock)
    assert (played.winner, played.reason) == (2, TIME)
    assert played.seconds[0] == 11.0


def test_a_player_may_swap() -> None:
    def taker(game: Game, rng: Random, _seconds: float) -> Any:
        return SWAP if game.can_swap else rng.choice(list(game.legal_moves))

    players = agents.start("random"), FunctionPlayer("taker", lambda: taker)
    played = play(SMALL, (5,), players, Conditions(seconds=0, margin=60, swap=True), 1)
    assert played.game.moves[:2] == [5, SWAP]
    assert played.reason == STUCK


def test_the_engine_ends_a_game_once_it_is_proved() -> None:
    players = agents.start("random"), agents.start("random")
    played = play(SMALL, (0,), players, Conditions(seconds=0, margin=60, adjudicate=3), 1)
    assert (played.reason, len(played.game.moves)) == (ADJUDICATED, 4)
    before = played.game.at(4)
    assert wins(SMALL, before.position) == (played.winner == before.turn)


@pytest.mark.parametrize("name", ["keepaway", "chain", "scatter", "trails", "showdown"])
@pytest.mark.parametrize("swap", [False, True])
def test_moves_are_judged_as_plain_recursion_judges_them(name: str, swap: bool, rng: Random) -> None:
    board = variant(name, "3x4")
    for _ in range(5):
        game = random_game(board, rng, swap=swap)
        first = rng.randrange(3)
        winners = [_winner(game.at(ply)) for ply in range(len(game.moves) + 1)]
        kept, blunders = [0, 0], [0, 0]
        for ply in range(first, len(game.moves)):
            mover = game.at(ply).turn
            if winners[ply] == mover:
                (kept if winners[ply + 1] == mover else blunders)[mover - 1] += 1
        assert judge(game, first) == Judged((kept[0], kept[1]), (blunders[0], blunders[1]))
        assert [winner_of(game, ply, WORK) for ply in range(len(winners))] == winners


def _winner(game: Game) -> int:
    """Return the winner of a game with the swap rule, found by plain recursion."""
    if game.swap and len(game.moves) < 2:
        return 3 - game.starts
    position = game.positions[-1]
    side = position.turn if wins(game.variant, position) else 3 - position.turn
    return game.player(side)


def test_nothing_is_judged_where_it_takes_long() -> None:
    game = Game(variant("scatter", "12x12"))
    for move in (0, 50, 100, 17):
        game.push(move)
    assert judge(game, 0) is None
