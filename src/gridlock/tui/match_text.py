"""A match in lines to read beside the board."""

from gridlock.core.game import Game
from gridlock.play.record_words import result
from gridlock.play.saved_match import Table
from gridlock.play.words import Voice


def players(table: Table) -> list[str]:
    """Who plays, whose turn it is, and the score of a match."""
    match, game = table.match, table.game
    lines = []
    for player in (1, 2):
        turn = ">" if game.outcome is None and game.turn == player else " "
        kind = match.kinds[player - 1]
        lines.append(
            f"{turn} {game.player_name(player)} ({game.mark_of(player)}){'' if kind == 'human' else f', {kind}'}"
        )
    if match.rounds > 1:
        lines.append("Score {} - {}, round {} of {}".format(*match.score(), len(match.games), match.rounds))
    return [*lines, ""]


def moves(game: Game, voice: Voice) -> list[str]:
    """Every move so far."""
    return [f"{number:>3}. {voice.told(event)}" for number, event in enumerate(game.history(), 1)]


def turn(table: Table, voice: Voice, waiting: str) -> list[str]:
    """Whose turn it is, and what has just been passed over."""
    game = table.game
    label = voice.label(game, game.turn)
    passed = [voice.passed(game, game.player(game.positions[-1].turn))] if game.passing else []
    if not table.persons_turn:
        return [*passed, waiting or f"{label} is thinking ..."]
    swap = " Or take over the other side: s." if game.can_swap else ""
    return [*passed, f"{label}, your move.{swap}"]


def ending(table: Table) -> list[str]:
    """Who has won and why, and how the match stands."""
    match, lines = table.match, [result(table.game)]
    if not match.finished:
        return [*lines, "n: the next round"]
    if match.rounds > 1:
        winner = match.winner()
        lines.append("The match is a tie." if winner is None else f"{table.game.player_name(winner)} wins the match!")
    return lines
