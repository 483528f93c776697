"""What an action comes to: the events to be stored, or why it is refused. Nothing is changed here."""

from gridlock.game import Player
from gridlock.grid import cells_of
from gridlock.web import answers, messages, tokens
from gridlock.web.table import (
    Access,
    Asked,
    Event,
    Moved,
    Rematched,
    Resigned,
    Settled,
    Swapped,
    Table,
    TookBack,
)


class Refused(Exception):
    """An action that is not possible, with the reason as a code and in words."""

    def __init__(self, reason: answers.Reason, words: str, causes: list[int] | None = None) -> None:
        super().__init__(words)
        self.reason = reason
        self.words = words
        self.causes = causes or []


STALE = Refused("stale", "The game has moved on meanwhile.")


def decide(table: Table, access: Access, action: messages.Action) -> list[Event]:
    """The events that an action leads to; none if it is the repetition of one that has been accepted."""
    if not access.seats:
        raise Refused("watching", "You are watching this game.")
    if table.open_seat:
        raise Refused("waiting", "Nobody has taken the other seat yet.")
    match action:
        case messages.Move(ply=ply, line=line, cell=cell):
            return _move(table, access, ply, line, cell)
        case messages.Swap(ply=ply, line=line):
            return _move(table, access, ply, line, None)
        case messages.Resign():
            return _resign(table, access)
        case messages.Ask(ply=ply, line=line, what=what):
            _must_be_current(table, ply, line)
            return _ask(table, access, what)
        case messages.Answer(ply=ply, line=line, accept=accept):
            _must_be_current(table, ply, line)
            return _answer(table, access, accept)


def _must_be_current(table: Table, ply: int, line: int) -> None:
    if (ply, line) != (table.ply, table.line):
        raise STALE


def _move(table: Table, access: Access, ply: int, line: int, cell: int | None) -> list[Event]:
    """A move (or, with no cell, a swap)."""
    game = table.game
    if line == table.line and ply < table.ply:
        made = table.made(ply)
        if made.cell == cell and made.player in access.seats:
            return []
    _must_be_current(table, ply, line)
    if game.outcome:
        raise Refused("over", "The game is over.")
    if game.turn not in access.seats:
        raise Refused("turn", "It is not your turn.")
    if cell is None:
        if not game.can_swap:
            raise Refused("illegal", "A swap is possible only right after the first move, in games with the swap rule.")
        return [Swapped()]
    refusal = game.variant.refusal(game.position, cell)
    if refusal:
        raise Refused("illegal", f"The cell is {refusal.words}.", cells_of(refusal.causes))
    return [Moved(cell)]


def _resign(table: Table, access: Access) -> list[Event]:
    """A resignation: on one screen, of the player to move."""
    if table.game.resigned in access.seats:
        return []
    if table.game.outcome:
        raise Refused("over", "The game is over.")
    return [Resigned(_speaker(table, access))]


def _speaker(table: Table, access: Access) -> Player:
    """For which player somebody speaks: on one screen, for the one to move."""
    return access.seats[0] if len(access.seats) == 1 else table.game.turn


def _ask(table: Table, access: Access, what: messages.What) -> list[Event]:
    """A takeback or a rematch: at once, with consent, or by asking."""
    player = _speaker(table, access)
    if what == "rematch":
        if table.rematch:
            return []
        if not table.game.outcome:
            raise Refused("illegal", "The game is not over yet.")
    elif table.takeback(player) is None:
        raise Refused("illegal", "There is no move of yours to take back.")
    asked = table.offer
    if table.alone or (asked and asked.what == what and asked.player != player):
        return _grant(table, Asked(player, what) if table.alone or asked is None else asked)
    if asked and asked.player == player and asked.what == what:
        return []
    if asked:
        raise Refused("offer", "Another question is still open.")
    return [Asked(player, what)]


def _answer(table: Table, access: Access, accept: bool) -> list[Event]:
    """Consent, refusal or withdrawal."""
    if table.offer is None:
        raise Refused("offer", "No question is open.")
    if not accept:
        return [Settled()]
    if table.offer.player in access.seats:
        raise Refused("offer", "Only your opponent can agree to what you asked.")
    return _grant(table, table.offer)


def _grant(table: Table, asked: Asked) -> list[Event]:
    if asked.what == "rematch":
        return [Rematched(tokens.new_game_id())]
    ply = table.takeback(asked.player)
    if ply is None:
        raise STALE
    return [TookBack(ply)]
