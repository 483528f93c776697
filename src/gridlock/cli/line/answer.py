"""A person's answer to a lesson or a puzzle, typed on a line."""

from gridlock.cli.terminal import Terminal
from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn
from gridlock.play.match_text import refusal


def ask_answer(game: Game, question: str, terminal: Terminal) -> Cell | None:
    """Read a legal move, or None if the person asks for the answer; to quit is to end the input."""
    while True:
        text = terminal.ask(question, ["show", "skip", "quit"]).strip()
        if text.lower() in ("quit", "q", "exit"):
            raise EOFError
        if text.lower() in ("show", "skip"):
            return None
        try:
            cell = read_turn(text, game.variant, game.position)
        except UnreadableMove as error:
            terminal.say(f"{error}. For the answer, type show; to stop, quit.")
            continue
        refused = refusal(game, cell)
        if refused is None:
            return cell
        terminal.say(refused.words)
