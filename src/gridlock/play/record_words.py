"""A recorded game in a few words: what was played, by whom, and how it ended."""

from gridlock.core.game import Game, Player, Termination
from gridlock.core.position import Side


def heading(game: Game) -> list[str]:
    """What was played, and by whom."""
    grid = game.variant.grid
    swap = ", with swap" if game.swap else ""
    return [
        f"{game.variant.book.title} on a board of {grid}, adjacency {grid.adjacency}{swap}",
        f"{named(game, 1, 1)} against {named(game, 2, 2)}; {game.player_name(game.starts)} starts",
        "",
    ]


def named(game: Game, player: Player, side: Side) -> str:
    """A player with the marker of a side, such as `Ada (X)`."""
    return f"{game.player_name(player)} ({game.variant.book.marks[side - 1]})"


def result(game: Game) -> str:
    """How the game stands, in a sentence."""
    outcome = game.outcome
    if outcome is None:
        count = game.legal.bit_count()
        cells = f"{count or 'no'} {'cell' if count == 1 else 'cells'}"
        swap = ", and the right to swap" if game.can_swap else ""
        mover = named(game, game.turn, game.side(game.turn))
        return f"No result yet: {mover} is to move, with {cells} to choose from{swap}."
    winner, loser = game.player_name(outcome.winner), game.player_name(3 - outcome.winner)
    if outcome.termination is not Termination.STUCK:
        return f"{winner} wins: {loser} {outcome.termination.did}."
    if game.variant.book.passes:
        return f"{winner} wins: neither player can go on, and {winner} was the last who could."
    return f"{winner} wins: {loser} has no legal move."
