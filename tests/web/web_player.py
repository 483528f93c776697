"""A player who keeps playing despite server failures."""

import asyncio
import contextlib
import random
import threading

from web_client import Client, client
from web_server import Served
from websockets.exceptions import WebSocketException

LOST = (OSError, WebSocketException, TimeoutError, EOFError, KeyError)


class Steady:
    """A client that plays both sides of a game despite failures, and records every acknowledged move."""

    def __init__(self, made: dict) -> None:
        self.made = made
        self.cells: list[int] = []
        self.sent: list[int] = []  # a move is repeated with the same cell, as a page would do

    async def play(self, server: Served, stop: threading.Event, rng: random.Random) -> None:
        """Keep playing, despite failures, until told to stop."""
        while not stop.is_set():
            with contextlib.suppress(*LOST):
                async with client(server, self.made["id"], self.made["token"]) as screen:
                    while not stop.is_set():
                        await self._move(screen, rng)
            await asyncio.sleep(0.05)

    async def _move(self, screen: Client, rng: random.Random) -> None:
        ply = len(self.cells)
        if len(self.sent) == ply:
            await screen.until(ply=ply)
            if not screen.state["board"]["legal"]:
                await asyncio.sleep(0.1)
                return
            self.sent.append(rng.choice(screen.state["board"]["legal"]))
        answer = await screen.answer("move", ply=ply, line=0, cell=self.sent[ply])
        if answer["type"] == "accepted":
            self.cells.append(self.sent[ply])
        else:
            assert answer["reason"] == "storage", answer
            await asyncio.sleep(0.1)
