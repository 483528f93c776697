"""A process that thinks: reads one question a line from standard input, and answers each with a line.

It has limits of its own on memory and is ended from outside when it takes too long, so that no question can do harm.
"""

import os
import resource
import sys
from collections.abc import Callable
from random import Random
from typing import Any, BinaryIO

import msgspec

from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.remarks import remarks, summary, what, who
from gridlock.engine.review import review
from gridlock.game import SWAP, Game
from gridlock.players import agents
from gridlock.web.messages import Setup
from gridlock.web.setups import game_of

Json = dict[str, Any]
MEMORY = 1 << 30  # bytes of address space
TABLES = 128 << 20  # bytes for the engine's tables


class Question(msgspec.Struct):
    """What the server asks."""

    task: str
    setup: Setup
    seconds: float
    level: str = ""
    names: tuple[str, str] = ("", "")
    resigned: int | None = None


def move(game: Game, question: Question) -> Json:
    """The computer's move."""
    return {"move": agents[question.level](game, Random(), question.seconds)}


def analysis(game: Game, question: Question) -> Json:
    """Who wins, by which moves, and why."""
    found = engine_for(game.variant, TABLES).analyse(game, Clock(question.seconds))
    return {
        "verdict": str(found.verdict),
        "words": _verdict_words(found),
        "explanation": found.words(),
        "method": str(found.method),
        "winning": found.winning,
        "moves": [{"cell": one.cell, "verdict": str(one.verdict), "distance": one.distance} for one in found.values],
        "distance": found.distance,
        "pairing": [[one, other] for one, other in found.pairing.items() if one < other],
        "line": found.line,
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
    }


def _verdict_words(found: Analysis) -> str:
    mark = found.variant.book.marks[found.position.turn - 1]
    ending = {Verdict.WIN: " and wins.", Verdict.LOSS: " and loses.", Verdict.UNKNOWN: "; who wins was not found out."}
    return f"{mark} is to move{ending[found.verdict]}"


def looked_through(game: Game, question: Question) -> Json:
    """A game move by move: which player was winning, and what was a mistake."""
    game.names, game.resigned = question.names, question.resigned
    share = min(1.0, question.seconds / (2 * len(game.moves) + 2))
    steps = list(review(Engine(game.variant, TABLES), game, share))
    marks = game.variant.book.marks
    return {
        "players": [{"name": game.player_name(one), "mark": marks[game.side(one) - 1]} for one in (1, 2)],
        "start": steps[0].before if steps else None,
        "steps": [
            {
                "ply": step.ply,
                "kind": step.kind,
                "player": step.player,
                "mark": marks[step.side - 1],
                "who": who(game, step),
                "cell": None if step.move == SWAP else step.move,
                "text": what(game, step),
                "before": step.before,
                "after": step.after,
                "mistake": step.mistake,
                "better": [move for move in step.better if move != SWAP],
                "better_swap": SWAP in step.better,
                "words": words,
            }
            for step, words in remarks(game, steps)
        ],
        "summary": summary(game, steps),
    }


TASKS: dict[str, Callable[[Game, Question], Json]] = {"move": move, "analysis": analysis, "review": looked_through}


def answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions; one engine is kept at a time, so that memory stays within limits."""
    known = None
    for line in questions:
        question = msgspec.json.decode(line, type=Question)
        game = game_of(question.setup)
        if game.variant != known:
            engine_for.cache_clear()
            known = game.variant
        try:
            answer = TASKS[question.task](game, question)
        except Exception as error:  # told to the server, which writes it down
            engine_for.cache_clear()
            answer = {"failed": f"{type(error).__name__}: {error}"}
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


def main() -> None:
    """Take on the limits, then work."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)  # the server itself goes first
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may end up among them
    answer_all(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
