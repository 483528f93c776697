"""A person's turn at the prompt: a move, or one of the words that can be typed instead."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from gridlock.cli.line import announce
from gridlock.cli.line.screen import Screen
from gridlock.cli.options import did_you_mean
from gridlock.cli.terminal import Terminal
from gridlock.core.errors import IllegalMove, UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.notation import DIRECTIONS, read_move, read_number, read_turn, takes_steps
from gridlock.play.match import LiveMatch
from gridlock.play.match_text import count_of_moves, no_advice
from gridlock.userdata.export import write_record

if TYPE_CHECKING:
    from gridlock.cli.line.advice import Adviser

ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
MOST_COMPLETED = 200  # moves among which Tab is of any help


class Quit(Exception):
    """The player wants to stop here."""


class Failed(Exception):
    """The computer could not do its part."""


class Prompt:
    """Asks the people of a match for their moves, and does what they type."""

    def __init__(self, live: LiveMatch, terminal: Terminal, screen: Screen) -> None:
        self.live = live
        self.terminal = terminal
        self.screen = screen
        self.voice = live.voice
        self.commands: dict[str, Callable[[str], bool]] = {
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

    @property
    def game(self) -> Game:
        """The round that is played."""
        return self.live.game

    def ask(self) -> None:
        """Ask until something happens in the game."""
        game = self.game
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
                if command(rest):
                    return
                continue
            number = text.removeprefix("-")
            if self.voice.row_then_column and number.isascii() and number.isdigit():
                if row is None and game.variant.cell(read_number(text), game.variant.book.origin) is not None:
                    row = read_number(text)
                    continue
                cell, row = (None if row is None else game.variant.cell(row, read_number(text))), None
            else:
                try:
                    cell = read_turn(text, game.variant, game.position)
                except UnreadableMove as error:
                    meant = did_you_mean(word, self.commands, 0.7).strip()
                    self.terminal.say(f"Invalid move. {error}. {meant}{' ' * bool(meant)}Try again, or type help.")
                    continue
                row = None
            if self._play(cell):
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

    def _play(self, cell: Cell | None) -> bool:
        """Make a move, or say why not."""
        refusal = self.live.refusal(cell)
        if refusal is None:
            self.terminal.say(*self.live.announcement(self.live.push(cell)))
            return True
        words = partial(self.voice.refused, self.game, refusal.words)
        if refusal.causes and self.terminal.interactive:
            self.screen.show(self.game, words, refusal.causes, focus=cells_of(refusal.causes)[0])
        else:
            self.screen.say(words)
        return False

    # -- commands: each says whether the turn has to begin anew -------------------------------------------------

    def _help(self, _rest: str) -> bool:
        self.terminal.say(*announce.help_lines(self.game, self.terminal))
        return False

    def _rules(self, _rest: str) -> bool:
        variant = self.game.variant
        self.terminal.say(f"{variant.book.title} on {variant.grid}. {variant.book.rules}")
        return False

    @cached_property
    def _adviser(self) -> "Adviser":
        from gridlock.cli.line.advice import Adviser  # loads the engine, so only when somebody asks

        return Adviser(self.live.match, self.terminal)

    def _advise(self, ask: Callable[[], list[str]]) -> bool:
        """Say what the computer thinks, unless that takes too long for whoever asked."""
        try:
            lines = ask()
        except KeyboardInterrupt:
            lines = ["", "Stopped."]
        except Exception as error:  # a game may bring anybody's code
            raise Failed(no_advice(f"{type(error).__name__}: {error}")) from error
        self.terminal.say(*lines)
        return False

    def _hint(self, _rest: str) -> bool:
        return self._advise(lambda: self._adviser.hint(self.game))

    def _why(self, _rest: str) -> bool:
        return self._advise(lambda: self._adviser.why(self.game))

    def _values(self, _rest: str) -> bool:
        return self._advise(lambda: self._adviser.values(self.game))

    def _board(self, rest: str) -> bool:
        try:
            focus = read_move(rest, self.game.variant, "") if rest else None
        except UnreadableMove:
            self.terminal.say("To see the part around a cell, name it, such as: board 2 3")
            return False
        self.screen.show(self.game, focus=focus)
        return False

    def _moves(self, _rest: str) -> bool:
        names = [f"({self.game.variant.name(cell)})" for cell in cells_of(self.game.legal)]
        self.terminal.say(f"{count_of_moves(len(names))}: {' '.join(names) or 'none'}")
        return False

    def _history(self, _rest: str) -> bool:
        events = [f"{number}. {self.voice.told(event)}" for number, event in enumerate(self.game.history(), 1)]
        self.terminal.say("; ".join(events) or "No move yet.")
        return False

    def _change(self, act: Callable[[], str]) -> bool:
        """Undo, redo or swap, and say so, or say why not."""
        try:
            words = act()
        except IllegalMove as error:
            self.terminal.say(str(error))
            return False
        self.terminal.say(words)
        return True

    def _undo(self, _rest: str) -> bool:
        return self._change(self.live.undo)

    def _redo(self, _rest: str) -> bool:
        return self._change(self.live.redo)

    def _swap(self, _rest: str) -> bool:
        return self._change(self.live.swap)

    def _save(self, rest: str) -> bool:
        self.terminal.say(write_record(rest, [self.game]) if rest else "Name a file, such as: save game.txt")
        return False

    def _resign(self, _rest: str) -> bool:
        self.live.resign()
        return True

    def _quit(self, _rest: str) -> bool:
        raise Quit
