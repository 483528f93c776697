"""A review in words, shared by the terminal and the browser."""

from collections.abc import Iterator

from gridlock.core.game import SWAP, Game
from gridlock.core.notation import write_move
from gridlock.engine.review import Step


def who(game: Game, step: Step) -> str:
    """Return the player with the marker at that time, such as `Ada (X)`."""
    return f"{game.player_name(step.player)} ({game.variant.book.mark(step.side)})"


def what(game: Game, step: Step) -> str:
    """Return the player's action in a word."""
    return step.forfeit.does if step.move is None else write_move(game.variant, step.move)


def remarks(game: Game, steps: list[Step]) -> Iterator[tuple[Step, str]]:
    """Yield every step with a remark on it."""
    handed = False  # whether the step before was a mistake
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
    """Return a sentence that says what the player should have done instead of a mistake."""
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
        return f"Last mistake found: {place}. After that, it is not always clear who was winning."
    if known and steps[0].before:
        return f"No mistakes: {game.player_name(steps[0].before)} was winning from the start."
    return "No mistakes were found, but it is not always clear who was winning."


def _place(game: Game, step: Step) -> str:
    if step.move is None:
        return f"when {who(game, step)} {step.forfeit.did}"
    if step.move == SWAP:
        return f"at move {step.ply}, when {who(game, step)} swapped"
    return f"at move {step.ply}, {who(game, step)} {what(game, step)}"
