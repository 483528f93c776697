"""Answers compressed on their way out, where that gives nothing away."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridlock.web.pages.files import SMALL, packed, takes_gzip

_TEXTS = ("application/json", "image/svg+xml", "text/")
LEVEL = 5  # most of what there is to win, in a fraction of the time


class Compressed:
    """Around an application: what is text and not small goes out by gzip.

    How far a text can be compressed tells something about it: whoever can put words of their own beside a secret, and
    see how long the answer is, could guess it. So whatever may hold a token, or was asked for with one, goes as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or not self._may(scope):
            await self.app(scope, receive, send)
            return
        begun: Message | None = None

        async def send_less(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message
                return
            if begun is not None:
                start, begun = begun, None
                message = _less(start, message)
                await send(start)
            await send(message)

        await self.app(scope, receive, send_less)

    @staticmethod
    def _may(scope: Scope) -> bool:
        headers = Headers(scope=scope)
        gives_tokens = scope["method"] == "POST" and scope["path"].startswith("/api/games")
        return takes_gzip(headers.get("accept-encoding", "")) and "authorization" not in headers and not gives_tokens


def _less(start: Message, body: Message) -> Message:
    """The body of an answer, shorter if that is worth it; its headers say so."""
    headers = MutableHeaders(scope=start)
    whole = not body.get("more_body") and "content-encoding" not in headers
    if not whole or len(body.get("body", b"")) < SMALL or not headers.get("content-type", "").startswith(_TEXTS):
        return body
    less = packed(body["body"], LEVEL)
    if less is None:
        return body
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(less))
    headers.add_vary_header("Accept-Encoding")
    return {**body, "body": less}
