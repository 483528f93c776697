"""Inputs for the fuzzer: messages and requests from the corpus, with random changes that depend only on the seed.

A case is everything that one connection sends. Placeholders such as @ply@ stand for values that are known only when the
message is sent.
"""

import itertools
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_changes import changed, changed_text, told, torn
from fuzz_words import FRAMING, GAME, HEADERS, METHODS, PATHS, TOKEN, WATCH

CORPUS = Path(__file__).parent / "corpus"


@dataclass
class Case:
    """Everything that one connection sends: either requests, or a hello followed by batches of messages."""

    number: int = 0
    requests: list[list[bytes]] = field(default_factory=list)  # each in the parts in which it is sent
    hello: bytes | None = None
    batches: list[list[tuple[int, bytes]]] = field(default_factory=list)  # (first byte of the frame, payload)
    broken: bool = False  # whether the last thing sent may be an invalid request or frame, and have no answer
    rest: bytes = b""  # sent at the very end, as it is
    file: Path | None = None  # where it is already stored

    @property
    def size(self) -> int:
        """Return how many messages and requests the case contains."""
        return len(self.requests) + (self.hello is not None) + sum(map(len, self.batches)) + bool(self.rest)

    def dump(self) -> str:
        """Return the case as text, to be saved in a file."""
        described = {
            "number": self.number,
            "broken": self.broken,
            "requests": [[part.decode("latin-1") for part in parts] for parts in self.requests],
            "hello": self.hello.decode("latin-1") if self.hello is not None else None,
            "batches": [[[first, data.decode("latin-1")] for first, data in batch] for batch in self.batches],
            "rest": self.rest.decode("latin-1"),
        }
        return json.dumps(described, indent=1) + "\n"

    @classmethod
    def load(cls, path: Path) -> "Case":
        """Return the case that a file contains."""
        said = json.loads(path.read_text())
        return cls(
            said["number"],
            [[part.encode("latin-1") for part in parts] for parts in said["requests"]],
            said["hello"].encode("latin-1") if said["hello"] is not None else None,
            [[(first, data.encode("latin-1")) for first, data in batch] for batch in said["batches"]],
            said["broken"],
            said["rest"].encode("latin-1"),
            path,
        )


def found() -> list[Case]:
    """Return the stored cases that once exposed a defect."""
    return [Case.load(path) for path in sorted(CORPUS.glob("found/*.json"))]


def _seeds(name: str) -> list[str]:
    """Return the lines of a corpus file, with each placeholder made as long as the value that it stands for."""
    text = (CORPUS / name).read_text()
    for short, long in (("@game@", GAME), ("@token@", TOKEN), ("@watch@", WATCH)):
        text = text.replace(short, long)
    return text.splitlines()


# -- cases --------------------------------------------------------------------------------------------------------


HELLO = f'{{"type":"hello","game":"{GAME}","token":"{TOKEN}"}}'.encode()


class Source:
    """A generator of cases, each of which is determined by its number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.messages = _seeds("messages.jsonl")
        self.requests = [json.loads(line) for line in _seeds("requests.jsonl")]
        self._weights = list(itertools.accumulate(said.get("weight", 10) for said in self.requests))
        self.requests = [json.dumps(said) for said in self.requests]

    def case(self, number: int) -> Case:
        """Return the case with a given number; the same seed and number always give the same case."""
        rng = random.Random(self.seed * 1_000_003 + number)
        made = self._visit(rng) if rng.random() < 0.6 else self._asking(rng)
        made.number = number
        return made

    def _message(self, rng: random.Random) -> bytes:
        """Return a random message, usually a valid one."""
        kind = rng.random()
        if kind < 0.35:
            return b'{"type":"move","ply":@ply@,"line":@line@,"cell":@legal@}'
        if kind < 0.7:
            numbers = [
                rng.choice(("@ply@", "@ply@", "@line@", "@legal@", "0", "1", "2", "899", "100000")) for _ in range(4)
            ]
            ply, line, cell, id = numbers
            what = rng.choice(("takeback", "takeback", "rematch"))
            board = f'"ply":{ply},"line":{line if rng.random() < 0.3 else "@line@"},"id":{id}'
            return rng.choice(
                (
                    f'{{"type":"move",{board},"cell":{cell}}}',
                    f'{{"type":"swap",{board}}}',
                    f'{{"type":"ask","what":"{what}",{board}}}',
                    f'{{"type":"answer","accept":{rng.choice(("true", "false"))},{board}}}',
                    f'{{"type":"look","ply":{ply}}}',
                    f'{{"type":"why","cell":{cell}}}',
                    f'{{"type":"away","away":{rng.choice(("true", "false"))}}}',
                    f'{{"type":"react","what":"wow","id":{id}}}',
                    f'{{"type":"claim","id":{id}}}',
                    f'{{"type":"ping","id":{id}}}',
                )
            ).encode()
        return rng.choice(self.messages).encode()

    def _odd_message(self, rng: random.Random) -> tuple[int, bytes]:
        """Return a random message or frame, usually an invalid one."""
        value = json.loads(rng.choice(self.messages))
        for _ in range(rng.choice((1, 1, 2, 4))):
            value = changed(rng, value)
        data = told(rng, value)
        if rng.random() < 0.3:
            data = torn(rng, data)
        first = (
            0x81 if rng.random() < 0.85 else rng.choice((0x82, 0x01, 0x80, 0x88, 0x89, 0x8A, 0x83, 0xC1, 0xFF, 0x09))
        )
        return first, data

    def _visit(self, rng: random.Random) -> Case:
        """Return a case with a WebSocket connection: a hello, some messages, and an odd ending."""
        hello = HELLO
        if rng.random() < 0.05:
            first, hello = self._odd_message(rng)
            return Case(hello=hello, broken=first != 0x81)
        batches = []
        for _ in range(rng.choice((1, 3, 6))):
            batches.append([(0x81, self._message(rng)) for _ in range(rng.choice((1, 4, 8)))])
        rest, broken = b"", False
        if rng.random() < 0.7:
            batches.append([self._odd_message(rng)])
            broken = batches[-1][-1][0] != 0x81
        if rng.random() < 0.1:
            rest, broken = torn(rng, b"\x81\x85\x01\x02\x03\x04hello\x88\x82\0\0\0\0\x03\xe8" * 2), True
        return Case(hello=hello, batches=batches, rest=rest, broken=broken)

    def _asking(self, rng: random.Random) -> Case:
        """Return a case with a few HTTP requests over one connection; the last request may be invalid."""
        requests = [[self._request(rng, framed=True)] for _ in range(rng.choice((1, 2, 4, 8)))]
        if rng.random() >= 0.3:
            return Case(requests=requests)
        requests[-1] = [self._request(rng, framed=rng.random() < 0.7)]
        last = requests[-1][0]
        kind = rng.random()
        if kind < 0.5:
            last = torn(rng, last)
        elif kind < 0.8:
            head, _, body = last.partition(b"\r\n\r\n")
            head += b"\r\nTransfer-Encoding: chunked" if rng.random() < 0.5 else b""
            size = rng.choice((b"%x" % len(body), b"0", b"ZZ", b"-1", b"f" * 20, b"5;x=y", b"5\n", b""))
            last = (
                head
                + b"\r\n\r\n"
                + size
                + b"\r\n"
                + body
                + rng.choice((b"\r\n0\r\n\r\n", b"", b"\r\n0\r\nA: b\r\n\r\n"))
            )
        parts = []
        while last:
            size = int(rng.random() ** 2 * len(last)) + 1
            parts.append(last[:size])
            last = last[size:]
        return Case(requests=[*requests[:-1], parts or [b"\r\n"]], broken=True)

    def _request(self, rng: random.Random, framed: bool) -> bytes:
        """Return a request with random changes; the length of a framed request stays correct."""
        said = json.loads(rng.choices(self.requests, cum_weights=self._weights)[0])
        method, path, body, headers = said["method"], said["path"], said.get("body"), said.get("headers", [])
        if body is not None and rng.random() < 0.9:
            for _ in range(rng.choice((1, 1, 2, 4))):
                body = changed(rng, body)
        kind = rng.random()
        if kind < 0.08:
            path = rng.choice(PATHS)
        elif kind < 0.14:
            path = "/" + changed_text(rng, path[1:]).replace(" ", "+").replace("\r", "").replace("\n", "")[:4000]
        elif kind < 0.20:
            method = rng.choice(METHODS)
        elif kind < 0.26 or not framed:
            headers = [*headers, rng.choice(HEADERS if framed else FRAMING)]
        data = b"" if body is None else told(rng, body)
        if data and rng.random() < 0.1:
            data = torn(rng, data)
        lines = [f"{method} {path} HTTP/1.1", "Host: x", *headers, f"Content-Length: {len(data)}", "", ""]
        return "\r\n".join(lines).encode("latin-1", "replace") + data
