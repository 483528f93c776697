"""What is said to the players of a match, whatever the game."""

from gridlock.cli.voice import Voice
from gridlock.game import Game
from gridlock.play.match import Match

HELP = """\
Type a row and a column, such as 2 3 or 2,3. Besides a move you can type:
  board    draw the board again (board ROW COLUMN: the part around that cell)
  moves    list the moves you can make
  hint     suggest a move
  why      give the reason for the last hint, or for the computer's last move
  values   mark every move + (wins) or - (loses)
  history  list the moves made so far
  undo     take back to your own last turn
  swap     take over the other side (right after the first move, with --swap)
  save F   write the game so far to the file F
  resign   give the game up
  quit     stop here; the game is kept, and 'gridlock resume' goes on with it
  help     show this"""


def welcome(match: Match, voice: Voice) -> list[str]:
    """What a person at a terminal is told first; a transcript needs none of it."""
    book, game = match.variant.book, Game(match.variant, names=match.names)
    lines = [f"{book.title} on {match.variant.grid}. {book.summary}"]
    for player, kind in zip((1, 2), match.kinds, strict=True):
        if kind != "human":
            lines.append(f"{voice.label(game, player)} is the computer ({kind}).")
    if "human" not in match.kinds:
        return lines
    return [*lines, f"Type a row and a column, such as {match.variant.name(0)}, or help."]


def opening(match: Match) -> list[str]:
    """How long a match is, or how it stands if it is resumed."""
    if match.rounds == 1:
        return []
    if match.games:
        begun = f"Round {len(match.games)} of {match.rounds}. " if match.games[-1].moves else ""
        return [f"{begun}{score(match)}"]
    even = " With an even number of rounds it can end in a tie." if match.rounds % 2 == 0 else ""
    return [f"A match of {match.rounds} rounds.{even}"]


def round_opening(match: Match) -> list[str]:
    """Who starts a round of a match."""
    game = match.games[-1]
    if match.rounds == 1 or game.moves:
        return []
    return ["", f"Round {len(match.games)} of {match.rounds}: {game.player_name(game.turn)} starts."]


def score(match: Match) -> str:
    """The rounds won so far."""
    names = (match.games[0].player_name(player) for player in (1, 2))
    return "Score: " + ", ".join(f"{name}: {won}" for name, won in zip(names, match.score(), strict=True)) + "."


def closing(match: Match) -> list[str]:
    """Who won a match."""
    if match.rounds == 1:
        return []
    first, second = match.score()
    winner = match.winner()
    if winner is None:
        return [f"The match is a tie, {first} to {second}."]
    name = match.games[-1].player_name(winner)
    return [f"{name} wins the match, {max(first, second)} to {min(first, second)}!"]
