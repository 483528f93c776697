"""Operations on games: listing the catalogue, preparing a new game, and exporting a game as a file."""

import re
import secrets

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from gridlock.core.game import Game, Player
from gridlock.core.grid import Adjacency
from gridlock.core.names import LONGEST_NAME, clean_name, is_reserved, skeleton
from gridlock.core.records import dump_json, dump_text
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import FIRST, RULE_BOOKS
from gridlock.players import agents
from gridlock.web.net import limits
from gridlock.web.referee import views
from gridlock.web.referee.table import Settings
from gridlock.web.wire import answers, messages, service, tokens
from gridlock.web.wire.bodies import JSON, ApiError
from gridlock.web.wire.setups import game_of, setup_of

THINK = 2.0  # seconds that the computer may think about a move
WATCHED = 1.2  # seconds that each computer player may think when two levels play each other
SHOWN = 0.4  # minimum seconds per move when two levels play each other; pages show the moves more slowly


def catalogue(address: str) -> service.Catalogue:
    """Describe the games, boards and levels; other machines use the URL `address`, if it is not the page's own URL."""
    books = [service.Book.of(book, board="{}x{}".format(*book.board)) for book in RULE_BOOKS.values()]
    most = service.Bounds(limits.LONGEST_SIDE, LONGEST_NAME, limits.MESSAGE, limits.BODY)
    levels = [service.Level.of(agents.entry_online(name)) for name in agents.online()]
    return service.Catalogue(books, FIRST, list(Adjacency), levels, most, address)


def new_game(wish: messages.Create) -> Game:
    """Create the game that a client has requested, with its initial moves; reject a game that cannot be played."""
    if wish.starts == "random" and wish.setup.moves:
        raise ApiError(422, "illegal", "The first player can't be chosen at random if moves have already been made.")
    for level in wish.levels or ([] if wish.opponent in messages.OTHERS else [wish.opponent]):
        agents.entry_online(level)  # rejects an unknown level
    if (wish.opponent == "levels") != (wish.levels is not None):
        raise ApiError(422, "illegal", "If the opponent is 'levels', give two levels; otherwise, give none.")
    if wish.levels and wish.clock:
        raise ApiError(422, "illegal", "A game between two computer players can't have a clock.")
    if wish.public and wish.opponent != "link":
        raise ApiError(422, "illegal", "Only a game with an invitation link can be public.")
    starts = 1 + secrets.randbelow(2) if wish.starts == "random" else wish.starts
    game = game_of(wish.setup, starts)
    if game.outcome:
        raise ApiError(422, "illegal", _no_move(game))
    return game


def settings_for(wish: messages.Create, game: Game) -> tuple[Settings, service.Created]:
    """Return the settings of a new game, and its tokens."""
    id, token = tokens.new_game_id(), tokens.new_token()
    watch = token if wish.levels else tokens.watching(token)
    invitation = tokens.invitation(token) if wish.opponent == "link" else None
    setup = asdict(setup_of(game, keep=True))
    del setup["moves"]
    settings = Settings(
        **setup,
        opponent=wish.opponent,
        seat=wish.seat,
        names=_names(wish, game.variant.book),
        seats=(None, None) if wish.levels else _for_seat(wish, tokens.digest(token)),
        watch=_for_seat(wish, tokens.digest(watch)),
        invitation=tokens.digest(invitation) if invitation else None,
        clock=wish.clock or UNSET,
        public=wish.public or UNSET,
        levels=wish.levels or UNSET,
    )
    return settings, service.Created(id, token, watch, invitation)


def no_game() -> ApiError:
    """Return the response to a token that opens no game, without revealing whether the game exists."""
    return ApiError(401, "token", "This link doesn't open a game.")


def checked_id(id: str) -> str:
    """Return a game's id; reject a malformed id without looking it up."""
    if not re.fullmatch("[A-Za-z0-9_-]{22}", id):
        raise no_game()
    return id


def earlier(game: Game, ply: str) -> answers.Position:
    """Return a game's position after `ply` moves."""
    if not re.fullmatch("[0-9]{1,5}", ply):
        raise ApiError(400, "malformed", "ply must be a number of moves.")
    return views.position(game.at(int(ply)))


def record(game: Game, form: str) -> tuple[str, str, bytes]:
    """Return a game as a file: the file name extension, the content type and the contents."""
    if form == "json":
        return "json", JSON, msgspec.json.encode(dump_json(game)) + b"\n"
    if form == "text":
        return "txt", "text/plain; charset=utf-8", dump_text(game).encode()
    raise ApiError(400, "malformed", "The format must be text or json.")


def person(name: str, book: RuleBook, player: Player) -> str:
    """Clean a person's name and return it; reject the name if it resembles one that the server assigns."""
    name = clean_name(name)
    if skeleton(name) == skeleton(book.players[player - 1]):
        return ""  # the default name is the same, and is shown instead
    if is_reserved(name) or skeleton(name) in map(skeleton, agents.online()):
        raise ApiError(422, "illegal", f"The name '{name}' is reserved. Choose another name.")
    return name


def failure_of(level: str) -> answers.Notice:
    """Return the notice that viewers see when the computer has failed to choose a move."""
    return answers.Notice(f"The computer ({level}) failed, so it moved at random.")


def _names(wish: messages.Create, book: RuleBook) -> tuple[str, str]:
    if wish.levels:
        first, second = wish.levels
        numbers = (" 1", " 2") if first == second else ("", "")  # so that no two players have the same name
        return (f"Computer{numbers[0]}, {first}", f"Computer{numbers[1]}, {second}")
    if wish.opponent == "screen":
        other = person(wish.other_name, book, 3 - wish.seat)
    else:
        other = "" if wish.opponent in messages.OTHERS else f"Computer, {wish.opponent}"
    mine = person(wish.name, book, wish.seat)
    return (mine, other) if wish.seat == 1 else (other, mine)


def _for_seat(wish: messages.Create, hash: str) -> tuple[str | None, str | None]:
    """Return the token hash of each seat: on a shared screen, both have one; otherwise, only the creator's does."""
    both = wish.opponent == "screen"
    return (hash if both or wish.seat == 1 else None, hash if both or wish.seat == 2 else None)


def _no_move(game: Game) -> str:
    """Return the error message for a game that cannot be started because there is no legal move."""
    if game.moves or game.set_up:
        return "That game is already over."
    if game.variant.shape and game.variant.shape.self_blocking:
        return (
            "These rules allow no first move, because a pawn's step always ends next to its own trail. "
            "Let players play next to their own markers."
        )
    return "That board is too small: there is no legal move."
