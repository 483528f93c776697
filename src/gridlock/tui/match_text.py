"""The lines beside and below the board of a match."""

from gridlock.core.game import Game
from gridlock.play.match import LiveMatch
from gridlock.play.match_text import closing, result, round_number
from gridlock.play.words import Voice


def players(live: LiveMatch) -> list[str]:
    """Return the players, marking whose turn it is, and the score of a match."""
    match, game, lines = live.match, live.game, []
    for player in (1, 2):
        turn = ">" if game.outcome is None and game.turn == player else " "
        kind = match.kinds[player - 1]
        lines.append(f"{turn} {live.voice.label(game, player)}{'' if kind == 'human' else f', {kind}'}")
    if match.rounds > 1:
        lines.append("{}, score {} - {}".format(round_number(match), *match.score()))
    return [*lines, ""]


def moves(game: Game, voice: Voice) -> list[str]:
    """Return every move so far."""
    return [f"{number:>3}. {voice.history_entry(event)}" for number, event in enumerate(game.history(), 1)]


def turn(live: LiveMatch, waiting: str) -> list[str]:
    """Return whose turn it is, and who has just had to pass."""
    game, voice = live.game, live.voice
    label, passed = voice.label(game, game.turn), voice.passed(game)
    if not live.persons_turn:
        return [*passed, waiting or f"{label} is thinking ..."]
    swap = " Or take over the other side: s." if game.can_swap else ""
    return [*passed, f"{label}, your move.{swap}"]


def ending(live: LiveMatch) -> list[str]:
    """Return the result of the game, and the score of the match or the key for its next round."""
    return [result(live.game), *(closing(live.match) if live.match.finished else ["n: the next round"])]
