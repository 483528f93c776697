"""A runner that plays UGI engines against each other, using the same commands as cutegames (kz04px/cutegames).

Like cutegames, the runner does not know the rules and trusts its engines to apply them. Unlike cutegames, the runner
insists that the players move in turn and that the engines agree on when the game ends and who wins.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

SOURCE = Path(__file__).parents[2] / "src"


class Engine:
    """A program that speaks UGI."""

    def __init__(self, command: Sequence[str], options: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("ugi")
        self.introduction = self.until("ugiok")
        for name, value in (options or {}).items():
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.send("quit")
        assert self.process.wait(60) == 0
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            stream.close()

    def send(self, line: str) -> None:
        """Send a line immediately."""
        assert self.process.stdin
        print(line, file=self.process.stdin, flush=True)

    def until(self, *words: str) -> list[str]:
        """Read lines until one begins with a given word; check that this last line has at most two words."""
        assert self.process.stdout
        lines = []
        while line := self.process.stdout.readline():
            lines.append(line.rstrip("\n"))
            if line.split()[0] in words:
                assert len(line.split()) <= 2, line
                return lines
        raise AssertionError(f"The engine has ended after {lines}.")

    def ready(self) -> None:
        """Wait until the engine is ready."""
        self.send("isready")
        self.until("readyok")

    def position(self, opening: str, moves: Sequence[str]) -> None:
        """Send a position, given as an opening and the moves played after it."""
        start = opening if opening == "startpos" else f"fen {opening}"
        self.send(" ".join(["position", start, *["moves"] * bool(moves), *moves]))

    def query(self, opening: str, moves: Sequence[str], question: str) -> str:
        """Ask the engine a question about a position, and return the answer."""
        self.position(opening, moves)
        self.send(f"query {question}")
        return self.until("response")[-1].split()[1]

    def go(self, limits: str) -> str:
        """Return the engine's move."""
        self.send(f"go {limits}")
        return self.until("bestmove")[-1].split()[1]


def play(first: Engine, second: Engine, opening: str, limits: str) -> tuple[list[str], str]:
    """Play a game from an opening, and return its moves and the result that both engines agree on."""
    for engine in (first, second):
        engine.ready()
    for engine in (first, second):
        engine.send("uginewgame")
    moves: list[str] = []
    is_first = first.query(opening, moves, "p1turn") == "true"
    while True:
        assert (first.query(opening, moves, "p1turn") == "true") == is_first, f"{opening} {moves}"
        us, them = (first, second) if is_first else (second, first)
        us.ready()
        us.position(opening, moves)
        if us.query(opening, moves, "gameover") == "true" or them.query(opening, moves, "gameover") == "true":
            break
        moves.append(us.go(limits))
        is_first = not is_first
    for engine in (first, second):
        engine.ready()
        assert engine.query(opening, moves, "gameover") == "true"
    [result] = {engine.query(opening, moves, "result") for engine in (first, second)}
    return moves, result
