"""The options for a new match, and the match in progress; each change is saved before it is shown."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Self

from gridlock.core.errors import IllegalMove
from gridlock.core.game import SWAP, Event, Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.match import Match
from gridlock.core.rulebook import Refusal, RuleBook
from gridlock.play.clocks import Clocks
from gridlock.play.match_text import count_of_moves
from gridlock.play.words import voice
from gridlock.players import agents
from gridlock.players.pool import pool
from gridlock.userdata.autosave import Autosave, Listener
from gridlock.userdata.saves import Entry, Slot, entries, new_name

FRIEND = "a friend at this keyboard"
CHANCE = "random"
SEARCHED = 50  # how many of the latest saved games to search for unfinished games to offer


def choose_move(game: Game, kind: str, seed: str | None, think: float) -> Cell:
    """Return the named agent's move; if `seed` is given, the agent's random choices are reproducible.

    A program stays open for the next move; a worker closes a program that has not been used for a while.
    """
    return pool.choose(agents.entry(kind), game, random.Random(seed), think)


class LiveMatch:
    """A match, its file, and the moves that were undone.

    Every method that changes the match saves it before returning, so an interface announces only saved changes.
    """

    def __init__(self, match: Match, slot: Slot, listener: Listener | None = None, batched: bool = False) -> None:
        """Set up a live match; without a listener, warnings about failed saves appear only in `autosave.warning`."""
        self.match, self.slot = match, slot
        self.voice = voice(match.variant)
        self.clocks = Clocks(match)
        self.autosave = Autosave(match, slot, listener, batched)
        self._undone: list[list[Cell]] = []  # the moves each undo removed, which can be redone until the next move
        self._options = listener, batched

    # -- players and turns -----------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game of the current round, or of the last round played."""
        return self.match.games[-1]

    @property
    def watched(self) -> bool:
        """Whether both players are programs."""
        return "human" not in self.match.kinds

    @property
    def person(self) -> Player:
        """The person who plays against a program, or the first of two people."""
        return self.match.kinds.index("human") + 1

    @property
    def kind(self) -> str:
        """The player to move: `human`, or the name of an agent."""
        return self.match.kinds[self.game.turn - 1]

    @property
    def persons_turn(self) -> bool:
        """Whether it is a person's turn."""
        return self.game.outcome is None and self.kind == "human"

    @property
    def programs_turn(self) -> bool:
        """Whether it is a program's turn."""
        return self.game.outcome is None and self.kind != "human"

    @property
    def turn_of_program(self) -> tuple[Game, str, str, float]:
        """The arguments to `choose_move` for the program whose turn it is.

        The program's random choices depend only on the seed and the turn, so resuming a match does not change its
        moves.
        """
        seed = f"{self.match.seed}/{len(self.match.games)}/{len(self.game.moves)}"
        return self.game.copy(), self.kind, seed, self.clocks.limit(self.game.turn, self.match.think)

    # -- moves -----------------------------------------------------------------------------------------------------

    def refusal(self, cell: Cell | None) -> Refusal | None:
        """Return why the player to move may not take a cell, or None if they may."""
        return self.game.variant.refusal(self.game.position, cell)

    def push(self, move: Cell | None) -> Event:
        """Make a move, which may be SWAP, and return its event."""
        game = self.game
        player, side = game.turn, game.position.turn
        game.push(move)
        self.clocks.moved(player)
        self._undone.clear()
        self.autosave.changed()
        return Event(len(game.moves), player, side, None if move == SWAP else move, swap=move == SWAP)

    def announcement(self, event: Event) -> list[str]:
        """Return the lines that announce a move or a swap."""
        return self.voice.announcement(self.game, event, self.match.kinds[event.player - 1] != "human")

    # -- other actions: each returns a sentence about what was done, or raises IllegalMove with the reason ------------

    def swap(self) -> str:
        """Swap: take over the other side."""
        with _explain("No swap"):
            event = self.push(SWAP)
        return " ".join(self.announcement(event))

    @property
    def can_undo(self) -> bool:
        """Whether there is anything that a person can undo."""
        return not self.watched and bool(self.game.moves or self.game.resigned) and not self._time_is_up

    @property
    def can_redo(self) -> bool:
        """Whether there are undone moves to redo."""
        return bool(self._undone) and self.game.outcome is None

    @property
    def _time_is_up(self) -> bool:
        """Whether a player has lost on time, after which nothing can be undone."""
        return self.game.resigned is not None and self.game.forfeit is Termination.TIME

    def undo(self) -> str:
        """Go back to a person's latest turn by undoing moves; a resignation can be undone, but not redone."""
        game, before = self.game, list(self.game.moves)
        with _explain("Nothing to undo"):
            if self._time_is_up:
                raise IllegalMove("the time is up")
            if not before and not game.resigned:
                raise IllegalMove("no move has been made yet")
            count = game.undo_turn(*(player for player in (1, 2) if self.match.kinds[player - 1] == "human"))
        if count:
            self._undone.append(before[-count:])
        self.autosave.changed()
        return f"Undid {count_of_moves(count) if count else 'the resignation'}."

    def redo(self) -> str:
        """Redo the most recently undone moves."""
        with _explain("Nothing to redo"):
            if not self._undone:
                raise IllegalMove("nothing was undone just now")
            moves = self._undone.pop()
            for move in moves:
                self.game.push(move)
        self.autosave.changed()
        return f"Redid {count_of_moves(len(moves))}."

    def exchange(self) -> str:
        """Exchange sides with the computer in the middle of a game."""
        self.match.exchange()
        self._undone.clear()
        self.autosave.changed()
        return f"You now play {self.game.mark_of(self.person)}."

    def count_hint(self) -> None:
        """Count a hint; the player's results show the number of hints."""
        self.match.count_hint()
        self.autosave.changed()

    def resign(self) -> None:
        """Resign for the person whose turn it is or, while a program is thinking, for the program's opponent."""
        self.game.resign(self.game.turn if self.persons_turn else self.person)
        self.autosave.changed()

    def run_clock(self) -> bool:
        """Update the clock of the player to move; return whether the player has lost on time."""
        ended = self.clocks.run()
        if ended:
            self._undone.clear()
            self.autosave.changed()
        return ended

    # -- rounds and the end of a match -----------------------------------------------------------------------------

    def start_round(self) -> Game:
        """Start the next round, or continue the current one."""
        game = self.match.current()
        self._undone.clear()
        self.autosave.changed()
        return game

    def again(self, exchanged: bool) -> Self:
        """Leave this match and return a new match with the same settings.

        If `exchanged` is true, the players change sides.
        """
        self.leave()
        return type(self)(self.match.again(exchanged), Slot(new_name()), *self._options)

    def leave(self) -> str:
        """Save everything, unlock the match for other processes, and return a message for the player."""
        self.autosave.finish()
        self.slot.release()
        return self.autosave.how_to_resume()


@contextmanager
def _explain(words: str) -> Iterator[None]:
    """Turn the reason why a move is illegal into a sentence that begins with the given words."""
    try:
        yield
    except IllegalMove as error:
        raise IllegalMove(f"{words}: {error.why}.") from None


# -- before a match: unfinished games to resume, sides, and the players' names -----------------------------------------


def unfinished(most: int) -> list[Entry]:
    """Return up to `most` unfinished games that have begun, newest first."""
    found = (
        entry
        for entry in islice(entries(), SEARCHED)
        if entry.saved and entry.saved.match.begun and not entry.saved.match.finished
    )
    return list(islice(found, most))


def resume(entry: Entry) -> tuple[Match, Slot]:
    """Lock the file of a saved match, and return the match and the locked file.

    Raise NoAgent if a player in the match is not installed, GameIsOpen if another process has the match open, or
    BadRecord if the file cannot be read.
    """
    agents.require(entry.saved.match.kinds if entry.saved else ())
    slot = Slot(entry.name)
    return slot.load(), slot  # read the file again, now that no other window can change it


def ago(changed: float) -> str:
    """Return a phrase, such as `2 days ago`, that says how long ago something changed."""
    minutes = max(0, int(time.time() - changed)) // 60
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{minutes // size} {unit}{'s' * (minutes // size > 1)} ago"
    return "just now"


def side_choices(book: RuleBook, kind: str) -> dict[str, tuple[int, int]]:
    """Return the options for choosing a side, keyed by label.

    An option is a pair: the user's player number, and the number of the player who starts.
    """
    first, second = book.marks
    if kind == "human":
        return {f"{book.players[0]} ({first}) starts": (1, 1), f"{book.players[1]} ({second}) starts": (1, 2)}
    return {
        f"you play {first} and start": (1, 1),
        f"you play {first}, the computer starts": (1, 2),
        f"you play {second}, the computer starts": (2, 1),
        f"you play {second} and start": (2, 2),
    }


def seats(book: RuleBook, kind: str, choice: str) -> tuple[tuple[str, str], int]:
    """Return the kinds of both players, and who starts, for one of the side choices or CHANCE."""
    choices = side_choices(book, kind)
    player, starts = random.choice(list(choices.values())) if choice == CHANCE else choices[choice]
    return (("human", kind) if player == 1 else (kind, "human")), starts


def with_name(names: tuple[str, str], kinds: tuple[str, str], own: str) -> tuple[str, str]:
    """Return the players' names; if the first human player's name is empty, use the value of `own` instead."""
    if "human" not in kinds:
        return names
    first, second = names
    return (first or own, second) if kinds[0] == "human" else (first, second or own)
