"""A worker's answers to the server's questions: the engine's results in the form that pages receive."""

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
from gridlock.play.lessons import Attempt, attempt, lessons
from gridlock.play.match import choose_move
from gridlock.play.puzzle_sources import puzzle_of
from gridlock.play.puzzles import Puzzle, plan_for
from gridlock.play.review import Review, review_game
from gridlock.play.thinking import questions as engine
from gridlock.players import agents
from gridlock.web.thinking import questions
from gridlock.web.wire import findings
from gridlock.web.wire.setups import game_of, setup_to_keep

_latest: Variant | None = None  # the variant of the latest question


def answer(text: bytes, allowed: list[str]) -> bytes:
    """Answer a question, both in JSON, keeping one engine at a time to stay within the memory limit.

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
    """Answer a question about a game."""
    seconds = question.seconds
    match question:
        case questions.Move(level=level):
            agents.entry_online(level)  # rejects any other name
            return questions.Choice(choose_move(game, level, None, seconds))
        case questions.Analyse(distances=distances):
            analysis = engine.analyse(game, seconds, distances)
            return found(analysis, countable=engine_for(game.variant).distances.kernel is not None)
        case questions.Advise():
            return hint(game, engine.advise(game, seconds))
        case questions.Review(names=names, resigned=resigned, forfeit=forfeit):
            game.names, game.resigned, game.forfeit = names, resigned, forfeit
            share = min(1.0, seconds / (2 * len(game.moves) + 2))
            return review(review_game(game, share))
        case questions.Compose(hard=hard, seed=seed):
            return composed(plan_for(game.variant.book, hard).make(seed, seconds))
        case questions.Daily(day=day):
            return composed(puzzle_of(day))
        case questions.Teach(lesson=number, cell=cell):
            return attempt(lessons(game.variant.book)[number - 1], game, cell, seconds / 2)
        case questions.Draw():
            from gridlock.drawing.png import png_of  # only one of the workers needs it

            return questions.Picture(png_of(game.svg(game.variant.book.title)))
    raise TypeError(f"nobody knows an answer to a {type(question).__name__}")


def found(analysis: Analysis, countable: bool) -> findings.Findings:
    """Return an analysis as pages receive it; `countable` says whether distances can be counted on this board."""
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
        pairing=_pairs(analysis.pairing),
        mirror=_pairs(partners(analysis)) if analysis.method is Method.MIRROR else [],
        line=list(analysis.line),
        positions=analysis.positions,
        seconds=round(analysis.seconds, 3),
    )


def composed(puzzle: Puzzle | None) -> questions.Composed:
    """Return a puzzle as the server receives it, if there is one."""
    if puzzle is None:
        return questions.Composed()
    return questions.Composed(setup_to_keep(puzzle.game), found(puzzle.analysis, countable=False))


def hint(game: Game, given: advice.Advice) -> findings.Hint:
    """Return advice in the steps that a page shows one after the other."""
    pairs = _pairs(given.pairs)
    return findings.Hint(
        verdict=Verdict(given.verdict),
        opinion=given.opinion,
        where=given.where,
        region=cells_of(given.region & game.legal),
        naming=given.naming,
        move=None if given.move == SWAP else given.move,
        swap=given.move == SWAP,
        reason=given.reason,
        pairing=[] if given.mirror else pairs,
        mirror=pairs if given.mirror else [],
    )


def _pairs(partners: Mapping[Cell, Cell]) -> list[tuple[Cell, Cell]]:
    """Return each pair of partners once."""
    return [(one, other) for one, other in partners.items() if one < other]


_SWAPPING = {
    Verdict.WIN: "Swapping wins.",
    Verdict.LOSS: "Swapping loses: play on.",
    Verdict.UNKNOWN: "Whether swapping wins was not found out.",
}


def review(done: Review) -> findings.Review:
    """Return a review as pages receive it."""
    game = done.game
    first, second = (findings.Reviewed(game.player_name(one), game.mark_of(one)) for one in (1, 2))
    return findings.Review(
        players=(first, second),
        start=done.steps[0].before if done.steps else None,
        steps=[_step(done, step, words) for step, words in zip(done.steps, done.remarks, strict=True)],
        summary=done.summary,
    )


def _step(done: Review, step: Step, words: str) -> findings.Step:
    game = done.game
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
        holds=done.holds(step),
    )
