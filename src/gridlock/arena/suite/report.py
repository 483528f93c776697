"""What a suite holds and how an engine did, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gridlock.arena.suite.problems import Problem, Suite
from gridlock.arena.suite.scoring import Answer, score
from gridlock.core.outcome import Player
from gridlock.drawing.text import visible

ALL = "all"
LONGEST_FAILURE = 200  # characters


def contents(suite: Suite, problems: Sequence[Problem]) -> list[str]:
    """Describe the problems of a suite: how many there are of each game and grade, and how many of them are open."""

    def cell(some: Sequence[Problem]) -> str:
        left = sum(one.is_open for one in some)
        return "" if not some else f"{len(some)} ({left} open)" if left else str(len(some))

    lines = _table(problems, lambda problem: problem, cell)
    made = suite.made
    about = f"Made by GridLock {made.get('version')} with seed {made.get('seed')}"
    return [*lines, "", f"{about}; a search took at most {made.get('nodes', 0):,} positions."]


def table(engine: str, seconds: float, answers: Sequence[Answer]) -> list[str]:
    """Return how many problems an engine solved, by game and grade, and what else its answers show."""

    def cell(some: Sequence[Answer]) -> str:
        counted = score(some)
        return f"{counted.solved}/{counted.asked}" if counted.asked else ""

    lines = [f"{visible(engine)}, {seconds:g} s for each answer", ""]
    lines += _table([one for one in answers if one.scored], lambda answer: answer.problem, cell)
    whole = score(answers)
    lines += ["", _rights("Winners", *whole.winners), _rights("Moves", *whole.moves)]
    lines.append(f"Wrong: {whole.wrong}. Too late: {whole.late}. Failed: {whole.failed}. Time: {whole.seconds:,.1f} s.")
    claims = [one for one in answers if one.problem.is_open]
    if claims:
        said = sum(one.winner is not None for one in claims)
        lines.append(f"Open problems: it names a winner for {said} of {len(claims)}, which nobody has checked.")
    return lines


def _rights(what: str, right: int, asked: int) -> str:
    return f"{what}: {right} of {asked} right ({right / asked:.1%})." if asked else f"{what}: not asked."


def wrong_lines(answers: Sequence[Answer]) -> list[str]:
    """Return a line for each false answer and each failure that was not a matter of time."""
    lines = []
    for one in answers:
        if one.wrong:
            lines.append(f"{one.problem.name}  {one.problem.position}  {_said(one)}; right: {_known(one.problem)}")
        elif one.failure and not one.late:
            lines.append(f"{one.problem.name}  {visible(one.failure, LONGEST_FAILURE)}")
    return lines


def _said(answer: Answer) -> str:
    words = [f"winner {answer.winner}"] if answer.winner is not None and not answer.winner_right else []
    words += [f"move {answer.move}"] if answer.move is not None and not answer.move_right else []
    return ", ".join(words)


def _known(problem: Problem) -> str:
    return f"winner {problem.winner}" + f", moves {' '.join(problem.winning)}" * bool(problem.winning)


def facts(engine: str, seconds: float, answers: Sequence[Answer], complete: bool) -> dict[str, Any]:
    """Return the score as JSON."""
    groups: dict[tuple[str, int], list[Answer]] = {}
    for one in answers:
        groups.setdefault((one.problem.book, one.problem.grade), []).append(one)
    return {
        "engine": engine,
        "limit": seconds,
        "complete": complete,
        **_counts(answers),
        "parts": [{"game": game, "grade": grade, **_counts(some)} for (game, grade), some in groups.items()],
        "mistakes": [_mistake(one) for one in answers if one.wrong or one.failure],
    }


def _counts(answers: Sequence[Answer]) -> dict[str, Any]:
    counted = score(answers)
    return {
        "asked": counted.asked,
        "solved": counted.solved,
        "winners_asked": counted.winners[1],
        "winners_right": counted.winners[0],
        "moves_asked": counted.moves[1],
        "moves_right": counted.moves[0],
        "wrong": counted.wrong,
        "late": counted.late,
        "failed": counted.failed,
        "seconds": round(counted.seconds, 3),
    }


def _mistake(answer: Answer) -> dict[str, Any]:
    problem = answer.problem
    variant = problem.game.variant
    spot = {variant.name(cell): list(variant.coordinates(cell)) for cell in range(variant.grid.size)}
    claimed: Player | None = answer.winner
    return {
        "problem": problem.name,
        "position": problem.position,
        "winner": problem.winner,
        "winning": [spot[move] for move in problem.winning],
        "said_winner": claimed,
        "said_move": None if answer.move is None else spot[answer.move],
        "failure": answer.failure,
    }


def _table(items: Sequence[Any], problem_of: Callable[[Any], Problem], cell: Callable[[Any], str]) -> list[str]:
    """Return a table with a line for each game and a column for each grade, and sums."""
    grades = sorted({problem_of(one).grade for one in items})
    games = list(dict.fromkeys(problem_of(one).book for one in items))
    rows = [["", *(f"10^{grade}" for grade in grades), ALL]]
    for game in [*games, ALL]:
        own = [one for one in items if game in (ALL, problem_of(one).book)]
        parts = [[one for one in own if problem_of(one).grade == grade] for grade in grades]
        rows.append([visible(game), *map(cell, parts), cell(own)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(text.ljust(width) if not column else text.rjust(width) for column, (text, width) in enumerate(line))
        for line in (list(zip(row, widths, strict=True)) for row in rows)
    ]
