"""A suite's contents and an engine's results, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gridlock.arena.suite.problems import Problem, Suite
from gridlock.arena.suite.scoring import Answer, score
from gridlock.core.grid import Adjacency
from gridlock.core.outcome import Player
from gridlock.drawing.text import visible

ALL = "all"
WINNERS = "Winners"
NEVER_JUDGES = ", because only programs that answer UGI's 'query value' can be"
LONGEST_FAILURE = 200  # characters


def contents(suite: Suite, problems: Sequence[Problem]) -> list[str]:
    """Summarise the problems in a suite: their grades, boards and winners, and how many are open."""

    def cell(some: Sequence[Problem]) -> str:
        left = sum(one.is_open for one in some)
        return "" if not some else f"{len(some)} ({left} open)" if left else str(len(some))

    lines = table(problems, lambda problem: problem, cell)
    made = suite.made
    about = f"Made by GridLock {made.get('version')} with seed {made.get('seed')}"
    limit = f"{about}; each search was limited to {made.get('nodes', 0):,} positions."
    return [*lines, "", *_kinds(problems), "", limit]


def _kinds(problems: Sequence[Problem]) -> list[str]:
    """Return a table that counts the boards and the winners for each game."""
    rows = [["", "boards", *Adjacency, "player 1 wins", "player 2 wins", "to move wins"]]
    games = list(dict.fromkeys(one.book for one in problems))
    for game in [*games, ALL]:
        own = [one for one in problems if game in (ALL, one.book)]
        grids = [one.game.variant.grid for one in own]
        winners = [sum(one.winner == player for one in own) for player in (1, 2)]
        counts = [len({(grid.rows, grid.cols) for grid in grids})]
        counts += [sum(grid.adjacency == kind for grid in grids) for kind in Adjacency]
        rows.append([visible(game), *map(str, [*counts, *winners, sum(one.is_won for one in own)])])
    return aligned(rows)


def result(engine: str, seconds: float, answers: Sequence[Answer]) -> list[str]:
    """Return an engine's results as text: problems solved (for each game and grade), errors, and the time taken."""

    def cell(some: Sequence[Answer]) -> str:
        counted = score(some)
        return f"{counted.solved}/{counted.asked}" if counted.asked else ""

    def theirs(some: Sequence[Answer]) -> str:
        return f"{sum(one.seconds for one in some):.1f}" if some else ""

    def ours(some: Sequence[Answer]) -> str:
        known = [one.problem.seconds for one in some if one.problem.seconds is not None]
        return f"{sum(known):.1f}" if known else ""

    lines = [f"{visible(engine)}, {seconds:g} s for each answer", ""]
    scored = [one for one in answers if one.scored]
    lines += table(scored, lambda answer: answer.problem, cell, {"seconds": theirs, "our seconds": ours})
    whole = score(answers)
    lines += ["", _rights(WINNERS, *whole.winners), _rights("Moves", *whole.moves)]
    lines.append(
        f"Wrong: {whole.wrong}. Unknown: {whole.unknown}. Too late: {whole.late}. Failed: {whole.failed}. "
        f"Time: {whole.seconds:,.1f} s."
    )
    return lines + _claims(answers)


def _claims(answers: Sequence[Answer]) -> list[str]:
    """Return the engine's claims about the open problems, as lines of text."""
    left = [one for one in answers if one.problem.is_open]
    if not any(one.asked_winner for one in left):
        return [f"Open problems: not asked{NEVER_JUDGES}."] if left else []
    named = [one for one in left if one.winner is not None]
    head = f"Open problems: it names a winner for {len(named)} of {len(left)}"
    lines = [f"{one.problem.name}  {one.problem.position}  winner {one.winner}, {one.seconds:.1f} s" for one in named]
    return [f"{head}; these answers have not been checked:", *lines] if named else [f"{head}."]


def _rights(what: str, right: int, asked: int) -> str:
    if asked:
        return f"{what}: {right} of {asked} right ({right / asked:.1%})."
    return f"{what}: not asked{NEVER_JUDGES * (what == WINNERS)}."


def wrong_lines(answers: Sequence[Answer]) -> list[str]:
    """Return a line for each wrong answer, and for each failure other than a timeout."""
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
        "claims": [_claim(one) for one in answers if one.problem.is_open and one.winner is not None],
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
        "unknown": counted.unknown,
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


def _claim(answer: Answer) -> dict[str, Any]:
    problem = answer.problem
    said = {"said_winner": answer.winner, "seconds": answer.seconds}
    return {"problem": problem.name, "position": problem.position, **said}


def table(
    items: Sequence[Any],
    problem_of: Callable[[Any], Problem],
    cell: Callable[[Any], str],
    sums: Mapping[str, Callable[[Any], str]] | None = None,
) -> list[str]:
    """Return a table with a row for each game, a column for each grade, and totals; `sums` defines additional rows."""
    grades = sorted({problem_of(one).grade for one in items})
    games = list(dict.fromkeys(problem_of(one).book for one in items))
    rows = [["", *(f"10^{grade}" for grade in grades), ALL]]
    cells = [(game, game, cell) for game in games] + [
        (name, ALL, one) for name, one in {ALL: cell, **(sums or {})}.items()
    ]
    for name, game, text in cells:
        own = [one for one in items if game in (ALL, problem_of(one).book)]
        parts = [[one for one in own if problem_of(one).grade == grade] for grade in grades]
        rows.append([visible(name), *map(text, parts), text(own)])
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, with the first column left-aligned and the other columns right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) if not column else text.rjust(width) for column, (text, width) in enumerate(line))
        for line in (list(zip(row, widths, strict=True)) for row in rows)
    ]
