"""Pictures of positions (SVG or PNG) and games (GIF), each with a URL, and link previews that show the pictures."""

from collections import OrderedDict
from html import escape
from urllib.parse import quote

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from gridlock.core.errors import GridLockError
from gridlock.web.net.limits import Allowance
from gridlock.web.operations.pictures import SECONDS, pictured, svg_of
from gridlock.web.pages import files
from gridlock.web.pages.requests import Asking, client_of
from gridlock.web.referee import views
from gridlock.web.thinking.pool import FairPool
from gridlock.web.thinking.questions import animate, draw
from gridlock.web.wire.bodies import ApiError
from gridlock.web.wire.setups import game_at, own_rule

DAY = 86_400  # seconds that a picture may be cached: a position always looks the same
MOST_CACHED, MOST_BYTES = 48, 2 << 20  # a picture has about 10,000 bytes, and a long game's GIF about 100,000
AT_ONCE, A_SECOND = 20, 0.5  # pictures drawn per client
PREVIEWS_A_SECOND = 2.0  # link previews per client, after the same initial burst as for pictures
SAFE = "/,_"  # not escaped in a query
OPEN = {"Cross-Origin-Resource-Policy": "cross-origin"}  # any page may embed a picture


class Pictures:
    """The endpoint for pictures: each picture is drawn once, and the number of pictures per client is limited."""

    def __init__(self, painters: FairPool) -> None:
        self.painters = painters
        self._drawn: OrderedDict[str, files.File] = OrderedDict()
        self._allowance = Allowance(AT_ONCE, A_SECOND)

    async def picture(self, request: Request) -> Response:
        """Return a picture of a position or a daily puzzle; a GIF shows the moves that lead to the position."""
        form = request.scope["path"].rpartition(".")[2]
        key = f"{form} {request.scope['query_string'].decode('latin-1')}"
        if key not in self._drawn:
            if wait := self._allowance.take(client_of(request)):
                raise ApiError(429, "too-many", "Too many requests for pictures. Wait a moment and try again.", wait)
            game = pictured(request.query_params)
            if form == "svg":
                body = svg_of(game)
            else:  # in another process, because drawing blocks all other threads
                body = await Asking(request, self.painters)(animate if form == "gif" else draw, game, SECONDS)
            self._drawn[key] = files.file_of(body, files.KINDS[f".{form}"])
        self._drawn.move_to_end(key)
        file = self._drawn[key]
        while len(self._drawn) > MOST_CACHED or sum(len(one.body) for one in self._drawn.values()) > MOST_BYTES:
            self._drawn.popitem(last=False)
        return files.response(request, file, {"Cache-Control": f"public, max-age={DAY}", **OPEN})


class Previews:
    """Pages with link previews: each preview is made once, and clients over their limit get pages without previews.

    The limit does not affect people who open a page, because a page's preview is read only by programs that show
    previews of links.
    """

    def __init__(self, origin: str | None) -> None:
        self.origin = origin
        self._made: OrderedDict[tuple[str, ...], files.File] = OrderedDict()
        self._allowance = Allowance(AT_ONCE, PREVIEWS_A_SECOND)

    def page(self, request: Request, file: files.File) -> files.File:
        """Return a page with its link preview."""
        path, query = request.scope["path"], request.query_params
        key = (file.tag, path, query.get("at", ""), query.get("day", ""))
        if key not in self._made:
            if self._allowance.take(client_of(request)):
                return file
            head = preview_of(path, query, self.origin) or b""
            self._made[key] = files.file_of(file.body.replace(b"</head>", head + b"</head>", 1), file.kind)
        self._made.move_to_end(key)
        made = self._made[key]
        while len(self._made) > MOST_CACHED:
            self._made.popitem(last=False)
        return made


def preview_of(path: str, query: QueryParams, origin: str | None) -> bytes | None:
    """Return the meta tags for a link preview; None if the page's own title and description are enough.

    A preview's picture needs an absolute URL, so it is left out unless the operator has named an origin.
    """
    at, day = query.get("at"), query.get("day")
    if path in ("/analyse", "/review", "/embed", "/puzzles") and at:
        try:
            game = game_at(at)
        except GridLockError:
            return None
        book, grid = game.variant.book, game.variant.grid
        rule = own_rule(book)
        title = (
            f"{book.title}{' (custom game)' if rule else ''}, {grid.rows}x{grid.cols}, after {len(game.moves)} moves"
        )
        words, picture = f"{views.standing(game)} {rule or book.summary}", f"/picture.png?at={quote(at, SAFE)}"
    elif path == "/puzzles" and day and len(day) == 10:
        title, words, picture = (
            f"Daily puzzle, {day}",
            "One move wins. Find that move, then play on to the end.",
            f"/picture.png?day={quote(day)}",
        )
    elif path == "/play":
        title, picture = "A game of GridLock", "/static/icon-512.png"
        words = "A game on a grid: leave your opponent without a move. Open the link to play or to watch."
    else:
        return None
    properties = {"og:type": "website", "og:site_name": "GridLock", "og:title": title, "og:description": words}
    if origin:
        properties |= {"og:image": origin + picture, "twitter:card": "summary"}
    lines = [f'<meta property="{name}" content="{escape(words)}">' for name, words in properties.items()]
    return "\n".join([*lines, ""]).encode(errors="replace")
