"""A plain socket connected to a server, with functions that read responses and frames."""

import asyncio
import re
import socket
import struct

BRIEFLY = 0.02  # seconds to wait for a response that the server need not send
ADDRESSES = 4000  # of clients, used in turn, so that hourly limits per client do not interfere
_LENGTH = re.compile(rb"content-length: ([0-9]+)", re.IGNORECASE)
_RESET = struct.pack("ii", 1, 0)


class Wrong(Exception):
    """An exception raised when the server does something forbidden."""


class Connection:
    """A connection to the server; the event loop reads the incoming data."""

    def __init__(self, port: int, number: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.sock = socket.socket()
        place = number % ADDRESSES
        self.sock.bind((f"127.50.{place // 250}.{place % 250 + 1}", 0))
        self.sock.connect(("127.0.0.1", port))  # which takes no time if nothing is in between
        self.sock.setblocking(False)
        self.unread = b""
        self.ended = False
        self._arrived: asyncio.Future[bool] | None = None
        self._file = self.sock.fileno()
        self.loop.add_reader(self._file, self._read)

    def send(self, data: bytes) -> bool:
        """Send the bytes; return False if the server has disconnected or accepts no more data."""
        try:
            self.sock.sendall(data)
        except (ConnectionError, BlockingIOError):
            return False
        return True

    def _read(self) -> None:
        try:
            data = self.sock.recv(1 << 18)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        self.unread += data
        if not data:
            self.ended = True
            self.loop.remove_reader(self._file)
        self._wake(True)

    def _wake(self, read: bool) -> None:
        if self._arrived and not self._arrived.done():
            self._arrived.set_result(read)

    async def more(self, briefly: bool) -> bool:
        """Wait for more data; return False if the connection ends or, with `briefly`, if a short wait times out."""
        if self.ended:
            return False
        self._arrived = self.loop.create_future()
        timer = self.loop.call_later(BRIEFLY, self._wake, False) if briefly else None
        read = await self._arrived
        if timer:
            timer.cancel()
        return read and not self.ended

    async def frame(self, briefly: bool) -> tuple[int, bytes] | None:
        """Return the next frame's kind and payload, or None if no complete frame arrives."""
        while True:
            if len(self.unread) >= 2:
                length, begin = self.unread[1] & 127, 2
                if length >= 126:
                    begin = 4 if length == 126 else 10
                    length = int.from_bytes(self.unread[2:begin]) if len(self.unread) >= begin else 1 << 30
                if len(self.unread) >= begin + length:
                    kind, data = self.unread[0] & 15, self.unread[begin : begin + length]
                    self.unread = self.unread[begin + length :]
                    return kind, data
            if not await self.more(briefly):
                return None

    def close(self, *, reset: bool) -> None:
        """Close the connection, either normally or with a reset."""
        self.loop.remove_reader(self._file)
        if reset:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.sock.close()


async def answer(connection: Connection, request: bytes, briefly: bool = False) -> tuple[int, bytes] | None:
    """Return a response's status and body, or None if the server disconnects or (with `briefly`) is slow to respond."""
    while b"\r\n\r\n" not in connection.unread:
        if not await connection.more(briefly):
            return None
    head, _, connection.unread = connection.unread.partition(b"\r\n\r\n")
    status, length = int(head[9:12]), _LENGTH.search(head)
    if status == 500:
        raise Wrong(f"500 for {request[:300]!r}")
    if b"elsewhere.example" in head:
        raise Wrong(f"sends people elsewhere: {head[:300]!r}")
    if request.startswith(b"HEAD") or status < 200 or status in (204, 304):
        return status, b""
    if not length:
        while await connection.more(briefly):
            pass
        return None
    while len(connection.unread) < int(length[1]):
        if not await connection.more(briefly):
            return None
    body = connection.unread[: int(length[1])]
    connection.unread = connection.unread[len(body) :]
    return status, body


def masked(first: int, data: bytes) -> bytes:
    """Return a frame in the form that clients send, with a mask of zeros."""
    size = len(data)
    length = (
        bytes([0x80 | size])
        if size < 126
        else b"\xfe" + size.to_bytes(2)
        if size < 65536
        else b"\xff" + size.to_bytes(8)
    )
    return bytes([first]) + length + bytes(4) + data
