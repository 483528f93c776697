"""Advice at the prompt: a hint, the reason behind a move, and what every move is worth."""

from gridlock.cli.progress import Progress
from gridlock.cli.values import values_board
from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.engine import analyse
from gridlock.engine.explain import best_move
from gridlock.game import SWAP, Game
from gridlock.grid import Cell

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Adviser:
    """Answers a player's questions with the engine, and remembers what was asked last."""

    def __init__(self, seconds: float, colour: bool) -> None:
        self.seconds = seconds
        self.colour = colour
        self._last: tuple[int, Analysis] | None = None  # the ply and the analysis of the last hint

    def hint(self, game: Game) -> list[str]:
        """A winning move or the best try, with a one-line reason."""
        found = self._analyse(game)
        self._last = len(game.moves), found
        cell = best_move(found)
        if cell is None:
            return ["There is no move to make."]
        name = found.variant.name(cell)
        if found.verdict is Verdict.WIN:
            return [f"Try {name}: it wins. {_short_reason(found)}"]
        if found.verdict is Verdict.LOSS:
            return [f"Every move loses against perfect play; {name} makes it hardest. {_short_reason(found)}"]
        return [f"Nobody knows; {name} looks best. Type why for what was tried."]

    def why(self, game: Game, computer: bool) -> list[str]:
        """What the last hint, or else the computer's last move, rests on."""
        if self._last and self._last[0] == len(game.moves):
            return [self._last[1].explanation, *pairing_board(self._last[1])]
        if not computer or not game.moves or game.moves[-1] == SWAP:
            return ["There is nothing to explain yet. Type hint first."]
        before = game.at(len(game.moves) - 1)
        found = self._analyse(before)
        move, name = game.moves[-1], found.variant.name(game.moves[-1])
        if found.verdict is Verdict.WIN and move not in found.winning:
            return [f"{name} was a mistake: now you can win. Type hint to see how."]
        if found.verdict is Verdict.LOSS:
            return [f"{name} loses, as every move did: you are winning. {found.explanation}", *pairing_board(found)]
        said = found.explanation if best_move(found) == move else f"{name} wins, too. {found.explanation}"
        return [said, *pairing_board(found)]

    def values(self, game: Game) -> list[str]:
        """The board with every move marked + or -."""
        found = self._analyse(game)
        lines = values_board(found, self.colour)
        if any(move.verdict is Verdict.UNKNOWN for move in found.moves):
            return [*lines, "+ wins, - loses, ? was not found out in time; the number counts the moves to the end."]
        return [*lines, "+ wins, - loses; the number counts the moves to the end."]

    def _analyse(self, game: Game) -> Analysis:
        progress = Progress("Thinking")
        try:
            return analyse(game.variant, game.position, self.seconds, progress=progress)
        finally:
            progress.done()


def _short_reason(found: Analysis) -> str:
    if found.method is Method.MATCHING:
        return "It follows from pairing up the empty cells: type why to see the pairs."
    if found.method is Method.MIRROR:
        return "It follows from a mirror: type why."
    return f"({found.distance} moves to the end.)" if found.distance else ""


def pairing_board(found: Analysis) -> list[str]:
    """The board with the cells of a pair sharing a letter, where a pairing decides and there are letters enough."""
    pairs = [(one, other) for one, other in found.pairing.items() if one < other]
    if not pairs or len(pairs) > len(LETTERS):
        return []
    variant, grid = found.variant, found.variant.grid
    letters: dict[Cell, str] = {}
    for letter, pair in zip(LETTERS, pairs, strict=False):
        letters.update(dict.fromkeys(pair, letter))
    lines = []
    for row in range(grid.rows):
        cells = range(row * grid.cols, (row + 1) * grid.cols)
        marks = (variant.content(found.position, cell) for cell in cells)
        lines.append("  " + " ".join(letters.get(cell, mark or ".") for cell, mark in zip(cells, marks, strict=True)))
    return ["Cells with the same letter are a pair:", *lines]
