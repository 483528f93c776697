"""Sentences about games and matches, shared by all interfaces."""

from gridlock.core.game import Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.match import Match
from gridlock.core.position import Side
from gridlock.core.rulebook import Refusal
from gridlock.drawing.text import visible


def heading(game: Game) -> list[str]:
    """Return the lines that name the game, the board and the players, followed by an empty line."""
    grid = game.variant.grid
    swap = ", with the swap rule" if game.swap else ""
    return [
        f"{game.variant.book.title} on a {grid} board, {grid.adjacency} adjacency{swap}",
        f"{label(game, 1, 1)} against {label(game, 2, 2)}; {game.player_name(game.starts)} starts",
        "",
    ]


def label(game: Game, player: Player, side: Side) -> str:
    """Return a player's name with a side's marker, such as `Ada (X)`."""
    return f"{game.player_name(player)} ({game.variant.book.mark(side)})"


def only_person(match: Match) -> Player | None:
    """Return the person who plays against a program, or None if the players are two people or two programs."""
    return match.kinds.index("human") + 1 if match.kinds.count("human") == 1 else None


def called(game: Game, player: Player, you: Player | None) -> str:
    """Return how to refer to a player in a sentence: by name or, if the player is addressed, as `you`."""
    name = game.player_name(player)
    if you is None:
        return name
    return "you" if player == you else "the computer" if name == game.variant.book.players[player - 1] else name


def result(game: Game, you: Player | None = None) -> str:
    """Return a sentence that gives the result of a game, or the state of play.

    If `you` is given, the sentence addresses that player as "you"; otherwise it uses the players' names.
    """
    outcome = game.outcome
    if outcome is None:
        name, mark, count = game.player_name(game.turn), game.mark_of(game.turn), game.legal.bit_count()
        cells = f"{count or 'no'} {'cell' if count == 1 else 'cells'}"
        swap = ", or a swap" if game.can_swap else ""
        return f"No result yet: {name} ({mark}) is to move, with {cells} to choose from{swap}."
    winner, loser = called(game, outcome.winner, you), called(game, 3 - outcome.winner, you)
    won = f"{winner} wins" if you is None else "You win" if outcome.winner == you else "You lose"
    if outcome.termination is not Termination.STUCK:
        return f"{won}: {loser} {outcome.termination.did}."
    if game.variant.book.passes:
        return f"{won}: neither player has a cell left, and {winner} made the last move."
    return f"{won}: {loser} {'have' if loser == 'you' else 'has'} no legal move."


def count_of_moves(count: int) -> str:
    """Return a count of moves as a phrase, such as `2 moves`."""
    return f"{count} move{'s' * (count != 1)}"


def refusal(game: Game, cell: Cell | None) -> Refusal | None:
    """Return why a cell cannot be the answer to a lesson or a puzzle, or None if it can.

    A `cell` of None means a cell outside the grid.
    """
    refused = game.variant.refusal(game.position, cell)
    return None if refused is None else refused._replace(words=f"The cell is {refused.words}. Try again.")


def no_advice(reason: str) -> str:
    """Return the sentence to show when the engine could not answer a question."""
    return f"No advice is available ({visible(reason)})."


# -- a match of several rounds ---------------------------------------------------------------------------------------


def opening(match: Match) -> list[str]:
    """Return a line that gives the length of a match, or the score of a resumed match."""
    if match.rounds == 1:
        return []
    if match.games:
        begun = f"{round_number(match)}. " if match.games[-1].moves else ""
        return [f"{begun}{score(match)}"]
    even = " With an even number of rounds, a tie is possible." if match.rounds % 2 == 0 else ""
    return [f"A match of {match.rounds} rounds.{even}"]


def round_opening(match: Match) -> list[str]:
    """Return the line that says which player starts a round."""
    game = match.games[-1]
    if match.rounds == 1 or game.moves:
        return []
    starter = called(game, game.turn, only_person(match))
    return ["", f"{round_number(match)}: {starter} start{'s' * (starter != 'you')}."]


def round_number(match: Match) -> str:
    """Return the label of the current round, such as `Round 2 of 3`."""
    return f"Round {len(match.games)} of {match.rounds}"


def score(match: Match) -> str:
    """Return a sentence that gives the score: the rounds won so far."""
    names = (called(match.games[0], player, only_person(match)) for player in (1, 2))
    return "Score: " + ", ".join(f"{name}: {won}" for name, won in zip(names, match.score(), strict=True)) + "."


def closing(match: Match) -> list[str]:
    """Return the result of a match of several rounds."""
    if match.rounds == 1:
        return []
    first, second = match.score()
    winner, you, score = match.winner(), only_person(match), f"{max(first, second)} to {min(first, second)}"
    if winner is None:
        return [f"The match is a tie, {first} to {second}."]
    if you is None:
        return [f"{match.games[-1].player_name(winner)} wins the match, {score}!"]
    return [f"You win the match, {score}!" if winner == you else f"You lose the match, {score}."]
