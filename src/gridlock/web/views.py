"""What clients are told: complete states and positions, in numbers and in words (see docs/protocol.md)."""

from typing import Any

from gridlock.game import Event, Game, Player, Termination
from gridlock.grid import Cell, cells_of
from gridlock.rulebook import BLOCKED, Reason
from gridlock.web.setups import setup_of
from gridlock.web.table import Access, Table

Json = dict[str, Any]


def label(game: Game, player: Player) -> str:
    """A player's name and marker, such as `Ada (X)`."""
    return f"{game.player_name(player)} ({game.variant.book.marks[game.side(player) - 1]})"


# -- the board ----------------------------------------------------------------------------------------------------


def board(game: Game) -> Json:
    """The board and what stands on it."""
    variant, position = game.variant, game.position
    cells = ["."] * variant.grid.size
    trails: list[list[Cell]] = [[], []]
    for side in (1, 2):
        mark, head = variant.book.marks[side - 1], position.head(side)
        for cell in cells_of(position.markers(side)):
            blocked = variant.book.pawns and cell != head
            cells[cell] = BLOCKED if blocked else mark
            if blocked:
                trails[side - 1].append(cell)
    return {
        "title": variant.book.title,
        "rows": variant.grid.rows,
        "cols": variant.grid.cols,
        "adjacency": str(variant.grid.adjacency),
        "origin": variant.book.origin,
        "marks": variant.book.marks,
        "cells": "".join(cells),
        "trails": trails,
        "legal": [] if game.outcome else cells_of(game.legal),
        "last": next((move for move in reversed(game.moves) if move >= 0), None),
        "causes": _why_stuck(game) if game.outcome else [],
    }


def _why_stuck(game: Game) -> list[Cell]:
    """The markers that leave the loser without a cell."""
    if game.resigned:
        return []
    causes, position = 0, game.position
    for cell in cells_of(game.variant.grid.cells & ~position.taken):
        refusal = game.variant.refusal(position, cell)
        causes |= refusal.causes if refusal else 0
    return cells_of(causes)


def why(game: Game, cell: Cell) -> Json:
    """Why a cell can or cannot be played now."""
    answer = {"type": "why", "cell": cell, "legal": False, "reason": None, "words": "You can play here.", "causes": []}
    if game.outcome:
        return answer | {"reason": "over", "words": "The game is over."}
    refusal = game.variant.refusal(game.position, cell if cell < game.variant.grid.size else None)
    if refusal is None:
        return answer | {"legal": True}
    causes = cells_of(refusal.causes) if refusal.reason is not Reason.OUTSIDE else []
    return answer | {"reason": str(refusal.reason), "words": f"The cell is {refusal.words}.", "causes": causes}


# -- what happened ------------------------------------------------------------------------------------------------


def history(game: Game) -> list[Json]:
    """Every move, swap and pass, each with its words."""
    entries: list[Json] = []
    ply = 0
    for event in game.history():
        ply += event.swap or event.cell is not None
        entries.append(_entry(game, event, ply))
    return entries


def _entry(game: Game, event: Event, ply: int) -> Json:
    player = event.side if ply <= 1 or event.swap else game.player(event.side)  # before a swap, players have own sides
    mark, name = game.variant.book.marks[event.side - 1], game.player_name(player)
    text = None if event.cell is None else game.variant.name(event.cell)
    if event.swap:
        kind, words = "swap", f"{name} takes over the other side"
    elif text is None:
        kind, words = "pass", f"{name} ({mark}) passes"
    else:
        kind, words = "move", f"{name} ({mark}) plays {text}"
    return {"kind": kind, "ply": ply, "player": player, "mark": mark, "cell": event.cell, "text": text, "words": words}


def passed(game: Game) -> Json | None:
    """The pass that has just been made for the player whose turn it would have been."""
    if not game.passing or game.outcome:
        return None
    player = 3 - game.turn
    mark = game.variant.book.marks[game.side(player) - 1]
    return {"player": player, "mark": mark, "words": f"{label(game, player)} has no cell to play and passes."}


def outcome(game: Game) -> Json | None:
    """Who won, and why, in words."""
    if not game.outcome:
        return None
    winner, termination = game.outcome
    loser = 3 - winner
    if termination is Termination.RESIGNED:
        words = f"{label(game, loser)} resigns. {label(game, winner)} wins!"
    elif game.variant.book.passes:
        words = f"Neither player has a cell left. {label(game, winner)} placed last and wins!"
    else:
        words = f"{label(game, loser)} has no cell to play. {label(game, winner)} wins!"
    return {"winner": winner, "loser": loser, "termination": str(termination), "words": words}


def position(game: Game, **extra: object) -> Json:
    """A position of a game, or one that was set up."""
    result = outcome(game)
    to_move = None if result else game.turn
    return {
        "type": "position",
        **extra,
        "ply": len(game.moves),
        "setup": setup_of(game),
        "board": board(game),
        "to_move": to_move,
        "mark": None if to_move is None else game.variant.book.marks[game.side(to_move) - 1],
        "words": result["words"] if result else f"{label(game, game.turn)} is to move.",
        "pass": passed(game),
        "moves": history(game),
        "outcome": result,
        "can_swap": game.can_swap,
    }


# -- a game being played ------------------------------------------------------------------------------------------


def state(table: Table, access: Access) -> Json:
    """Everything that one client needs to show the game."""
    game = table.game
    result = outcome(game)
    return {
        "type": "state",
        "game": table.id,
        "sequence": table.sequence,
        "ply": table.ply,
        "line": table.line,
        "setup": setup_of(game),
        "opponent": table.settings.opponent,
        "board": board(game),
        "players": [_player(table, player) for player in (1, 2)],
        "to_move": table.to_move,
        "thinking": table.thinking,
        "words": _status(table, result),
        "pass": passed(game),
        "moves": history(game),
        "outcome": result,
        "offer": _offer(table),
        "round": table.settings.round,
        "score": table.score,
        "rematch": table.rematch,
        "you": {"role": access.role, "seats": access.seats, "may": may(table, access)},
    }


def _player(table: Table, player: Player) -> Json:
    game = table.game
    return {
        "player": player,
        "name": game.player_name(player),
        "mark": game.variant.book.marks[game.side(player) - 1],
        "kind": table.level(player) or "person",
        "joined": player != table.open_seat,
    }


def _status(table: Table, result: Json | None) -> str:
    if result:
        return str(result["words"])
    if table.open_seat:
        return "Waiting for somebody to take the other seat."
    who = label(table.game, table.game.turn)
    return f"{who} is thinking." if table.thinking else f"{who} is to move."


def _offer(table: Table) -> Json | None:
    if table.offer is None:
        return None
    name = table.game.player_name(table.offer.player)
    asks = "take back a move" if table.offer.what == "takeback" else "play again with sides swapped"
    return {"what": table.offer.what, "player": table.offer.player, "words": f"{name} asks to {asks}."}


def may(table: Table, access: Access) -> list[str]:
    """What somebody may do now."""
    if access.role == "invited":
        return ["join"] if table.open_seat else []
    if not access.seats or table.open_seat:
        return []
    game = table.game
    mine = table.to_move in access.seats
    speaker = access.seats[0] if len(access.seats) == 1 else game.turn
    offered = table.offer
    abilities = {
        "move": mine and bool(game.legal),
        "swap": mine and game.can_swap,
        "resign": not game.outcome,
        "takeback": offered is None and table.takeback(speaker) is not None,
        "rematch": offered is None and game.outcome is not None and table.rematch is None,
        "answer": offered is not None and offered.player not in access.seats,
        "withdraw": offered is not None and offered.player in access.seats,
    }
    return [name for name, able in abilities.items() if able]
