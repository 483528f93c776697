"""What is said about games and matches on every surface, whatever the game."""

from gridlock.core.game import Game, Player, Termination
from gridlock.core.match import Match
from gridlock.core.position import Side
from gridlock.drawing.text import visible


def heading(game: Game) -> list[str]:
    """Return what was played, and by whom."""
    grid = game.variant.grid
    swap = ", with swap" if game.swap else ""
    return [
        f"{game.variant.book.title} on a board of {grid}, adjacency {grid.adjacency}{swap}",
        f"{named(game, 1, 1)} against {named(game, 2, 2)}; {game.player_name(game.starts)} starts",
        "",
    ]


def named(game: Game, player: Player, side: Side) -> str:
    """Return a player with the marker of a side, such as `Ada (X)`."""
    return f"{game.player_name(player)} ({game.variant.book.mark(side)})"


def result(game: Game) -> str:
    """Return how a game stands, in a sentence."""
    outcome = game.outcome
    if outcome is None:
        name, mark, count = game.player_name(game.turn), game.mark_of(game.turn), game.legal.bit_count()
        cells = f"{count or 'no'} {'cell' if count == 1 else 'cells'}"
        swap = ", and the right to swap" if game.can_swap else ""
        return f"No result yet: {name} ({mark}) is to move, with {cells} to choose from{swap}."
    winner, loser = game.player_name(outcome.winner), game.player_name(3 - outcome.winner)
    if outcome.termination is not Termination.STUCK:
        return f"{winner} wins: {loser} {outcome.termination.did}."
    if game.variant.book.passes:
        return f"{winner} wins: neither player can go on, and {winner} was the last who could."
    return f"{winner} wins: {loser} has no legal move."


def count_of_moves(count: int) -> str:
    """Return a number of moves in words, such as `2 moves`."""
    return f"{count} move{'s' * (count != 1)}"


def no_advice(reason: str) -> str:
    """Return the sentence for a question that the engine could not answer."""
    return f"No advice could be found ({visible(reason)})."


# -- a match of several rounds ---------------------------------------------------------------------------------------


def opening(match: Match) -> list[str]:
    """Return how long a match is, or how it stands if it is resumed."""
    if match.rounds == 1:
        return []
    if match.games:
        begun = f"{round_number(match)}. " if match.games[-1].moves else ""
        return [f"{begun}{score(match)}"]
    even = " With an even number of rounds it can end in a tie." if match.rounds % 2 == 0 else ""
    return [f"A match of {match.rounds} rounds.{even}"]


def round_opening(match: Match) -> list[str]:
    """Return who starts a round of a match."""
    game = match.games[-1]
    if match.rounds == 1 or game.moves:
        return []
    return ["", f"{round_number(match)}: {game.player_name(game.turn)} starts."]


def round_number(match: Match) -> str:
    """Return which round is played."""
    return f"Round {len(match.games)} of {match.rounds}"


def score(match: Match) -> str:
    """Return the rounds won so far."""
    names = (match.games[0].player_name(player) for player in (1, 2))
    return "Score: " + ", ".join(f"{name}: {won}" for name, won in zip(names, match.score(), strict=True)) + "."


def closing(match: Match) -> list[str]:
    """Return who won a match of several rounds."""
    if match.rounds == 1:
        return []
    first, second = match.score()
    winner = match.winner()
    if winner is None:
        return [f"The match is a tie, {first} to {second}."]
    name = match.games[-1].player_name(winner)
    return [f"{name} wins the match, {max(first, second)} to {min(first, second)}!"]
