"""The WebSocket: one client looking at one game."""

import asyncio
import logging
from contextlib import suppress

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from gridlock.web import answers, messages, tokens, views
from gridlock.web.decide import Refused
from gridlock.web.hub import Hub, Live, Unplayable, Viewer
from gridlock.web.jobs import Slow
from gridlock.web.limits import Allowance, Open, Pace, client_of
from gridlock.web.rows import Damaged
from gridlock.web.table import Access, Table

log = logging.getLogger("gridlock.web")
HELLO_SECONDS = 10.0
SEND_SECONDS = 10.0
BURST, PER_SECOND = 60.0, 20.0  # messages from one client

ABORT = "gridlock.abort"  # under which the server lends us the means to drop a connection
MALFORMED, BAD_TOKEN, TOO_SLOW, TOO_MANY, NO_DATABASE = 4400, 4401, 4408, 4429, 4503
UNKNOWN_GAME, DAMAGED = 4422, 4500


class Closed(Exception):
    """The connection has to end, with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Sockets:
    """Every WebSocket of this process."""

    def __init__(self, hub: Hub, origins: frozenset[str], connections: int, pace: Pace) -> None:
        self.hub = hub
        self.origins = origins
        self.pace = pace
        self.open = Open(connections)

    async def meet(self, websocket: WebSocket) -> None:
        """Talk to one client until it leaves."""
        if websocket.headers.getlist("origin") not in [[origin] for origin in self.origins]:
            await websocket.close()  # before it was accepted: refused with 403
            return
        client = client_of(websocket.client.host if websocket.client else "")
        await websocket.accept()
        if not self.open.enter(client):
            await websocket.close(TOO_MANY, "too many connections")
            return
        self.hub.connections += 1
        try:
            await self._talk(websocket, client)
        except Closed as ended:
            await _part(websocket, ended)
        except WebSocketDisconnect:
            pass
        finally:
            self.hub.connections -= 1
            self.open.leave(client)

    async def _talk(self, websocket: WebSocket, client: str) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await _receive(websocket)
        except TimeoutError:
            raise Closed(TOO_SLOW, "no hello") from None
        if not isinstance(hello, messages.Hello):
            raise Closed(MALFORMED, "the first message must be hello")
        await self.pace.turn(client)
        try:
            async with self.hub.game(hello.game) as live:
                access = live.table.access(hello.token) if live else None
                if live is None or access is None:
                    raise Closed(BAD_TOKEN, "this link opens no game")
                await self._visit(websocket, client, live, hello, access)
        except Damaged as error:
            raise Closed(DAMAGED, "this game is damaged in the database") from error
        except (SQLAlchemyError, Slow) as error:
            log.error("not read", extra={"game": hello.game, "error": type(error).__name__})
            raise Closed(NO_DATABASE, "the database does not answer") from error
        except Unplayable as error:
            log.error("not playable", extra={"game": hello.game, "error": str(error)})
            raise Closed(UNKNOWN_GAME, "this server does not know the game") from error

    async def _visit(
        self, websocket: WebSocket, client: str, live: Live, hello: messages.Hello, access: Access
    ) -> None:
        """Show a game to somebody who may see it, and let them play."""

        def current(table: Table) -> Access:
            if access.role != "invited":
                return access
            return access if table.open_seat else Access("watching")

        viewer = Viewer(current)
        viewer.reply(_welcome(live.table, hello.token, access), hello)
        viewer.show(msgspec.json.encode(views.state(live.table, access)))
        live.viewers.add(viewer)
        self.hub.let_computer_think(live)
        sender = asyncio.create_task(_send_all(websocket, viewer))
        listener = asyncio.create_task(self._listen(websocket, client, live, viewer, access))
        try:
            done, _ = await asyncio.wait({sender, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                await task
        finally:
            live.viewers.discard(viewer)
            await _end(sender)
            await _end(listener)

    async def _listen(self, websocket: WebSocket, client: str, live: Live, viewer: Viewer, access: Access) -> None:
        allowance = Allowance(BURST, PER_SECOND)
        while True:
            message = await _receive(websocket)
            if allowance.take(""):
                raise Closed(TOO_MANY, "too many messages")
            if viewer.overrun:
                raise Closed(TOO_SLOW, "answers are not taken off")
            if not isinstance(message, messages.Ping | messages.Why):  # which are told in a moment
                await self.pace.turn(client)
            # What has been received is finished, even if the client leaves meanwhile.
            self.hub.hold(live)
            await asyncio.shield(self._finish(live, viewer, access, message))

    async def _finish(self, live: Live, viewer: Viewer, access: Access, message: messages.Message) -> None:
        try:
            await self._answer(live, viewer, access, message)
        finally:
            self.hub.release(live)

    async def _answer(self, live: Live, viewer: Viewer, access: Access, message: messages.Message) -> None:
        match message:
            case messages.Ping():
                viewer.reply(answers.Pong(), message)
            case messages.Why(cell=cell):
                viewer.reply(views.why(live.table.game, cell), message)
            case messages.Look(ply=ply):
                viewer.reply(views.position(live.table.game.at(ply)), message)
            case messages.Hello():
                raise Closed(MALFORMED, "a second hello")
            case messages.Resign() | messages.OnBoard():
                await self._act(live, viewer, access, message)

    async def _act(self, live: Live, viewer: Viewer, access: Access, action: messages.Message) -> None:
        assert isinstance(action, messages.Action)
        try:
            await self.hub.act(live, access, action)
        except Refused as refused:
            viewer.reply(answers.Refused(refused.reason, refused.words, refused.causes), action)
            if refused.reason in ("stale", "storage"):
                viewer.show(msgspec.json.encode(views.state(live.table, viewer.access(live.table))))
            return
        ply, line = (action.ply, action.line) if isinstance(action, messages.OnBoard) else _now(live.table)
        viewer.reply(answers.Accepted(ply, line), action)


def _now(table: Table) -> tuple[int, int]:
    return table.ply, table.line


def _welcome(table: Table, token: str, access: Access) -> answers.Welcome:
    return answers.Welcome(
        game=table.id,
        role=access.role,
        seats=access.seats,
        watch=tokens.watching(token) if access.seats else None,
        invitation=tokens.invitation(token) if access.seats and table.open_seat else None,
    )


async def _receive(websocket: WebSocket) -> messages.Message:
    """The next message, which must be one that the protocol knows."""
    received = await websocket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1005))
    text = received.get("text")
    if text is None:
        raise Closed(MALFORMED, "messages are text")
    try:
        message: messages.Message = messages.read_message(text)
        return message
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Closed(MALFORMED, str(error)[:100].encode("ascii", "replace").decode()) from None


async def _send_all(websocket: WebSocket, viewer: Viewer) -> None:
    while True:
        message = await viewer.next()
        if websocket.application_state is not WebSocketState.CONNECTED:
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await websocket.send_text(message.decode())
        except TimeoutError:
            raise Closed(TOO_SLOW, "messages are not taken off") from None


async def _part(websocket: WebSocket, ended: Closed) -> None:
    """Close a connection: politely, and by force if the client does not listen even to that."""
    abort = websocket.scope["extensions"][ABORT]["abort"]
    asyncio.get_running_loop().call_later(SEND_SECONDS, abort)
    try:
        async with asyncio.timeout(1):
            await websocket.close(ended.code, ended.reason)
    except (TimeoutError, RuntimeError, WebSocketDisconnect):
        abort()


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError, Closed, WebSocketDisconnect, RuntimeError):
        await task
