"""A person's turn at the prompt: a move, or one of the words that can be typed instead."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from gridlock.cli.line import announce
from gridlock.cli.line.screen import Screen
from gridlock.cli.options import did_you_mean
from gridlock.cli.records import write_record
from gridlock.cli.terminal import Terminal, visible
from gridlock.core.errors import IllegalMove, UnreadableMove
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.match import Match
from gridlock.core.notation import DIRECTIONS, read_move, read_number, read_turn, takes_steps
from gridlock.play.undo import Takeback

if TYPE_CHECKING:
    from gridlock.cli.line.advice import Adviser

ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
MOST_COMPLETED = 200  # moves among which Tab is of any help


class Quit(Exception):
    """The player wants to stop here."""


class Failed(Exception):
    """The computer could not do its part."""


@contextmanager
def blaming(words: str) -> Iterator[None]:
    """Tell whatever goes wrong in an agent or the engine in one sentence."""
    try:
        yield
    except Exception as error:  # an agent may be anybody's code
        raise Failed(f"{words} ({type(error).__name__}: {visible(str(error))}).") from error


class Prompt:
    """Asks the people of a match for their moves, and does what they type."""

    def __init__(self, match: Match, terminal: Terminal, screen: Screen, acted: Callable[..., None]) -> None:
        """`acted` is called with lines to say after everything that changes the game."""
        self.match = match
        self.terminal = terminal
        self.screen = screen
        self.voice = screen.voice
        self.acted = acted
        self._takeback = Takeback()
        self.commands: dict[str, Callable[[Game, str], bool]] = {
            "help": self._help,
            "board": self._board,
            "moves": self._moves,
            "hint": self._hint,
            "why": self._why,
            "values": self._values,
            "history": self._history,
            "rules": self._rules,
            "undo": self._undo,
            "redo": self._redo,
            "swap": self._swap,
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
        }

    def begin(self) -> None:
        """A new round: what was taken back in the last one is no longer there."""
        self._takeback.forget()

    def ask(self, game: Game) -> None:
        """Ask until something happens in the game."""
        self.screen.show(game, partial(self._intro, game))
        row: int | None = None
        while True:
            text = self.terminal.ask(self.voice.prompt(game, row), self._words(game)).strip()
            if not text and self.terminal.interactive:
                row = None
                self.screen.show(game, partial(self._intro, game))
                continue
            word, _, rest = " ".join(text.split(maxsplit=1)).partition(" ")
            if command := self.commands.get(ALIASES.get(text.lower(), word.lower())):
                if command(game, rest):
                    return
                continue
            number = text.removeprefix("-")
            if self.voice.row_then_column and number.isascii() and number.isdigit():
                if (
                    row is None
                    and self.match.variant.cell(read_number(text), self.match.variant.book.origin) is not None
                ):
                    row = read_number(text)
                    continue
                cell, row = (None if row is None else self.match.variant.cell(row, read_number(text))), None
            else:
                try:
                    cell = read_turn(text, game.variant, game.position)
                except UnreadableMove as error:
                    meant = did_you_mean(word, self.commands, 0.7).strip()
                    self.terminal.say(f"Invalid move. {error}. {meant}{' ' * bool(meant)}Try again, or type help.")
                    continue
                row = None
            if self._play(game, cell):
                return

    def _words(self, game: Game) -> list[str]:
        """What Tab completes."""
        steps = list(DIRECTIONS) if takes_steps(game.variant) else []
        cells = cells_of(game.legal) if game.legal.bit_count() <= MOST_COMPLETED else []
        return [*self.commands, *steps, *map(game.variant.name, cells)]

    def _intro(self, game: Game, short: bool) -> list[str]:
        """What a person is told at the beginning of a turn."""
        lines = self.voice.intro(game, short)
        if not game.can_swap:
            return lines
        if not game.legal:
            return [*lines, "You have no move, but you may take over the other side: swap"]
        if short and lines:
            return [*lines[:-1], f"{lines[-1]} (or swap)"]
        return [*lines, "You may take over the other side instead of moving: swap"]

    def _play(self, game: Game, cell: Cell | None) -> bool:
        """Make a move, or say why not."""
        refusal = self.match.variant.refusal(game.position, cell)
        if refusal or cell is None:
            assert refusal is not None  # a cell outside the grid is always refused
            words = partial(self.voice.refused, game, refusal.words)
            if refusal.causes and self.terminal.interactive:
                self.screen.show(game, words, refusal.causes, focus=cells_of(refusal.causes)[0])
            else:
                self.screen.say(words)
            return False
        lines = self.voice.played(game, cell)
        game.push(cell)
        self._takeback.forget()
        self.acted(*lines)
        return True

    # -- commands: each says whether the turn has to begin anew -------------------------------------------------

    def _help(self, game: Game, _rest: str) -> bool:
        self.terminal.say(*announce.help_lines(game, self.terminal))
        return False

    def _rules(self, game: Game, _rest: str) -> bool:
        self.terminal.say(f"{game.variant.book.title} on {game.variant.grid}. {game.variant.book.rules}")
        return False

    @cached_property
    def _adviser(self) -> "Adviser":
        from gridlock.cli.line.advice import Adviser  # loads the engine, so only when somebody asks

        return Adviser(self.match.think, self.terminal)

    def _advise(self, failure: str, ask: Callable[[], list[str]]) -> bool:
        """Say what the computer thinks, unless that takes too long for whoever asked."""
        try:
            with blaming(failure):
                lines = ask()
        except KeyboardInterrupt:
            lines = ["", "Stopped."]
        self.terminal.say(*lines)
        return False

    def _hint(self, game: Game, _rest: str) -> bool:
        return self._advise("No hint could be found", lambda: self._adviser.hint(game))

    def _why(self, game: Game, _rest: str) -> bool:
        return self._advise("No reason could be found", lambda: self._adviser.why(game, self.match.kinds))

    def _values(self, game: Game, _rest: str) -> bool:
        return self._advise("No values could be found", lambda: self._adviser.values(game))

    def _board(self, game: Game, rest: str) -> bool:
        try:
            focus = read_move(rest, game.variant, "") if rest else None
        except UnreadableMove:
            self.terminal.say("To see the part around a cell, name it, such as: board 2 3")
            return False
        self.screen.show(game, focus=focus)
        return False

    def _moves(self, game: Game, _rest: str) -> bool:
        names = [f"({game.variant.name(cell)})" for cell in cells_of(game.legal)]
        self.terminal.say(f"{len(names)} move{'s' * (len(names) != 1)}: {' '.join(names) or 'none'}")
        return False

    def _history(self, game: Game, _rest: str) -> bool:
        events = [f"{number}. {self.voice.told(event)}" for number, event in enumerate(game.history(), 1)]
        self.terminal.say("; ".join(events) or "No move yet.")
        return False

    def _undo(self, game: Game, _rest: str) -> bool:
        try:
            count = self._takeback.undo(game, self.match.kinds)
        except IllegalMove as error:
            self.terminal.say(f"Nothing taken back: {error.why}.")
            return False
        self.acted(f"Took back {_count(count)}.")
        return True

    def _redo(self, game: Game, _rest: str) -> bool:
        try:
            count = self._takeback.redo(game)
        except IllegalMove as error:
            self.terminal.say(f"Nothing to make again: {error.why}.")
            return False
        self.acted(f"Made {_count(count)} again.")
        return True

    def _swap(self, game: Game, _rest: str) -> bool:
        try:
            told = self.take_over(game)
        except IllegalMove as error:
            self.terminal.say(f"No swap: {error.why}.")
            return False
        self._takeback.forget()
        self.acted(told)
        return True

    def take_over(self, game: Game) -> str:
        """Swap, and tell it in a sentence."""
        player = game.turn
        game.push(SWAP)
        name = game.player_name(player)
        return f"{name} takes over the other side and now plays {game.mark_of(player)}."

    def _save(self, game: Game, rest: str) -> bool:
        self.terminal.say(write_record(rest, [game]) if rest else "Name a file, such as: save game.txt")
        return False

    def _resign(self, game: Game, _rest: str) -> bool:
        game.resign(game.turn)
        self.acted()
        return True

    def _quit(self, _game: Game, _rest: str) -> bool:
        raise Quit


def _count(moves: int) -> str:
    return f"{moves} move{'s' * (moves != 1)}"
