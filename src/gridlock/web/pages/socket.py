"""The WebSocket: one client looking at one game."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import msgspec
from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from gridlock.web.games.hub import Hub
from gridlock.web.games.open_games import Unplayable
from gridlock.web.games.viewers import Live, Viewer
from gridlock.web.net import metrics
from gridlock.web.net.connections import PLAYING, WATCHING, Connection
from gridlock.web.net.limits import Allowance, Pace, client_of
from gridlock.web.referee import views
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.jobs import Slow
from gridlock.web.storage.rows import Damaged
from gridlock.web.wire import answers, messages, tokens

log = logging.getLogger("gridlock.web")
HELLO_SECONDS = 10.0
SEND_SECONDS = 10.0
PARTING_SECONDS = 2.0  # for a client to take leave; what it sends meanwhile is thrown away
BURST, PER_SECOND = 60.0, 20.0  # messages from one client
WARNINGS = 10  # times in a row that a client is told to wait before it has to go

TOO_FAST = Rejection("pace", "That was too fast. Wait a moment and try again.")
MALFORMED, BAD_TOKEN, TOO_SLOW, TOO_MANY, NO_DATABASE = 4400, 4401, 4408, 4429, 4503
UNKNOWN_GAME, DAMAGED = 4422, 4500


class Closed(Exception):
    """The connection has to end, with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Visit:
    """One connection on its way through a game: whose it is, and what they have been told."""

    def __init__(self, websocket: WebSocket) -> None:
        self.websocket = websocket
        self.client = client_of(websocket.client.host if websocket.client else "")
        self.connection: Connection = websocket.scope["state"]["connection"]
        self.seat: str | None = None  # by which the pace of somebody who plays is known
        self.messages = Allowance(BURST, PER_SECOND)
        self.warned = 0


class Sockets:
    """Every WebSocket of this process."""

    def __init__(self, hub: Hub, origins: frozenset[str], pace: Pace) -> None:
        self.hub = hub
        self.origins = origins
        self.pace = pace

    async def meet(self, websocket: WebSocket) -> None:
        """Talk to one client until it leaves."""
        if websocket.headers.getlist("origin") not in [[origin] for origin in self.origins]:
            await websocket.close()  # before it was accepted: refused with 403
            return
        await websocket.accept()
        visit = Visit(websocket)
        self.hub.connections += 1
        try:
            if ended := await _until_closed(self._talk(visit)):
                await _part(visit, ended)
        finally:
            self.hub.connections -= 1

    async def _talk(self, visit: Visit) -> Closed | None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await _receive(visit.websocket)
        except TimeoutError:
            raise Closed(TOO_SLOW, "no hello") from None
        if not isinstance(hello, messages.Hello):
            raise Closed(MALFORMED, "the first message must be hello")
        seat = tokens.digest(hello.token)
        if self.pace.ask(visit.client, seat):
            metrics.refusals.labels("pace").inc()
            told = _refused(TOO_FAST)
            told.re = hello.id if hello.id is not None else UNSET
            await _send(visit.websocket, msgspec.json.encode(told))
            raise Closed(TOO_MANY, "too many requests")
        try:
            async with self.hub.game(hello.game) as live:
                access = live.table.access(hello.token) if live else None
                if live is None or access is None:
                    raise Closed(BAD_TOKEN, "this link opens no game")
                if access.seats:
                    visit.seat = seat
                    self.pace.add_seat(seat)
                share = PLAYING if access.seats else WATCHING
                if not visit.connection.registry.settle(visit.connection, visit.client, share):
                    metrics.refusals.labels("connections").inc()
                    raise Closed(TOO_MANY, "too many connections")
                return await self._visit(visit, live, hello, access)
        except Damaged as error:
            raise Closed(DAMAGED, "this game is damaged in the database") from error
        except (SQLAlchemyError, Slow) as error:
            log.error("not read", extra={"game": hello.game, "error": type(error).__name__})
            raise Closed(NO_DATABASE, "the database does not answer") from error
        except Unplayable as error:
            log.error("not playable", extra={"game": hello.game, "error": str(error)})
            raise Closed(UNKNOWN_GAME, "this server does not know the game") from error

    async def _visit(self, visit: Visit, live: Live, hello: messages.Hello, access: Access) -> Closed | None:
        """Show a game to somebody who may see it, and let them play."""

        def current(table: Table) -> Access:
            if access.role != "invited":
                return access
            return access if table.open_seat else Access("watching")

        viewer = Viewer(current)
        viewer.reply(_welcome(live.table, hello.token, access), hello)
        self._show(visit, live, viewer)
        live.viewers.add(viewer)
        if access.seats and live.presence.is_at(viewer, access.seats):
            self.hub.show_presence(live)
        else:
            self.hub.show_presence(live, viewer)
        live.client = live.client or visit.client
        if access.seats:
            live.maker, live.watch = live.maker or visit.client, tokens.watching(hello.token)
            live.invitation = live.invitation or tokens.invitation(hello.token)  # only the maker is there before others
        self.hub.let_computer_think(live)
        tasks = {
            asyncio.create_task(_until_closed(_send_all(visit.websocket, viewer))),
            asyncio.create_task(_until_closed(self._listen(visit, live, viewer, access))),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next((ending for task in done if (ending := task.result())), None)
        finally:
            live.viewers.discard(viewer)
            if live.presence.leaves(viewer):
                self.hub.show_presence(live)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _show(self, visit: Visit, live: Live, viewer: Viewer) -> None:
        """Tell one client the state that it has asked for."""
        state = live.state(viewer, self.hub.ticks)
        self.pace.charge_answer(visit.client, len(state))
        viewer.show(state)

    async def _listen(self, visit: Visit, live: Live, viewer: Viewer, access: Access) -> None:
        while True:
            message = await _receive(visit.websocket)
            if visit.messages.take(""):
                metrics.refusals.labels("messages").inc()
                raise Closed(TOO_MANY, "too many messages")
            if viewer.overrun:
                raise Closed(TOO_SLOW, "answers are not taken off")
            if not isinstance(message, messages.Ping | messages.Why):  # which are told in a moment
                if self.pace.ask(visit.client, visit.seat):
                    self._warn(visit, viewer, message)
                    continue
                visit.warned = 0
            # What has been received is finished, even if the client leaves meanwhile.
            self.hub.hold(live)
            await asyncio.shield(self._finish(visit, live, viewer, access, message))

    def _warn(self, visit: Visit, viewer: Viewer, message: messages.Message) -> None:
        """Tell a client that it asks too fast; if it does not listen, it has to go."""
        metrics.refusals.labels("pace").inc()
        visit.warned += 1
        if visit.warned > WARNINGS:
            raise Closed(TOO_MANY, "too many requests")
        viewer.reply(_refused(TOO_FAST), message)

    async def _finish(
        self, visit: Visit, live: Live, viewer: Viewer, access: Access, message: messages.Message
    ) -> None:
        try:
            await self._answer(visit, live, viewer, access, message)
        finally:
            self.hub.release(live)

    async def _answer(
        self, visit: Visit, live: Live, viewer: Viewer, access: Access, message: messages.Message
    ) -> None:
        match message:
            case messages.Ping():
                viewer.reply(answers.Pong(), message)
            case messages.Why(cell=cell):
                viewer.reply(views.why(live.table.game, cell), message)
            case messages.Look(ply=ply):
                told = viewer.reply(views.position(live.table.game.at(ply)), message)
                self.pace.charge_answer(visit.client, len(told))
            case messages.Hello():
                raise Closed(MALFORMED, "a second hello")
            case messages.Away(away=away):
                if access.seats and live.presence.is_at(viewer, access.seats, away):
                    self.hub.show_presence(live)
            case messages.React(what=what):
                said = self.hub.react(live, access, what)
                viewer.reply(_refused(said) if said else answers.Accepted(*_now(live.table)), message)
            case messages.Resign() | messages.Claim() | messages.OnBoard():
                await self._act(visit, live, viewer, access, message)

    async def _act(self, visit: Visit, live: Live, viewer: Viewer, access: Access, action: messages.Message) -> None:
        assert isinstance(action, messages.Action)
        if refusal := await self.hub.act(live, access, action, visit.client):
            viewer.reply(_refused(refusal), action)
            if refusal.reason in ("stale", "storage"):
                self._show(visit, live, viewer)
            return
        ply, line = (action.ply, action.line) if isinstance(action, messages.OnBoard) else _now(live.table)
        viewer.reply(answers.Accepted(ply, line), action)


def _refused(refusal: Rejection) -> answers.Refused:
    return answers.Refused(refusal.reason, refusal.words, list(refusal.causes))


def _now(table: Table) -> tuple[int, int]:
    return table.ply, table.line


def _welcome(table: Table, token: str, access: Access) -> answers.Welcome:
    return answers.Welcome(
        game=table.id,
        role=access.role,
        seats=access.seats,
        watch=tokens.watching(token) if access.seats else None,
        invitation=tokens.invitation(token) if access.seats and table.open_seat else None,
        rule=table.game.variant.book.summary,
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
        await _send(websocket, message)


async def _send(websocket: WebSocket, message: bytes) -> None:
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await websocket.send_text(message.decode())
    except TimeoutError:
        raise Closed(TOO_SLOW, "messages are not taken off") from None


async def _part(visit: Visit, ended: Closed) -> None:
    """Close a connection: politely, and by force if the client does not listen even to that."""
    visit.connection.registry.release(visit.connection)
    asyncio.get_running_loop().call_later(PARTING_SECONDS, visit.connection.abort)
    try:
        async with asyncio.timeout(1):
            await visit.websocket.close(ended.code, ended.reason)
    except (TimeoutError, RuntimeError, WebSocketDisconnect):
        visit.connection.abort()


async def _until_closed(work: Coroutine[Any, Any, Closed | None]) -> Closed | None:
    """How something ends that goes on until the connection has to be closed; None if the client has left.

    It is a fresh exception, without the trace of where it came from: a task that keeps one would keep whole games.
    """
    try:
        return await work
    except Closed as ended:
        return Closed(ended.code, ended.reason)
    except WebSocketDisconnect:
        return None
