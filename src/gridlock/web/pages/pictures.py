"""Pictures of positions by their address, as SVG and as PNG."""

import asyncio
import re
from collections import OrderedDict

from starlette.requests import Request
from starlette.responses import Response

from gridlock.core.game import Game
from gridlock.drawing.svg import board_svg
from gridlock.web.net.limits import Allowance
from gridlock.web.pages import files
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.raster import board_png
from gridlock.web.pages.requests import ApiError, client_of
from gridlock.web.wire.addresses import game_at

DAY = 86_400  # seconds that others may keep a picture: a position never looks different
KEPT = 128  # pictures, of some ten thousand bytes each
AT_ONCE, A_SECOND = 20, 0.5  # pictures that are drawn for one client


class Pictures:
    """Draws each picture once, and not too many of them for anybody."""

    def __init__(self, learning: Learning) -> None:
        self.learning = learning
        self._drawn: OrderedDict[str, files.File] = OrderedDict()
        self._allowance = Allowance(AT_ONCE, A_SECOND)
        self._drawing = asyncio.Semaphore(1)

    async def picture(self, request: Request) -> Response:
        """The picture of a position or of the puzzle of a day."""
        form = request.scope["path"].rpartition(".")[2]
        key = f"{form} {request.scope['query_string'].decode('latin-1')}"
        if key not in self._drawn:
            if wait := self._allowance.take(client_of(request)):
                raise ApiError(429, "too-many", "Those were many pictures. Wait a moment and try again.", wait)
            game = await self._game(request)
            async with self._drawing:
                self._drawn[key] = await asyncio.to_thread(_draw, game, form)
        self._drawn.move_to_end(key)
        while len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)
        return files.sent(request, self._drawn[key], {"Cache-Control": f"public, max-age={DAY}", **OPEN})

    async def _game(self, request: Request) -> Game:
        asked = request.query_params
        if list(asked) == ["at"]:
            return game_at(asked["at"])
        if list(asked) == ["day"]:
            return await self.learning.game_of_the_day(request, asked["day"])
        raise ApiError(400, "malformed", "A picture is asked for by at=, a position, or by day=, a date.")


OPEN = {"Cross-Origin-Resource-Policy": "cross-origin"}  # pictures may stand on any page


def _draw(game: Game, form: str) -> files.File:
    if form == "png":
        return files.file_of(board_png(game), files.KINDS[".png"])
    legal = 0 if game.outcome else game.legal
    text = board_svg(game.variant, game.position, title=game.variant.book.title, last=game.last_cell, legal=legal)
    return files.file_of(re.sub(r"\n+", "\n", text).encode(), files.KINDS[".svg"])
