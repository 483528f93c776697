"""What a person types at the prompt: a move, a command, or the solution of a lesson or puzzle."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from gridlock.cli.line.screen import Screen, help_lines
from gridlock.cli.options import did_you_mean
from gridlock.cli.terminal import Terminal
from gridlock.core.errors import AgentFailed, IllegalMove, UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.notation import DIRECTIONS, read_move, read_number, read_turn, takes_steps
from gridlock.play.match import LiveMatch
from gridlock.play.match_text import count_of_moves, no_advice, refusal
from gridlock.userdata.autosave import write_record

if TYPE_CHECKING:
    from gridlock.cli.line.advice import Adviser

ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
MOST_COMPLETED = 200  # moves; if more are legal, Tab does not offer them


class Quit(Exception):
    """The exception raised when the player quits."""


class Prompt:
    """Asks the people in a match for their moves, and runs their commands."""

    def __init__(self, live: LiveMatch, terminal: Terminal, screen: Screen) -> None:
        self.live = live
        self.terminal = terminal
        self.screen = screen
        self.voice = live.voice
        # Each command returns the lines to print before the next prompt, or None to restart the turn.
        self.commands: dict[str, Callable[[str], list[str] | None]] = {
            "help": lambda _: help_lines(self.game, self.terminal),
            "board": self._board,
            "moves": self._moves,
            "hint": lambda _: self._advise(lambda adviser: adviser.hint),
            "why": lambda _: self._advise(lambda adviser: adviser.why),
            "values": lambda _: self._advise(lambda adviser: adviser.values),
            "regions": lambda _: self._advise(lambda adviser: adviser.regions),
            "history": self._history,
            "rules": self._rules,
            "undo": lambda _: self._change(live.undo),
            "redo": lambda _: self._change(live.redo),
            "swap": lambda _: self._change(live.swap),
            "save": lambda file: [
                write_record(file, [self.game]) if file else "Add a file name, for example: save game.txt"
            ],
            "resign": lambda _: live.resign(),
            "quit": self._quit,
        }

    @property
    def game(self) -> Game:
        """The current round."""
        return self.live.game

    def ask(self) -> None:
        """Prompt the player until a move or another command changes the game."""
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
                lines = command(rest)
                if lines is None:
                    return
                self.terminal.say(*lines)
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
                    self.terminal.say(f"Invalid move. {error}. {meant}{' ' * bool(meant)}Try again, or type 'help'.")
                    continue
                row = None
            if self._play(cell):
                return

    def _words(self, game: Game) -> list[str]:
        """Return the words that the Tab key can complete."""
        steps = list(DIRECTIONS) if takes_steps(game.variant) else []
        cells = cells_of(game.legal) if game.legal.bit_count() <= MOST_COMPLETED else []
        return [*self.commands, *steps, *map(game.variant.name, cells)]

    def _intro(self, game: Game, short: bool) -> list[str]:
        """Return the lines to print at the beginning of a turn."""
        lines = self.voice.intro(game, short)
        if not game.can_swap:
            return lines
        if not game.legal:
            return [*lines, "You have no move, but you can take over the other side: type swap"]
        if short and lines:
            return [*lines[:-1], f"{lines[-1]} (or swap)"]
        return [*lines, "Instead of moving, you can take over the other side: type swap"]

    def _play(self, cell: Cell | None) -> bool:
        """Make a move and return True; if the move is illegal, print the reason and return False."""
        refused = self.live.refusal(cell)
        if refused is None:
            self.terminal.say(*self.live.announcement(self.live.push(cell)))
            return True
        words = partial(self.voice.refused, self.game, refused.words)
        if refused.causes and self.terminal.interactive:
            self.screen.show(self.game, words, refused.causes, focus=cells_of(refused.causes)[0])
        else:
            self.terminal.say(*words(self.screen.compact))
        return False

    # -- commands ------------------------------------------------------------------------------------------------

    def _rules(self, _rest: str) -> list[str]:
        variant = self.game.variant
        return [f"{variant.book.title} on {variant.grid}. {variant.book.rules}"]

    @cached_property
    def _adviser(self) -> "Adviser":
        from gridlock.cli.line.advice import Adviser  # imported here because it loads the engine

        return Adviser(self.live.match, self.terminal)

    def _advise(self, question: Callable[["Adviser"], Callable[[Game], list[str]]]) -> list[str]:
        """Return the engine's advice, and count it as a hint; Ctrl-C stops the engine."""
        try:
            lines = question(self._adviser)(self.game)
        except KeyboardInterrupt:
            return ["", "Stopped."]
        except Exception as error:  # a game's rules may be third-party code
            raise AgentFailed(no_advice(f"{type(error).__name__}: {error}")) from error
        if not lines:
            return ["There is nothing to explain yet. Type hint first."]
        self.live.count_hint()
        return lines

    def _board(self, rest: str) -> list[str]:
        try:
            focus = read_move(rest, self.game.variant, "") if rest else None
        except UnreadableMove:
            return ["To see the board around a cell, type it as in: board 2 3"]
        self.screen.show(self.game, focus=focus)
        return []

    def _moves(self, _rest: str) -> list[str]:
        names = [f"({self.game.variant.name(cell)})" for cell in cells_of(self.game.legal)]
        return [f"{count_of_moves(len(names))}: {' '.join(names) or 'none'}"]

    def _history(self, _rest: str) -> list[str]:
        events = [f"{number}. {self.voice.history_entry(event)}" for number, event in enumerate(self.game.history(), 1)]
        return ["; ".join(events) or "No moves yet."]

    def _change(self, act: Callable[[], str]) -> list[str] | None:
        """Undo, redo or swap, and announce the change; if that is not possible, return the reason."""
        try:
            self.terminal.say(act())
        except IllegalMove as error:
            return [str(error)]
        return None

    def _quit(self, _rest: str) -> list[str] | None:
        raise Quit


def ask_answer(game: Game, question: str, terminal: Terminal) -> Cell | None:
    """Read a legal move; return None if the person asks for the answer, and raise EOFError if they quit."""
    while True:
        text = terminal.ask(question, ["show", "skip", "quit"]).strip()
        if text.lower() in ("quit", "q", "exit"):
            raise EOFError
        if text.lower() in ("show", "skip"):
            return None
        try:
            cell = read_turn(text, game.variant, game.position)
        except UnreadableMove as error:
            terminal.say(f"{error}. Type 'show' for the answer, or 'quit' to stop.")
            continue
        refused = refusal(game, cell)
        if refused is None:
            return cell
        terminal.say(refused.words)
