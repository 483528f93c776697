"""Taking moves back, and making them again."""

from gridlock.core.errors import IllegalMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell


class Takeback:
    """What was taken back in a game, so that it can be made again until something else is played."""

    def __init__(self) -> None:
        self._undone: list[tuple[Cell, ...]] = []  # the latest last

    def forget(self) -> None:
        """Something else was played, or another game begins."""
        self._undone.clear()

    @property
    def possible(self) -> bool:
        """Whether there is something to make again."""
        return bool(self._undone)

    def undo(self, game: Game, kinds: tuple[str, str]) -> int:
        """Take back to the latest turn of a person, and say how many moves that was."""
        before = list(game.moves)
        if not before and not game.resigned:
            raise IllegalMove("no move has been made yet")
        count = game.undo_turn(*(player for player in (1, 2) if kinds[player - 1] == "human"))
        if count:  # a resignation leaves nothing to make again
            self._undone.append(tuple(before[len(game.moves) :]))
        return count

    def redo(self, game: Game) -> int:
        """Make again what was taken back last, and say how many moves that was."""
        if not self._undone:
            raise IllegalMove("no move was taken back just now")
        again = self._undone.pop()
        for move in again:
            game.push(move)
        return len(again)
