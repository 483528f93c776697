"""One played game: its moves so far, whose turn it is, and how it ended."""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from gridlock.errors import IllegalMove
from gridlock.grid import Bitboard, Cell
from gridlock.position import Position, Side
from gridlock.rulebook import Variant

Player = int  # 1 or 2: a person or program; after a swap it plays the other side
SWAP = -1  # stands among the moves where the second player took over the first one's side

LONGEST_NAME = 32
_UNSEEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursor movements
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"  # blanks
)


class Termination(StrEnum):
    """How a game can end."""

    STUCK = "stuck"
    RESIGNED = "resigned"


class Outcome(NamedTuple):
    """Who won, and how."""

    winner: Player
    termination: Termination


class Event(NamedTuple):
    """One line of a game's history: a side took a cell, swapped, or (with neither) passed."""

    side: Side
    cell: Cell | None
    swap: bool = False


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name fit to be shown: one short line, no control, escape, invisible or direction-changing characters."""
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", name[: 10 * longest]))
    visible = "".join(char if unicodedata.category(char)[0] not in "CZ" else " " for char in name)
    return " ".join(visible.split())[:longest].strip()


class Game:
    """A game in progress or finished. Positions are kept, so taking moves back costs nothing."""

    def __init__(
        self,
        variant: Variant,
        *,
        starts: Player = 1,
        swap: bool = False,
        names: tuple[str, str] = ("", ""),
    ) -> None:
        self.variant = variant
        self.starts = starts
        self.swap = swap
        self.names = tuple(clean_name(name) for name in names)
        self.moves: list[Cell] = []
        self.positions = [variant.start(starts)]  # one more than there are moves; enforced passes not yet made
        self.resigned: Player | None = None

    # -- whose turn it is -------------------------------------------------------------------------------------

    @property
    def passing(self) -> bool:
        """Whether the side to move can only pass; the other side then moves at once."""
        return self.variant.must_pass(self.positions[-1])

    @property
    def position(self) -> Position:
        """The position that the next move is made from, an enforced pass already behind it."""
        position = self.positions[-1]
        return position.passed() if self.variant.must_pass(position) else position

    @property
    def swapped(self) -> bool:
        """Whether the players have exchanged sides."""
        return SWAP in self.moves[1:2]

    def player(self, side: Side) -> Player:
        """Who plays a side."""
        return 3 - side if self.swapped else side

    side = player  # the exchange works both ways

    def player_name(self, player: Player) -> str:
        """What a player is called."""
        return self.names[player - 1] or self.variant.book.players[player - 1]

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.player(self.position.turn)

    @property
    def legal(self) -> Bitboard:
        """The cells that may be played now."""
        return 0 if self.resigned else self.variant.legal(self.position)

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may take over the other side instead (even when stuck)."""
        return self.swap and len(self.moves) == 1 and not self.resigned

    @property
    def outcome(self) -> Outcome | None:
        """Who won and how, or None while the game goes on."""
        if self.resigned:
            return Outcome(3 - self.resigned, Termination.RESIGNED)
        winner = self.variant.winner(self.positions[-1])
        if winner is None or self.can_swap:
            return None
        return Outcome(self.player(winner), Termination.STUCK)

    # -- what a player can do ---------------------------------------------------------------------------------

    def play(self, cell: Cell | None) -> None:
        """Take a cell for the player to move."""
        position = self.position
        refusal = self.variant.refusal(position, cell)
        if refusal or cell is None or self.resigned:
            self._must_go_on()  # asked only now, since a cell that is not refused shows that the game goes on
            raise IllegalMove(f"the cell is {refusal.words}" if refusal else "no cell")
        self.moves.append(cell)
        self.positions.append(position.after(cell))

    def take_over(self) -> None:
        """Swap: the second player takes the first one's side and marker; the first player moves next."""
        self._must_go_on()
        if not self.can_swap:
            raise IllegalMove(
                "a swap is possible only right after the first move" if self.swap else "this game is without swap"
            )
        self.moves.append(SWAP)
        self.positions.append(self.positions[-1])

    def resign(self, player: Player) -> None:
        """Give the game up."""
        self._must_go_on()
        self.resigned = player

    def undo(self) -> None:
        """Take back the last move (or swap, or resignation)."""
        if self.resigned:
            self.resigned = None
            return
        if not self.moves:
            raise IllegalMove("there is nothing to take back")
        self.moves.pop()
        self.positions.pop()

    def undo_turn(self) -> int:
        """Take back to the last turn of the player to move, and say how many moves that was."""
        trial = self.copy()
        while trial.moves or trial.resigned:
            trial.undo()
            if trial.to_move == self.to_move:
                count = len(self.moves) - len(trial.moves)  # none, if it was a resignation that was taken back
                self.moves, self.positions, self.resigned = trial.moves, trial.positions, trial.resigned
                return count
        raise IllegalMove("you have no earlier turn to go back to")

    def _must_go_on(self) -> None:
        if self.outcome:
            raise IllegalMove("the game is over")

    def copy(self) -> "Game":
        """Another game with the same moves, to try something on."""
        twin = Game(self.variant, starts=self.starts, swap=self.swap, names=(self.names[0], self.names[1]))
        twin.moves, twin.positions, twin.resigned = self.moves[:], self.positions[:], self.resigned
        return twin

    def at(self, ply: int) -> "Game":
        """The game as it stood after so many moves."""
        twin = self.copy()
        if ply < len(self.moves):
            del twin.moves[ply:], twin.positions[ply + 1 :]
            twin.resigned = None
        return twin

    def history(self) -> Iterator[Event]:
        """Everything that happened, passes included."""
        for move, before in zip(self.moves, self.positions, strict=False):
            if move == SWAP:
                yield Event(before.turn, None, swap=True)
                continue
            side = before.turn
            if self.variant.must_pass(before):
                yield Event(side, None)
                side = 3 - side
            yield Event(side, move)
        if not self.resigned and self.passing:
            yield Event(self.positions[-1].turn, None)
