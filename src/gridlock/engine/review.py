"""A game looked at again: which player was winning, and where the win was thrown away."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gridlock.engine.analysis import Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.game import SWAP, Game, Player
from gridlock.grid import Cell
from gridlock.position import Position, Side


class Step(NamedTuple):
    """What a player did, and which player was winning before and after it (None: not found out)."""

    ply: int
    player: Player
    side: Side  # the player's own so far: a swap changes it from the next step on
    move: Cell | None  # SWAP for a swap, None for a resignation
    before: Player | None
    after: Player | None
    better: tuple[Cell, ...] = ()  # what would have held (SWAP among it), if the step threw a win away
    passed: bool = False  # the other side was just passed over

    @property
    def kind(self) -> str:
        """What it was: `move`, `swap` or `resign`."""
        return {None: "resign", SWAP: "swap"}.get(self.move, "move")

    @property
    def mistake(self) -> bool:
        """Whether the player had a won game, and no longer has."""
        return self.before == self.player and self.after == 3 - self.player


def review(
    engine: Engine, game: Game, seconds: float, progress: Callable[[int, float], None] | None = None
) -> Iterator[Step]:
    """Look at every move, swap and resignation in turn, giving each position so many seconds."""

    def standing(ply: int) -> Position:
        """What the next move is made from, an enforced pass already behind it."""
        position = game.positions[ply]
        return position.passed() if engine.variant.must_pass(position) else position

    def winner(ply: int) -> Player | None:
        if game.swap and ply < 2:  # whatever the first move is, the second player takes the better side
            return 3 - game.starts
        position = game.positions[ply]
        if engine.variant.must_pass(position):  # the side that still has a cell placed last, and wins
            return game.player(3 - position.turn)
        verdict, _ = engine.verdict(position, Clock(seconds, progress))
        if verdict is Verdict.UNKNOWN:
            return None
        return game.player(position.turn if verdict is Verdict.WIN else 3 - position.turn)

    def holding(ply: int) -> tuple[Cell, ...]:
        """What keeps the win of the player to move."""
        found = engine.weigh(standing(ply), seconds, progress)
        if game.swap and ply == 1 and found.verdict is Verdict.LOSS:
            return (SWAP,)
        return tuple(found.winning)

    before = winner(0)
    for ply, move in enumerate(game.moves, 1):
        side, after = standing(ply - 1).turn, winner(ply)
        player = game.player(side) if ply > 2 else side  # until a swap, players have their own sides
        step = Step(ply, player, side, move, before, after, passed=side != game.positions[ply - 1].turn)
        yield step._replace(better=holding(ply - 1)) if step.mistake else step
        before = after
    if game.resigned:
        player, ply = game.resigned, len(game.moves)
        step = Step(ply + 1, player, game.side(player), None, before, 3 - player, passed=game.passing)
        yield step._replace(better=holding(ply)) if step.mistake and player == game.turn else step
