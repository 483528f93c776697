"""A match on the full screen, free of any screen: what can be done in it, kept on disk move by move."""

from gridlock.core.game import SWAP, Game, Player
from gridlock.core.grid import Cell
from gridlock.core.match import Match
from gridlock.core.rulebook import Refusal
from gridlock.play.undo import Takeback
from gridlock.userdata.autosave import Keeper
from gridlock.userdata.saves import Slot


class Listener:
    """Collects what the keeper has to say until the screen shows it."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, line: str) -> None:
        """Something could not be saved."""
        self.warnings.append(line)

    def hold(self, held: bool) -> None:
        """Nothing is ever held back here: each move is on disk before it is drawn."""

    def let_go(self) -> None:
        """Nothing was held back."""


class Table:
    """A match, its place on disk, and what was taken back."""

    def __init__(self, match: Match, slot: Slot) -> None:
        self.match, self.slot = match, slot
        self.listener = Listener()
        self.keeper = Keeper(match, slot, self.listener, together=False)
        self.takeback = Takeback()
        self.game = match.current() if not match.finished else match.games[-1]
        self.keeper.moved()

    @property
    def watched(self) -> bool:
        """Whether two programs play."""
        return "human" not in self.match.kinds

    @property
    def person(self) -> Player:
        """The person against a program, or the first of two."""
        return self.match.kinds.index("human") + 1

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self.game.outcome is None and self.match.kinds[self.game.turn - 1] == "human"

    @property
    def programs_turn(self) -> bool:
        """Whether a program is to move."""
        return self.game.outcome is None and not self.persons_turn

    @property
    def seed(self) -> str:
        """What the chance of the next move follows from: the same as at the prompt, so that either goes on alike."""
        return f"{self.match.seed}/{len(self.match.games)}/{len(self.game.moves)}"

    def play(self, cell: Cell | None) -> Refusal | None:
        """Take a cell, or say why not."""
        refusal = self.game.variant.refusal(self.game.position, cell)
        if refusal is None:
            self.push(cell)
        return refusal

    def push(self, move: Cell | None) -> None:
        """Make a move, a swap among them, and keep it."""
        self.game.push(move)
        self.takeback.forget()
        self.keeper.moved()

    def swap(self) -> None:
        """Take over the other side."""
        self.push(SWAP)

    def resign(self) -> None:
        """Give up, for the person to move or, while a program thinks, for the person against it."""
        self.game.resign(self.game.turn if self.persons_turn else self.person)
        self.keeper.moved()

    def exchange(self) -> None:
        """Change sides with the computer in the middle of a game."""
        self.match.exchange()
        self.takeback.forget()
        self.keeper.moved()

    def undo(self) -> int:
        """Take back to the latest turn of a person."""
        count = self.takeback.undo(self.game, self.match.kinds)
        self.keeper.moved()
        return count

    def redo(self) -> int:
        """Make again what was taken back."""
        count = self.takeback.redo(self.game)
        self.keeper.moved()
        return count

    def next_round(self) -> Game:
        """Begin the next round."""
        self.game = self.match.current()
        self.takeback.forget()
        self.keeper.moved()
        return self.game

    def leave(self) -> str:
        """Let others have the match, and say what becomes of it."""
        self.keeper.finish()
        self.slot.release()
        return self.keeper.how_to_go_on()
