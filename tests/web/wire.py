"""Scenarios that make a server send almost every kind of message; the messages are recorded for comparison.

The file `wire.jsonl` contains the messages and answers that the pages expect from the server. Internal changes to the
server must leave these messages unchanged. To record a change to the protocol, run:

    python tests/web/wire.py tests/web/wire.jsonl
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from web_client import Client, client
from web_server import Served

CORPUS = Path(__file__).with_name("wire.jsonl")
GAMES = {  # per game: the first move on a 3x3 board, then cells that are rejected one after another
    "keepaway": ("1,1", (0, 1)),
    "chain": ("1,1", (0, 8)),
    "scatter": ("1,1", (0, 99)),
    "trails": ("0,1", (0, 1)),
    "showdown": ("1,1", (0, 4)),
}
ENGINES = (
    "explanation",
    "method",
    "pairing",
    "mirror",
    "brief",
    "line",
    "positions",
    "seconds",
    "distance",
    "countable",
    "reason",
    "thermograph",
)  # fields that only the engine's own tests check
PROCESSES = ("process", "version")
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}|[A-Za-z0-9_-]{32}|[A-Za-z0-9_-]{8}(?=\.(?:txt|json))")

Said = tuple[str, object]


class Stories:
    """A recording of everything that a server sends during a few scripted games."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.said: list[Said] = []
        self.answered: list[tuple[str, str, int, dict]] = []  # method, path, status and answer of each HTTP request

    def get(self, name: str, path: str, token: str = "") -> dict:
        """Record the response to a GET request."""
        return self._note(f"GET {name}", "get", path, *self.server.get(path, token))

    def post(self, name: str, path: str, body: object, token: str = "") -> dict:
        """Record the response to a POST request."""
        return self._note(f"POST {name}", "post", path, *self.server.post(path, body, token))

    def _note(self, name: str, method: str, path: str, status: int, answer: dict) -> dict:
        self.answered.append((method, path, status, answer))
        self.said.append((name, {"status": status, "answer": answer}))
        return answer

    def hear(self, name: str, message: dict) -> dict:
        """Record a message from the WebSocket."""
        self.said.append((f"WS {name}", message))
        return message

    async def act(self, name: str, who: Client, type: str, **fields: object) -> dict:
        """Perform an action and record the answer; if the action was accepted, also record the resulting state."""
        before = who.state["sequence"]
        answer = self.hear(name, await who.act(type, **fields))
        if answer["type"] == "accepted":
            self.hear(f"{name}, state", await who.until(sequence=before + 1))
        return answer

    # -- the stories ------------------------------------------------------------------------------------------

    def tell(self) -> list[Said]:
        """Play all scenarios, and return the recording."""
        self.get("health", "/health")
        self.get("ready", "/ready")
        self.get("catalogue", "/api/games")
        self.get("lobby", "/api/lobby")
        self.get("nowhere", "/nowhere")
        self.get("no token", f"/api/games/{'a' * 22}")
        self.get("wrong token", f"/api/games/{'a' * 22}", "b" * 32)
        self.post("no moves", "/api/review", {"setup": {"game": "chain"}})
        for name, source in (
            ("unknown game", {"setup": {"game": "chess"}}),
            ("board too large", {"setup": {"game": "chain", "board": "31x1"}}),
            ("no setup", {}),
            ("impossible move", {"setup": {"game": "chain", "moves": ["1,1", "4,4"]}}),
            ("swap without swap", {"setup": {"game": "chain", "moves": ["1,1", "swap"]}}),
            ("pasted nonsense", {"setup": {"game": "chain"}, "text": "1,1 banana"}),
            ("damaged record", {"record": "[GridLock"}),
        ):
            self.post(name, "/api/position", source)
        for line in ("chain orthogonal 4/1XO1/4/4 X ? 2,3 -", "showdown king XO1/3/3 X ? ? -", "chain orthogonal"):
            self.post(f"set up {line}", "/api/setup", {"line": line})
        for game in GAMES:
            self.analysis_board(game)
            asyncio.run(self.two_players(game))
            asyncio.run(self.one_screen(game))
        asyncio.run(self.passing())
        self.computer()
        return self.said

    def analysis_board(self, game: str) -> None:
        """Request positions, reasons, verdicts and reviews."""
        first, refused = GAMES[game]
        setup = {"game": game, "board": "3x3", "moves": [first]}
        self.post(f"{game} position", "/api/position", {"setup": setup})
        self.post(f"{game} swap position", "/api/position", {"setup": {**setup, "swap": True, "starts": 2}})
        for cell in (*refused, 5):
            self.post(f"{game} why {cell}", "/api/why", {"setup": setup, "cell": cell})
        self.post(f"{game} analyse", "/api/analyse", {"setup": setup, "seconds": 5})
        for moves in ([], [first]):
            asked = {"setup": {**setup, "swap": True, "moves": moves}, "seconds": 5}  # enough even on a busy machine
            name = f"before move {len(moves) + 1} with the swap rule"
            self.post(f"{game} analyse {name}", "/api/analyse", asked)
            self.post(f"{game} hint {name}", "/api/hint", asked)
        self.post(f"{game} hint", "/api/hint", {"setup": setup, "seconds": 5})
        self.post(f"{game} regions", "/api/regions", {"setup": setup, "seconds": 5})
        self.post(f"{game} region", "/api/region", {"setup": setup, "cell": 8, "path": [[2, 8]], "seconds": 5})
        swapped = {**setup, "swap": True, "moves": [first, "swap"]}
        self.post(f"{game} review", "/api/review", {"setup": swapped})

    async def two_players(self, game: str) -> None:
        """A game started by invitation, with a swap, rejections, a takeback, a resignation and a rematch."""
        first, (taken, closed) = GAMES[game]
        setup = {"game": game, "board": "3x3", "swap": True}
        wish = {"setup": setup, "opponent": "link", "name": "Ada"}
        made = self.post(f"{game} create", "/api/games", wish)
        path = f"/api/games/{made['id']}"
        self.get(f"{game} invited", path, made["invitation"])
        self.get(f"{game} waiting", path, made["token"])
        async with client(self.server, made["id"], made["token"]) as ada:
            self.hear(f"{game} welcome alone", ada.welcome)
            self.hear(f"{game} nobody there", await ada.act("move", cell=0))
            seat = self.post(f"{game} join", f"{path}/join", {"name": "Grace", "nonce": "n" * 22}, made["invitation"])
            self.post(f"{game} join late", f"{path}/join", {"nonce": "m" * 22}, made["invitation"])
            await ada.until(sequence=1)
            async with (
                client(self.server, made["id"], seat["token"]) as grace,
                client(self.server, made["id"], made["watch"]) as eve,
            ):
                self.hear(f"{game} welcome", grace.welcome)
                self.hear(f"{game} welcome watching", eve.welcome)
                self.hear(f"{game} pong", await eve.answer("ping"))
                self.hear(f"{game} only watching", await eve.act("move", cell=0))
                self.hear(f"{game} not your turn", await grace.act("move", cell=0))
                row, col = map(int, first.split(","))
                origin = ada.state["board"]["origin"]
                cell = (row - origin) * 3 + col - origin
                await self.act(f"{game} move", ada, "move", cell=cell)
                await grace.until(ply=1)
                self.hear(f"{game} taken", await grace.act("move", cell=taken))
                self.hear(f"{game} closed", await grace.act("move", cell=closed))
                self.hear(f"{game} why", await eve.answer("why", cell=closed))
                await self.act(f"{game} swap", grace, "swap")
                await ada.until(ply=2)
                self.hear(f"{game} look", await eve.answer("look", ply=1))
                self.hear(f"{game} stale", await ada.answer("move", ply=7, line=0, cell=0))
                self.hear(f"{game} no offer", await ada.act("answer", accept=True))
                await self.act(f"{game} ask", grace, "ask", what="takeback")
                await ada.until(sequence=4)
                await self.act(f"{game} agree", ada, "answer", accept=True)
                await grace.until(line=1)
                await self.act(f"{game} resign", grace, "resign")
                await ada.until(sequence=grace.state["sequence"])
                self.hear(f"{game} over", await ada.act("move", cell=0))
                self.hear(f"{game} why when over", await eve.answer("why", cell=closed))
                await self.act(f"{game} rematch", ada, "ask", what="rematch")
                await grace.until(sequence=ada.state["sequence"])
                await self.act(f"{game} rematch declined", grace, "answer", accept=False)
                await ada.until(sequence=grace.state["sequence"])
                self.hear(f"{game} rematch declined already", await ada.act("ask", what="rematch"))
                await self.act(f"{game} rematch after all", grace, "ask", what="rematch")
                await ada.until(sequence=grace.state["sequence"])
                await self.act(f"{game} rematch agreed", ada, "answer", accept=True)
        record = self.get(f"{game} record", f"{path}/record?format=json", made["watch"])
        self.post(f"{game} review of a record", "/api/review", {"record": json.dumps(record)})
        self.get(f"{game} record wrong", f"{path}/record?format=xml", made["watch"])
        self.get(f"{game} ply", f"{path}?ply=1", made["watch"])
        self.get(f"{game} ply wrong", f"{path}?ply=x", made["watch"])

    async def one_screen(self, game: str) -> None:
        """Play a complete game with both players on one screen, always taking the first playable cell."""
        made = self.post(
            f"{game} screen", "/api/games", {"setup": {"game": game, "board": "3x4"}, "opponent": "screen"}
        )
        async with client(self.server, made["id"], made["token"]) as screen:
            while screen.state["board"]["legal"]:
                await screen.play(screen.state["board"]["legal"][0])
            self.hear(f"{game} stuck", screen.state)
            moves = screen.state["setup"]
        self.post(f"{game} review to the end", "/api/review", {"setup": moves})
        self.post(f"{game} analyse the end", "/api/analyse", {"setup": moves, "seconds": 5})
        self.post(f"{game} hint at the end", "/api/hint", {"setup": moves, "seconds": 5})

    async def passing(self) -> None:
        """Play a game in which one player is stuck while the other can still move."""
        setup = {"game": "scatter", "board": "3x3", "moves": ["1,3", "1,2", "3,1", "3,2"]}
        made = self.post("passing", "/api/games", {"setup": setup, "opponent": "screen", "other_name": "Ada"})
        async with client(self.server, made["id"], made["token"]) as screen:
            await screen.play(8)
            self.hear("passed", screen.state)
            while screen.state["board"]["legal"]:
                await screen.play(screen.state["board"]["legal"][0])
            self.hear("passed to the end", screen.state)
            self.post("review with a pass", "/api/review", {"setup": screen.state["setup"]})

    def computer(self) -> None:
        """Play a game in which the computer moves first."""
        wish = {"setup": {"game": "trails", "board": "3x3"}, "opponent": "perfect", "seat": 2}
        made = self.post("computer", "/api/games", wish)
        self.get("computer thinking", f"/api/games/{made['id']}", made["token"])


def settled(said: list[Said]) -> Iterator[str]:
    """Yield the messages, one line each, without values that differ between runs or come from the engine."""
    names: dict[str, str] = {}

    def plain(value: object) -> object:
        if isinstance(value, dict):
            passing = ENGINES if "verdict" in value or "thermograph" in value else PROCESSES
            return {name: "…" if name in passing else plain(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        if isinstance(value, str) and _SECRET.fullmatch(value):
            return names.setdefault(value, f"secret {len(names) + 1}")
        return value

    for name, message in said:
        yield json.dumps({"name": name, "said": plain(message)}, ensure_ascii=False)


def main() -> None:
    """Record the server's current messages."""
    with tempfile.TemporaryDirectory() as folder:
        limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "thinking", "requests")]
        server = Served(f"{folder}/games.sqlite3", Path(folder) / "log", *limits).start()
        try:
            Path(sys.argv[1]).write_text("".join(f"{line}\n" for line in settled(Stories(server).tell())))
        finally:
            server.close()


if __name__ == "__main__":
    main()
