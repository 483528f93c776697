"""Compression of responses that contain no secrets."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridlock.web.pages.files import SMALL, gzipped, takes_gzip

_TEXTS = ("application/json", "image/svg+xml", "text/")
LEVEL = 5  # most of the gain, in a fraction of the time


class Compression:
    """Middleware that compresses text responses unless they are small.

    A compressed response's length reveals something about its content: an attacker who can place their own text next
    to a secret could guess the secret. Responses that may contain a token, or requests that do, are left alone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, compressing its response if that is safe."""
        if scope["type"] != "http" or not _may_compress(scope):
            await self.app(scope, receive, send)
            return
        begun: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message
                return
            if begun is not None:
                start, begun = begun, None
                message = _compress(start, message)
                await send(start)
            await send(message)

        await self.app(scope, receive, send_compressed)


def _may_compress(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    gives_tokens = scope["method"] == "POST" and scope["path"].startswith("/api/games")
    return takes_gzip(headers.get("accept-encoding", "")) and "authorization" not in headers and not gives_tokens


def _compress(start: Message, body: Message) -> Message:
    """Return a response's body, compressed if that is worthwhile, and adapt its headers."""
    headers = MutableHeaders(scope=start)
    whole = not body.get("more_body") and "content-encoding" not in headers
    if not whole or len(body.get("body", b"")) < SMALL or not headers.get("content-type", "").startswith(_TEXTS):
        return body
    less = gzipped(body["body"], LEVEL)
    if less is None:
        return body
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(less))
    headers.add_vary_header("Accept-Encoding")
    return {**body, "body": less}
