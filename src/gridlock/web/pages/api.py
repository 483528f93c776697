"""The HTTP API for games and analysis (see docs/protocol.md)."""

import logging

from starlette.requests import Request
from starlette.responses import Response

from gridlock.web.games.hub import TAKEN, Hub
from gridlock.web.games.live import Live
from gridlock.web.net import limits, metrics
from gridlock.web.operations import games, positions
from gridlock.web.pages.requests import Asking, Json, answer, bearer, client_of
from gridlock.web.referee import views
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, played
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import answers, findings, messages, service, tokens
from gridlock.web.wire.bodies import ApiError

log = logging.getLogger("gridlock.web")


class Api:
    """The endpoints for games and analysis."""

    def __init__(self, hub: Hub, analysts: FairPool, counters: FairPool, pace: limits.Pace, address: str) -> None:
        self.hub = hub
        self.pace = pace
        self.address = address  # the URL for other machines, if it differs from the page's own
        self.analysts = analysts
        self._reviews = positions.Reviews()
        self.counters = counters  # count distances in a separate pool, so that no verdict waits for them

    async def catalogue(self, _request: Request) -> Json[service.Catalogue]:
        """Describe the games, boards and levels."""
        return answer(games.catalogue(self.address))

    async def create(self, request: Request, wish: messages.Create) -> Json[service.Created]:
        """Start a game."""
        if self.hub.stopping:
            raise ApiError(503, "stopping", "The server is stopping. Try again in a moment.", 5)
        game = games.new_game(wish)
        client = client_of(request)
        if no := self.hub.no_new_game(client, await self.hub.store.shares.refusal(client)):
            raise ApiError(429, "too-many", *no)
        settings, created = games.settings_for(wish, game)
        await self.hub.store.create(created.id, settings, [played(move) for move in game.moves], client)
        log.info("created", extra={"game": created.id, "client": self.hub.store.shares.name(client)})
        self.pace.add_seat(tokens.digest(created.token))
        return answer(created, 201)

    async def lobby(self, _request: Request) -> Json[service.Lobby]:
        """List the public games."""
        return answer(self.hub.lobby.lists(self.hub.moderation.hidden))

    async def join(self, request: Request, wish: messages.Join) -> Json[service.Seat]:
        """Take the open seat in a game."""
        invitation = bearer(request)
        async with self.hub.game(games.checked_id(str(request.path_params["id"]))) as live:
            if live is None or not tokens.opens(invitation, live.table.settings.invitation):
                raise ApiError(401, "token", "This invitation isn't valid.")
            name = games.person(wish.name, live.table.game.variant.book, 3 - live.table.settings.seat)
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
        async with self.hub.game(games.checked_id(str(request.path_params["id"]))) as live:
            live, access = _may_see(live, request)
            ply = request.query_params.get("ply")
            if ply is None:
                return answer(views.state(live.table, access, live.now(self.hub.ticks), self.hub.ticks.wait))
            return answer(games.earlier(live.table.game, ply))

    async def record(self, request: Request) -> Response:
        """Return a game as a file to download."""
        async with self.hub.game(games.checked_id(str(request.path_params["id"]))) as live:
            live, _ = _may_see(live, request)
            game = live.table.game
        ending, kind, body = games.record(game, request.query_params.get("format", "text"))
        name = f"{game.variant.book.name}-{live.table.id[:8]}.{ending}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(body, 200, headers, kind)

    async def position(self, _request: Request, source: messages.Source) -> Json[answers.Position]:
        """Return a position that was set up or pasted."""
        return answer(positions.position(source))

    async def set_up(self, _request: Request, wish: messages.SetUpRequest) -> Json[answers.SetUp]:
        """Check whether a position that a user has set up can occur in a game."""
        return answer(positions.set_up(wish))

    async def why(self, _request: Request, wish: messages.WhyNot) -> Json[answers.Why]:
        """Explain why a cell cannot be played."""
        return answer(positions.why(wish))

    async def analyse(self, request: Request, wish: messages.AnalysisRequest) -> Json[findings.Analysis]:
        """Analyse a position: who wins, and the value of every move."""
        pool = self.counters if wish.distances else self.analysts
        return answer(await positions.analyse(Asking(request, pool), wish))

    async def hint(self, request: Request, wish: messages.HintRequest) -> Json[findings.Hint]:
        """Suggest a move in steps: who is winning, where to play, which move, and why."""
        return answer(await positions.hint(Asking(request, self.analysts), wish))

    async def regions(self, request: Request, wish: messages.RegionsRequest) -> Json[findings.Regions]:
        """Evaluate a position's regions: how hot each region is, and where to play."""
        return answer(await positions.regions(Asking(request, self.analysts), wish))

    async def open_region(self, request: Request, wish: messages.RegionRequest) -> Json[findings.OpenRegion]:
        """Show a region after a sequence of moves, with each side's best next moves and what each of those leaves."""
        return answer(await positions.open_region(Asking(request, self.analysts), wish))

    async def review(self, request: Request, source: messages.Source) -> Json[findings.Review]:
        """Review a game, and show where it was won and lost."""
        return answer(await self._reviews.review(Asking(request, self.analysts), source))


def _may_see(live: Live | None, request: Request) -> tuple[Live, Access]:
    """Return a game and the access to it that the request's token grants; reject an invalid token."""
    token = bearer(request)
    access = live.table.access(token) if live else None
    if live is None or access is None:
        raise games.no_game()
    return live, access
