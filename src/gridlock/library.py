"""The library for people: games by name, moves as players write them, and answers in the same words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from gridlock.core import records, rules, snapshot
from gridlock.core.errors import BadRecord, GridLockError, IllegalMove, UnreadableMove
from gridlock.core.game import Game as PlainGame
from gridlock.core.grid import Bitboard, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.engine.answers import Answer, Move, Place, Step, cell_of, shown


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
            super().push(cell_of(self.variant, move, self.mark_of(self.turn)))
        except UnreadableMove as error:
            raise UnreadableMove(f"{move!r} cannot be read: {error}.") from None
        except IllegalMove as error:
            raise IllegalMove(f"{move!r} is not possible: {error}.") from None

    def pop(self) -> Move | None:  # type: ignore[override]  # a place is what people understand
        """Take back the last move and return it (None for a resignation)."""
        move = super().pop()
        return None if move is None else shown(self.variant, move)

    @property
    def legal_moves(self) -> Moves:
        """The places that may be taken now."""
        return Moves(self.variant, self.legal)

    @property
    def played(self) -> list[Move]:
        """The moves made, as places and SWAP."""
        return [shown(self.variant, move) for move in self.moves]

    def why_not(self, move: str | Place) -> str:
        """Why a move is not possible, as a sentence; nothing if it is."""
        refusal = self.variant.refusal(self.position, cell_of(self.variant, move))
        return f"The cell is {refusal.words}." if refusal else ""

    # -- pictures ---------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from gridlock.drawing.text import plain_board

        return plain_board(self.variant, self.position)

    def __repr__(self) -> str:
        book, grid = self.variant.book, self.variant.grid
        state = f"player {self.outcome.winner} won" if self.outcome else f"{self.mark_of(self.turn)} to move"
        return f"<Game {book.name} {grid} {grid.adjacency}, {len(self.moves)} moves, {state}>"

    def svg(self) -> str:
        """The board as a picture."""
        from gridlock.drawing.svg import board_svg

        title = f"{self.variant.book.title} on {self.variant.grid} after {len(self.moves)} moves"
        return board_svg(self.variant, self.position, title=title, last=self.last_cell, legal=self.legal)

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
                step.kind if step.move is None else shown(self.variant, step.move),
                step.before,
                step.after,
                step.mistake,
                [shown(self.variant, move) for move in step.better],
                words,
            )
            for step, words in remarks(self, steps)
        ]


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
