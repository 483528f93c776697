"""Reviews of games, in words: who was winning after each move, and which moves lost a won game."""

from collections.abc import Iterator
from typing import NamedTuple

from gridlock.core.game import SWAP, Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.notation import write_move
from gridlock.core.position import Side
from gridlock.engine.analysis import winner_by_swap
from gridlock.engine.clock import Clock, Progress, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict


class Step(NamedTuple):
    """A player's action, and which player was winning before and after it (None if unknown)."""

    ply: int
    player: Player
    side: Side  # the player's side before the step; a swap changes it from the next step on
    move: Cell | None  # SWAP for a swap; None for a resignation or another forfeit
    before: Player | None
    after: Player | None
    better: tuple[Cell, ...] = ()  # the moves (or SWAP) that would have kept the win, after a mistake
    passed: bool = False  # whether the other side had to pass just before
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
        """Return all winning moves for the player to move."""
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


# -- a review in words -----------------------------------------------------------------------------------------------


def who(game: Game, step: Step) -> str:
    """Return the player's name with their marker at the time of the step, such as `Ada (X)`."""
    return f"{game.player_name(step.player)} ({game.variant.book.mark(step.side)})"


def what(game: Game, step: Step) -> str:
    """Return a short description of the player's action."""
    return step.forfeit.does if step.move is None else write_move(game.variant, step.move)


def remarks(game: Game, steps: list[Step]) -> Iterator[tuple[Step, str]]:
    """Yield each step together with a remark about it."""
    handed = False  # whether the previous step was a mistake
    for step in steps:
        words = _remark(game, step, handed)
        if step.move == SWAP:
            words = f"takes over {game.variant.book.mark(3 - step.side)}, {words}"
        yield step, words
        handed = step.mistake


def _remark(game: Game, step: Step, handed: bool) -> str:
    if step.mistake:
        return "gives away the win"
    if step.after is None:
        return "unclear who is winning"
    if step.after == step.player:
        return "punishes the mistake: winning" if handed else "winning"
    if game.swap and step.ply == 1 and step.move is not None:
        return f"losing either way, because {game.player_name(3 - step.player)} may swap"
    if step.before is None:
        return "unclear who was winning" if step.move is None else "losing"
    return "losing anyway"


def what_holds(game: Game, step: Step) -> str:
    """Return a sentence that says what would have kept the win."""
    if step.move is None and step.player != game.turn:
        return "Playing on would have kept the win."
    better = "  ".join(write_move(game.variant, move) for move in step.better)
    if not better:
        return "No move that keeps the win was found in time."
    return f"{'This move keeps' if len(step.better) == 1 else 'These moves keep'} the win: {better}"


def summary(game: Game, steps: list[Step]) -> str:
    """Return a sentence that says where the game was decided."""
    if not steps:
        return "No moves were made."
    last = max((index for index, step in enumerate(steps) if step.mistake), default=None)
    known = all(step.after for step in steps[last or 0 :])
    if last is not None:
        place = _place(game, steps[last])
        if known:
            return f"Decided {place}."
        return f"Last mistake found: {place}. For some later positions, it is not known who was winning."
    if known and steps[0].before:
        return f"No mistakes: {game.player_name(steps[0].before)} was winning from the start."
    return "No mistakes were found, but for some positions it is not known who was winning."


def _place(game: Game, step: Step) -> str:
    if step.move is None:
        return f"when {who(game, step)} {step.forfeit.did}"
    if step.move == SWAP:
        return f"at move {step.ply}, when {who(game, step)} swapped"
    return f"at move {step.ply}, {who(game, step)} {what(game, step)}"
