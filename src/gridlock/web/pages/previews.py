"""Link previews: a title, a description and a picture."""

from html import escape
from typing import NamedTuple
from urllib.parse import quote

from starlette.datastructures import QueryParams

from gridlock.core.errors import GridLockError
from gridlock.web.referee import views
from gridlock.web.wire.setups import game_at

SAFE = "/,_"  # not escaped in a query


class Preview(NamedTuple):
    """A preview of a link."""

    title: str
    words: str
    picture: str  # a path on this server


def preview_of(path: str, query: QueryParams) -> Preview | None:
    """Return a page's preview; None if its own title and description are enough."""
    at, day = query.get("at"), query.get("day")
    if path in ("/analyse", "/review", "/embed") and at:
        try:
            game = game_at(at)
        except GridLockError:
            return None
        book, grid = game.variant.book, game.variant.grid
        title = f"{book.title}, {grid.rows}x{grid.cols}, after {len(game.moves)} moves"
        return Preview(title, f"{views.position(game).words} {book.summary}", f"/picture.png?at={quote(at, SAFE)}")
    if path == "/puzzles" and day and len(day) == 10:
        words = "Only one move wins. Find it."
        return Preview(f"The puzzle of {day}", words, f"/picture.png?day={quote(day)}")
    if path == "/play":
        words = "A game on a grid: leave your opponent no move. Open the link to play or to watch."
        return Preview("A game of GridLock", words, "/static/icon-512.png")
    return None


def tags(preview: Preview, origin: str | None) -> bytes:
    """Return a preview's meta tags; the picture needs an absolute URL, and so an origin named by the operator."""
    properties = {
        "og:type": "website",
        "og:site_name": "GridLock",
        "og:title": preview.title,
        "og:description": preview.words,
    }
    if origin:
        properties |= {"og:image": origin + preview.picture, "twitter:card": "summary"}
    lines = [f'<meta property="{name}" content="{escape(words)}">' for name, words in properties.items()]
    return "\n".join([*lines, ""]).encode(errors="replace")
