"""Playing a match at the terminal, turn by turn."""

from collections.abc import Callable
from pathlib import Path

from gridlock.agents import agent
from gridlock.cli.drawing import Marks, board_width, compact_board, full_board
from gridlock.cli.files import write_safely
from gridlock.cli.store import Slot
from gridlock.cli.terminal import Terminal, visible
from gridlock.cli.voice import voice
from gridlock.errors import IllegalMove, UnreadableMove
from gridlock.game import SWAP, Game
from gridlock.grid import Bitboard, Cell, cells_of
from gridlock.notation import read_move, read_number
from gridlock.play.match import Match
from gridlock.records import dump_text

HELP = """\
Type a row and a column, such as 2 3 or 2,3. Besides a move you can type:
  board    draw the board again (board ROW COLUMN: around that cell, where it is large)
  moves    list the moves you can make
  history  list the moves made so far
  undo     take back to your own last turn
  swap     take over the other side (only right after the first move, with --swap)
  save F   write the game so far to the file F
  resign   give the game up
  quit     stop here; the game is kept, and 'gridlock resume' goes on with it
  help     show this"""


class Quit(Exception):
    """The player wants to stop here."""


class Session:
    """A match being played: asks people, lets programs move, and keeps everything on disk."""

    def __init__(self, match: Match, slot: Slot, terminal: Terminal) -> None:
        self.match = match
        self.slot = slot
        self.terminal = terminal
        self.voice = voice(match.variant)
        self.can_save = True
        self.commands: dict[str, Callable[[Game, str], bool]] = {
            "help": self._help,
            "board": self._board,
            "moves": self._moves,
            "history": self._history,
            "undo": self._undo,
            "swap": self._swap,
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the match is over, or the player stops."""
        try:
            self._open()
            while not self.match.finished:
                self._round(self.match.current())
            self._keep()
            self._close()
        except (Quit, EOFError) as reason:
            self._keep()
            self.terminal.say(*([""] if isinstance(reason, EOFError) else []), self._how_to_go_on())
        except KeyboardInterrupt:
            self._keep()
            self.terminal.warn(f"\n{self._how_to_go_on()}")
            raise
        except BrokenPipeError:
            self._keep()
            self.terminal.warn(self._how_to_go_on())
            raise

    def _open(self) -> None:
        """Welcome the players; a transcript needs none of it."""
        match = self.match
        if self.terminal.window:
            book = match.variant.book
            self.terminal.say(f"{book.title} on {match.variant.grid}. {book.summary}")
            for player in (1, 2):
                if match.kinds[player - 1] != "human":
                    game = Game(match.variant, names=match.names)
                    self.terminal.say(f"{self.voice.label(game, player)} is the computer ({match.kinds[player - 1]}).")
            self.terminal.say("Type a row and a column, such as 2 3, or help.", "")
        if match.rounds > 1 and not match.games:
            even = " With an even number of rounds it can end in a tie." if match.rounds % 2 == 0 else ""
            self.terminal.say(f"A match of {match.rounds} rounds.{even}")

    def _close(self) -> None:
        """Announce the winner of a match."""
        if self.match.rounds == 1:
            return
        first, second = self.match.score()
        winner = self.match.winner()
        if winner is None:
            self.terminal.say(f"The match is a tie, {first} to {second}.")
        else:
            name = self.match.games[-1].player_name(winner)
            self.terminal.say(f"{name} wins the match, {max(first, second)} to {min(first, second)}!")

    def _keep(self) -> None:
        """Put everything on disk; if that is not possible, say so once and let the game go on."""
        if not self.can_save:
            return
        try:
            self.slot.save(self.match)
        except OSError as error:
            self.can_save = False
            self.terminal.warn(f"The game cannot be saved ({error.strerror or error}). It goes on, but only here.")

    def _how_to_go_on(self) -> str:
        if not self.can_save:
            return "The game could not be saved."
        return "Your game is saved. To go on: gridlock resume"

    # -- a round and its turns --------------------------------------------------------------------------------

    def _round(self, game: Game) -> None:
        if self.match.rounds > 1 and not game.moves:
            number = len(self.match.games)
            self.terminal.say("", f"Round {number} of {self.match.rounds}: {game.player_name(game.to_move)} starts.")
        while not game.outcome:
            if game.passing:
                stuck = game.player(game.positions[-1].turn)
                self.terminal.say(self.voice.passed(game, stuck))
            kind = self.match.kinds[game.to_move - 1]
            if kind == "human":
                self._keep()
                self._draw(game)
                self._ask(game)
            else:
                self._let(game, kind)
        self._draw(game)
        self.terminal.say(*self.voice.closing(game))
        if self.match.rounds > 1:
            scores = zip((1, 2), self.match.score(), strict=True)
            self.terminal.say(
                "Score: " + ", ".join(f"{game.player_name(who)} {points}" for who, points in scores) + "."
            )

    def _let(self, game: Game, kind: str) -> None:
        """Let a program move."""
        from random import Random

        # Chance follows from the seed and the turn alone, so that a resumed match goes on as it would have.
        rng = Random(f"{self.match.seed}/{len(self.match.games)}/{len(game.moves)}")
        self._draw(game)
        move = agent(kind)(game, rng, 2.0)
        if move == SWAP:
            self._swap(game, "")
        else:
            line = self.voice.watched(game, move)
            game.play(move)
            self.terminal.say(line)

    def _ask(self, game: Game) -> None:
        """Ask a person until something happens in the game."""
        self.terminal.say(*self.voice.intro(game, self._is_compact()))
        if not game.legal:
            self.terminal.say("You have no move, but you may take over the other side: swap")
        row: int | None = None
        while True:
            text = self.terminal.ask(self.voice.prompt(game, row)).strip()
            word, _, rest = text.partition(" ")
            if command := self.commands.get(word.lower()):
                if command(game, rest.strip()):
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
                    cell = read_move(text, self.match.variant, self.voice.mark(game, game.to_move))
                except UnreadableMove as error:
                    self.terminal.say(f"Invalid move. {error} (or help). Try again.")
                    continue
                row = None
            if self._play(game, cell):
                return

    def _play(self, game: Game, cell: Cell | None) -> bool:
        """Make a move, or say why not."""
        refusal = self.match.variant.refusal(game.position, cell)
        if refusal or cell is None:
            assert refusal is not None  # a cell outside the grid is always refused
            if refusal.causes and self.terminal.colour:
                self._draw(game, refusal.causes)
            self.terminal.say(*self.voice.refused(game, refusal.words))
            return False
        lines = self.voice.played(game, cell)
        game.play(cell)
        self.terminal.say(*lines)
        return True

    # -- drawing ----------------------------------------------------------------------------------------------

    def _is_compact(self) -> bool:
        """Whether the window is too small for the document's own drawing."""
        if not self.terminal.window:
            return False
        columns, lines = self.terminal.size()
        height = len(full_board(self.match.variant, self.match.variant.start()))
        return board_width(self.match.variant) > columns or height + 4 > lines

    def _draw(self, game: Game, causes: Bitboard = 0, focus: Cell | None = None) -> None:
        position = game.position
        last = next((move for move in reversed(game.moves) if move != SWAP), None)
        marks = Marks(last, game.legal, causes) if self.terminal.colour else None
        if self._is_compact():
            columns, lines = self.terminal.size()
            focus = last if focus is None else focus
            drawn = compact_board(game.variant, position, marks, (columns, lines - 4), focus)
        else:
            drawn = full_board(game.variant, position, marks)
        self.terminal.say("", *drawn, *([""] if not self._is_compact() else []))

    # -- commands: each says whether the turn has to begin anew -------------------------------------------------

    def _help(self, _game: Game, _rest: str) -> bool:
        self.terminal.say(HELP)
        return False

    def _board(self, game: Game, rest: str) -> bool:
        try:
            focus = read_move(rest, game.variant, "") if rest else None
        except UnreadableMove:
            focus = None
        self._draw(game, focus=focus)
        return False

    def _moves(self, game: Game, _rest: str) -> bool:
        names = [f"({game.variant.name(cell)})" for cell in cells_of(game.legal)]
        self.terminal.say(f"{len(names)} moves: {' '.join(names)}" if len(names) != 1 else f"1 move: {names[0]}")
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
        self.terminal.say(f"Took back {count} move{'s' * (count != 1)}.")
        return True

    def _swap(self, game: Game, _rest: str) -> bool:
        player = game.to_move
        try:
            game.take_over()
        except IllegalMove as error:
            self.terminal.say(f"No swap: {error}.")
            return False
        name = game.player_name(player)
        self.terminal.say(f"{name} takes over the other side and now plays {self.voice.mark(game, player)}.")
        return True

    def _save(self, game: Game, rest: str) -> bool:
        path = Path(rest).expanduser()
        if not rest:
            self.terminal.say("Name a file, such as: save game.txt")
        elif path.exists():
            self.terminal.say(f"{visible(rest)} exists already. Choose another name.")
        else:
            try:
                write_safely(path, dump_text(game))
                self.terminal.say(f"Saved to {visible(rest)}.")
            except (OSError, ValueError) as error:
                self.terminal.say(f"Not saved: {getattr(error, 'strerror', None) or error}.")
        return False

    def _resign(self, game: Game, _rest: str) -> bool:
        game.resign(game.to_move)
        return True

    def _quit(self, _game: Game, _rest: str) -> bool:
        raise Quit
