"""A game, in progress or finished: its moves, whose turn it is, its outcome, and its analysis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from gridlock.core.errors import BadPosition, GridLockError, IllegalMove, UnreadableMove
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.moves import AnyMove, Move, Moves, place_of, read_any
from gridlock.core.outcome import Event, Outcome, Player, Termination
from gridlock.core.position import SWAP, Position, Side
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Shape

if TYPE_CHECKING:
    from gridlock.engine.answers import Answer, Step
    from gridlock.engine.regions import Regions

__all__ = ["SWAP", "Event", "Game", "Outcome", "Player", "Termination"]  # other modules import these from here


class Game:
    """A game to play, inspect and analyse. A game stores every position, so undoing moves costs nothing.

    >>> import gridlock as gl
    >>> game = gl.Game("showdown", "5x5")
    >>> game.push("3,3")
    >>> (1, 1) in game.legal_moves
    True

    You can give a move as a string, as a row and a column, or as a cell number. `legal_moves`, `played`, `pop()` and
    `peek()` return a move as a row and a column. Programs that need speed can use cell numbers instead:
    `moves` is a list of cell numbers, and `legal` is a bitboard.
    """

    def __init__(
        self,
        game: str | Path | RuleBook | Shape | Variant,
        board: str | tuple[int, int] | None = None,
        adjacency: str | None = None,
        *,
        starts: Player = 1,
        swap: bool = False,
        names: tuple[str, str] = ("", ""),
        start: Position | None = None,
        exchanged: bool = False,
    ) -> None:
        """Start a game, given as a name, a TOML file, a shape, a rule book or a variant.

        The game starts from the usual position or from `start`; if `exchanged` is true, the players exchange sides
        first.
        """
        if not isinstance(game, Variant) or board is not None or adjacency is not None:
            from gridlock.core.rules import chosen

            game = chosen(game, board, adjacency)
        if starts not in (1, 2):
            raise GridLockError(f"starts must be the player who moves first, 1 or 2, not {starts!r}.")
        starts = int(starts)  # it may be a NumPy integer
        start = None if start is None else start.plain()
        if names != ("", ""):
            if isinstance(names, str) or len(names) != 2 or not all(isinstance(name, str) for name in names):
                raise GridLockError(f"names must be two names, such as ('Ada', 'Bob'), not {names!r}.")
            from gridlock.core.names import clean_name  # loaded only for games with names, for speed

            names = clean_name(names[0]), clean_name(names[1])
        if start is not None and not game.holds(start):
            raise BadPosition(f"This position cannot occur in {game.book.name} on {game.grid}: {start!r}.")
        self.variant = game
        self.set_up = start is not None  # starts from a given position
        self.exchanged = exchanged  # the players exchanged sides before the first move
        self.starts = starts if start is None else 3 - start.turn if exchanged else start.turn
        self.swap = swap and start is None
        self.names = names
        self.moves: list[Cell] = []  # includes SWAP; passes are not recorded
        self.positions = [start or game.start(starts)]  # at the start and after each move, without forced passes
        self.resigned: Player | None = None  # the player who resigned, ran out of time or left
        self.forfeit = Termination.RESIGNED  # how that player lost
        self.tags: dict[str, str] = {}  # a record's tags for people, such as Event and Date
        self.comments: dict[int, str] = {}  # a record's comments, keyed by the number of moves before the comment

    @classmethod
    def from_text(cls, text: str, known: RuleBook | None = None, names: tuple[str, str] = ("", "")) -> Self:
        """Return a game that continues from a position given as text.

        The new game does not include the moves that led to the position, with one exception: the first move is included
        if the other player may still swap. If the game is not registered, pass its rule book as `known`.
        """
        from gridlock.core.snapshot import PENDING, SWAPPED, read_position

        variant, position, swap = read_position(text, known)
        if swap != PENDING:
            return cls(variant, start=position, exchanged=swap == SWAPPED, names=names)
        game = cls(variant, starts=position.turn, swap=True, names=names)
        if game.position == position:
            return game
        game = cls(variant, starts=3 - position.turn, swap=True, names=names)
        first = position.their_head
        if first is not None and game.legal >> first & 1:
            game.push(first)
        if game.positions[-1] != position:
            raise BadPosition("A swap is possible only right after the first move, not in this position.")
        return game

    def position_text(self) -> str:
        """Return the position as one line of text for from_text()."""
        from gridlock.core.snapshot import NOTHING, PENDING, SWAPPED, position_text

        swap = PENDING if self.swap and len(self.moves) < 2 else SWAPPED if self.swapped else NOTHING
        return position_text(self.variant, self.positions[-1], swap)

    def position_word(self) -> str:
        """Return the position as one word, for programs that split text at spaces; from_text() also reads this form."""
        from gridlock.core.snapshot import JOINT

        return self.position_text().replace(" ", JOINT)

    # -- whose turn it is -------------------------------------------------------------------------------------

    @property
    def passing(self) -> bool:
        """Whether the side to move must pass: it can neither move nor swap, and the other side can still move."""
        return self.variant.must_pass(self.positions[-1]) and not self.can_swap

    @property
    def position(self) -> Position:
        """The position from which the next move is made, after any forced pass."""
        position = self.positions[-1]
        return position.passed() if self.variant.must_pass(position) and not self.can_swap else position

    @property
    def swapped(self) -> bool:
        """Whether the players have exchanged sides."""
        return self.exchanged or SWAP in self.moves[1:2]

    def player(self, side: Side) -> Player:
        """Return the player who is playing a given side."""
        return 3 - side if self.swapped else side

    side = player  # the exchange works both ways

    def player_name(self, player: Player) -> str:
        """Return a player's name, or the default name if the player has none."""
        return self.names[player - 1] or self.variant.book.players[player - 1]

    def mark_of(self, player: Player) -> str:
        """Return the mark of a player's current side."""
        return self.variant.book.mark(self.side(player))

    @property
    def turn(self) -> Player:
        """The player whose turn it is."""
        return self.player(self.position.turn)

    @property
    def legal(self) -> Bitboard:
        """The cells that may be played now."""
        if self.resigned:
            return 0
        # Passes are rare, so the position without a pass is tried first.
        return self.variant.legal(self.positions[-1]) or self.variant.legal(self.position)

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may swap, which means taking over the other side; even a stuck player may swap."""
        return self.swap and len(self.moves) == 1 and not self.resigned

    @property
    def swap_ahead(self) -> bool:
        """Whether the swap rule applies and the first move has not been made yet."""
        return self.swap and not self.moves

    @property
    def outcome(self) -> Outcome | None:
        """The winner and how the game ended, or None while it is in progress."""
        if self.resigned:
            return Outcome(3 - self.resigned, self.forfeit)
        position = self.positions[-1]
        if self.variant.legal(position) or self.can_swap or self.variant.must_pass(position):
            return None
        return Outcome(self.player(3 - position.turn), Termination.STUCK)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def winner(self) -> Player | None:
        """The player who won, or None while the game is in progress."""
        outcome = self.outcome
        return outcome.winner if outcome else None

    # -- moves ------------------------------------------------------------------------------------------------

    def cell(self, move: AnyMove) -> Cell:
        """Return the cell that a move refers to (or SWAP for a swap), even if the move is illegal.

        The move may have any form that push() accepts.
        """
        cell = self._read(move)
        if cell is None:
            raise self._refused(move, "the cell is outside the grid")
        return cell

    def push(self, move: AnyMove | None) -> None:
        """Make a move for the player whose turn it is.

        A move may be a string, as people type it ("3,3", "swap" or, in games where pawns move by one step, "right"), a
        row and a column, a cell number, or SWAP. None means a cell outside the grid.
        """
        before = self.positions[-1]
        if type(move) is not int or move < 0 or self.resigned or not self.variant.legal(before) >> move & 1:
            self._push(move)  # another form of a move, a swap, a move after a pass, or an illegal one
            return
        self.moves.append(move)
        self.positions.append(before.after(move))

    def _push(self, move: AnyMove | None) -> None:
        """Make a move given in any form; for speed, push() itself handles only the most frequent case."""
        cell = move if move is None or type(move) is int else self._read(move)
        position = self.position
        if (why := self._why_not(cell, position)) or cell is None:
            raise self._refused(move, why)
        self.positions.append(self.positions[-1] if cell == SWAP else position.after(cell))
        self.moves.append(cell)

    def _read(self, move: AnyMove) -> Cell | None:
        try:
            return read_any(move, self.variant, self.position)
        except UnreadableMove as error:
            raise UnreadableMove(f"{_quoted(move)} cannot be read: {error}.", str(error)) from None

    def _why_not(self, cell: Cell | None, position: Position) -> str:
        """Return the reason why a move (a cell or SWAP) is illegal now, or an empty string if the move is legal."""
        if cell == SWAP:
            if self.can_swap or self.outcome:
                return "" if self.can_swap else "the game is over"
            return "a swap is possible only right after the first move" if self.swap else "this game has no swap rule"
        refusal = self.variant.refusal(position, cell)
        if (refusal or self.resigned) and self.outcome:  # a legal cell means that the game is not over
            return "the game is over"
        return f"the cell is {refusal.words}" if refusal else ""

    def _refused(self, move: object, why: str) -> IllegalMove:
        if type(move) is int:
            named = "A swap" if move == SWAP else f"Cell {move} ({self.variant.name(move)})"
        else:
            named = _quoted(move)
        return IllegalMove(f"{named} is not possible: {why}.", why)

    def resign(self, player: Player, how: Termination = Termination.RESIGNED) -> None:
        """Record that a player has lost by resigning, running out of time or leaving."""
        if player not in (1, 2):
            raise GridLockError(f"Only player 1 or 2 can resign, not {player!r}.")
        if self.outcome:
            raise IllegalMove(f"Player {player} cannot resign: the game is over.", "the game is over")
        self.resigned, self.forfeit = int(player), how

    def pop(self) -> Move | None:
        """Undo the last move and return its row and column (SWAP for a swap, None for a resignation)."""
        last = self.peek()
        if self.resigned:
            self.resigned = None
        else:
            self.comments.pop(len(self.moves), None)
            self.positions.pop()
            self.moves.pop()
        return last

    def peek(self) -> Move | None:
        """Return the move that pop() would undo."""
        if self.resigned:
            return None
        if not self.moves:
            raise IllegalMove("There is nothing to undo.", "there is nothing to undo")
        return place_of(self.variant, self.moves[-1])

    @property
    def legal_moves(self) -> Moves:
        """The legal moves as rows and columns, in row order; `can_swap` says whether a swap is also possible."""
        return Moves(self.variant, self.position, self.legal)

    @property
    def played(self) -> list[Move]:
        """The moves made so far, each as a row and a column or as SWAP."""
        return [place_of(self.variant, move) for move in self.moves]

    def why_not(self, move: AnyMove) -> str:
        """Return a sentence that says why a move is not possible, or an empty string if the move is possible."""
        why = self._why_not(self._read(move), self.position)
        return f"{why[0].upper()}{why[1:]}." if why else ""

    def __len__(self) -> int:
        return len(self.moves)

    def __bool__(self) -> bool:
        return True  # even before the first move, when the length is 0

    def undo_turn(self, *players: Player) -> int:
        """Undo moves until it is again the turn of one of the given players; return how many moves were undone.

        By default, go back to the previous turn of the player to move.
        """
        trial = self.copy()
        while trial.moves or trial.resigned:
            trial.pop()
            if trial.turn in (players or (self.turn,)):
                count = len(self.moves) - len(trial.moves)  # 0 if a resignation was undone
                self.__dict__.update(trial.__dict__)
                return count
        raise IllegalMove("You have no earlier turn to go back to.", "you have no earlier turn to go back to")

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)  # copy.copy takes four times as long, and agents get a copy for every move
        twin.moves, twin.positions = self.moves[:], self.positions[:]
        twin.tags, twin.comments = dict(self.tags), dict(self.comments)
        return twin

    def at(self, ply: int) -> Self:
        """Return a copy of the game as it stood after `ply` moves."""
        twin = self.copy()
        if ply < len(self.moves):
            del twin.moves[ply:], twin.positions[ply + 1 :]
            twin.comments = {number: text for number, text in self.comments.items() if number <= ply}
            twin.resigned = None
        return twin

    @property
    def last_cell(self) -> Cell | None:
        """The cell taken last, even if a swap came after it."""
        return next((move for move in reversed(self.moves) if move != SWAP), None)

    def history(self) -> Iterator[Event]:
        """Yield every event of the game, including passes."""
        passes, must_pass = self.variant.book.passes, self.variant.must_pass
        now = (0, self.player(1), self.player(2))  # the player of each side
        first = now if self.exchanged else (0, 1, 2)  # before a swap
        for ply, (move, before) in enumerate(zip(self.moves, self.positions, strict=False), 1):
            side, players = before.turn, now if ply > 2 else first
            if move == SWAP:
                yield Event(ply, players[side], side, None, swap=True)
                continue
            if passes and must_pass(before):
                yield Event(ply - 1, players[side], side, None)
                side = 3 - side
            yield Event(ply, players[side], side, move)
        if not self.resigned and self.passing:
            side = self.positions[-1].turn
            yield Event(len(self.moves), self.player(side), side, None)

    def __eq__(self, other: object) -> bool:
        """Return whether two games have the same rules, board, starting position and moves.

        Two equal games also agree on the swap rule, on whether the players swapped, and on any resignation.
        """
        if not isinstance(other, Game):
            return NotImplemented
        return self._facts() == other._facts()

    def _facts(self) -> tuple[object, ...]:
        forfeit = self.forfeit if self.resigned else None
        return self.variant, self.positions[0], self.moves, self.swap, self.exchanged, self.resigned, forfeit

    # -- pictures ---------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from gridlock.drawing.text import plain_board

        return plain_board(self.variant, self.position)

    def __repr__(self) -> str:
        book, grid = self.variant.book, self.variant.grid
        state = f"player {self.winner} won" if self.outcome else f"{book.marks[self.position.turn - 1]} to move"
        return f"<Game {book.name} {grid} {grid.adjacency}, {len(self.moves)} moves, {state}>"

    def svg(self, title: str = "") -> str:
        """Return the board as an SVG picture."""
        from gridlock.drawing.svg import board_svg

        title = title or f"{self.variant.book.title} on {self.variant.grid} after {len(self.moves)} moves"
        legal = 0 if self.outcome else self.legal
        return board_svg(self.variant, self.position, title=title, last=self.last_cell, legal=legal)

    _repr_svg_ = svg  # the picture that a notebook shows

    # -- questions --------------------------------------------------------------------------------------------

    def analyse(self, seconds: float | None = None, distances: bool = True) -> Answer:
        """Work out who wins, which moves win, and why; `seconds` limits the time.

        Distances (moves until the loser is stuck) are computed last; pass `distances=False` if they take too long.
        """
        from gridlock.engine.answers import analyse

        return analyse(self, seconds, distances)

    def regions(self, seconds: float | None = 1.0, whole: bool = False) -> Regions:
        """Return the independent regions of the position with their values; `seconds` limits the time.

        Positive values are good for side 1, whoever is to move. If `whole` is true, the result also includes the sum of
        the regions' values.
        """
        from gridlock.engine.answers import regions

        return regions(self, seconds, whole)

    def review(self, seconds: float = 1.0) -> list[Step]:
        """Return who was winning before and after each move, and which moves would have won.

        `seconds` is the time limit for each move.
        """
        from gridlock.engine.answers import review

        return review(self, seconds)


def _quoted(move: object) -> str:
    """Return a move as the caller gave it, truncated if it is very long."""
    return text if len(text := repr(move)) <= 60 else f"{text[:60]}..."
