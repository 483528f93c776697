"""How a worker answers the server's questions: the engine's answers, put into what a page gets to read."""

from collections.abc import Mapping

import msgspec

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.reasons import partners
from gridlock.engine.remarks import what, who
from gridlock.engine.review import Step
from gridlock.play import advice
from gridlock.play.daily import puzzle_of
from gridlock.play.lessons import Attempt, attempt, lessons
from gridlock.play.match import choose_move
from gridlock.play.puzzles import Puzzle, plan_for
from gridlock.play.review import Review, review_game
from gridlock.play.thinking import questions as engine
from gridlock.players import agents
from gridlock.web.thinking import questions
from gridlock.web.wire import findings
from gridlock.web.wire.setups import game_of, setup_to_keep

_latest: Variant | None = None  # the game and board of the latest question


def answer(text: bytes, allowed: list[str]) -> bytes:
    """Answer a question, both in JSON; one engine is kept at a time, so that memory stays within limits.

    `allowed` are the agents that the operator lets browsers play against, besides those built in.
    """
    global _latest
    agents.allow(*allowed)
    question = questions.read_question(text)
    game = game_of(question.setup)
    if game.variant != _latest:
        engine_for.cache_clear()
        _latest = game.variant
    return msgspec.json.encode(answer_about(game, question))


def answer_about(game: Game, question: questions.Question) -> msgspec.Struct | Attempt:
    """The answer to a question about a game."""
    seconds = question.seconds
    match question:
        case questions.Move(level=level):
            agents.entry_online(level)  # no other name may start anything
            return questions.Choice(choose_move(game, level, None, seconds))
        case questions.Analyse(distances=distances):
            analysis = engine.analyse(game, seconds, distances)
            return found(analysis, countable=engine_for(game.variant).distances.kernel is not None)
        case questions.Advise():
            return hint(game, engine.advise(game, seconds))
        case questions.LookThrough(names=names, resigned=resigned, forfeit=forfeit):
            game.names, game.resigned, game.forfeit = names, resigned, forfeit
            share = min(1.0, seconds / (2 * len(game.moves) + 2))
            return looked_through(review_game(game, share))
        case questions.Compose(hard=hard, seed=seed):
            return composed(plan_for(game.variant.book, hard).make(seed, seconds))
        case questions.OfTheDay(day=day):
            return composed(puzzle_of(day))
        case questions.Teach(lesson=number, cell=cell):
            return attempt(lessons(game.variant.book)[number - 1], game, cell, seconds / 2)
        case questions.Draw():
            from gridlock.drawing.png import png_of  # which only one of the workers needs

            return questions.Picture(png_of(game.svg(game.variant.book.title)))
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


def composed(made: Puzzle | None) -> questions.Composed:
    """A puzzle as it is sent, if there is one."""
    if made is None:
        return questions.Composed()
    return questions.Composed(setup_to_keep(made.game), found(made.analysis, countable=False))


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


def looked_through(looked: Review) -> findings.Review:
    """A game move by move: which player was winning, and what was a mistake."""
    game = looked.game
    first, second = (findings.Reviewed(game.player_name(one), game.mark_of(one)) for one in (1, 2))
    return findings.Review(
        players=(first, second),
        start=looked.steps[0].before if looked.steps else None,
        steps=[_step(looked, step, words) for step, words in zip(looked.steps, looked.remarks, strict=True)],
        summary=looked.summary,
    )


def _step(looked: Review, step: Step, words: str) -> findings.Step:
    game = looked.game
    return findings.Step(
        ply=step.ply,
        kind=step.kind,
        player=step.player,
        mark=game.variant.book.mark(step.side),
        who=who(game, step),
        cell=None if step.move == SWAP else step.move,
        text=what(game, step),
        before=step.before,
        after=step.after,
        mistake=step.mistake,
        better=[move for move in step.better if move != SWAP],
        better_swap=SWAP in step.better,
        words=words,
        holds=looked.holds(step),
    )
