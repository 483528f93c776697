"""Give an engine the problems in a suite, and compare its answers with the known solutions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gridlock.arena.suite.problems import Problem, read_problem
from gridlock.core.errors import AgentFailed, BadRecord, GridLockError
from gridlock.core.game import SWAP, Game
from gridlock.core.outcome import Player
from gridlock.players import agents
from gridlock.players.player import Player as Agent
from gridlock.players.program_players import ProgramPlayer
from gridlock.units.ledger import Ledger, read_ledger
from gridlock.units.running import run_units

EASY_BOARD = "2x2"  # a board on which any engine that can name a winner does so
NOT_ASKED = "-"
_solvers: dict[str, Solver] = {}  # the engines of this worker process, which stay open


class Question(NamedTuple):
    """A problem for an engine, and the time limit for each answer."""

    engine: str  # an agent's name, or how to start a program
    line: str  # the problem's line in the file
    seconds: float


class Answer(NamedTuple):
    """An engine's answer to a problem."""

    problem: Problem
    winner: Player | None  # None if the engine does not know the winner or was not asked
    asked_winner: bool
    move: str | None  # None if the engine failed or was not asked
    asked_move: bool
    seconds: float
    failure: str  # a sentence; empty if the engine did not fail
    late: bool  # whether the engine failed because it took too long

    @property
    def winner_right(self) -> bool:
        """Whether the engine named the right winner."""
        return self.asked_winner and not self.problem.is_open and self.winner == self.problem.winner

    @property
    def move_right(self) -> bool:
        """Whether the engine chose a winning move."""
        return self.move is not None and self.move in self.problem.winning

    @property
    def scored(self) -> bool:
        """Whether the answer can be marked right or wrong."""
        return not self.problem.is_open and (self.asked_winner or self.asked_move)

    @property
    def solved(self) -> bool:
        """Whether the engine answered every question about the problem correctly."""
        return self.scored and (self.winner_right or not self.asked_winner) and (self.move_right or not self.asked_move)

    @property
    def unknown(self) -> bool:
        """Whether the engine said that it did not know the winner."""
        return self.scored and self.asked_winner and self.winner is None and not self.failure

    @property
    def wrong(self) -> bool:
        """Whether the engine made a false claim; "unknown", with or without a guessed move, is not a claim."""
        if not self.scored or (self.asked_winner and self.winner is None):
            return False
        wrong_winner = self.asked_winner and not self.winner_right
        return wrong_winner or (self.move is not None and not self.move_right)


class Solver:
    """An engine that answers questions about problems.

    Every engine can be asked for a move, but only programs that speak UGI can be asked who wins.
    """

    def __init__(self, engine: str) -> None:
        self._player: Agent = agents.start(engine, isolated=True)
        self._judges: bool | None = None  # None until the engine has been asked

    def judges(self, book: str) -> bool:
        """Return whether the engine can be asked who wins."""
        if self._judges is None:
            player = self._player
            self._judges = isinstance(player, ProgramPlayer) and player.judges(Game(book, EASY_BOARD))
        return self._judges

    def ask(self, problem: Problem, seconds: float) -> dict[str, Any]:
        """Return the engine's answer, as JSON."""
        said: dict[str, Any] = {"winner": NOT_ASKED, "move": NOT_ASKED, "seconds": 0.0, "failure": "", "late": False}
        try:
            if self.judges(problem.book):
                assert isinstance(self._player, ProgramPlayer)
                said["winner"] = None
                said["winner"] = self._timed(said, seconds, self._player.winner, problem.game, seconds)
            if problem.is_won:
                said["move"] = None
                rng = Random(problem.name)
                cell = self._timed(said, seconds, self._player.choose, problem.game, rng, seconds)
                said["move"] = None if cell == SWAP else problem.game.variant.name(cell)
        except AgentFailed as error:
            said["failure"] = str(error)
        return said

    @staticmethod
    def _timed(said: dict[str, Any], limit: float, ask: Callable[..., Any], *arguments: object) -> Any:
        began = time.monotonic()
        try:
            return ask(*arguments)
        finally:
            took = time.monotonic() - began
            said["seconds"] += round(took, 3)
            said["late"] = took > limit

    def close(self) -> None:
        """End the engine."""
        self._player.close()


def ask(question: Question) -> dict[str, Any]:
    """Ask the engine, which stays open in this process for the next question; return its answer as JSON."""
    solver = _solvers.get(question.engine)
    if solver is None:
        solver = _solvers[question.engine] = Solver(question.engine)
    return solver.ask(read_problem(question.line), question.seconds)


def close_solvers() -> None:
    """Stop all engines that this process has started."""
    while _solvers:
        _solvers.popitem()[1].close()


class Run:
    """One engine's answers to a set of problems, saved in a ledger."""

    def __init__(self, engine: str, problems: Sequence[Problem], seconds: float, path: Path | None = None) -> None:
        self.problems = problems
        self.seconds = seconds
        self._engine = engine
        self._ledger = Ledger(path, {"engine": engine, "seconds": seconds})

    def ask(
        self,
        processes: int,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[int, int], None] = lambda _count, _solved: None,
    ) -> bool:
        """Ask the engine all unanswered questions, and return whether every question now has an answer.

        `report` is called with the number of answers and the number of right answers. If `processes` is 0, this process
        asks the questions itself.
        """
        counts = [len(self.answers()), sum(one.solved for one in self.answers())]
        known = {one.line: one for one in self.problems}

        def finished(line: str, said: dict[str, Any]) -> None:
            counts[0] += 1
            counts[1] += _answer(known[line], said).solved
            report(*counts)

        questions = {line: Question(self._engine, line, self.seconds) for line in known}
        try:
            return run_units(
                ask,
                questions,
                self._ledger,
                processes=processes,
                finished=finished,
                stopped=stopped,
            )
        finally:
            close_solvers()

    def answers(self) -> list[Answer]:
        """Return the engine's answers so far, in the order of the problems."""
        done = self._ledger.done
        return [_answer(one, done[one.line]) for one in self.problems if one.line in done]

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()


class Answers(NamedTuple):
    """An engine's answers, read from a file."""

    engine: str
    seconds: float  # for each answer
    answers: list[Answer]


def read_answers(path: Path) -> Answers:
    """Read a run's answers from its file, even if the run is unfinished."""
    task, done = read_ledger(path)
    try:
        answers = [_answer(read_problem(line), said) for line, said in done.items()]
        return Answers(str(task["engine"]), float(task["seconds"]), answers)
    except (GridLockError, KeyError, TypeError, ValueError):
        raise BadRecord(
            f"{path} contains no answers from a suite run. Save answers with 'gridlock suite --engine … --out FILE'."
        ) from None


def _answer(problem: Problem, said: dict[str, Any]) -> Answer:
    winner, move = said["winner"], said["move"]
    return Answer(
        problem,
        None if winner == NOT_ASKED else winner,
        winner != NOT_ASKED,
        None if move == NOT_ASKED else move,
        move != NOT_ASKED,
        said["seconds"],
        said["failure"],
        said["late"] and bool(said["failure"]),
    )


class Score(NamedTuple):
    """The numbers of right and wrong answers, and the time that they took."""

    asked: int
    solved: int
    winners: tuple[int, int]  # winners named correctly, and winners asked for
    moves: tuple[int, int]  # winning moves chosen, and moves asked for
    wrong: int
    unknown: int
    late: int
    failed: int  # for a reason other than time
    seconds: float


def score(answers: Iterable[Answer]) -> Score:
    """Count the answers that can be marked right or wrong."""
    scored = [answer for answer in answers if answer.scored]
    return Score(
        len(scored),
        sum(answer.solved for answer in scored),
        (sum(answer.winner_right for answer in scored), sum(answer.asked_winner for answer in scored)),
        (sum(answer.move_right for answer in scored), sum(answer.asked_move for answer in scored)),
        sum(answer.wrong for answer in scored),
        sum(answer.unknown for answer in scored),
        sum(answer.late for answer in scored),
        sum(bool(answer.failure) and not answer.late for answer in scored),
        sum(answer.seconds for answer in scored),
    )
