"""The WebSocket over which one client plays or watches one game."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from gridlock.web.games.hub import Hub
from gridlock.web.games.live import Live, Viewer
from gridlock.web.games.lobby import HURRY
from gridlock.web.games.moderation import FORBIDDEN, Ended
from gridlock.web.games.open_games import Unplayable
from gridlock.web.net import logs, metrics
from gridlock.web.net.connections import Connection
from gridlock.web.net.limits import Allowance, Pace
from gridlock.web.pages.requests import client_of
from gridlock.web.referee import views
from gridlock.web.referee.decide import TOO_LONG, Rejection
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.jobs import Slow
from gridlock.web.storage.rows import Damaged
from gridlock.web.wire import answers, messages, tokens
from gridlock.web.wire.answers import BAD_TOKEN, MALFORMED, UNKNOWN_GAME

log = logging.getLogger("gridlock.web")
HELLO_SECONDS = 10.0
SEND_SECONDS = 10.0
PARTING_SECONDS = 2.0  # for a client to close its side; messages that arrive before then are ignored
BURST, PER_SECOND = 60.0, 20.0  # messages from one client
LONGEST_REASON = 123  # bytes in a close frame
WARNINGS = 10  # most times in a row that a client is told to wait before it is disconnected

TOO_FAST = Rejection("pace", "Too many requests. Wait a moment and try again.")
TOO_SLOW, TOO_MANY, NO_DATABASE, DAMAGED = 4408, 4429, 4503, 4500


@dataclass(eq=False)
class Closed(Exception):
    """The connection must be closed with this code and this reason."""

    code: int
    reason: str


async def meet(websocket: WebSocket, hub: Hub, origins: frozenset[str], pace: Pace, addresses: logs.Addresses) -> None:
    """Serve one client until it disconnects."""
    if websocket.headers.getlist("origin") not in [[origin] for origin in origins]:
        await websocket.close()  # the WebSocket is not accepted yet, so the client gets a 403
        return
    await websocket.accept()
    visit = Visit(websocket, hub, pace, addresses)
    hub.connections += 1
    try:
        if ended := await _until_closed(visit.talk()):
            await _part(websocket, visit.connection, ended)
    finally:
        hub.connections -= 1


class Visit:
    """One client's connection to one game."""

    live: Live  # set after hello, as are `access` and `viewer`
    access: Access
    viewer: Viewer

    def __init__(self, websocket: WebSocket, hub: Hub, pace: Pace, addresses: logs.Addresses) -> None:
        self.websocket = websocket
        self.hub = hub
        self.pace = pace
        self.address = websocket.client.host if websocket.client else ""
        self.logged = logs.address(self.address, addresses)
        self.client = client_of(websocket)
        self.connection: Connection = websocket.scope["state"]["connection"]
        self.seat: str | None = None  # a player's own share of the request rate
        self.messages = Allowance(BURST, PER_SECOND)
        self.warned = 0

    async def talk(self) -> Closed | None:
        """Open the requested game, serve the client, and return the reason for closing the connection."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await _receive(self.websocket)
        except TimeoutError:
            raise Closed(TOO_SLOW, "no hello in time") from None
        if not isinstance(hello, messages.Hello):
            raise Closed(MALFORMED, "the first message must be hello")
        if words := self.hub.moderation.why_blocked(self.address):
            raise Closed(FORBIDDEN, _short(words))
        seat = tokens.digest(hello.token)
        if self.pace.ask(self.client, seat):
            metrics.refusals.labels("pace").inc()
            metrics.openings.labels("pace").inc()
            refused = views.refused(TOO_FAST)
            refused.re = hello.id if hello.id is not None else UNSET
            await _send(self.websocket, msgspec.json.encode(refused))
            raise Closed(TOO_MANY, "too many requests")
        try:
            async with self.hub.game(hello.game) as live:
                access = live.table.access(hello.token) if live else None
                if live is None or access is None:
                    raise Closed(BAD_TOKEN, "this link does not open a game")
                self.live, self.access = live, access
                registry = self.connection.registry
                if access.seats:
                    self.seat = seat
                    self.pace.add_seat(seat)
                    registry.remember(tokens.back(hello.token))
                if not registry.settle(self.connection, self.client, self.seat or ""):
                    metrics.refusals.labels("connections").inc()
                    metrics.openings.labels("connections").inc()
                    raise Closed(TOO_MANY, "too many connections")
                metrics.openings.labels("opened").inc()
                if self.logged:
                    log.info("opened", extra={"game": hello.game, "role": access.role, **self.logged})
                return await self._show_game(hello)
        except Ended as ended:
            metrics.openings.labels("ended").inc()
            raise Closed(FORBIDDEN, _short(str(ended))) from ended
        except Damaged as error:
            metrics.openings.labels("damaged").inc()
            raise Closed(DAMAGED, "this game's record in the database is damaged") from error
        except (SQLAlchemyError, Slow) as error:
            metrics.openings.labels("database").inc()
            log.error("not read", extra={"game": hello.game, "error": type(error).__name__})
            raise Closed(NO_DATABASE, "the database is not responding") from error
        except Unplayable as error:
            metrics.openings.labels("unknown").inc()
            log.error("not playable", extra={"game": hello.game, "error": str(error)})
            raise Closed(UNKNOWN_GAME, "this server does not know the game") from error

    async def _show_game(self, hello: messages.Hello) -> Closed | None:
        """Show the game to the client, and handle the client's messages."""
        live, access = self.live, self.access
        self.viewer = viewer = Viewer(partial(_access_to, access, self.seat), self.address)
        watch, invitation = tokens.watching(hello.token), tokens.invitation(hello.token)
        viewer.reply(views.welcome(live.table, access, hello.token), hello)
        self._show_state()
        if live.table.too_long and not live.table.game.outcome:
            viewer.notify("limit", answers.Notice(TOO_LONG.words))
        live.viewers.add(viewer)
        entered = access.seats and live.presence.enter(viewer, access.seats)
        self.hub.show_presence(live, None if entered else viewer)
        live.client = live.client or self.client
        if access.seats:
            live.creator, live.watch = live.creator or self.client, live.watch or watch
        if live.table.settings.seat in access.seats:
            live.watch, live.invitation = watch, invitation
        if live.table.settings.public is True and live.table.newcomer in access.seats:
            viewer.notify("notice", answers.Notice(HURRY))
        self.hub.take_turn(live)
        tasks = {
            asyncio.create_task(_until_closed(_send_all(self.websocket, viewer))),
            asyncio.create_task(_until_closed(self._listen())),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next((ending for task in done if (ending := task.result())), None)
        finally:
            live.viewers.discard(viewer)
            if live.presence.leave(viewer):
                self.hub.show_presence(live)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _show_state(self) -> None:
        state = self.live.state(self.viewer, self.hub.ticks)
        self.pace.charge(self.client, answer=len(state))
        self.viewer.show(state)

    async def _listen(self) -> None:
        while True:
            message = await _receive(self.websocket)
            if self.messages.take(""):
                metrics.refusals.labels("messages").inc()
                raise Closed(TOO_MANY, "too many messages")
            if self.viewer.overrun:
                raise Closed(TOO_SLOW, "the client does not read its messages")
            if not isinstance(message, messages.Ping | messages.AskWhy):  # these two cost next to nothing
                if self.pace.ask(self.client, self.seat):
                    metrics.refusals.labels("pace").inc()
                    self.warned += 1
                    if self.warned > WARNINGS:
                        raise Closed(TOO_MANY, "too many requests")
                    self.viewer.reply(views.refused(TOO_FAST), message)
                    continue
                self.warned = 0
            # Finish handling a message even if the client disconnects in the meantime.
            await asyncio.shield(self.hub.start_task(self.live, self._answer(message)))

    async def _answer(self, message: messages.ClientMessage) -> None:
        live, access, viewer = self.live, self.viewer.access(self.live.table), self.viewer
        match message:
            case messages.Ping():
                viewer.reply(answers.Pong(), message)
            case messages.AskWhy(cell=cell):
                viewer.reply(views.why(live.table.game, cell), message)
            case messages.LookBack(ply=ply):
                reply = viewer.reply(views.position(live.table.game.at(ply)), message)
                self.pace.charge(self.client, answer=len(reply))
            case messages.Hello():
                raise Closed(MALFORMED, "hello was sent twice")
            case messages.Away(away=away):
                if access.seats and live.presence.enter(viewer, access.seats, away):
                    self.hub.show_presence(live)
            case messages.React(what=what):
                refusal = self.hub.react(live, access, what)
                done = answers.Accepted(live.table.ply, live.table.line)
                viewer.reply(views.refused(refusal) if refusal else done, message)
            case messages.Resign() | messages.ClaimWin() | messages.OnBoard():
                assert isinstance(message, messages.Action)
                if refusal := await self.hub.act(live, access, message, self.client):
                    viewer.reply(views.refused(refusal), message)
                    if refusal.reason in ("stale", "storage"):
                        self._show_state()
                else:
                    at = message if isinstance(message, messages.OnBoard) else live.table
                    viewer.reply(answers.Accepted(at.ply, at.line), message)


def _access_to(access: Access, seat: str | None, table: Table) -> Access:
    """Return a client's current rights, which it loses when its invitation expires or another player takes its seat.

    This is not a method of Visit, because that would create a reference cycle: the visit refers to the viewer, and the
    viewer refers to this function.
    """
    lapsed = access.role == "invited" and not table.open_seat
    lost = access.seats and table.seats[access.seats[0] - 1] != seat
    return Access("watching") if lapsed or lost else access


def _short(words: str) -> str:
    """Shorten a sentence to fit into a WebSocket close frame."""
    encoded = words.encode()
    return words if len(encoded) <= LONGEST_REASON else encoded[: LONGEST_REASON - 3].decode(errors="ignore") + "…"


async def _receive(websocket: WebSocket) -> messages.ClientMessage:
    """Return the client's next message; raise Closed if the message violates the protocol."""
    received = await websocket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1005))
    text = received.get("text")
    if text is None:
        raise Closed(MALFORMED, "messages must be text")
    try:
        message: messages.ClientMessage = messages.read_message(text)
        return message
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Closed(MALFORMED, str(error)[:100].encode("ascii", "replace").decode()) from None


async def _send_all(websocket: WebSocket, viewer: Viewer) -> None:
    while True:
        message = await viewer.next()
        if viewer.dismissal:
            code, words = viewer.dismissal
            raise Closed(code, _short(words))
        if websocket.application_state is not WebSocketState.CONNECTED:
            return
        await _send(websocket, message)


async def _send(websocket: WebSocket, message: bytes) -> None:
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await websocket.send_text(message.decode())
    except TimeoutError:
        raise Closed(TOO_SLOW, "the client does not read its messages") from None


async def _part(websocket: WebSocket, connection: Connection, ended: Closed) -> None:
    """Close a connection with a close frame, or by force if the client does not respond."""
    connection.registry.release(connection)
    asyncio.get_running_loop().call_later(PARTING_SECONDS, connection.abort)
    try:
        async with asyncio.timeout(1):
            await websocket.close(ended.code, ended.reason)
    except (TimeoutError, RuntimeError, WebSocketDisconnect):
        connection.abort()


async def _until_closed(work: Coroutine[Any, Any, Closed | None]) -> Closed | None:
    """Await a coroutine that serves a connection, and return the reason why the connection must be closed.

    Return None if the client has disconnected. The reason for closing is returned as a new exception without a
    traceback, because a task whose result has a traceback would keep whole games in memory.
    """
    try:
        return await work
    except Closed as ended:
        return Closed(ended.code, ended.reason)
    except WebSocketDisconnect:
        return None
