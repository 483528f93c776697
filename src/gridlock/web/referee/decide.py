"""What an action comes to, the event to be stored or why it is refused, and so what may be done. Nothing changes here.

A refusal is a value and no exception: an exception that is raised again and again would keep whatever it came past.
"""

from collections.abc import Collection

from msgspec import UNSET, Struct, UnsetType

from gridlock.core.game import Player, Termination
from gridlock.core.grid import cells_of
from gridlock.web.referee.table import (
    Access,
    Asked,
    Event,
    Flagged,
    Left,
    Moved,
    Rematched,
    Resigned,
    Settled,
    Swapped,
    Table,
    TookBack,
)
from gridlock.web.wire import answers, messages, tokens


class Rejection(Struct, frozen=True):
    """Why an action is not possible: the reason as a code and in words."""

    reason: answers.Reason
    words: str
    causes: tuple[int, ...] = ()


Decision = Event | Rejection | None  # None: the repetition of something that has been accepted

_ASKED: tuple[messages.What, ...] = ("takeback", "rematch")
STALE = Rejection("stale", "The game has moved on meanwhile.")


def fallen(table: Table, now: int) -> Flagged | None:
    """What happens before anything else can: the player to move has run out of time."""
    player, deadline = table.ticking, table.deadline
    return Flagged(player) if player is not None and deadline is not None and now >= deadline else None


def decide(table: Table, access: Access, action: messages.Action, now: int, left: Collection[Player] = ()) -> Decision:
    """What an action leads to that came at a moment, in ticks, when these players had left."""
    if not access.seats:
        return Rejection("watching", "You are watching this game.")
    if table.open_seat:
        return Rejection("waiting", "Nobody has taken the other seat yet.")
    match action:
        case messages.Move(ply=ply, line=line, cell=cell):
            return _move(table, access, ply, line, cell, now)
        case messages.Swap(ply=ply, line=line):
            return _move(table, access, ply, line, None, now)
        case messages.Resign():
            return _resign(table, access)
        case messages.Claim():
            return _claim(table, access, left)
        case messages.Ask(ply=ply, line=line, what=what):
            return _ask(table, access, what) if _current(table, ply, line) else STALE
        case messages.Answer(ply=ply, line=line, accept=accept):
            return _answer(table, access, accept) if _current(table, ply, line) else STALE


def _current(table: Table, ply: int, line: int) -> bool:
    return (ply, line) == (table.ply, table.line)


def _move(table: Table, access: Access, ply: int, line: int, cell: int | None, now: int) -> Decision:
    """A move (or, with no cell, a swap)."""
    game = table.game
    if line == table.line and ply < table.ply:
        made = table.made(ply)
        if made.cell == cell and made.player in access.seats:
            return None
    if not _current(table, ply, line):
        return STALE
    if game.outcome:
        return Rejection("over", "The game is over.")
    if game.turn not in access.seats:
        return Rejection("turn", "It is not your turn.")
    if cell is None:
        if not game.can_swap:
            return Rejection(
                "illegal", "A swap is possible only right after the first move, in games with the swap rule."
            )
        return Swapped(at=timed(table, now))
    refusal = game.variant.refusal(game.position, cell)
    if refusal:
        return Rejection("illegal", f"The cell is {refusal.words}.", tuple(cells_of(refusal.causes)))
    return Moved(cell, at=timed(table, now))


def timed(table: Table, now: int) -> int | UnsetType:
    """The moment that is stored with a move: none where there is no clock."""
    return UNSET if table.settings.clock is UNSET else now


def _resign(table: Table, access: Access) -> Decision:
    """A resignation: on one screen, of the player to move."""
    if table.game.resigned in access.seats:
        return None
    if table.game.outcome:
        return Rejection("over", "The game is over.")
    return Resigned(_speaker(table, access))


def _claim(table: Table, access: Access, left: Collection[Player]) -> Decision:
    """The win of a game whose other player has left."""
    if table.alone or len(access.seats) != 1:
        return Rejection("illegal", "There is nobody else who could have left.")
    other = 3 - access.seats[0]
    if table.game.outcome == (access.seats[0], Termination.LEFT):
        return None
    if table.game.outcome:
        return Rejection("over", "The game is over.")
    if other not in left:
        return Rejection("illegal", f"{table.game.player_name(other)} has not been gone for long enough.")
    return Left(other)


def _speaker(table: Table, access: Access) -> Player:
    """For which player somebody speaks: on one screen, for the one to move."""
    return access.seats[0] if len(access.seats) == 1 else table.game.turn


def _ask(table: Table, access: Access, what: messages.What) -> Decision:
    """A takeback or a rematch: at once, with consent, or by asking."""
    player = _speaker(table, access)
    if what == "rematch":
        if table.rematch:
            return None
        if not table.game.outcome:
            return Rejection("illegal", "The game is not over yet.")
    elif table.settings.clock is not UNSET:
        return Rejection("illegal", "In a game with a clock no move is taken back.")
    elif table.takeback(player) is None:
        return Rejection("illegal", "There is no move of yours to take back.")
    asked = table.offer
    if table.alone or (asked and asked.what == what and asked.player != player):
        return _grant(table, Asked(player, what) if table.alone or asked is None else asked)
    if asked and asked.player == player and asked.what == what:
        return None
    if asked:
        return Rejection("offer", "Another question is still open.")
    if table.has_declined(player, what):
        return Rejection("offer", f"{table.game.player_name(3 - player)} has declined that already.")
    return Asked(player, what)


def _answer(table: Table, access: Access, accept: bool) -> Decision:
    """Consent, refusal or withdrawal."""
    if table.offer is None:
        return Rejection("offer", "No question is open.")
    if not accept:
        return Settled(_speaker(table, access))
    if table.offer.player in access.seats:
        return Rejection("offer", "Only your opponent can agree to what you asked.")
    return _grant(table, table.offer)


def _grant(table: Table, asked: Asked) -> Decision:
    if asked.what == "rematch":
        return Rematched(tokens.new_game_id())
    ply = table.takeback(asked.player)
    if ply is None:
        return STALE
    return TookBack(ply)


def may(table: Table, access: Access) -> list[answers.Ability]:
    """What somebody may do now: join, or whatever `decide` would accept from them."""
    if access.role == "invited":
        return ["join"] if table.open_seat else []
    if not access.seats or table.open_seat:
        return []
    trials = _trials(table, access)
    return [ability for ability, action in trials.items() if isinstance(decide(table, access, action, 0), Event)]


def _trials(table: Table, access: Access) -> dict[answers.Ability, messages.Action]:
    """The action that each ability stands for, as far as it means something now."""
    ply, line, legal = table.ply, table.line, table.game.legal
    trials: dict[answers.Ability, messages.Action] = {}
    if legal:
        trials["move"] = messages.Move(ply, line, (legal & -legal).bit_length() - 1)
    trials |= {"swap": messages.Swap(ply, line), "resign": messages.Resign()}
    if table.offer is None:  # to ask for the same would be to agree
        trials |= {what: messages.Ask(ply, line, what) for what in _ASKED}
    else:
        trials["answer"] = messages.Answer(ply, line, accept=True)
        if table.offer.player in access.seats:
            trials["withdraw"] = messages.Answer(ply, line, accept=False)
    return trials
