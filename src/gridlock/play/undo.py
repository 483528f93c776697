"""Undo and redo."""

from gridlock.core.errors import IllegalMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell


class UndoStack:
    """The moves undone in a game, which can be redone until something else is played."""

    def __init__(self) -> None:
        self._undone: list[tuple[Cell, ...]] = []  # the latest last

    def __bool__(self) -> bool:
        """Whether there is anything to redo."""
        return bool(self._undone)

    def clear(self) -> None:
        """Forget it all: something else was played, or another game begins."""
        self._undone.clear()

    def undo(self, game: Game, kinds: tuple[str, str]) -> int:
        """Undo to the latest turn of a person, and return the number of moves (0 for a resignation)."""
        before = list(game.moves)
        if not before and not game.resigned:
            raise IllegalMove("no move has been made yet")
        count = game.undo_turn(*(player for player in (1, 2) if kinds[player - 1] == "human"))
        if count:  # a resignation leaves nothing to redo
            self._undone.append(tuple(before[len(game.moves) :]))
        return count

    def redo(self, game: Game) -> int:
        """Play again what was undone last, and return the number of moves."""
        if not self._undone:
            raise IllegalMove("no move was taken back just now")
        again = self._undone.pop()
        for move in again:
            game.push(move)
        return len(again)
