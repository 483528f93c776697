"""A game looked at again: which player was winning, and where the win was thrown away."""

from collections.abc import Iterator
from typing import NamedTuple

from gridlock.core.game import SWAP, Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.position import Side
from gridlock.engine.analysis import winner_by_swap, with_swap
from gridlock.engine.clock import Clock, Progress, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict


class Step(NamedTuple):
    """What a player did, and which player was winning before and after it (None: not found out)."""

    ply: int
    player: Player
    side: Side  # the player's own so far: a swap changes it from the next step on
    move: Cell | None  # SWAP for a swap, None for a resignation and the like
    before: Player | None
    after: Player | None
    better: tuple[Cell, ...] = ()  # what would have held (SWAP among it), if the step threw a win away
    passed: bool = False  # the other side was just passed over
    forfeit: Termination = Termination.RESIGNED  # how the game was lost, where there is no move

    @property
    def kind(self) -> str:
        """What it was: `move`, `swap`, `resign`, `time` or `left`."""
        if self.move is None:
            return "resign" if self.forfeit is Termination.RESIGNED else self.forfeit.value
        return "swap" if self.move == SWAP else "move"

    @property
    def mistake(self) -> bool:
        """Whether the player had a won game, and no longer has."""
        return self.before == self.player and self.after == 3 - self.player


def review(engine: Engine, game: Game, seconds: float, progress: Progress | None = None) -> Iterator[Step]:
    """Look at every move, swap and resignation in turn, giving each position so many seconds."""

    def stood(ply: int) -> Game:
        then = game.at(ply)
        then.resigned = None  # the players could still go on
        return then

    def winner(ply: int) -> Player | None:
        cancellation.check()  # what theory knows takes no time, but many positions do
        then = stood(ply)
        by_swap = winner_by_swap(then)
        if by_swap is not None:
            return by_swap
        position = then.positions[-1]  # a side that must pass has lost
        verdict = engine.verdict(position, Clock(seconds, progress))
        if verdict is Verdict.UNKNOWN:
            return None
        player = then.player(position.turn)
        return player if verdict is Verdict.WIN else 3 - player

    def holding(ply: int) -> tuple[Cell, ...]:
        """What keeps the win of the player to move."""
        then = stood(ply)
        analysis = with_swap(then, engine.weigh(then.position, Clock(seconds, progress)))
        return (SWAP,) if analysis.swap is Verdict.WIN else tuple(analysis.winning)

    before = winner(0)
    passed = False
    for event in game.history():
        if event.cell is None and not event.swap:
            passed = True
            continue
        after = winner(event.ply)
        move = SWAP if event.swap else event.cell
        step = Step(event.ply, event.player, event.side, move, before, after, passed=passed)
        yield step._replace(better=holding(event.ply - 1)) if step.mistake else step
        before, passed = after, False
    if game.resigned:
        player, ply = game.resigned, len(game.moves)
        step = Step(ply + 1, player, game.side(player), None, before, 3 - player, (), game.passing, game.forfeit)
        yield step._replace(better=holding(ply)) if step.mistake and player == game.turn else step
