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
        return "throws the win away"
    if step.after is None:
        return "not known who is winning"
    if step.after == step.player:
        return "takes the chance, winning" if handed else "winning"
    if game.swap and step.ply == 1 and step.move is not None:
        return f"losing either way: {game.player_name(3 - step.player)} may swap"
    if step.before is None:
        return "not known who was winning" if step.move is None else "losing"
    return "losing anyway"


def what_holds(game: Game, step: Step) -> str:
    """Return a sentence that says what the player should have done instead of a mistake."""
    if step.move is None and step.player != game.turn:
        return "Playing on would have held."
    return f"What holds: {'  '.join(write_move(game.variant, move) for move in step.better) or 'not found in time'}"


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
        return f"Last mistake found: {place}. Who was winning later is not known throughout."
    if known and steps[0].before:
        return f"No mistakes: {game.player_name(steps[0].before)} was winning from the start."
    return "No mistakes were found, but it is not known throughout who was winning."


def _place(game: Game, step: Step) -> str:
    if step.move is None:
        return f"when {who(game, step)} {step.forfeit.did}"
    if step.move == SWAP:
        return f"at move {step.ply}, when {who(game, step)} swapped"
    return f"at move {step.ply}, {who(game, step)} {what(game, step)}"
