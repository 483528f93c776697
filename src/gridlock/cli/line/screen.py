"""The board in front of the players: as the document draws it where that fits, compactly where it does not."""

from collections.abc import Callable

from gridlock.cli.terminal import Terminal
from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell
from gridlock.drawing.text import Marks, compact_board, full_board, printed_height, printed_width
from gridlock.play.words import Voice

Words = Callable[[bool], list[str]]  # what is said under a board: in full, or (True) in as few lines as possible


def no_words(_short: bool) -> list[str]:
    """Nothing to say."""
    return []


class Screen:
    """Draws boards and speaks under them, so that board, words and prompt are seen together if they can be."""

    def __init__(self, terminal: Terminal, voice: Voice) -> None:
        self.terminal = terminal
        self.voice = voice
        self.compact = False  # how the last board was drawn

    def show(self, game: Game, words: Words = no_words, causes: Bitboard = 0, focus: Cell | None = None) -> None:
        """Draw the board and say something under it; a part of a large board is taken around the focus."""
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
        """Say something without drawing the board again."""
        self.terminal.say(*words(self.compact))
