"""The board on the terminal: as the document draws it if that fits the window, and otherwise compact."""

from collections.abc import Callable

from gridlock.cli.terminal import Terminal
from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell
from gridlock.drawing.text import Marks, compact_board, full_board, printed_height, printed_width
from gridlock.play.words import Voice

Words = Callable[[bool], list[str]]  # the lines under a board: in full, or (True) as few as possible


def no_words(_short: bool) -> list[str]:
    """Return no lines."""
    return []


class Screen:
    """Draws boards with lines under them, so that board, lines and prompt fit the window together if possible."""

    def __init__(self, terminal: Terminal, voice: Voice) -> None:
        self.terminal = terminal
        self.voice = voice
        self.compact = False  # how the last board was drawn

    def show(self, game: Game, words: Words = no_words, causes: Bitboard = 0, focus: Cell | None = None) -> None:
        """Draw the board with lines under it; of a large board, draw the part around the focus."""
        position = game.position
        marks = Marks(game.last_cell, game.legal, causes, self.terminal.colour) if self.terminal.interactive else None
        drawn, said = full_board(game.variant, position, marks), words(False)
        self.compact = False
        if self.terminal.window:
            columns, lines = self.terminal.size()
            prompts = [self.voice.prompt(game, None)] * (2 if self.voice.row_then_column else 1)
            room = lines - printed_height(["", *said, *prompts], columns)
            self.compact = len(drawn) > room or max(map(printed_width, drawn)) > columns
            if self.compact:
                said = words(True)
                room = lines - printed_height([*said, *prompts], columns)
                if focus is None:
                    focus = position.my_head if game.variant.book.pawns else game.last_cell
                drawn = compact_board(game.variant, position, marks, (columns, room), focus)
        self.terminal.say("", *drawn, *([] if self.compact else [""]), *said)

    def say(self, words: Words) -> None:
        """Print lines without drawing the board again."""
        self.terminal.say(*words(self.compact))
