"""The welcome and the help at the prompt."""

from gridlock.cli.terminal import Terminal
from gridlock.core.game import Game
from gridlock.core.grid import first_of
from gridlock.core.match import Match
from gridlock.core.notation import step_word, takes_steps
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CAUSE_SIGNS, CLOSED, LAST_SIGNS, open_style
from gridlock.play.words import Voice

HELP = """\
Type a row and a column, such as 2 3 or 2,3. Besides a move you can type:
  board    draw the board again (board ROW COLUMN: the part around that cell)
  moves    list the moves you can make
  hint     suggest a move
  why      give the reason for the last hint, or for the computer's last move
  values   mark every move + (wins) or - (loses)
  history  list the moves made so far
  rules    say how the game is played
  undo     take back the last move (against the computer, its answer as well)
  redo     make the moves again that were just taken back
  swap     take over the other side (right after the first move, with --swap)
  save F   write the game so far to the file F
  resign   give the game up
  quit     stop here; the game is kept, and 'gridlock resume' goes on with it
  help     show this"""
STEPS = "  up       and down, left, right (or w, s, a, d): one step that way"
COLOURS = (
    "On the board the last move is in reverse colours, cells you may take are {opened}, those you may not are dim; "
    "red and underlined are the markers that forbid a cell."
)
SIGNS = (
    "On the board {last} is the last move, {closed} a cell you may not take, and {cause} a marker that forbids a cell."
)


def help_lines(game: Game, terminal: Terminal) -> list[str]:
    """Return the commands, and at a terminal the meaning of the marks on the board."""
    steps = [STEPS] if takes_steps(game.variant) else []
    return [HELP, *steps, *([legend(game.variant, terminal)] if terminal.interactive else [])]


def legend(variant: Variant, terminal: Terminal) -> str:
    """Return the meaning of the marks on the board."""
    if terminal.colour:
        return COLOURS.format(opened=open_style(variant))
    mark = variant.book.marks[0]
    last, cause = (f"{signs[0]}{mark}{signs[1]}" for signs in (LAST_SIGNS, CAUSE_SIGNS))
    return SIGNS.format(last=last, closed=CLOSED, cause=cause)


def welcome(match: Match, voice: Voice, terminal: Terminal) -> list[str]:
    """Return the first lines for a person at a terminal; a transcript does not need them."""
    book, game = match.variant.book, Game(match.variant, names=match.names, starts=match.starts)
    lines = [f"{book.title} on {match.variant.grid}. {book.summary}"]
    for player, kind in zip((1, 2), match.kinds, strict=True):
        if kind != "human":
            lines.append(f"{voice.label(game, player)} is the computer ({kind}).")
    if "human" not in match.kinds:
        return lines
    cell = first_of(game.legal) or 0
    example = match.variant.name(cell)
    walks = takes_steps(match.variant) and game.legal
    steps = f", a direction such as {step_word(match.variant, game.position, cell)}" if walks else ""
    marks = [legend(match.variant, terminal)] if terminal.interactive else []
    return [*lines, f"Type a row and a column, such as {example}{steps}, or help.", *marks]
