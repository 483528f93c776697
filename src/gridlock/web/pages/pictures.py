"""Pictures of positions by URL, as SVG and as PNG."""

import re
from collections import OrderedDict

from starlette.requests import Request
from starlette.responses import Response

from gridlock.core.game import Game
from gridlock.web.net.limits import Allowance
from gridlock.web.pages import files
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.requests import ApiError, ask, client_of
from gridlock.web.thinking.pool import FairPool
from gridlock.web.thinking.questions import draw
from gridlock.web.wire.setups import game_at

DAY = 86_400  # seconds that a picture may be cached: a position always looks the same
MOST_CACHED = 128  # pictures, of some ten thousand bytes each
AT_ONCE, A_SECOND = 20, 0.5  # pictures drawn per client
SECONDS = 5.0  # for a PNG, which takes a tenth of one
OPEN = {"Cross-Origin-Resource-Policy": "cross-origin"}  # any page may embed a picture


class Pictures:
    """The endpoint for pictures: each is drawn once, and each client has a limit."""

    def __init__(self, learning: Learning, painters: FairPool) -> None:
        self.learning = learning
        self.painters = painters
        self._drawn: OrderedDict[str, files.File] = OrderedDict()
        self._allowance = Allowance(AT_ONCE, A_SECOND)

    async def picture(self, request: Request) -> Response:
        """Return the picture of a position or of a daily puzzle."""
        form = request.scope["path"].rpartition(".")[2]
        key = f"{form} {request.scope['query_string'].decode('latin-1')}"
        if key not in self._drawn:
            if wait := self._allowance.take(client_of(request)):
                raise ApiError(429, "too-many", "Those were many pictures. Wait a moment and try again.", wait)
            self._drawn[key] = await self._draw(request, await self._game(request), form)
        self._drawn.move_to_end(key)
        file = self._drawn[key]
        while len(self._drawn) > MOST_CACHED:
            self._drawn.popitem(last=False)
        return files.response(request, file, {"Cache-Control": f"public, max-age={DAY}", **OPEN})

    async def _game(self, request: Request) -> Game:
        asked = request.query_params
        if list(asked) == ["at"]:
            return game_at(asked["at"])
        if list(asked) == ["day"]:
            return await self.learning.daily_game(request, asked["day"])
        raise ApiError(400, "malformed", "A picture is asked for by at=, a position, or by day=, a date.")

    async def _draw(self, request: Request, game: Game, form: str) -> files.File:
        """Draw a game: a PNG in another process, because the renderer blocks all other threads."""
        if form == "svg":
            return files.file_of(re.sub(r"\n+", "\n", game.svg(game.variant.book.title)).encode(), files.KINDS[".svg"])
        return files.file_of(await ask(request, self.painters, draw, game, SECONDS), files.KINDS[".png"])
