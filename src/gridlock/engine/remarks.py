"""A review in words, the same at the terminal and in the browser."""

from collections.abc import Iterator

from gridlock.core.game import SWAP, Game
from gridlock.core.notation import write_move
from gridlock.engine.review import Step


def who(game: Game, step: Step) -> str:
    """The player and the marker of that moment, such as `Ada (X)`."""
    return f"{game.player_name(step.player)} ({game.variant.book.mark(step.side)})"


def what(game: Game, step: Step) -> str:
    """What the player did, in a word."""
    return step.forfeit.does if step.move is None else write_move(game.variant, step.move)


def remarks(game: Game, steps: list[Step]) -> Iterator[tuple[Step, str]]:
    """Every step, and what there is to say about it."""
    handed = False  # whether the step before threw the win away
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
    """What the player should have done instead of a mistake."""
    if step.move is None and step.player != game.turn:
        return "Playing on would have held."
    return f"What holds: {'  '.join(write_move(game.variant, move) for move in step.better) or 'not found in time'}"


def summary(game: Game, steps: list[Step]) -> str:
    """Where the game was decided, in a sentence."""
    if not steps:
        return "No moves were made."
    mistakes = [index for index, step in enumerate(steps) if step.mistake]
    last = steps[mistakes[-1]] if mistakes else None
    known = all(step.after for step in steps[mistakes[-1] if mistakes else 0 :])
    if last:
        place = _place(game, last)
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
