"""What the library answers, in the words of its players: places for cells, and reasons as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gridlock.core.errors import IllegalMove, UnreadableMove
from gridlock.core.game import SWAP
from gridlock.core.grid import Cell
from gridlock.core.movetext import SWAP_WORD
from gridlock.core.notation import read_move
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis
from gridlock.engine.evidence import Verdict

Place = tuple[int, int]  # row and column, counted as players of the game do
Move = Place | int  # a place or SWAP


def cell_of(variant: Variant, move: object, mark: str = "") -> Cell | None:
    """The cell that somebody means: a text, a row and a column, a cell's number or SWAP; None outside the board."""
    if isinstance(move, str):
        return SWAP if move.strip().lower() == SWAP_WORD else read_move(move, variant, mark)
    if isinstance(move, tuple | list) and len(move) == 2 and all(type(number) is int for number in move):
        return variant.cell(*move)
    if type(move) is int:
        return move
    raise UnreadableMove(f"{str(move)[:40]!r} is not a move. A move is a row and a column, such as {variant.name(0)!r}")


def shown(variant: Variant, cell: Cell) -> Move:
    """A cell as players know it."""
    return SWAP if cell == SWAP else variant.coordinates(cell)


@dataclass(frozen=True)
class Step:
    """One move of a reviewed game."""

    ply: int
    player: int
    move: Move | str  # a place, SWAP, or "resign", "time" or "left"
    before: int | None  # the player who was winning, if that was found out
    after: int | None
    mistake: bool
    better: list[Move]  # what would have held
    words: str


@dataclass(frozen=True)
class Worth:
    """What one move is worth to the player who makes it."""

    verdict: str  # "win", "loss" or "unknown"
    distance: int | None  # moves until the loser is stuck


class Answer:
    """What is known about a position: who wins, by which moves, and why."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis  # the engine's own
        self._variant = analysis.variant

    @property
    def verdict(self) -> str:
        """ "win", "loss" or "unknown", for the player to move."""
        return str(self.analysis.verdict)

    @property
    def best(self) -> Move | None:
        """A winning move, or else the best try; SWAP where only that wins; None when nothing can be played."""
        if self.analysis.swap is Verdict.WIN:
            return SWAP
        return None if self.analysis.best is None else shown(self._variant, self.analysis.best)

    @property
    def winning(self) -> list[Move]:
        """Every move known to win."""
        swap: list[Move] = [SWAP] if self.analysis.swap is Verdict.WIN else []
        return swap + [shown(self._variant, cell) for cell in self.analysis.winning]

    @cached_property
    def values(self) -> dict[Move, Worth]:
        """What every move is worth, swapping among them where it is possible."""
        worth: dict[Move, Worth] = {
            shown(self._variant, move.cell): Worth(str(move.verdict), move.distance) for move in self.analysis.values
        }
        if self.analysis.swap is not None:
            worth[SWAP] = Worth(str(self.analysis.swap), None)
        return worth

    @property
    def distance(self) -> int | None:
        """Moves until the loser is stuck, the winner hurrying and the loser delaying."""
        return self.analysis.distance

    @property
    def proof(self) -> Grounds:
        """What the verdict rests on."""
        return Grounds(self.analysis)

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return self.analysis.positions

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.analysis.seconds

    def __repr__(self) -> str:
        return f"<Answer {self.verdict}: {self.proof.words()}>"


class Grounds:
    """What a verdict rests on."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._variant = analysis.variant

    @property
    def method(self) -> str:
        """ "rules", "matching", "mirror" or "search"."""
        return str(self._analysis.method)

    def words(self, move: str | Place | None = None) -> str:
        """The reason for a move (the best one, unless another is named), in a sentence."""
        return self._analysis.words(None if move is None else self._cell(move))

    def answer(self, move: str | Place) -> Place | None:
        """How the winner answers a move of the loser's, where a pairing, a mirror or a line tells."""
        cell = self._analysis.proof.answer(self._cell(move))
        return None if cell is None else self._variant.coordinates(cell)

    @property
    def pairing(self) -> list[tuple[Place, Place]]:
        """The pairs of cells by which the winner answers, if it is a matching."""
        spot, pairs = self._variant.coordinates, self._analysis.pairing
        return [(spot(one), spot(other)) for one, other in pairs.items() if one < other]

    @property
    def line(self) -> list[Place]:
        """How the game could go on, if it is a search."""
        return [self._variant.coordinates(cell) for cell in self._analysis.line]

    def _cell(self, move: str | Place) -> Cell:
        cell = cell_of(self._variant, move)
        if cell is None or not 0 <= cell < self._variant.grid.size:
            raise IllegalMove(f"{move!r} is outside the grid.")
        return cell

    def __repr__(self) -> str:
        return f"<Grounds {self.method}: {self.words()}>"
