"""The questions that the server asks its workers, with answers in the form that pages receive."""

from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import TypeVar, TypeVarTuple

from gridlock.core.errors import GridLockError
from gridlock.core.game import SWAP, Game, Player, Termination
from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Side
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis, partners
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.review import Step, what, who
from gridlock.play import advice, puzzles, region_options, region_puzzles
from gridlock.play.lessons import Attempt, attempt, lessons
from gridlock.play.puzzle_making import plan_for
from gridlock.play.puzzle_sources import puzzle_of
from gridlock.play.puzzles import Kind
from gridlock.play.regions import NO_VALUES, Lettered, has_values, report_to_onlookers, thermograph
from gridlock.play.review import Review, review_game
from gridlock.play.thinking import questions as engine
from gridlock.players import agents
from gridlock.players.pool import pool
from gridlock.web.wire import findings
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.setups import game_of, setup_of

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Composed = tuple[WholeSetup, tuple[Cell, ...], int, Kind] | None  # as in puzzles.Puzzle; None if not in time
PICTURES = 12  # most thermographs in one answer
_latest: Variant | None = None  # the variant of the latest question


def answer(
    allowed: dict[str, str],
    question: Callable[[Game, float, *Ts], T],
    setup: WholeSetup,
    seconds: float,
    more: tuple[*Ts],
) -> T:
    """Answer a question about a game, within a time limit.

    To save memory, only the engine for the latest variant is kept.

    `allowed` contains the agents and engines that the operator offers to browsers, besides the built-in ones.
    """
    global _latest
    agents.allowed = allowed
    game = game_of(setup)
    if game.variant != _latest:
        engine_for.cache_clear()
        _latest = game.variant
    return question(game, seconds, *more)


def choose(game: Game, seconds: float, level: str) -> Cell:
    """Return the move that the computer chooses at a level; the move may be SWAP."""
    return pool.choose(agents.entry_online(level), game, Random(), seconds)  # rejects an unknown level


def analyse(game: Game, seconds: float, distances: bool = False) -> findings.Findings:
    """Return who wins, which moves win, and why.

    If `distances` is true, use the remaining time to find out how many more moves the game will last.
    """
    analysis, solver = engine.analyse(game, seconds, distances), engine_for(game.variant)
    shown = found(analysis, countable=solver.distances.kernel is not None)
    shown.line = list(solver.best_line(analysis, Clock(seconds)))
    return shown


def review(
    game: Game, seconds: float, names: tuple[str, str], resigned: Player | None, forfeit: Termination
) -> findings.Review:
    """Return a review of a game, which shows where it was won and lost."""
    game.names, game.resigned, game.forfeit = names, resigned, forfeit
    done = review_game(game, min(1.0, seconds / (3 * len(game.moves) + 3)))
    first, second = (findings.Reviewed(game.player_name(one), game.mark_of(one)) for one in (1, 2))
    return findings.Review(
        players=(first, second),
        start=done.steps[0].before if done.steps else None,
        steps=[_step(done, step, words) for step, words in zip(done.steps, done.remarks, strict=True)],
        summary=done.summary,
        heats=[None if heat is None else float(heat) for heat in done.heats],
    )


def compose(game: Game, seconds: float, difficulty: int, seed: str, kind: Kind) -> Composed:
    """Return a puzzle for the game; None if no puzzle is found in time."""
    return _composed(plan_for(game.variant.book, difficulty, kind=kind).make(seed, seconds))


def compose_daily(_game: Game, _seconds: float, day: date) -> Composed:
    """Return the daily puzzle for a date."""
    return _composed(puzzle_of(day))


def confirm(game: Game, seconds: float, kind: Kind) -> Composed | str:
    """Return a position as a puzzle, or the reason why it is not a puzzle."""
    try:
        return _composed(region_puzzles.open_puzzle(game, kind, seconds))
    except GridLockError as error:
        return str(error)


def try_move(game: Game, seconds: float, cell: Cell | None, first: int, kind: Kind) -> puzzles.Trial | str:
    """Judge and answer a move in a puzzle; if the cell is None, give the solution.

    `first` is the number of moves made before the puzzle began. If the move cannot be judged, return the reason.
    """
    try:
        if cell is None:
            judged = region_puzzles.give_up(game, kind, seconds if kind is Kind.WIN else seconds / 2)
        else:
            judged = region_puzzles.judge(game, cell, kind, seconds / 2)
    except GridLockError as error:
        return str(error)
    if not judged.done or not judged.played or (cell is None and kind is Kind.WIN):
        return judged
    why = region_puzzles.reason_for(game.at(first), kind, seconds / 2)
    return judged._replace(words=f"{judged.words} {why}".rstrip())


def teach(game: Game, seconds: float, lesson: int, cell: Cell) -> Attempt:
    """Judge a move in a lesson, and make the opponent's reply."""
    return attempt(lessons(game.variant.book)[lesson - 1], game, cell, seconds / 2)


def draw(game: Game, _seconds: float) -> bytes:
    """Return a picture of the board, as a PNG."""
    from gridlock.drawing.png import png_of  # only one of the workers needs it

    return png_of(game.svg(game.variant.book.title))


def animate(game: Game, _seconds: float) -> bytes:
    """Return a picture of the whole game, move by move, as a GIF."""
    from gridlock.drawing.gif import game_gif  # only one of the workers needs it

    return game_gif(game)


def advise(game: Game, seconds: float) -> findings.Hint:
    """Return a hint as a series of steps, which a page shows one after another."""
    given = engine.advise(game, seconds)
    pairs = _pairs(given.pairs)
    return findings.Hint.of(
        given,
        verdict=Verdict(given.verdict),
        region=cells_of(given.region & game.legal),
        move=None if given.move == SWAP else given.move,
        swap=given.move == SWAP,
        pairing=[] if given.mirror else pairs,
        mirror=pairs if given.mirror else [],
        line=list(given.line),
    )


def regions(game: Game, seconds: float) -> findings.Regions:
    """Return a position's regions and its verdict, using half of the time for each."""
    if not has_values(game.variant):
        return findings.Regions("", [], [NO_VALUES], ([], []))
    report = report_to_onlookers(game, engine.analyse(game, seconds / 2), seconds / 2)
    turn = game.position.turn
    return findings.Regions(
        verdict=report.verdict,
        regions=[_region(one, turn, number < PICTURES) for number, one in enumerate(report.regions)],
        closing=list(report.closing),
        free=(cells_of(report.free[0]), cells_of(report.free[1])),
    )


def open_region(game: Game, seconds: float, cell: Cell, path: region_options.Path) -> findings.OpenRegion | str:
    """Return the region that results from the given moves, or a sentence that explains why there is none."""
    try:
        opened = region_options.open_region(game, cell, path, seconds)
    except GridLockError as error:
        return str(error)
    left, right = ([_move(opened, option) for option in side] for side in opened.options)
    return findings.OpenRegion(
        drawn=region_options.drawn(opened, opened.region, path),
        words=region_options.worth_words(opened.region),
        thermograph=thermograph(opened.region),
        left=left,
        right=right,
        note=opened.note,
    )


def _move(opened: region_options.Opened, option: region_options.Option) -> findings.RegionMove:
    return findings.RegionMove(
        cell=option.cell,
        text=option.left.variant.name(option.cell),
        drawn=region_options.drawn(opened, option.left, [*opened.path, (option.side, option.cell)]),
        words=option.words,
    )


def _region(one: Lettered, turn: Side, pictured: bool) -> findings.Region:
    region = one.region
    best = region.best[turn - 1]
    return findings.Region(
        letter=one.letter,
        cells=cells_of(region.cells),
        words=one.words,
        heat=one.heat,
        best=best[0] if best else None,
        name="" if region.value is None else region.value.name() or "",
        thermograph=thermograph(region) if pictured else "",
    )


def found(analysis: Analysis, countable: bool) -> findings.Findings:
    """Return an analysis for pages to show; `countable` says whether the moves to the end can be counted."""
    decided = all(move.verdict is not Verdict.UNKNOWN for move in analysis.values)
    uncounted = any(move.distance is None for move in analysis.values)
    return findings.Findings.of(
        analysis,
        words=advice.verdict_words(analysis),
        explanation=analysis.words(),
        moves=[findings.MoveValue.of(one) for one in analysis.values],
        distance=None if analysis.swap is Verdict.WIN else analysis.distance,
        swap_words="" if analysis.swap is None else _SWAPPING[analysis.swap],
        countable=countable and decided and uncounted and analysis.without_swap is None,
        pairing=_pairs(analysis.pairing),
        mirror=_pairs(partners(analysis)) if analysis.method.mirrors else [],
        line=list(analysis.line),
        seconds=round(analysis.seconds, 3),
    )


def _composed(puzzle: puzzles.Puzzle | None) -> Composed:
    return (
        None if puzzle is None else (setup_of(puzzle.game, keep=True), puzzle.winning, puzzle.difficulty, puzzle.kind)
    )


def _pairs(partners: Mapping[Cell, Cell]) -> list[tuple[Cell, Cell]]:
    """Return pairs of a cell and the reply to a move there; two cells that are replies to each other form one pair."""
    return [(one, other) for one, other in partners.items() if one < other or partners.get(other) != one]


_SWAPPING = {
    Verdict.WIN: "Swapping wins.",
    Verdict.LOSS: "Swapping loses: play on.",
    Verdict.UNKNOWN: "It isn't known whether swapping wins.",
}


def _step(done: Review, step: Step, words: str) -> findings.Step:
    game = done.game
    return findings.Step.of(
        step,
        mark=game.variant.book.mark(step.side),
        who=who(game, step),
        cell=None if step.move == SWAP else step.move,
        text=what(game, step),
        better=[move for move in step.better if move != SWAP],
        better_swap=SWAP in step.better,
        words=words,
        holds=done.holds(step),
    )
