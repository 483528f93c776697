"""The abusive clients, which run in a separate process; each kind of client has its own addresses.

A connection counts as closed when its TCP state is no longer ESTABLISHED, which can be checked without reading data.
"""

import asyncio
import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec

from bench import load_abusers_games, load_abusers_http, load_abusers_socket
from bench.load_abuser import SLACK, STAYING, Abuser, Kind, Prey, Tally, Target
from bench.load_server import HOST, Failure, Server

KINDS = load_abusers_http.KINDS | load_abusers_socket.KINDS | load_abusers_games.KINDS
LAST_WAIT = 30.0  # seconds for all abusers to end
_LOOK = 0.5  # seconds between checks of a connection
_ESTABLISHED = 1


def _established(sock: socket.socket) -> bool:
    return sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED


class Lease:
    """The time limit for the abusive clients, which stop early if the load test ends or closes their standard input."""

    def __init__(self, seconds: float) -> None:
        self.begin = time.monotonic()
        self.end = self.begin + seconds
        asyncio.get_running_loop().add_reader(sys.stdin, self.cut)

    def cut(self) -> None:
        """End now."""
        asyncio.get_running_loop().remove_reader(sys.stdin)
        self.end = time.monotonic()

    @property
    def over(self) -> bool:
        """Whether the abusive clients have reached their time limit."""
        return time.monotonic() >= self.end


async def _visit(kind: Kind, number: int, address: str, target: Target, lease: Lease, tally: Tally) -> None:
    """Attack the server over one connection until the server closes it, the time is up, or the attack is complete."""
    with socket.socket() as sock:
        sock.setblocking(False)
        sock.bind((address, 0))
        begin = time.monotonic()
        tally.opened += 1
        try:
            async with asyncio.timeout(LAST_WAIT / 2):
                await asyncio.get_running_loop().sock_connect(sock, (HOST, target.port))
        except (OSError, TimeoutError):
            tally.refused += 1
            return
        acting = asyncio.ensure_future(kind.act(Abuser(target, sock, tally, number)))
        staying = False
        while _established(sock) and not lease.over and not (kind.leaves and acting.done()):
            if not staying and time.monotonic() - begin > STAYING:
                staying = True
                tally.staying += 1
                tally.most = max(tally.most, tally.staying)
            await (asyncio.sleep(_LOOK) if acting.done() else asyncio.wait({acting}, timeout=_LOOK))
        life = time.monotonic() - begin
        tally.staying -= staying
        tally.overdue += kind.allowed is not None and life > kind.allowed + SLACK
        if kind.leaves and acting.done() and not acting.cancelled() and acting.exception() is None:
            tally.left += 1
        elif not _established(sock) or (acting.done() and not acting.cancelled() and acting.exception()):
            tally.closed += 1
            tally.longest = max(tally.longest, life)
        acting.cancel()
        with suppress(OSError, asyncio.CancelledError):
            await acting


async def _abuse(kind: Kind, number: int, address: str, target: Target, lease: Lease, tally: Tally) -> None:
    """Act as one kind of abusive client until the run ends, reconnecting whenever the connection closes."""
    while not lease.over:
        await _visit(kind, number, address, target, lease, tally)
        await asyncio.sleep(kind.pause)


async def _all(target: Target, names: list[str]) -> dict[str, Any]:
    lease = Lease(target.seconds)
    tallies = {name: Tally() for name in names}
    async with asyncio.TaskGroup() as group:
        for number, name in enumerate(names, 1):
            kind = KINDS[name]
            addresses = kind.addresses or (f"127.20.0.{number}",)
            for one in range(kind.count):
                group.create_task(_abuse(kind, one, addresses[one % len(addresses)], target, lease, tallies[name]))
    seconds = time.monotonic() - lease.begin
    kinds = {name: _told(tally, KINDS[name], seconds) for name, tally in tallies.items()}
    return {"kinds": kinds, "cores": round(time.process_time() / seconds, 2)}


def _told(tally: Tally, kind: Kind, seconds: float) -> dict[str, Any]:
    """Return the results for one kind of abusive client; `faults` lists what should not have happened."""
    faults = [f"{count} x {what}" for what, count in tally.broken.items()]
    if tally.overdue:
        faults.append(f"{tally.overdue} connections open for more than {kind.allowed} s")
    if kind.most is not None and tally.most > kind.most:
        faults.append(f"{tally.most} connections at once; {kind.most} are allowed")
    if kind.games is not None and tally.games > (most := kind.games * (1 + seconds / 3600) + 1):
        faults.append(f"{tally.games} games made; {most:.0f} are allowed")
    if kind.seats is not None and tally.most_seats > kind.seats:
        faults.append(f"{tally.most_seats} seats held at once by one address; {kind.seats} are allowed")
    return vars(tally) | {"longest": round(tally.longest, 1), "allowed": kind.allowed, "faults": faults}


class Gang:
    """A handle with which the load test controls the process that runs the abusive clients."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def gather(cls, server: Server, seconds: float, kinds: list[str], prey: dict[str, Prey]) -> "Gang":
        """Start the process that runs the abusive clients."""
        game, (token, _) = await asyncio.to_thread(server.new_game, load_abusers_http.LARGE, "127.20.0.250")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.load_abusers",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C reaches only the parent process, which then stops the abusers
        )
        assert process.stdin is not None
        target = Target(server.port, game, token, seconds, prey)
        process.stdin.write(msgspec.json.encode((target, kinds)) + b"\n")
        return cls(process)

    async def report(self) -> dict[str, Any]:
        """Stop the abusive clients; return the results for each kind of client, and how many cores the clients used."""
        self.end()
        assert self._process.stdout is not None
        out = await self._process.stdout.read()
        if await self._process.wait():
            raise Failure("the abusers did not come to an end")
        found: dict[str, Any] = json.loads(out)
        return found

    def end(self) -> None:
        """Stop the abusive clients, even if they have time left; they also stop when this process dies."""
        assert self._process.stdin is not None
        self._process.stdin.close()


if __name__ == "__main__":
    given, chosen = msgspec.json.decode(sys.stdin.readline(), type=tuple[Target, list[str]])
    signal.alarm(round(given.seconds + LAST_WAIT))  # ends the process, whatever happens
    found = json.dumps(asyncio.run(_all(given, chosen)))
    with suppress(BrokenPipeError):  # if the run was interrupted, no process reads the report
        os.write(sys.stdout.fileno(), found.encode())
