"""A process that thinks: reads one question a line from standard input, and answers each with a line.

It has limits of its own on memory and is ended from outside when it takes too long, so that no question can do harm.
"""

import os
import resource
import signal
import sys
from collections.abc import Mapping
from random import Random
from types import FrameType
from typing import BinaryIO

import msgspec

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant
from gridlock.engine import review
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import MOMENT, Engine, engine_for
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.reasons import partners
from gridlock.engine.remarks import remarks, summary, what, who
from gridlock.play import advice
from gridlock.play.daily import puzzle_of
from gridlock.play.puzzles import level_for, make_puzzle
from gridlock.players import agents
from gridlock.web.thinking import questions
from gridlock.web.thinking.priority import stand_back
from gridlock.web.wire import findings
from gridlock.web.wire.setups import game_of, setup_to_keep

MEMORY = 1 << 30  # bytes of address space
TABLES = 128 << 20  # bytes for the engine's tables


def answer(game: Game, question: questions.Question) -> msgspec.Struct:
    """The answer to a question about a game."""
    match question:
        case questions.Move(level=level):
            return questions.Choice(agents[level](game, Random(), question.seconds))
        case questions.Analyse(distances=distances):
            engine = engine_for(game.variant, TABLES)
            analysis = engine.analyse(game, Clock(question.seconds), None if distances else MOMENT)
            return found(analysis, countable=engine.distances.kernel is not None)
        case questions.Advise():
            return hint(game, advice.advise(engine_for(game.variant, TABLES), game, question.seconds))
        case questions.LookThrough(names=names, resigned=resigned, forfeit=forfeit):
            game.names, game.resigned, game.forfeit = names, resigned, forfeit
            return looked_through(game, question.seconds)
        case questions.Compose(hard=hard, seed=seed):
            return composed(game.variant, hard, Random(seed), question.seconds)
        case questions.OfTheDay(day=day):
            _, made, analysis = puzzle_of(day)
            return questions.Composed(setup_to_keep(made), found(analysis, countable=False))
    raise TypeError(f"nobody knows an answer to a {type(question).__name__}")


def found(analysis: Analysis, countable: bool) -> findings.Findings:
    """Who wins, by which moves, and why; `countable` says whether anything counts distances on this board."""
    decided = all(move.verdict is not Verdict.UNKNOWN for move in analysis.values)
    uncounted = any(move.distance is None for move in analysis.values)
    return findings.Findings(
        verdict=analysis.verdict,
        words=advice.verdict_words(analysis),
        explanation=analysis.words(),
        method=analysis.method,
        winning=analysis.winning,
        moves=[findings.MoveValue(one.cell, one.verdict, one.distance) for one in analysis.values],
        distance=None if analysis.swap is Verdict.WIN else analysis.distance,
        swap=analysis.swap,
        swap_words="" if analysis.swap is None else _SWAPPING[analysis.swap],
        countable=countable and decided and uncounted and analysis.without_swap is None,
        pairing=_twos(analysis.pairing),
        mirror=_twos(partners(analysis)) if analysis.method is Method.MIRROR else [],
        line=list(analysis.line),
        positions=analysis.positions,
        seconds=round(analysis.seconds, 3),
    )


def composed(variant: Variant, hard: bool, rng: Random, seconds: float) -> questions.Composed:
    """A new puzzle, if one is found in time."""
    shape = variant.book.shape
    made = None
    if shape is not None:
        made = make_puzzle(engine_for(variant, TABLES), rng, level_for(shape, hard), Clock(seconds))
    if made is None:
        return questions.Composed()
    return questions.Composed(setup_to_keep(made[0]), found(made[1], countable=False))


def hint(game: Game, told: advice.Advice) -> findings.Hint:
    """Advice in the steps that a page shows one after the other."""
    pairs = _twos(told.pairs)
    return findings.Hint(
        verdict=Verdict(told.verdict),
        opinion=told.opinion,
        where=told.where,
        region=cells_of(told.region & game.legal),
        naming=told.naming,
        move=None if told.move == SWAP else told.move,
        swap=told.move == SWAP,
        reason=told.reason,
        pairing=[] if told.mirror else pairs,
        mirror=pairs if told.mirror else [],
    )


def _twos(partners: Mapping[Cell, Cell]) -> list[tuple[Cell, Cell]]:
    """Each pair once."""
    return [(one, other) for one, other in partners.items() if one < other]


_SWAPPING = {
    Verdict.WIN: "Swapping wins.",
    Verdict.LOSS: "Swapping loses: play on.",
    Verdict.UNKNOWN: "Whether swapping wins was not found out.",
}


def looked_through(game: Game, seconds: float) -> findings.Review:
    """A game move by move: which player was winning, and what was a mistake."""
    share = min(1.0, seconds / (2 * len(game.moves) + 2))
    steps = list(review.review(Engine(game.variant, TABLES), game, share))
    marks = game.variant.book.marks
    first, second = (findings.Reviewed(game.player_name(one), marks[game.side(one) - 1]) for one in (1, 2))
    return findings.Review(
        players=(first, second),
        start=steps[0].before if steps else None,
        steps=[_step(game, step, words) for step, words in remarks(game, steps)],
        summary=summary(game, steps),
    )


def _step(game: Game, step: review.Step, words: str) -> findings.Step:
    return findings.Step(
        ply=step.ply,
        kind=step.kind,
        player=step.player,
        mark=game.variant.book.marks[step.side - 1],
        who=who(game, step),
        cell=None if step.move == SWAP else step.move,
        text=what(game, step),
        before=step.before,
        after=step.after,
        mistake=step.mistake,
        better=[move for move in step.better if move != SWAP],
        better_swap=SWAP in step.better,
        words=words,
    )


class CalledOff(BaseException):
    """Nobody waits for the answer any longer."""


_thinking = False  # about a question that can be called off


def _call_off(_signal: int, frame: FrameType | None) -> None:
    """Drop the question at hand, where nothing but our own code is at work.

    In other code, an import or a library, an exception out of nowhere may leave a lock locked for ever. Whoever calls a
    question off knocks again and again, and the next moment is ours.
    """
    global _thinking
    if _thinking and _is_ours(frame):
        _thinking = False
        raise CalledOff


def _is_ours(frame: FrameType | None) -> bool:
    """Whether all that is at work on the question is code of this package, all of which starts anew with the next."""
    while frame is not None and frame.f_code is not answer_all.__code__:
        if (frame.f_globals.get("__package__") or "").partition(".")[0] != "gridlock":
            return False
        frame = frame.f_back
    return True


def answer_all(asked: BinaryIO, answered: BinaryIO) -> None:
    """Answer until there are no more questions; one engine is kept at a time, so that memory stays within limits."""
    global _thinking
    known = None
    for text in asked:
        question = questions.read_question(text)
        try:
            _thinking = True
            game = game_of(question.setup)
            if game.variant != known:
                engine_for.cache_clear()
                known = game.variant
            line = questions.Line(answer=msgspec.Raw(msgspec.json.encode(answer(game, question))))
            _thinking = False
        except (Exception, CalledOff) as error:  # told to the server, which writes it down
            _thinking = False
            engine_for.cache_clear()
            known = None
            line = questions.Line(failed=f"{type(error).__name__}: {error}")
        answered.write(msgspec.json.encode(line) + b"\n")
        answered.flush()


def main() -> None:
    """Take on the limits, say that there may be questions, then work; a signal calls off the question at hand."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    stand_back(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may end up among them
    signal.signal(signal.SIGINT, _call_off)
    answers.write(b"\n")
    answers.flush()
    answer_all(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
