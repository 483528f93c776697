"""The HTTP API for games and analysis (see docs/protocol.md)."""

import logging
import re
import secrets
from collections import OrderedDict

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from gridlock.core.game import Game, Player
from gridlock.core.grid import Adjacency
from gridlock.core.names import LONGEST_NAME, clean_name, is_reserved, skeleton
from gridlock.core.records import dump_json, dump_text
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import FIRST, RULE_BOOKS
from gridlock.players import agents
from gridlock.web.games.hub import TAKEN, Hub
from gridlock.web.games.live import Live
from gridlock.web.net import limits, metrics
from gridlock.web.pages.requests import JSON, ApiError, Json, answer, ask, bearer, client_of
from gridlock.web.referee import views
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, Settings, played
from gridlock.web.thinking import questions
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import answers, findings, messages, service, tokens
from gridlock.web.wire.setups import game_from, game_of, read_cell, set_up_from, setup_of

log = logging.getLogger("gridlock.web")
REVIEW_SECONDS = 10.0
REVIEWS = 64  # that are cached: a review has a URL, and is read more than once


class Api:
    """The endpoints for games and analysis."""

    def __init__(self, hub: Hub, analysts: FairPool, counters: FairPool, pace: limits.Pace, address: str) -> None:
        self.hub = hub
        self.pace = pace
        self.address = address  # the URL for other machines, if it is not the page's own
        self.analysts = analysts
        self._reviews: OrderedDict[bytes, findings.Review] = OrderedDict()
        self.counters = counters  # of distances: a pool of their own, so that no verdict waits for them

    async def catalogue(self, _request: Request) -> Json[service.Catalogue]:
        """Describe the games, boards and levels."""
        books = [service.Book.of(book, board="{}x{}".format(*book.board)) for book in RULE_BOOKS.values()]
        most = service.Bounds(limits.LONGEST_SIDE, LONGEST_NAME, limits.MESSAGE, limits.BODY)
        levels = [service.Level.of(agents.entry_online(name)) for name in agents.online()]
        return answer(service.Catalogue(books, FIRST, list(Adjacency), levels, most, self.address))

    async def create(self, request: Request, wish: messages.Create) -> Json[service.Created]:
        """Start a game."""
        if self.hub.stopping:
            raise ApiError(503, "stopping", "The server is stopping. Try again in a moment.", 5)
        if wish.starts == "random" and wish.setup.moves:
            raise ApiError(422, "illegal", "The first player can't be random in a game that has moves.")
        for level in wish.levels or ([] if wish.opponent in messages.OTHERS else [wish.opponent]):
            agents.entry_online(level)  # rejects any other name
        if (wish.opponent == "levels") != (wish.levels is not None):
            raise ApiError(422, "illegal", "Give two levels if the opponent is 'levels', and only then.")
        if wish.levels and wish.clock:
            raise ApiError(422, "illegal", "A game between two levels can't have a clock.")
        if wish.public and wish.opponent != "link":
            raise ApiError(422, "illegal", "Only a game with an invitation link can be public.")
        starts = 1 + secrets.randbelow(2) if wish.starts == "random" else wish.starts
        game = game_of(wish.setup, starts)
        if game.outcome:
            raise ApiError(422, "illegal", _no_move(game))
        client = client_of(request)
        if no := self.hub.no_new_game(client, await self.hub.store.shares.refusal(client)):
            raise ApiError(429, "too-many", *no)
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
        await self.hub.store.create(id, settings, [played(move) for move in game.moves], client)
        log.info("created", extra={"game": id, "client": self.hub.store.shares.name(client)})
        self.pace.add_seat(tokens.digest(token))
        return answer(service.Created(id, token, watch, invitation), 201)

    async def lobby(self, _request: Request) -> Json[service.Lobby]:
        """List the public games."""
        return answer(self.hub.lobby.lists(self.hub.moderation.hidden))

    async def join(self, request: Request, wish: messages.Join) -> Json[service.Seat]:
        """Take the open seat of a game."""
        invitation = bearer(request)
        async with self.hub.game(_id(request)) as live:
            if live is None or not tokens.opens(invitation, live.table.settings.invitation):
                raise ApiError(401, "token", "This invitation isn't valid.")
            name = _person(wish.name, live.table.game.variant.book, 3 - live.table.settings.seat)
            joined = await self.hub.join(live, invitation, wish.nonce, name, client_of(request))
            if joined is TAKEN:
                raise ApiError(409, "taken", joined.words)
            if isinstance(joined, Rejection) and joined.reason == "limit":
                metrics.refusals.labels("joins").inc()
                raise ApiError(429, "too-many", joined.words, 60)
            if isinstance(joined, Rejection):
                raise ApiError(503, "busy", joined.words, 1)
            seat, token = joined
            self.pace.add_seat(tokens.digest(token))
            return answer(service.Seat(live.table.id, seat, token, tokens.watching(token)))

    async def state(self, request: Request) -> Json[answers.State] | Json[answers.Position]:
        """Return a game's current state, or an earlier position."""
        async with self.hub.game(_id(request)) as live:
            live, access = _may_see(live, request)
            ply = request.query_params.get("ply")
            if ply is None:
                return answer(views.state(live.table, access, live.now(self.hub.ticks), self.hub.ticks.wait))
            if not re.fullmatch("[0-9]{1,5}", ply):
                raise ApiError(400, "malformed", "ply must be a number of moves.")
            return answer(views.position(live.table.game.at(int(ply))))

    async def record(self, request: Request) -> Response:
        """Return a game as a file to download."""
        async with self.hub.game(_id(request)) as live:
            live, _ = _may_see(live, request)
            game, form = live.table.game, request.query_params.get("format", "text")
        if form not in ("text", "json"):
            raise ApiError(400, "malformed", "The format must be text or json.")
        name = f"{game.variant.book.name}-{live.table.id[:8]}.{'txt' if form == 'text' else 'json'}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        if form == "json":
            return Response(msgspec.json.encode(dump_json(game)) + b"\n", 200, headers, JSON)
        return Response(dump_text(game), 200, headers, "text/plain; charset=utf-8")

    async def position(self, _request: Request, source: messages.Source) -> Json[answers.Position]:
        """Return a position that was set up or pasted."""
        return answer(views.position(game_from(source)))

    async def set_up(self, _request: Request, wish: messages.SetUpRequest) -> Json[answers.SetUp]:
        """Check a position that was set up: whether a game can lead to it."""
        return answer(views.set_up(set_up_from(wish)))

    async def why(self, _request: Request, wish: messages.WhyNot) -> Json[answers.Why]:
        """Explain why a cell cannot be played."""
        game = game_of(wish.setup)
        return answer(views.why(game, read_cell(game, wish.text) if wish.cell is None else wish.cell))

    async def analyse(self, request: Request, wish: messages.AnalysisRequest) -> Json[findings.Analysis]:
        """Analyse a position: who wins, and the value of every move."""
        game = game_from(wish)
        pool = self.counters if wish.distances else self.analysts
        found = await ask(request, pool, questions.analyse, game, wish.seconds, wish.distances)
        return answer(findings.Analysis(views.position(game), found))

    async def hint(self, request: Request, wish: messages.HintRequest) -> Json[findings.Hint]:
        """Suggest a move, step by step."""
        game = game_of(wish.setup)
        if game.outcome:
            raise ApiError(422, "illegal", "The game is over, so there is no move to suggest.")
        return answer(await ask(request, self.analysts, questions.advise, game, wish.seconds))

    async def regions(self, request: Request, wish: messages.RegionsRequest) -> Json[findings.Regions]:
        """Value the regions of a position: how hot each is, and where to play."""
        game = game_of(wish.setup)
        if game.outcome:
            raise ApiError(422, "illegal", "The game is over, so no region is left.")
        return answer(await ask(request, self.analysts, questions.regions, game, wish.seconds))

    async def review(self, request: Request, source: messages.Source) -> Json[findings.Review]:
        """Review a game: where it was won and lost."""
        game = game_from(source)
        names = (game.names[0], game.names[1])
        facts = names, game.resigned, game.forfeit
        key = msgspec.json.encode((setup_of(game, keep=True), facts))
        if key not in self._reviews:
            self._reviews[key] = await ask(request, self.analysts, questions.review, game, REVIEW_SECONDS, *facts)
        self._reviews.move_to_end(key)
        while len(self._reviews) > REVIEWS:
            self._reviews.popitem(last=False)
        return answer(self._reviews[key])


def _no_move(game: Game) -> str:
    """Return why a game that is over can't be started, and what to change."""
    if game.moves or game.set_up:
        return "That game is already over."
    if game.variant.shape and game.variant.shape.self_blocking:
        return (
            "Nobody can make a first move with these rules: each step ends next to the cell that the pawn leaves. "
            "Let players play next to their own markers."
        )
    return "That board is too small: there is no legal move."


def _id(request: Request) -> str:
    """Return the id of the requested game; reject a malformed one without asking the database."""
    id = str(request.path_params["id"])
    if not re.fullmatch("[A-Za-z0-9_-]{22}", id):
        raise ApiError(401, "token", "This link doesn't open a game.")
    return id


def _may_see(live: Live | None, request: Request) -> tuple[Live, Access]:
    """Return the game if the request's token opens it; the error does not reveal whether the game exists."""
    token = bearer(request)
    access = live.table.access(token) if live else None
    if live is None or access is None:
        raise ApiError(401, "token", "This link doesn't open a game.")
    return live, access


def _for_seat(wish: messages.Create, hash: str) -> tuple[str | None, str | None]:
    """Return a hash for the creator's seat, or for both seats if they share one screen."""
    both = wish.opponent == "screen"
    return (hash if both or wish.seat == 1 else None, hash if both or wish.seat == 2 else None)


def _names(wish: messages.Create, book: RuleBook) -> tuple[str, str]:
    if wish.levels:
        first, second = wish.levels
        numbers = (" 1", " 2") if first == second else ("", "")  # so that no two players have the same name
        return (f"Computer{numbers[0]}, {first}", f"Computer{numbers[1]}, {second}")
    if wish.opponent == "screen":
        other = _person(wish.other_name, book, 3 - wish.seat)
    else:
        other = "" if wish.opponent in messages.OTHERS else f"Computer, {wish.opponent}"
    mine = _person(wish.name, book, wish.seat)
    return (mine, other) if wish.seat == 1 else (other, mine)


def _person(name: str, book: RuleBook, player: Player) -> str:
    """Return a person's name, cleaned; reject one that looks like a name that the server itself gives."""
    name = clean_name(name)
    if skeleton(name) == skeleton(book.players[player - 1]):
        return ""  # which is shown as that very name
    if is_reserved(name) or skeleton(name) in map(skeleton, agents.online()):
        raise ApiError(422, "illegal", f"The name '{name}' is reserved. Choose another name.")
    return name
