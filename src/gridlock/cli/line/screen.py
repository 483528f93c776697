"""Line mode's output: the welcome message, the help, and the board, which has a compact form for small windows."""

from collections.abc import Callable

from gridlock.cli.terminal import Terminal
from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell, first_of
from gridlock.core.match import Match
from gridlock.core.notation import step_word, takes_steps
from gridlock.core.rulebook import Variant
from gridlock.drawing import text
from gridlock.play.words import Voice
from gridlock.players import short_name

HELP = """\
Type a row and a column, such as 2 3 or 2,3. Instead of a move, you can type:
  board    draw the board again (board ROW COLUMN: the part around that cell)
  moves    list the moves you can make
  hint     suggest a move
  why      explain the last hint, or the computer's last move
  values   mark every move + (wins) or - (loses)
  regions  show the parts of the board that don't affect each other, and where to hurry
  history  list the moves made so far
  rules    show how to play
  undo     undo the last move (against the computer, its answer as well)
  redo     redo what you have just undone
  swap     take over the other side (right after the first move, with --swap)
  save F   write the game so far to file F
  resign   give up the game
  quit     quit; your game is saved, and 'gridlock resume' continues it
  help     show this list"""
STEPS = "  up       and down, left, right (or w, s, a, d): one step that way"
COLOURS = (
    "On the board, the last move is in reverse colours, cells you can take are {opened}, closed cells are dim, and "
    "markers that close a cell are red and underlined."
)
SIGNS = "On the board, {last} is the last move, {closed} is a closed cell, and {cause} is a marker that closes a cell."
Words = Callable[[bool], list[str]]  # returns the lines under a board; True asks for as few as possible


class Screen:
    """Draw a board with text below it and, if possible, fit the board, the text and the prompt into the window."""

    def __init__(self, terminal: Terminal, voice: Voice) -> None:
        self.terminal = terminal
        self.voice = voice
        self.compact = False  # whether the last board was drawn compactly

    def show(
        self, game: Game, words: Words = lambda _short: [], causes: Bitboard = 0, focus: Cell | None = None
    ) -> None:
        """Draw the board with text under it; if the board is large, draw only the part around the focus."""
        position = game.position
        marks = (
            text.Marks(game.last_cell, game.legal, causes, self.terminal.colour) if self.terminal.interactive else None
        )
        drawn, said = text.full_board(game.variant, position, marks), words(False)
        self.compact = False
        if self.terminal.window:
            columns, lines = self.terminal.size()
            prompts = [self.voice.prompt(game, None)] * (2 if self.voice.row_then_column else 1)
            room = lines - text.printed_height(["", *said, *prompts], columns)
            self.compact = len(drawn) > room or max(map(text.printed_width, drawn)) > columns
            if self.compact:
                said = words(True)
                room = lines - text.printed_height([*said, *prompts], columns)
                if focus is None:
                    focus = position.my_head if game.variant.book.pawns else game.last_cell
                drawn = text.compact_board(game.variant, position, marks, (columns, room), focus)
        self.terminal.say("", *drawn, *([] if self.compact else [""]), *said)


def help_lines(game: Game, terminal: Terminal) -> list[str]:
    """Return the list of commands and, at a terminal, an explanation of the marks on the board."""
    steps = [STEPS] if takes_steps(game.variant) else []
    return [HELP, *steps, *([legend(game.variant, terminal)] if terminal.interactive else [])]


def legend(variant: Variant, terminal: Terminal) -> str:
    """Return an explanation of the marks on the board."""
    if terminal.colour:
        return COLOURS.format(opened=text.open_style(variant))
    mark = variant.book.marks[0]
    last, cause = (f"{signs[0]}{mark}{signs[1]}" for signs in (text.LAST_SIGNS, text.CAUSE_SIGNS))
    return SIGNS.format(last=last, closed=text.CLOSED, cause=cause)


def welcome(match: Match, voice: Voice, terminal: Terminal) -> list[str]:
    """Return the welcome message, which is printed only if standard output is a terminal."""
    book, game = match.variant.book, Game(match.variant, names=match.names, starts=match.starts)
    lines = [f"{book.title} on {match.variant.grid}. {book.summary}"]
    for player, kind in zip((1, 2), match.kinds, strict=True):
        if kind != "human":
            lines.append(f"{voice.label(game, player)} is the computer ({short_name(kind)}).")
    if "human" not in match.kinds:
        return lines
    cell = first_of(game.legal) or 0
    example = match.variant.name(cell)
    walks = takes_steps(match.variant) and game.legal
    steps = f", a direction such as {step_word(match.variant, game.position, cell)}" if walks else ""
    marks = [legend(match.variant, terminal)] if terminal.interactive else []
    return [*lines, f"Type a row and a column, such as {example}{steps}, or 'help'.", *marks]
