"""A match in progress, whatever the screen: every change is on disk before anybody sees it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Self

from gridlock.core.errors import IllegalMove
from gridlock.core.game import SWAP, Event, Game, Player
from gridlock.core.grid import Cell
from gridlock.core.match import Match
from gridlock.core.rulebook import Refusal
from gridlock.play.match_text import count_of_moves
from gridlock.play.undo import UndoStack
from gridlock.play.words import voice
from gridlock.players import agents
from gridlock.userdata.autosave import Autosave, Listener
from gridlock.userdata.saves import Slot, new_name


def choose_move(game: Game, kind: str, seed: str | None, think: float) -> Cell:
    """Return the move of an agent by its name; chance follows from the seed alone, if there is one."""
    from random import Random

    with closing(agents.start(kind)) as player:
        return player.choose(game, Random(seed), think)


class LiveMatch:
    """A match, its place on disk, and the moves that were undone.

    Whatever changes the match is saved before the method returns, so a surface announces it afterwards.
    """

    def __init__(self, match: Match, slot: Slot, listener: Listener | None = None, batched: bool = False) -> None:
        """Without a listener, what could not be saved is in `autosave.warning`; see Autosave for `batched`."""
        self.match, self.slot = match, slot
        self.voice = voice(match.variant)
        self.autosave = Autosave(match, slot, listener, batched)
        self._undone = UndoStack()
        self._again = listener, batched

    # -- who is to move --------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The round that is played, or was played last."""
        return self.match.games[-1]

    @property
    def watched(self) -> bool:
        """Whether two programs play."""
        return "human" not in self.match.kinds

    @property
    def person(self) -> Player:
        """The person against a program, or the first of two."""
        return self.match.kinds.index("human") + 1

    @property
    def kind(self) -> str:
        """Who moves next: `human`, or an agent by name."""
        return self.match.kinds[self.game.turn - 1]

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self.game.outcome is None and self.kind == "human"

    @property
    def programs_turn(self) -> bool:
        """Whether a program is to move."""
        return self.game.outcome is None and self.kind != "human"

    @property
    def turn_of_program(self) -> tuple[Game, str, str, float]:
        """What `choose_move` needs for the program to move.

        Its chance follows from the seed and the turn alone, so that a resumed match continues as it would have.
        """
        seed = f"{self.match.seed}/{len(self.match.games)}/{len(self.game.moves)}"
        return self.game.copy(), self.kind, seed, self.match.think

    # -- moves -----------------------------------------------------------------------------------------------------

    def refusal(self, cell: Cell | None) -> Refusal | None:
        """Return why the player to move may not take a cell, if so."""
        return self.game.variant.refusal(self.game.position, cell)

    def push(self, move: Cell | None) -> Event:
        """Make a move, perhaps SWAP, and return what happened."""
        game = self.game
        player, side = game.turn, game.position.turn
        game.push(move)
        self._undone.clear()
        self.autosave.changed()
        return Event(len(game.moves), player, side, None if move == SWAP else move, swap=move == SWAP)

    def announcement(self, event: Event) -> list[str]:
        """Return what is said once a player has moved or swapped."""
        return self.voice.happened(self.game, event, self.match.kinds[event.player - 1] != "human")

    # -- what else a player can do: each says in a sentence what was done, or raises one that says why not -------------

    def swap(self) -> str:
        """Take over the other side."""
        with _refused("No swap"):
            event = self.push(SWAP)
        return " ".join(self.announcement(event))

    @property
    def can_undo(self) -> bool:
        """Whether a person could undo anything."""
        return not self.watched and bool(self.game.moves or self.game.resigned)

    @property
    def can_redo(self) -> bool:
        """Whether anything was undone that could be played again."""
        return bool(self._undone) and self.game.outcome is None

    def undo(self) -> str:
        """Undo to the latest turn of a person."""
        with _refused("Nothing taken back"):
            count = self._undone.undo(self.game, self.match.kinds)
        self.autosave.changed()
        return f"Took back {count_of_moves(count) if count else 'the resignation'}."

    def redo(self) -> str:
        """Play again what was undone last."""
        with _refused("Nothing to make again"):
            count = self._undone.redo(self.game)
        self.autosave.changed()
        return f"Made {count_of_moves(count)} again."

    def exchange(self) -> str:
        """Exchange sides with the computer in the middle of a game."""
        self.match.exchange()
        self._undone.clear()
        self.autosave.changed()
        return f"You play {self.game.mark_of(self.person)} now."

    def resign(self) -> None:
        """Resign for the person to move or, while a program thinks, for the person against it."""
        self.game.resign(self.game.turn if self.persons_turn else self.person)
        self.autosave.changed()

    # -- rounds, and the end ---------------------------------------------------------------------------------------

    def start_round(self) -> Game:
        """Start the next round, or continue the one that was begun."""
        game = self.match.current()
        self._undone.clear()
        self.autosave.changed()
        return game

    def again(self, exchanged: bool) -> Self:
        """Leave this match and return another with the same settings, perhaps with sides exchanged."""
        self.leave()
        return type(self)(self.match.again(exchanged), Slot(new_name()), *self._again)

    def leave(self) -> str:
        """Save everything, let other processes have the match, and say what becomes of it."""
        self.autosave.finish()
        self.slot.release()
        return self.autosave.how_to_resume()


@contextmanager
def _refused(words: str) -> Iterator[None]:
    """Make a sentence of the reason why something is not possible."""
    try:
        yield
    except IllegalMove as error:
        raise IllegalMove(f"{words}: {error.why}.") from None
