"""One played game: its moves so far, whose turn it is, and how it ended."""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, Self

from gridlock.core.errors import IllegalMove
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant

Player = int  # 1 or 2: a person or program; after a swap it plays the other side
SWAP = -1  # stands among the moves where the second player took over the first one's side

LONGEST_NAME = 32
_UNSEEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursor movements
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"  # blanks
)
_JOINER = "\u200d"  # makes one picture of several
_SKIN = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # colours of the picture before them


class Termination(StrEnum):
    """How a game can end."""

    STUCK = "stuck"
    RESIGNED = "resigned"
    TIME = "time"
    LEFT = "left"

    @property
    def does(self) -> str:
        """What the loser does at such an end, as it happens."""
        return _TOLD[self][0]

    @property
    def did(self) -> str:
        """What the loser did, told afterwards."""
        return _TOLD[self][1]


_TOLD = {
    Termination.STUCK: ("has no cell to play", "had no cell to play"),
    Termination.RESIGNED: ("resigns", "resigned"),
    Termination.TIME: ("runs out of time", "ran out of time"),
    Termination.LEFT: ("leaves", "left"),
}


class Outcome(NamedTuple):
    """Who won, and how."""

    winner: Player
    termination: Termination


class Event(NamedTuple):
    """One line of a game's history: a player took a cell, swapped, or (with neither) passed."""

    ply: int  # the number of moves made once it has happened, from 1; a pass has that of the move before it
    player: Player
    side: Side  # whose markers the player had when it happened
    cell: Cell | None
    swap: bool = False


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name fit to be shown: one short line, no control, escape, invisible or direction-changing characters."""
    if not name:
        return ""
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", name[: 10 * longest]))
    joins = (_joins(name[at - 1 : at], name[at : at + 1], name[at + 1 : at + 2]) for at in range(len(name)))
    shown = zip(name, joins, strict=True)
    visible = "".join(char if join or unicodedata.category(char)[0] not in "CZ" else " " for char, join in shown)
    return " ".join(visible.split())[:longest].strip().rstrip(_JOINER)


def _joins(before: str, char: str, after: str) -> bool:
    """Whether a character joins the pictures on both sides of it; anywhere else it would only be invisible."""
    return char == _JOINER and all(
        one and (one in _SKIN or unicodedata.category(one) == "So") for one in (before, after)
    )


class Game:
    """A game in progress or finished. Positions are kept, so taking moves back costs nothing."""

    def __init__(
        self,
        variant: Variant,
        *,
        starts: Player = 1,
        swap: bool = False,
        names: tuple[str, str] = ("", ""),
        start: Position | None = None,
        exchanged: bool = False,
    ) -> None:
        """A game from the beginning, or from any other position, perhaps with sides exchanged before it."""
        self.variant = variant
        self.set_up = start is not None  # begun from a position of its own
        self.exchanged = exchanged  # players had exchanged sides before the first move
        self.starts = starts if start is None else 3 - start.turn if exchanged else start.turn
        self.swap = swap and start is None
        self.names = tuple(map(clean_name, names))
        self.moves: list[Cell] = []  # those made, SWAP among them; passes are not written down
        self.positions = [variant.start(starts) if start is None else start]  # one more than moves; passes not yet made
        self.resigned: Player | None = None  # who gave the game up, or lost it otherwise than on the board
        self.forfeit = Termination.RESIGNED  # how they did
        self.tags: dict[str, str] = {}  # what a record says for people, such as Event and Date
        self.comments: dict[int, str] = {}  # what a record says about the game so far, after so many moves

    # -- whose turn it is -------------------------------------------------------------------------------------

    @property
    def passing(self) -> bool:
        """Whether the side to move can only pass, not even swap; the other side then moves at once."""
        return self.variant.must_pass(self.positions[-1]) and not self.can_swap

    @property
    def position(self) -> Position:
        """The position that the next move is made from, an enforced pass already behind it."""
        position = self.positions[-1]
        return position.passed() if self.variant.must_pass(position) and not self.can_swap else position

    @property
    def swapped(self) -> bool:
        """Whether the players have exchanged sides."""
        return self.exchanged or SWAP in self.moves[1:2]

    def player(self, side: Side) -> Player:
        """Who plays a side."""
        return 3 - side if self.swapped else side

    side = player  # the exchange works both ways

    def player_name(self, player: Player) -> str:
        """What a player is called."""
        return self.names[player - 1] or self.variant.book.players[player - 1]

    def mark_of(self, player: Player) -> str:
        """The mark of the side that a player has now."""
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
        return self.variant.legal(self.positions[-1]) or self.variant.legal(
            self.position
        )  # most often there is no pass

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may take over the other side instead (even when stuck)."""
        return self.swap and len(self.moves) == 1 and not self.resigned

    @property
    def swap_ahead(self) -> bool:
        """Whether the first move is still to come and the other player may take it over."""
        return self.swap and not self.moves

    @property
    def outcome(self) -> Outcome | None:
        """Who won and how, or None while the game goes on."""
        if self.resigned:
            return Outcome(3 - self.resigned, self.forfeit)
        position = self.positions[-1]
        if self.variant.legal(position) or self.can_swap or self.variant.must_pass(position):
            return None
        return Outcome(self.player(3 - position.turn), Termination.STUCK)

    # -- what a player can do ---------------------------------------------------------------------------------

    def push(self, move: Cell | None) -> None:
        """Make a move for the player whose turn it is: take a cell, or SWAP (None stands for any cell outside)."""
        if move == SWAP:
            self._swap()
            return
        position = self.positions[-1]
        if move is None or move < 0 or self.resigned or not self.variant.legal(position) >> move & 1:
            position = self.position  # there may be a pass to make, and if not, a refusal to explain
            refusal = self.variant.refusal(position, move)
            if refusal or move is None or self.resigned:
                self._must_go_on()  # asked only now, since a cell that is not refused shows that the game goes on
                raise IllegalMove(f"the cell is {refusal.words}" if refusal else "no cell")
        self.moves.append(move)
        self.positions.append(position.after(move))

    def _swap(self) -> None:
        """The second player takes the first one's side and marker; the first player moves next."""
        self._must_go_on()
        if not self.can_swap:
            raise IllegalMove(
                "a swap is possible only right after the first move" if self.swap else "this game is without swap"
            )
        self.moves.append(SWAP)
        self.positions.append(self.positions[-1])

    def resign(self, player: Player, how: Termination = Termination.RESIGNED) -> None:
        """Give the game up, or lose it by running out of time or leaving."""
        self._must_go_on()
        self.resigned, self.forfeit = player, how

    def pop(self) -> Cell | None:
        """Take back the last move and return it (SWAP for a swap, None for a resignation)."""
        if self.resigned:
            self.resigned = None
            return None
        if not self.moves:
            raise IllegalMove("there is nothing to take back")
        self.comments.pop(len(self.moves), None)
        self.positions.pop()
        return self.moves.pop()

    def undo_turn(self, *players: Player) -> int:
        """Take back to the last turn of these players (otherwise the one to move), and say how many moves that was."""
        trial = self.copy()
        while trial.moves or trial.resigned:
            trial.pop()
            if trial.turn in (players or (self.turn,)):
                count = len(self.moves) - len(trial.moves)  # none, if it was a resignation that was taken back
                self.moves, self.positions, self.resigned = trial.moves, trial.positions, trial.resigned
                self.comments = trial.comments
                return count
        raise IllegalMove("you have no earlier turn to go back to")

    def _must_go_on(self) -> None:
        if self.outcome:
            raise IllegalMove("the game is over")

    def copy(self) -> Self:
        """Another game with the same moves, to try something on."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)  # copy.copy takes four times as long, and agents get a copy for every move
        twin.moves, twin.positions = self.moves[:], self.positions[:]
        twin.tags, twin.comments = dict(self.tags), dict(self.comments)
        return twin

    def at(self, ply: int) -> Self:
        """The game as it stood after so many moves."""
        twin = self.copy()
        if ply < len(self.moves):
            del twin.moves[ply:], twin.positions[ply + 1 :]
            twin.comments = {number: text for number, text in self.comments.items() if number <= ply}
            twin.resigned = None
        return twin

    @property
    def last_cell(self) -> Cell | None:
        """The cell taken last, whether or not a swap came after it."""
        return next((move for move in reversed(self.moves) if move != SWAP), None)

    def history(self) -> Iterator[Event]:
        """Everything that happened, passes included."""
        passes, must_pass = self.variant.book.passes, self.variant.must_pass
        now = (0, self.player(1), self.player(2))  # who has which side
        first = now if self.exchanged else (0, 1, 2)  # until a swap, players have their own
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
