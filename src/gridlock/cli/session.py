"""Playing a match at the terminal, turn by turn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.cli import announce
from gridlock.cli.exits import Exit
from gridlock.cli.files import write_safely
from gridlock.cli.keeper import Keeper
from gridlock.cli.screen import Screen
from gridlock.cli.store import Slot
from gridlock.cli.terminal import Terminal, visible
from gridlock.cli.voice import voice
from gridlock.errors import IllegalMove, UnreadableMove
from gridlock.game import SWAP, Game
from gridlock.grid import Cell, cells_of
from gridlock.notation import read_move, read_number
from gridlock.play.match import Match
from gridlock.players import agents
from gridlock.records import dump_text

if TYPE_CHECKING:
    from gridlock.cli.advice import Adviser


class Quit(Exception):
    """The player wants to stop here."""


class Failed(Exception):
    """The computer could not do its part."""


def play_match(match: Match, slot: Slot, terminal: Terminal) -> int:
    """Play a match that has its place on disk, and return the exit code."""
    try:
        return Session(match, slot, terminal).run()
    finally:
        slot.release()


class Session:
    """A match being played: asks people, lets programs move, and keeps everything on disk."""

    def __init__(self, match: Match, slot: Slot, terminal: Terminal) -> None:
        self.match = match
        self.slot = slot
        self.terminal = terminal
        self.voice = voice(match.variant)
        self.screen = Screen(terminal, self.voice)
        self.keeper = Keeper(match, slot, terminal)
        self.commands: dict[str, Callable[[Game, str], bool]] = {
            "help": self._help,
            "board": self._board,
            "moves": self._moves,
            "hint": self._hint,
            "why": self._why,
            "values": self._values,
            "history": self._history,
            "undo": self._undo,
            "swap": self._swap,
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
        }

    def run(self) -> int:
        """Play until the match is over or the player stops, and return the exit code."""
        keeper = self.keeper
        try:
            try:
                self._match()
                if keeper.unsaved:
                    self.terminal.warn(keeper.how_to_go_on())
            except (Quit, EOFError) as reason:
                keeper.finish()
                self.terminal.say(*([""] if isinstance(reason, EOFError) else []), keeper.how_to_go_on())
        except Failed as failure:
            keeper.finish()
            self.terminal.warn(f"{failure} {keeper.how_to_go_on()}")
            return Exit.AGENT
        except KeyboardInterrupt:  # what is on disk is whole; what is in memory may be half a move
            self.terminal.warn(f"\n{keeper.how_to_go_on()}")
            return Exit.INTERRUPTED
        except OSError:  # nobody listens any more
            keeper.keep()
            self.terminal.warn(keeper.how_to_go_on())
            raise
        return Exit.FAILED if keeper.unsaved else Exit.DONE

    # -- a match, its rounds and their turns ----------------------------------------------------------------------

    def _match(self) -> None:
        if self.terminal.window:
            self.terminal.say(*announce.welcome(self.match, self.voice))
        self.terminal.say(*announce.opening(self.match))
        while not self.match.finished:
            self._round(self.match.current())
        self.keeper.finish()
        self.terminal.say(*announce.closing(self.match))

    def _round(self, game: Game) -> None:
        self.terminal.say(*announce.round_opening(self.match))
        self.keeper.moved()
        while not game.outcome:
            if game.passing:
                stuck = game.player(game.positions[-1].turn)
                self.terminal.say(self.voice.passed(game, stuck))
            kind = self.match.kinds[game.turn - 1]
            if kind == "human":
                self._ask(game)
            else:
                self._let(game, kind)
        self.screen.show(game, partial(self.voice.closing, game))
        if self.match.rounds > 1:
            self.terminal.say(announce.score(self.match))

    def _let(self, game: Game, kind: str) -> None:
        """Let a program move."""
        from random import Random

        # Chance follows from the seed and the turn alone, so that a resumed match goes on as it would have.
        rng = Random(f"{self.match.seed}/{len(self.match.games)}/{len(game.moves)}")
        self.screen.show(game)
        thinking = self.terminal.busy(f"{self.voice.label(game, game.turn)} is thinking")
        with thinking, _blaming(f"The computer ({kind}) failed"):
            move = agents[kind](game, rng, self.match.think)
            if move == SWAP:
                line = self._take_over(game)
            else:
                line = self.voice.watched(game, move)
                game.push(move)
        self._acted(line)

    def _acted(self, *lines: str) -> None:
        """Put what was done on disk, and only then tell of it."""
        self.keeper.moved()
        self.terminal.say(*lines)

    def _ask(self, game: Game) -> None:
        """Ask a person until something happens in the game."""
        self.screen.show(game, partial(self._intro, game))
        row: int | None = None
        while True:
            text = self.terminal.ask(self.voice.prompt(game, row)).strip()
            word, _, rest = " ".join(text.split(maxsplit=1)).partition(" ")
            if command := self.commands.get(word.lower()):
                if command(game, rest):
                    return
                continue
            number = text.removeprefix("-")
            if self.voice.row_then_column and number.isascii() and number.isdigit():
                if row is None:
                    row = read_number(text)
                    continue
                cell, row = self.match.variant.cell(row, read_number(text)), None
            else:
                try:
                    cell = read_move(text, self.match.variant, self.voice.mark(game, game.turn))
                except UnreadableMove as error:
                    self.terminal.say(f"Invalid move. {error}. Try again, or type help.")
                    continue
                row = None
            if self._play(game, cell):
                return

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
            if refusal.causes and self.terminal.colour:
                self.screen.show(game, words, refusal.causes, focus=cells_of(refusal.causes)[0])
            else:
                self.screen.say(words)
            return False
        lines = self.voice.played(game, cell)
        game.push(cell)
        self._acted(*lines)
        return True

    # -- commands: each says whether the turn has to begin anew -------------------------------------------------

    def _help(self, _game: Game, _rest: str) -> bool:
        self.terminal.say(announce.HELP)
        return False

    @cached_property
    def _adviser(self) -> "Adviser":
        from gridlock.cli.advice import Adviser  # loads the engine, so only when somebody asks

        return Adviser(self.match.think, self.terminal)

    def _advise(self, failure: str, ask: Callable[[], list[str]]) -> bool:
        """Say what the computer thinks, unless that takes too long for whoever asked."""
        try:
            with _blaming(failure):
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
            count = game.undo_turn()
        except IllegalMove as error:
            self.terminal.say(f"Nothing taken back: {error}.")
            return False
        self._acted(f"Took back {count} move{'s' * (count != 1)}.")
        return True

    def _swap(self, game: Game, _rest: str) -> bool:
        try:
            self._acted(self._take_over(game))
        except IllegalMove as error:
            self.terminal.say(f"No swap: {error}.")
            return False
        return True

    def _take_over(self, game: Game) -> str:
        """Swap, and tell it in a sentence."""
        player = game.turn
        game.push(SWAP)
        name = game.player_name(player)
        return f"{name} takes over the other side and now plays {self.voice.mark(game, player)}."

    def _save(self, game: Game, rest: str) -> bool:
        if not rest:
            self.terminal.say("Name a file, such as: save game.txt")
            return False
        try:
            path = Path(rest).expanduser()
            if path.exists():
                self.terminal.say(f"{visible(rest)} exists already. Choose another name.")
            else:
                write_safely(path, dump_text(game))
                self.terminal.say(f"Saved to {visible(rest)}.")
        except (OSError, ValueError, RuntimeError) as error:  # a name can be wrong in many ways
            self.terminal.say(f"Not saved: {getattr(error, 'strerror', None) or error}.")
        return False

    def _resign(self, game: Game, _rest: str) -> bool:
        game.resign(game.turn)
        self._acted()
        return True

    def _quit(self, _game: Game, _rest: str) -> bool:
        raise Quit


@contextmanager
def _blaming(words: str) -> Iterator[None]:
    """Tell whatever goes wrong in an agent or the engine in one sentence."""
    try:
        yield
    except Exception as error:  # an agent may be anybody's code
        raise Failed(f"{words} ({type(error).__name__}: {visible(str(error))}).") from error
