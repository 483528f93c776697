"""Games as clients see them: complete states and positions, as data and in words (see docs/protocol.md)."""

from collections import Counter
from typing import Literal

from msgspec import UNSET

from gridlock.core.game import Game, Player, Termination
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.reachable import SetUp
from gridlock.core.rulebook import BLOCKED
from gridlock.core.shape import Follow
from gridlock.web.referee.decide import Rejection, may
from gridlock.web.referee.table import Access, Table
from gridlock.web.wire import answers, tokens
from gridlock.web.wire.setups import own_rule, setup_of


def label(game: Game, player: Player) -> str:
    """Return a player's name and marker, such as `Ada (X)`."""
    return f"{game.player_name(player)} ({game.mark_of(player)})"


def board(game: Game) -> answers.Board:
    """Return the board and the markers on it."""
    variant, position = game.variant, game.position
    cells = ["."] * variant.grid.size
    trails: tuple[list[Cell], list[Cell]] = ([], [])
    for side in (1, 2):
        mark, head = variant.book.mark(side), position.head(side)
        for cell in cells_of(position.markers(side)):
            blocked = variant.book.pawns and cell != head
            cells[cell] = BLOCKED if blocked else mark
            if blocked:
                trails[side - 1].append(cell)
    return answers.Board.of(
        variant.grid,
        title=variant.book.title,
        own_rule=own_rule(variant.book),
        origin=variant.book.origin,
        marks=variant.book.marks,
        cells="".join(cells),
        trails=trails,
        legal=[] if game.outcome else cells_of(game.legal),
        last=game.last_cell,
        causes=_lock(game) if game.outcome else [],
    )


def _lock(game: Game) -> list[Cell]:
    """Return a few markers that together occupy or block every cell, and so leave the loser without a move.

    Nearly every marker blocks some cell, so a list of all markers would explain nothing. If the loser had to play next
    to a particular marker, only the cells around that marker need to be occupied or blocked.
    """
    if game.resigned:
        return []
    variant, end = game.variant, game.positions[-1]
    shape, closed = variant.shape, variant.grid.cells & ~end.taken
    lock: Bitboard = 0
    followed = None if shape is None else end.my_head if shape.pawn else end.their_head
    if shape is not None and shape.follows is Follow.NEAR and followed is not None:
        around = shape.reach(variant.grid, followed)
        lock, closed = around & end.taken, around & closed
    causes = [refusal.causes for cell in cells_of(closed) if (refusal := variant.refusal(end, cell))]
    while causes := [one for one in causes if not one & lock]:
        votes = Counter(cell for one in causes for cell in cells_of(one))
        lock |= 1 << max(votes, key=lambda cell: (votes[cell], -cell))
    return cells_of(lock)


def set_up(made: SetUp) -> answers.SetUp:
    """Return the position that was set up, or a message that says why the position is invalid."""
    shape, problem = made.variant.shape, made.problem
    return answers.SetUp(
        position=position(made.game) if made.game else None,
        words=problem.words if problem else "",
        cells=cells_of(problem.cells) if problem else [],
        pawns=made.variant.book.pawns,
        follows=shape is None or shape.follows is not None,
    )


def why(game: Game, cell: Cell | None) -> answers.Why:
    """Explain why a cell can or cannot be played now."""
    if game.outcome:
        return answers.Why(cell, False, "over", "The game is over.", [])
    refusal = game.variant.refusal(game.position, cell)
    if refusal is None:
        return answers.Why(cell, True, None, "You can play here.", [])
    return answers.Why(cell, False, refusal.reason.value, f"The cell is {refusal.words}.", cells_of(refusal.causes))


def history(game: Game) -> list[answers.Entry]:
    """Return every move, swap and pass in a game, each with a description."""
    names, entries = (game.player_name(1), game.player_name(2)), []
    kind: Literal["move", "swap", "pass"]
    for event in game.history():
        name, mark, text = names[event.player - 1], game.variant.book.mark(event.side), None
        if event.swap:
            kind, words = "swap", f"{name} takes over the other side"
        elif event.cell is None:
            kind, words = "pass", f"{name} ({mark}) passes"
        else:
            text = game.variant.name(event.cell)
            kind, words = "move", f"{name} ({mark}) plays {text}"
        entries.append(answers.Entry(kind, event.ply, event.player, mark, event.cell, text, words))
    return entries


def passed(game: Game) -> answers.Pass | None:
    """Return the pass that a player without a legal move has just made, if any."""
    if not game.passing or game.outcome:
        return None
    player = 3 - game.turn
    mark = game.mark_of(player)
    return answers.Pass(player, mark, f"{label(game, player)} has no cell to play and must pass.")


def outcome(game: Game) -> answers.Outcome | None:
    """Return the result of a game, or None if it is not over."""
    if not game.outcome:
        return None
    winner, termination = game.outcome
    loser, both = 3 - winner, termination is Termination.STUCK and game.variant.book.passes
    if termination is not Termination.STUCK:
        words = f"{label(game, loser)} {termination.does}. {label(game, winner)} wins!"
    elif both:
        words = f"Neither player has a cell left. {label(game, winner)} made the last move and wins!"
    else:
        words = f"{label(game, loser)} has no cell to play. {label(game, winner)} wins!"
    return answers.Outcome(winner, loser, termination, words, both)


def standing(game: Game) -> str:
    """Return a sentence saying who has won, or who is to move."""
    result = outcome(game)
    return result.words if result else f"{label(game, game.turn)} is to move."


def position(game: Game) -> answers.Position:
    """Return a game's current position."""
    result = outcome(game)
    to_move = None if result else game.turn
    return answers.Position(
        ply=len(game.moves),
        setup=setup_of(game),
        board=board(game),
        to_move=to_move,
        mark=None if to_move is None else game.mark_of(to_move),
        words=standing(game),
        passed=passed(game),
        moves=history(game),
        outcome=result,
        can_swap=game.can_swap,
    )


def state(table: Table, access: Access, now: int, wait: int) -> answers.State:
    """Return everything a client needs to show a game at time `now`; the clocks start after `wait` milliseconds."""
    game = table.game
    result = outcome(game)
    return answers.State.of(
        table,
        game=table.id,
        setup=setup_of(game),
        opponent=table.settings.opponent,
        board=board(game),
        players=(_seated(table, 1), _seated(table, 2)),
        words=_status(table, result),
        passed=passed(game),
        moves=history(game),
        outcome=result,
        cancelled=table.cancelled is not None,
        offer=_offer(table, access),
        declined=_declined(table, access),
        round=table.settings.round,
        clock=_clock(table, now, wait),
        you=answers.You(access.role, access.seats, may(table, access)),
    )


def welcome(table: Table, access: Access, token: str) -> answers.Welcome:
    """Return the answer to a client that uses a token to open a game."""
    book = table.game.variant.book
    return answers.Welcome(
        game=table.id,
        role=access.role,
        seats=access.seats,
        watch=tokens.watching(token) if access.seats else None,
        invitation=tokens.invitation(token) if access.seats and table.open_seat else None,
        public=table.settings.public is True,
        rule=own_rule(book) or book.summary,
        back=tokens.back(token) if access.seats else None,
    )


def refused(refusal: Rejection) -> answers.Refused:
    """Return a rejection in the form that clients receive."""
    return answers.Refused(refusal.reason, refusal.words, list(refusal.causes))


def _clock(table: Table, now: int, wait: int) -> answers.Clock | None:
    clock = table.settings.clock
    if clock is UNSET:
        return None
    timed = tuple(left if table.level(player) is None else None for player, left in enumerate(table.left_at(now), 1))
    return answers.Clock(clock.seconds, clock.increment, (timed[0], timed[1]), table.ticking, wait)


def _seated(table: Table, player: Player) -> answers.Seated:
    name, mark, kind = table.game.player_name(player), table.game.mark_of(player), table.level(player) or "person"
    return answers.Seated(player, name, mark, kind, joined=player != table.open_seat)


def _status(table: Table, result: answers.Outcome | None) -> str:
    if result:
        return result.words
    if table.cancelled:
        return f"The game was cancelled because {label(table.game, table.cancelled)} didn't make the first move."
    if table.open_seat:
        return "Waiting for an opponent to join."
    who = label(table.game, table.game.turn)
    return f"{who} is thinking." if table.thinking else f"{who} is to move."


_WISHES = {"takeback": "take back a move", "rematch": "play again with sides swapped"}


def _offer(table: Table, access: Access) -> answers.Offer | None:
    if table.offer is None:
        return None
    what, player = table.offer.what, table.offer.player
    if access.seats == (player,):
        words = f"You've asked to {_WISHES[what]}. {table.game.player_name(3 - player)} hasn't answered yet."
    else:
        words = f"{table.game.player_name(player)} asks to {_WISHES[what]}."
    return answers.Offer(what, player, words)


def _declined(table: Table, access: Access) -> answers.Offer | None:
    """Return the most recent request that has been declined since the last move, if there is one."""
    if table.offer or not table.declined or table.rematch:
        return None
    what, player = table.declined[-1].what, table.declined[-1].player
    other = "You" if access.seats == (3 - player,) else table.game.player_name(3 - player)
    return answers.Offer(what, player, f"{other} declined the {what}.")
