"""The referee: it either turns an action into an event, or rejects the action and gives a reason.

The referee does not change the game.

Rejections are values, not exceptions, because some of them are shared constants. The traceback of an exception that is
stored in a shared constant would keep stack frames alive.
"""

from collections.abc import Collection
from typing import Literal

from msgspec import UNSET, Struct

from gridlock.core.game import Player, Termination
from gridlock.core.grid import cells_of
from gridlock.web.referee import table as events
from gridlock.web.referee.table import Access, GameEvent, Table
from gridlock.web.wire import answers, messages, tokens


class Rejection(Struct, frozen=True):
    """Why an action is not possible, as a code and in words."""

    reason: answers.Reason
    words: str
    causes: tuple[int, ...] = ()


Decision = GameEvent | Rejection | None  # None if the action repeats an accepted action

STALE = Rejection("stale", "The game has moved on since then.")
_OVER = Rejection("over", "The game is over.")
NO_REACTION = Rejection("watching", "Only people who are playing each other can send reactions.")
TOO_LONG = Rejection(
    "limit",
    f"After {events.MOST_WITH_TAKEBACKS:,} events in a game, such as moves, takebacks and takeback requests, "
    "moves can no longer be taken back. You can still finish the game.",
)


def fallen(table: Table, now: int) -> events.Flagged | None:
    """Return the event for a loss on time, which overrides any action; None if the player to move has time left."""
    player, deadline = table.ticking, table.deadline
    return events.Flagged(player) if player is not None and deadline is not None and now >= deadline else None


def decide(table: Table, access: Access, action: messages.Action, claims: Collection[Player] = ()) -> Decision:
    """Return the decision about an action; the players in `claims` have waited long enough to make a claim."""
    if not access.seats:
        return Rejection("watching", "You are watching this game.")
    if table.open_seat:
        return Rejection("waiting", "The other seat is still open.")
    if isinstance(action, messages.OnBoard) and (action.ply, action.line) != (table.ply, table.line):
        return None if _repeated(table, access, action) else STALE
    match action:
        case messages.Move(cell=cell):
            return _move(table, access, cell)
        case messages.Swap():
            return _move(table, access, None)
        case messages.Resign():
            if table.game.resigned in access.seats:
                return None
            return _OVER if table.over else events.Resigned(_speaker(table, access))
        case messages.ClaimWin():
            return _claim(table, access, claims)
        case messages.Ask(what=what):
            return _ask(table, access, what)
        case messages.Respond(accept=accept):
            return _answer(table, access, accept)


def _repeated(table: Table, access: Access, action: messages.OnBoard) -> bool:
    """Return whether an outdated action repeats a move or swap that its sender has already made."""
    if not isinstance(action, messages.Move | messages.Swap) or action.line != table.line or action.ply >= table.ply:
        return False
    made = next(event for event in table.game.history() if event.ply > action.ply)
    return made.cell == getattr(action, "cell", None) and made.player in access.seats


def _move(table: Table, access: Access, cell: int | None) -> Decision:
    """Accept or reject a move, or a swap if no cell is given."""
    game = table.game
    if table.over:
        return _OVER
    if game.turn not in access.seats:
        return Rejection("turn", "It is not your turn.")
    if cell is None:
        if not game.can_swap:
            return Rejection("illegal", "You can swap only after the first move of a game with the swap rule.")
        return events.Swapped()
    refusal = game.variant.refusal(game.position, cell)
    if refusal:
        return Rejection("illegal", f"The cell is {refusal.words}.", tuple(cells_of(refusal.causes)))
    return events.Moved(cell)


Claim = Literal["win", "cancel"]


def claimable(table: Table, player: Player) -> Claim | None:
    """Return what a player may claim after waiting long enough for the opponent; None if no claim is possible.

    A game in which no move has been made can be cancelled, but not won. If no clock is running, a player can make a
    claim only on the opponent's turn.
    """
    if table.alone or table.to_move is None:
        return None
    if table.ticking:
        return "win"
    if table.to_move == player:
        return None
    return "win" if table.settings.clock is UNSET and table.game.moves else "cancel"


def _claim(table: Table, access: Access, claims: Collection[Player]) -> Decision:
    """Decide on a claim: a request to win, or to cancel the game, because the opponent is not playing."""
    if table.alone or len(access.seats) != 1:
        return Rejection("illegal", "Nobody else is playing this game, so you can't claim a win.")
    player = access.seats[0]
    other = 3 - player
    if table.game.outcome == (player, Termination.LEFT) or table.cancelled == other:
        return None
    if table.over:
        return _OVER
    claim, name = claimable(table, player), table.game.player_name(other)
    if claim is None:
        return Rejection("turn", "It is your turn, and no clock is running.")
    if player in claims:
        return events.Left(other) if claim == "win" else events.Cancelled(other)
    early = f"You can't claim the win against {name} yet."
    return Rejection("illegal", early if claim == "win" else f"{name} still has time to make the first move.")


def _speaker(table: Table, access: Access) -> Player:
    """Return the player whom a client represents; if both players share a screen, this is the player to move."""
    return access.seats[0] if len(access.seats) == 1 else table.game.turn


def _ask(table: Table, access: Access, what: messages.What) -> Decision:
    """Decide on a request for a takeback or a rematch; some requests are granted immediately."""
    player = _speaker(table, access)
    if what == "rematch":
        if table.rematch:
            return None
        if not table.over:
            return Rejection("illegal", "The game is not over yet.")
    elif table.settings.clock is not UNSET:
        return Rejection("illegal", "You can't take back a move in a game with a clock.")
    elif table.takeback(player) is None:
        return Rejection("illegal", "You have no move to take back.")
    elif table.too_long:
        return TOO_LONG
    asked = table.offer
    if table.alone or (asked and asked.what == what and asked.player != player):
        return _grant(table, events.Asked(player, what) if table.alone or asked is None else asked)
    if asked and asked.player == player and asked.what == what:
        return None
    if asked:
        return Rejection("offer", "Another request is still pending.")
    if events.Asked(player, what) in table.declined:
        return Rejection("offer", f"{table.game.player_name(3 - player)} has already declined that.")
    if events.Asked(player, what) in table.withdrawn:
        other = f"Only {table.game.player_name(3 - player)} can ask for a rematch now."
        again = other if what == "rematch" else "You can ask again after the next move."
        return Rejection("offer", f"You've withdrawn that request. {again}")
    return events.Asked(player, what)


def _answer(table: Table, access: Access, accept: bool) -> Decision:
    """Decide what happens when a player accepts, declines or withdraws a request."""
    if table.offer is None:
        return Rejection("offer", "There is no request to answer.")
    if not accept:
        return events.Settled(_speaker(table, access))
    if table.offer.player in access.seats:
        return Rejection("offer", "Only your opponent can accept your request.")
    return _grant(table, table.offer)


def _grant(table: Table, asked: events.Asked) -> Decision:
    if asked.what == "rematch":
        return events.Rematched(tokens.new_game_id())
    ply = table.takeback(asked.player)
    return STALE if ply is None else events.TookBack(ply)


def may(table: Table, access: Access) -> list[answers.Ability]:
    """Return what a client may do now: join the game, or take any action that `decide` would accept."""
    if access.role == "invited":
        return ["join"] if table.open_seat else []
    if not access.seats or table.open_seat:
        return []
    ply, line, legal = table.ply, table.line, table.game.legal
    trials: dict[answers.Ability, messages.Action] = {}
    if legal:
        trials["move"] = messages.Move(ply, line, (legal & -legal).bit_length() - 1)
    trials |= {"swap": messages.Swap(ply, line), "resign": messages.Resign()}
    if table.offer is None:  # otherwise, making the same request would mean accepting it
        trials |= {"takeback": messages.Ask(ply, line, "takeback"), "rematch": messages.Ask(ply, line, "rematch")}
    else:
        trials["answer"] = messages.Respond(ply, line, accept=True)
        if table.offer.player in access.seats:
            trials["withdraw"] = messages.Respond(ply, line, accept=False)
    return [ability for ability, action in trials.items() if isinstance(decide(table, access, action), GameEvent)]
