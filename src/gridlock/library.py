"""The library for people: games by name, moves as players write them, and answers in the same words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from gridlock import records, rules, snapshot
from gridlock.errors import BadRecord, GridLockError, IllegalMove, UnreadableMove
from gridlock.game import SWAP
from gridlock.game import Game as PlainGame
from gridlock.grid import Bitboard, Cell, cells_of
from gridlock.notation import read_move
from gridlock.position import Position
from gridlock.rulebook import RuleBook, Variant

Place = tuple[int, int]  # row and column, counted as players of the game do
Move = Place | int  # a place or SWAP


class Moves(Set[Place]):
    """The places that may be taken, as a set in row order; a text such as "2,3" can be looked up, too."""

    def __init__(self, variant: Variant, cells: Bitboard) -> None:
        self._variant = variant
        self._cells = cells

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:  # what & and | give
        return frozenset(it)

    def __contains__(self, move: object) -> bool:
        try:
            cell = cell_of(self._variant, move)
        except GridLockError:
            return False
        return cell is not None and cell >= 0 and bool(self._cells >> cell & 1)

    def __iter__(self) -> Iterator[Place]:
        return map(self._variant.coordinates, cells_of(self._cells))

    def __len__(self) -> int:
        return self._cells.bit_count()

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {' '.join(self._variant.name(cell) for cell in cells_of(self._cells))}>"


def cell_of(variant: Variant, move: object, mark: str = "") -> Cell | None:
    """The cell that somebody means: a text, a row and a column, a cell's number or SWAP; None outside the board."""
    if isinstance(move, str):
        return SWAP if move.strip().lower() == "swap" else read_move(move, variant, mark)
    if isinstance(move, tuple | list) and len(move) == 2 and all(type(number) is int for number in move):
        return variant.cell(*move)
    if type(move) is int:
        return move
    raise UnreadableMove(f"{str(move)[:40]!r} is not a move. A move is a row and a column, such as {variant.name(0)!r}")


class Game(PlainGame):
    """A game to play on, look at and ask about.

    >>> import gridlock as gl
    >>> game = gl.Game("showdown", "5x5")
    >>> game.push("3,3")
    >>> (1, 1) in game.legal_moves
    True
    """

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        starts: int = 1,
        swap: bool = False,
        names: tuple[str, str] = ("", ""),
        start: Position | None = None,
        exchanged: bool = False,
    ) -> None:
        """A game by its name, by the TOML file that describes it, or as a rule book or variant."""
        if isinstance(game, Variant):
            if board is not None or adjacency is not None:
                raise GridLockError("A variant has its board already: give a name or a rule book with another one.")
            variant = game
        else:
            variant = rules.variant(rules.rule_book(game), board, adjacency)
        super().__init__(variant, starts=starts, swap=swap, names=names, start=start, exchanged=exchanged)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The game that goes on from a position text."""
        return snapshot.game_from_text(text, cls)

    def position_text(self) -> str:
        """Where the game stands, as one line that from_text() takes."""
        return snapshot.position_text(self)

    # -- moves ------------------------------------------------------------------------------------------------

    def push(self, move: str | Move | None) -> None:
        """Make a move: "3,3", (3, 3) or SWAP."""
        if move is None or type(move) is int:
            super().push(move)
            return
        try:
            super().push(cell_of(self.variant, move, self.variant.book.marks[self.position.turn - 1]))
        except UnreadableMove as error:
            raise UnreadableMove(f"{move!r} cannot be read: {error}.") from None
        except IllegalMove as error:
            raise IllegalMove(f"{move!r} is not possible: {error}.") from None

    def pop(self) -> Move | None:  # type: ignore[override]  # a place is what people understand
        """Take back the last move and return it (None for a resignation)."""
        move = super().pop()
        return None if move is None else _shown(self.variant, move)

    @property
    def legal_moves(self) -> Moves:
        """The places that may be taken now."""
        return Moves(self.variant, self.legal)

    @property
    def played(self) -> list[Move]:
        """The moves made, as places and SWAP."""
        return [_shown(self.variant, move) for move in self.moves]

    def why_not(self, move: str | Place) -> str:
        """Why a move is not possible, as a sentence; nothing if it is."""
        refusal = self.variant.refusal(self.position, cell_of(self.variant, move))
        return f"The cell is {refusal.words}." if refusal else ""

    # -- pictures ---------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from gridlock.drawing import plain_board

        return plain_board(self.variant, self.position)

    def __repr__(self) -> str:
        book, grid = self.variant.book, self.variant.grid
        state = f"player {self.outcome.winner} won" if self.outcome else f"{book.marks[self.position.turn - 1]} to move"
        return f"<Game {book.name} {grid} {grid.adjacency}, {len(self.moves)} moves, {state}>"

    def svg(self) -> str:
        """The board as a picture."""
        from gridlock.svg import board_svg

        last = next((move for move in reversed(self.moves) if move != SWAP), None)
        title = f"{self.variant.book.title} on {self.variant.grid} after {len(self.moves)} moves"
        return board_svg(self.variant, self.position, title=title, last=last, legal=self.legal)

    _repr_svg_ = svg  # what a notebook shows

    # -- questions --------------------------------------------------------------------------------------------

    def analyse(self, seconds: float | None = None, distances: bool = True) -> Answer:
        """Who wins, by which moves, and why; with no limit, it takes as long as it takes.

        Distances (moves until the loser is stuck) are counted after that; leave them out where they take too long.
        """
        from gridlock.engine.clock import Clock
        from gridlock.engine.engine import engine_for

        analysis = engine_for(self.variant).analyse(self, Clock(seconds), None if distances else 0.0)
        return Answer(analysis)

    def review(self, seconds: float = 1.0) -> list[Step]:
        """Every move made: who was winning before and after it, and what would have held (seconds for each)."""
        from gridlock.engine.engine import engine_for
        from gridlock.engine.remarks import remarks
        from gridlock.engine.review import review

        steps = list(review(engine_for(self.variant), self, seconds))
        return [
            Step(
                step.ply,
                step.player,
                "resign" if step.move is None else _shown(self.variant, step.move),
                step.before,
                step.after,
                step.mistake,
                [_shown(self.variant, move) for move in step.better],
                words,
            )
            for step, words in remarks(self, steps)
        ]


@dataclass(frozen=True)
class Step:
    """One move of a reviewed game."""

    ply: int
    player: int
    move: Move | str  # a place, SWAP, or "resign"
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

    def __init__(self, analysis: Any) -> None:
        self.analysis = analysis  # the engine's own
        self._variant: Variant = analysis.variant

    @property
    def verdict(self) -> str:
        """ "win", "loss" or "unknown", for the player to move."""
        return str(self.analysis.verdict)

    @property
    def best(self) -> Move | None:
        """A winning move, or else the best try; SWAP where only that wins; None when nothing can be played."""
        if self.analysis.swap == "win":
            return SWAP
        return None if self.analysis.best is None else _shown(self._variant, self.analysis.best)

    @property
    def winning(self) -> list[Move]:
        """Every move known to win."""
        swap: list[Move] = [SWAP] if self.analysis.swap == "win" else []
        return swap + [_shown(self._variant, cell) for cell in self.analysis.winning]

    @cached_property
    def values(self) -> dict[Move, Worth]:
        """What every move is worth, swapping among them where it is possible."""
        worth: dict[Move, Worth] = {
            _shown(self._variant, move.cell): Worth(str(move.verdict), move.distance) for move in self.analysis.values
        }
        if self.analysis.swap is not None:
            worth[SWAP] = Worth(str(self.analysis.swap), None)
        return worth

    @property
    def distance(self) -> int | None:
        """Moves until the loser is stuck, the winner hurrying and the loser delaying."""
        found: int | None = self.analysis.distance
        return found

    @property
    def proof(self) -> Grounds:
        """What the verdict rests on."""
        return Grounds(self.analysis)

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return int(self.analysis.positions)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return float(self.analysis.seconds)

    def __repr__(self) -> str:
        return f"<Answer {self.verdict}: {self.proof.words()}>"


class Grounds:
    """What a verdict rests on."""

    def __init__(self, analysis: Any) -> None:
        self._analysis = analysis
        self._variant: Variant = analysis.variant

    @property
    def method(self) -> str:
        """ "rules", "matching", "mirror" or "search"."""
        return str(self._analysis.method)

    def words(self, move: str | Place | None = None) -> str:
        """The reason for a move (the best one, unless another is named), in a sentence."""
        return str(self._analysis.words(None if move is None else self._cell(move)))

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


def _shown(variant: Variant, cell: Cell) -> Move:
    return SWAP if cell == SWAP else variant.coordinates(cell)


# -- whole boards -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """Who wins a game from the start."""

    winner: str | None  # "first" or "second"; None if it was not found out
    openings: list[Place] | None  # every first move that wins; None if that was not found out
    method: str
    positions: int
    seconds: float


def solve(
    game: str | Path | RuleBook | Variant,
    board: str | None = None,
    adjacency: str | None = None,
    *,
    seconds: float | None = None,
) -> Solved:
    """Who wins a game from the start if nobody errs, and by which first moves."""
    from gridlock.engine.clock import Clock
    from gridlock.engine.solve import Solver

    variant = Game(game, board, adjacency).variant
    solution = Solver(variant, clock=Clock(seconds)).solve(openings=True)
    openings = None if solution.openings is None else [variant.coordinates(cell) for cell in solution.openings]
    winner = {"win": "first", "loss": "second"}.get(str(solution.verdict))
    return Solved(winner, openings, str(solution.method), solution.positions, solution.seconds)


# -- files ------------------------------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str]) -> list[Game]:
    """Every game of a record file, text or JSON."""
    try:
        with open(path, "rb") as file:
            data = file.read(4 * records.LONGEST + 5)
    except OSError as error:
        raise BadRecord(f"{os.fspath(path)} cannot be read: {error.strerror}.") from None
    try:
        return [_public(game) for game in records.load_bytes(data)]
    except BadRecord as error:
        raise BadRecord(f"{os.fspath(path)} cannot be used: {error}.") from None


def save(games: PlainGame | Iterable[PlainGame], path: str | os.PathLike[str]) -> None:
    """Write a game, or several, as a text record; a file that is there already is replaced as a whole."""
    text = "\n".join(records.dump_text(game) for game in ([games] if isinstance(games, PlainGame) else games))
    part = f"{os.fspath(path)}.part"
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(part, path)


def _public(game: PlainGame) -> Game:
    """The same game with everything that people can ask it."""
    again = Game.__new__(Game)
    again.__dict__.update(game.__dict__)
    return again
