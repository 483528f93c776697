"""The library's answers in players' terms: rows and columns instead of cell numbers, and reasons as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from gridlock.core import rules
from gridlock.core.errors import IllegalMove
from gridlock.core.game import SWAP, Game, Player
from gridlock.core.grid import Cell
from gridlock.core.moves import AnyMove, Move, Place, place_of, read_any
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Shape
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.regions import Regions
from gridlock.engine.regions import regions as find_regions
from gridlock.engine.review import remarks
from gridlock.engine.review import review as review_steps
from gridlock.engine.solve import Solver


@dataclass(frozen=True)
class Step:
    """One move of a reviewed game."""

    ply: int
    player: Player
    move: Move | str  # a place, SWAP, or "resign", "time" or "left"
    before: Player | None  # the player who was winning, if that is known
    after: Player | None
    mistake: bool
    better: list[Move]  # the moves that would have kept the win
    words: str

    @property
    def winner(self) -> Player | None:
        """The player who was winning after this move, if that is known."""
        return self.after


@dataclass(frozen=True)
class Value:
    """The value of one move for the player who makes it."""

    verdict: str  # "win", "loss" or "unknown"
    distance: int | None  # moves until the loser is stuck


class Answer:
    """The analysis of a position: who wins, by which moves, and why."""

    def __init__(self, analysis: Analysis, player: Player) -> None:
        self.analysis = analysis  # from the engine
        self.player = player  # whose turn it is
        self._variant = analysis.variant

    @property
    def winner(self) -> Player | None:
        """The player who wins with perfect play, 1 or 2; None if the winner is not known."""
        return self.analysis.verdict.winner(self.player)

    @property
    def verdict(self) -> str:
        """ "win", "loss" or "unknown", for the player to move."""
        return str(self.analysis.verdict)

    @property
    def best(self) -> Move | None:
        """A winning move, or else the best try; SWAP if only swapping wins; None if there is no move."""
        if self.analysis.swap is Verdict.WIN:
            return SWAP
        return None if self.analysis.best is None else place_of(self._variant, self.analysis.best)

    @property
    def winning(self) -> list[Move]:
        """Every move known to win."""
        swap: list[Move] = [SWAP] if self.analysis.swap is Verdict.WIN else []
        return swap + [place_of(self._variant, cell) for cell in self.analysis.winning]

    @cached_property
    def values(self) -> dict[Move, Value]:
        """The value of every move, including swapping if it is possible."""
        values: dict[Move, Value] = {
            place_of(self._variant, move.cell): Value(str(move.verdict), move.distance) for move in self.analysis.values
        }
        if self.analysis.swap is not None:
            values[SWAP] = Value(str(self.analysis.swap), None)
        return values

    @property
    def distance(self) -> int | None:
        """Moves until the loser is stuck, if the winner plays the fastest win and the loser the longest defence."""
        return self.analysis.distance

    @property
    def proof(self) -> Grounds:
        """The evidence for the verdict."""
        return Grounds(self.analysis)

    @property
    def positions(self) -> int:
        """The number of positions searched."""
        return self.analysis.positions

    @property
    def seconds(self) -> float:
        """The time taken, in seconds."""
        return self.analysis.seconds

    def __repr__(self) -> str:
        return f"<Answer {self.verdict}: {self.proof.words()}>"


class Grounds:
    """The evidence for a verdict."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._variant = analysis.variant

    @property
    def method(self) -> str:
        """ "rules", "matching", "mirror", "centre" or "search"."""
        return str(self._analysis.method)

    def words(self, move: AnyMove | None = None) -> str:
        """Return a sentence that explains a move (by default the best move)."""
        return self._analysis.words(None if move is None else self._cell(move))

    def answer(self, move: AnyMove) -> Place | None:
        """Return the winner's reply to a move by the loser, if a pairing, a mirror or a line of play provides one."""
        cell = self._analysis.proof.answer(self._cell(move))
        return None if cell is None else self._variant.coordinates(cell)

    @property
    def pairing(self) -> list[tuple[Place, Place]]:
        """The pairs of cells, if the proof is a matching.

        The winner answers a move in one cell of a pair with a move in the other.
        """
        spot, pairs = self._variant.coordinates, self._analysis.pairing
        return [(spot(one), spot(other)) for one, other in pairs.items() if one < other]

    @property
    def line(self) -> list[Place]:
        """A possible continuation of the game, if the proof is by search."""
        return [self._variant.coordinates(cell) for cell in self._analysis.line]

    def _cell(self, move: AnyMove) -> Cell:
        cell = read_any(move, self._variant, self._analysis.position)
        if cell is None or cell == SWAP:
            raise IllegalMove(f"{move!r} is outside the grid.")
        return cell

    def __repr__(self) -> str:
        return f"<Grounds {self.method}: {self.words()}>"


def analyse(game: Game, seconds: float | None, distances: bool) -> Answer:
    """Analyse a game's current position: who wins, by which moves, and why."""
    if game.resigned:
        raise IllegalMove(f"The game is over: {game.player_name(game.resigned)} {game.forfeit.did}. Use pop() to undo.")
    analysis = engine_for(game.variant).analyse(game, Clock(seconds), None if distances else 0.0)
    return Answer(analysis, game.turn)


def regions(game: Game, seconds: float | None, whole: bool) -> Regions:
    """Return the independent regions of a game's current position, with their values."""
    return find_regions(game.variant, game.position, Clock(seconds), whole)


def review(game: Game, seconds: float) -> list[Step]:
    """Review every move of a game: who was winning before and after it, and which moves would have kept the win."""
    place = partial(place_of, game.variant)
    steps = list(review_steps(engine_for(game.variant), game, seconds))
    return [
        Step(
            step.ply,
            step.player,
            step.kind if step.move is None else place(step.move),
            step.before,
            step.after,
            step.mistake,
            list(map(place, step.better)),
            words,
        )
        for step, words in remarks(game, steps)
    ]


@dataclass(frozen=True)
class Solved:
    """The result of solving a game from its starting position."""

    winner: Player | None  # 1 is the player who moves first; None if the winner is not known
    verdict: str  # "win", "loss" or "unknown", for the player who moves first
    openings: list[Place] | None  # every first move that wins; None if not all of these are known
    method: str
    positions: int
    seconds: float


def solve(
    game: str | Path | RuleBook | Shape | Variant,
    board: str | tuple[int, int] | None = None,
    adjacency: str | None = None,
    *,
    seconds: float | None = None,
) -> Solved:
    """Solve a game from its starting position: find out who wins with perfect play, and which first moves win."""
    variant = rules.chosen(game, board, adjacency)
    found = Solver(variant, clock=Clock(seconds)).solve(openings=True)
    verdict, method = found.verdict, str(found.method)
    openings = None if found.openings is None else [variant.coordinates(cell) for cell in found.openings]
    return Solved(verdict.winner(1), str(verdict), openings, method, found.positions, found.seconds)
