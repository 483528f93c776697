"""The HTTP API: create, join, look, download, analyse (see docs/protocol.md)."""

import re
import secrets
from collections import OrderedDict
from typing import TypeVar

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from gridlock.core.grid import Adjacency
from gridlock.core.names import LONGEST_NAME, clean_name
from gridlock.core.records import dump_json, dump_text
from gridlock.core.rules import FIRST, RULE_BOOKS
from gridlock.play.thinking.process import Failed
from gridlock.players import agents
from gridlock.web.games.hub import TAKEN, Hub
from gridlock.web.games.lobby import lobby
from gridlock.web.games.viewers import Live
from gridlock.web.net import limits, metrics
from gridlock.web.pages.requests import JSON, ApiError, Json, answer, bearer, client_of, while_waited_for
from gridlock.web.referee import views
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, Settings, played
from gridlock.web.thinking.pool import Busy, FairPool, Spent
from gridlock.web.thinking.questions import Advise, Analyse, LookThrough, Question
from gridlock.web.wire import answers, findings, messages, service, tokens
from gridlock.web.wire.setups import game_from, game_of, read_cell, setup_to_keep

REVIEW_SECONDS = 10.0
REVIEWS = 64  # that are kept: a review has an address, and is read more than once
PATIENCE = 25.0  # seconds that a question waits for a worker before whoever asks is told to come back
T = TypeVar("T")


class Api:
    """The HTTP endpoints."""

    def __init__(self, hub: Hub, analysts: FairPool, counters: FairPool, pace: limits.Pace, address: str) -> None:
        self.hub = hub
        self.pace = pace
        self.address = address  # by which other machines get here, if not by that of the page
        self.analysts = analysts
        self._reviews: OrderedDict[bytes, findings.Review] = OrderedDict()
        self.counters = counters  # of distances, apart: nobody's verdict waits for them

    # -- about the server -------------------------------------------------------------------------------------

    async def catalogue(self, _request: Request) -> Json[service.Catalogue]:
        """What can be played."""
        books = [
            service.Book(
                name=book.name,
                title=book.title,
                summary=book.summary,
                rules=book.rules,
                board="{}x{}".format(*book.board),
                adjacency=book.adjacency,
                origin=book.origin,
                smallest=book.smallest,
                marks=book.marks,
                players=book.players,
            )
            for book in RULE_BOOKS.values()
        ]
        most = service.Bounds(limits.LONGEST_SIDE, LONGEST_NAME, limits.MESSAGE, limits.BODY)
        levels = [service.Level(entry.name, entry.summary) for entry in map(agents.entry_online, agents.online())]
        return answer(service.Catalogue(books, FIRST, list(Adjacency), levels, most, self.address))

    # -- games ------------------------------------------------------------------------------------------------

    async def create(self, request: Request, wish: messages.Create) -> Json[service.Created]:
        """Start a game."""
        if self.hub.stopping:
            raise ApiError(503, "stopping", "The server is stopping. Try again in a moment.", 5)
        if wish.starts == "random" and wish.setup.moves:
            raise ApiError(422, "illegal", "With moves, it is settled already who starts.")
        for level in wish.levels or ([] if wish.opponent in messages.OTHERS else [wish.opponent]):
            agents.entry_online(level)  # refuses any other name
        if (wish.opponent == "levels") != (wish.levels is not None):
            raise ApiError(422, "illegal", "Two levels are named where levels play each other, and nowhere else.")
        if wish.levels and wish.clock:
            raise ApiError(422, "illegal", "Levels that play each other have no clock.")
        if wish.public and wish.opponent != "link":
            raise ApiError(422, "illegal", "Only a game by link can be public.")
        starts = 1 + secrets.randbelow(2) if wish.starts == "random" else wish.starts
        game = game_of(wish.setup, starts)
        if game.outcome:
            words = "That game is over already." if game.moves else "Nobody could move on that board: it is too small."
            raise ApiError(422, "illegal", words)
        if no := self.hub.no_new_game(client_of(request)):
            raise ApiError(429, "too-many", *no)
        id, token = tokens.new_game_id(), tokens.new_token()
        setup = setup_to_keep(game)
        settings = Settings(
            game=setup.game,
            definition=setup.definition,
            position=setup.position,
            board=setup.board,
            adjacency=setup.adjacency,
            starts=game.starts,
            swap=game.swap,
            opponent=wish.opponent,
            seat=wish.seat,
            names=_names(wish),
            seats=(None, None) if wish.levels else _for_seat(wish, tokens.digest(token)),
            watch=_for_seat(wish, tokens.digest(token if wish.levels else tokens.watching(token))),
            invitation=tokens.digest(tokens.invitation(token)) if wish.opponent == "link" else None,
            clock=wish.clock or UNSET,
            public=wish.public or UNSET,
            levels=wish.levels or UNSET,
        )
        await self.hub.store.create(id, settings, [played(move) for move in game.moves])
        self.pace.add_seat(tokens.digest(token))
        invitation = tokens.invitation(token) if wish.opponent == "link" else None
        watch = token if wish.levels else tokens.watching(token)
        return answer(service.Created(id, token, watch, invitation), 201)

    async def lobby(self, _request: Request) -> Json[service.Lobby]:
        """The games that anybody may join or watch."""
        return answer(lobby(self.hub.open.values()))

    async def join(self, request: Request, wish: messages.Join) -> Json[service.Seat]:
        """Take the open seat of a game."""
        invitation = bearer(request)
        async with self.hub.game(_id(request)) as live:
            if live is None or not tokens.opens(invitation, live.table.settings.invitation):
                raise ApiError(401, "token", "This invitation opens no game.")
            joined = await self.hub.join(live, invitation, wish.nonce, wish.name)
            if joined is TAKEN:
                raise ApiError(409, "taken", joined.words)
            if isinstance(joined, Rejection):
                raise ApiError(503, "busy", joined.words, 1)
            seat, token = joined
            self.pace.add_seat(tokens.digest(token))
            return answer(service.Seat(live.table.id, seat, token, tokens.watching(token)))

    async def state(self, request: Request) -> Json[answers.State] | Json[answers.Position]:
        """A game as it stands, or as it stood."""
        async with self.hub.game(_id(request)) as live:
            live, access = _may_see(live, request)
            ply = request.query_params.get("ply")
            if ply is None:
                return answer(views.state(live.table, access, self.hub.ticks.now(), self.hub.ticks.wait))
            if not re.fullmatch("[0-9]{1,5}", ply):
                raise ApiError(400, "malformed", "ply is a number of moves.")
            return answer(views.position(live.table.game.at(int(ply))))

    async def record(self, request: Request) -> Response:
        """A game as a file to keep."""
        async with self.hub.game(_id(request)) as live:
            live, _ = _may_see(live, request)
            game, form = live.table.game, request.query_params.get("format", "text")
        if form not in ("text", "json"):
            raise ApiError(400, "malformed", "The format is text or json.")
        name = f"{game.variant.book.name}-{live.table.id[:8]}.{'txt' if form == 'text' else 'json'}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        if form == "json":
            return Response(msgspec.json.encode(dump_json(game)) + b"\n", 200, headers, JSON)
        return Response(dump_text(game), 200, headers, "text/plain; charset=utf-8")

    # -- the analysis board -----------------------------------------------------------------------------------

    async def position(self, _request: Request, source: messages.Source) -> Json[answers.Position]:
        """A position that was set up or pasted."""
        return answer(views.position(game_from(source)))

    async def why(self, _request: Request, wish: messages.WhyNot) -> Json[answers.Why]:
        """Why a cell cannot be played."""
        game = game_of(wish.setup)
        return answer(views.why(game, read_cell(game, wish.text) if wish.cell is None else wish.cell))

    async def analyse(self, request: Request, wish: messages.AnalysisRequest) -> Json[findings.Analysis]:
        """What every move is worth."""
        game = game_from(wish)
        question = Analyse(setup_to_keep(game), wish.seconds, wish.distances)
        pool = self.counters if wish.distances else self.analysts
        found = await self.ask(request, pool, question, findings.Findings)
        return answer(findings.Analysis(views.position(game), found))

    async def hint(self, request: Request, wish: messages.HintRequest) -> Json[findings.Hint]:
        """What to play, a step at a time."""
        game = game_of(wish.setup)
        if game.outcome:
            raise ApiError(422, "illegal", "The game is over: there is nothing left to play.")
        question = Advise(setup_to_keep(game), wish.seconds)
        return answer(await self.ask(request, self.analysts, question, findings.Hint))

    async def review(self, request: Request, source: messages.Source) -> Json[findings.Review]:
        """Where a game was won and lost."""
        game = game_from(source)
        names = (game.names[0], game.names[1])
        question = LookThrough(setup_to_keep(game), REVIEW_SECONDS, names, game.resigned, game.forfeit)
        key = msgspec.json.encode(question)
        if key not in self._reviews:
            self._reviews[key] = await self.ask(request, self.analysts, question, findings.Review)
        self._reviews.move_to_end(key)
        while len(self._reviews) > REVIEWS:
            self._reviews.popitem(last=False)
        return answer(self._reviews[key])

    async def ask(self, request: Request, pool: FairPool, question: Question, kind: type[T]) -> T:
        """The answer to a question, as long as somebody waits for it."""
        return await while_waited_for(request, self.worked_out(client_of(request), pool, question, kind))

    async def worked_out(self, client: str, pool: FairPool, question: Question, kind: type[T]) -> T:
        """The answer to a question, whoever waits for it."""
        try:
            return await pool.ask(question, kind, client, PATIENCE)
        except Spent as spent:
            metrics.refusals.labels("thinking").inc()
            raise ApiError(429, "too-many", "You have asked the engine a lot. Let it rest.", spent.retry) from None
        except Busy as busy:
            metrics.refusals.labels("busy").inc()
            raise ApiError(503, "busy", "Many others are asking. Try again in a moment.", busy.retry) from None
        except Failed:
            raise ApiError(503, "busy", "The engine gave up on this position.", 5) from None


def _id(request: Request) -> str:
    """The game that is asked for; what cannot be the id of one opens nothing, and no database is asked for it."""
    id = str(request.path_params["id"])
    if not re.fullmatch("[A-Za-z0-9_-]{22}", id):
        raise ApiError(401, "token", "This link opens no game.")
    return id


def _may_see(live: Live | None, request: Request) -> tuple[Live, Access]:
    """The game, if the request's token opens it; whether there is such a game is nobody else's business."""
    token = bearer(request)
    access = live.table.access(token) if live else None
    if live is None or access is None:
        raise ApiError(401, "token", "This link opens no game.")
    return live, access


def _for_seat(wish: messages.Create, hash: str) -> tuple[str | None, str | None]:
    """A hash for the creator's seat; on one screen for both."""
    both = wish.opponent == "screen"
    return (hash if both or wish.seat == 1 else None, hash if both or wish.seat == 2 else None)


def _names(wish: messages.Create) -> tuple[str, str]:
    if wish.levels:
        return (f"Computer, {wish.levels[0]}", f"Computer, {wish.levels[1]}")
    other = ""
    if wish.opponent not in messages.OTHERS:
        other = f"Computer, {wish.opponent}"
    elif wish.opponent == "screen":
        other = clean_name(wish.other_name)
    mine = clean_name(wish.name)
    return (mine, other) if wish.seat == 1 else (other, mine)
