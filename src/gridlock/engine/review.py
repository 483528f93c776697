"""Review a game: which player was winning after each move, and which moves lost a won game."""

from collections.abc import Iterator
from typing import NamedTuple

from gridlock.core.game import SWAP, Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.position import Side
from gridlock.engine.analysis import winner_by_swap
from gridlock.engine.clock import Clock, Progress, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict


class Step(NamedTuple):
    """One action of a player, and which player was winning before and after it (None: unknown)."""

    ply: int
    player: Player
    side: Side  # before the step: a swap changes it from the next step on
    move: Cell | None  # SWAP for a swap, None for a resignation or another forfeit
    before: Player | None
    after: Player | None
    better: tuple[Cell, ...] = ()  # the moves (or SWAP) that would have kept the win, after a mistake
    passed: bool = False  # the other side had to pass just before
    forfeit: Termination = Termination.RESIGNED  # how the game was lost, if there is no move

    @property
    def kind(self) -> str:
        """The kind of action: `move`, `swap`, `resign`, `time` or `left`."""
        if self.move is None:
            return "resign" if self.forfeit is Termination.RESIGNED else self.forfeit.value
        return "swap" if self.move == SWAP else "move"

    @property
    def mistake(self) -> bool:
        """Whether the step turned a won game into a lost one."""
        return self.before == self.player and self.after == 3 - self.player


def review(engine: Engine, game: Game, seconds: float, progress: Progress | None = None) -> Iterator[Step]:
    """Review every move, swap and resignation in turn, with a time limit in seconds for each position."""

    def game_at(ply: int) -> Game:
        then = game.at(ply)
        then.resigned = None  # the players could still continue
        return then

    def winner(ply: int) -> Player | None:
        cancellation.check()  # theory decides a position instantly, but there may be many
        then = game_at(ply)
        by_swap = winner_by_swap(then)
        if by_swap is not None:
            return by_swap
        position = then.positions[-1]  # a side that must pass has lost
        return engine.verdict(position, Clock(seconds, progress)).winner(then.player(position.turn))

    def holding(ply: int) -> tuple[Cell, ...]:
        """Return the moves that keep the win of the player to move."""
        analysis = engine.weigh_game(game_at(ply), Clock(seconds, progress))
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
