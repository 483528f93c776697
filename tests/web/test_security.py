"""Tests of tokens, origins, limits and hostile input."""

import asyncio
import contextlib
import json
import random
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_client import WAIT, client, closing
from web_server import Served
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from gridlock.web.wire import tokens
from gridlock.web.wire.messages import read_message

pytestmark = pytest.mark.slow

# -- tokens -------------------------------------------------------------------------------------------------------


def test_tokens_are_long_and_independent() -> None:
    made = {tokens.new_token() for _ in range(1000)}
    assert len(made) == 1000
    assert all(len(token) == 32 for token in made)
    token = made.pop()
    related = {
        token,
        tokens.watching(token),
        tokens.invitation(token),
        tokens.joining(token, "a"),
        tokens.digest(token),
    }
    assert len(related) == 5
    assert tokens.opens(token, tokens.digest(token))
    assert not tokens.opens(token, None)
    assert not tokens.opens(token, tokens.digest(made.pop()))


def test_a_token_opens_its_own_game_only(server: Served) -> None:
    async def run() -> None:
        mine, other = server.create("chain"), server.create("chain")
        seat = server.join(mine)
        no_game = "A" * 22
        for game, token in [
            (mine["id"], other["token"]),
            (mine["id"], other["watch"]),
            (mine["id"], other["invitation"]),
            (mine["id"], tokens.derived(mine["watch"], "watch")),
            (other["id"], seat),
            (no_game, mine["token"]),
        ]:
            async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as link:
                await link.send(json.dumps({"type": "hello", "game": game, "token": token}))
                assert (await closing(link))[0] == 4401
            assert server.get(f"/api/games/{game}", token)[0] == 401
            assert server.raw("GET", f"/api/games/{game}/record", token=token)[0] == 401
        assert server.get(f"/api/games/{mine['id']}")[0] == 401
        # None of these tokens is an invitation to this game.
        for token in (mine["token"], mine["watch"], seat, other["invitation"]):
            assert server.post(f"/api/games/{mine['id']}/join", {"nonce": "x" * 22}, token)[0] == 401

    asyncio.run(run())


def test_no_token_is_ever_logged_or_stored(serve: Callable[..., Served], tmp_path) -> None:
    async def run() -> list[str]:
        server = serve()
        made = server.create("chain", name="Ada")
        seat = server.join(made)
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], seat) as grace:
            await ada.play(0)
            await grace.until(ply=1)
        server.get(f"/api/games/{made['id']}", seat)
        server.get(f"/api/games/{made['id']}", "w" * 32)
        async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as link:
            await link.send(json.dumps({"type": "hello", "game": made["id"], "token": made["token"], "x": 1}))
            assert (await closing(link))[0] == 4400
        assert server.end() == 0
        return [made["token"], made["watch"], made["invitation"], seat, tokens.watching(seat), "w" * 32]

    secrets = asyncio.run(run())
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert written
    assert not [secret for secret in secrets if secret.encode() in written]


# -- origins and headers ------------------------------------------------------------------------------------------


def test_foreign_origins_are_rejected(server: Served) -> None:
    async def run() -> None:
        own = server.origin
        foreign = [
            None,
            "null",
            "http://evil.example",
            own.replace("http", "https"),
            own + ".evil.example",
            own + "/",
            own.upper(),
            own.replace(str(server.port), str(server.port + 1)),
            f"{own}, http://evil.example",
        ]
        for origin in foreign:
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"ws://127.0.0.1:{server.port}/ws", origin=origin)
            assert refused.value.response.status_code == 403
        async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=f"http://localhost:{server.port}"):
            pass

    asyncio.run(run())
    assert server.raw("POST", "/api/games", b"{}", Origin="http://evil.example")[0] == 403
    assert server.raw("POST", "/api/games", b"{}", Origin=server.origin)[0] == 400


def test_every_answer_has_the_headers_of_a_careful_server(server: Served) -> None:
    documents = ("/", "/nowhere", "/static/../app.py", "/static/nothing.js", "/static/icon.svg")
    for path in (*documents, "/health", "/api/games", "/service-worker.js"):
        _, headers, _ = server.raw("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    for path in ("/static/dom.js", "/static/style.css", "/static/zilla-slab.woff2"):
        status, headers, _ = server.raw("GET", path)
        assert status == 200
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        # Static files have no content security policy, because browsers would ignore it.
        assert "content-security-policy" not in headers
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"):
        assert server.raw("GET", path)[0] == 404


# -- limits -------------------------------------------------------------------------------------------------------


def test_games_connections_and_questions_are_limited(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve(
            *(f"--{what}-per-client={most}" for what, most in (("games", 3), ("connections", 20), ("thinking", 10)))
        )
        made = [server.create("chain") for _ in range(3)]
        status, headers, _ = server.raw("POST", "/api/games", b'{"setup": {"game": "chain"}, "opponent": "link"}')
        assert status == 429
        assert int(headers["retry-after"]) > 0
        question = b'{"setup": {"game": "chain"}, "seconds": 10}'
        assert [server.raw("POST", "/api/analyse", question)[0] for _ in range(2)] == [200, 429]
        await asyncio.sleep(3)  # new connections have their own rate limit
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(20):
                await stack.enter_async_context(client(server, made[0]["id"], made[0]["watch"]))
            # The server turns a spectator away, to leave room for players.
            with pytest.raises(ConnectionClosedError, match="4429"):
                await stack.enter_async_context(client(server, made[0]["id"], made[0]["watch"]))
            async with client(server, made[0]["id"], made[0]["token"]):
                pass
        await asyncio.sleep(1)
        async with client(server, made[0]["id"], made[0]["watch"]):
            pass

    asyncio.run(run())


def test_too_large_too_many_and_too_quiet(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve(
            patches={"gridlock.web.pages.socket.HELLO_SECONDS": 0.2, "gridlock.web.net.protocols.HEADER_SECONDS": 0.2}
        )
        made = server.create("chain", "screen")
        address = f"ws://127.0.0.1:{server.port}/ws"
        async with connect(address, origin=server.origin) as quiet:
            assert (await closing(quiet))[0] == 4408
        async with connect(address, origin=server.origin) as large:
            await large.send("x" * 4097)
            assert (await closing(large))[0] == 1009
        async with connect(address, origin=server.origin) as fragmented:
            with contextlib.suppress(Exception):
                await fragmented.send(["x" * 1000 for _ in range(5)])
            assert (await closing(fragmented))[0] == 1009
        async with connect(address, origin=server.origin) as binary:
            await binary.send(b"{}")
            assert (await closing(binary))[0] == 4400
        async with client(server, made["id"], made["token"]) as flooder:
            with contextlib.suppress(Exception):
                for _ in range(1000):
                    await flooder.socket.send('{"type": "ping"}')
            assert (await closing(flooder.socket))[0] == 4429
        for half in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nX: y\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), WAIT) as raw:
                raw.sendall(half)
                assert raw.recv(100) == b""
        assert server.raw("POST", "/api/games", b" " * 70_000)[0] == 413
        with contextlib.suppress(ConnectionError):
            assert server.raw("GET", "/health", X="y" * 1_000_000)[0] == 400
        assert server.complaints() == []

    asyncio.run(run())


def test_a_client_that_does_not_read_is_closed(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve(
            patches={"gridlock.web.pages.socket.SEND_SECONDS": 0.5, "gridlock.web.pages.socket.PER_SECOND": 1e6}
        )
        made = server.create("scatter", "screen", setup={"board": "30x30"})
        async with client(server, made["id"], made["token"]) as deaf:
            deaf.socket.transport.pause_reading()
            with contextlib.suppress(Exception):
                for _ in range(20_000):
                    await deaf.socket.send('{"type": "look", "ply": 0}')
            async with asyncio.timeout(WAIT):
                while server.get("/health")[1]["connections"]:
                    await asyncio.sleep(0.05)
            deaf.socket.transport.abort()
        assert server.complaints() == []

    asyncio.run(run())


def test_more_questions_than_workers_are_turned_away(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve()
        question = {"setup": {"game": "chain", "board": "9x9"}, "seconds": 0.2}
        with ThreadPoolExecutor(30) as pool:
            statuses = [status for status, _ in pool.map(lambda _: server.post("/api/analyse", question), range(30))]
        assert set(statuses) == {200, 503}
        assert statuses.count(200) >= 5
        assert server.get("/health")[0] == 200

    asyncio.run(run())


# -- hostile input ------------------------------------------------------------------------------------------------

VALID = [
    {"type": "hello", "game": "A" * 22, "token": "B" * 32},
    {"type": "move", "ply": 0, "line": 0, "cell": 3, "id": 1},
    {"type": "swap", "ply": 1, "line": 0},
    {"type": "resign"},
    {"type": "ask", "what": "takeback", "ply": 4, "line": 0},
    {"type": "answer", "accept": True, "ply": 4, "line": 0},
    {"type": "look", "ply": 3},
    {"type": "why", "cell": 7},
    {"type": "ping"},
]
STRANGE = [
    None, True, -1, 2**31, 2**63, 2**70, 10**400, 1.5, 1e308, "", "\0", "\ud800", "x" * 3000, [], {}, [[]],
    {"type": "ping"}, float("nan"), float("inf"), "<script>alert(1)</script>", "move", "9" * 500,
]  # fmt: skip


def mutated(rng: random.Random) -> str:
    """Return a randomly damaged message, which may by chance still be valid."""
    message = dict(rng.choice(VALID))
    for _ in range(rng.randrange(1, 4)):
        kind = rng.randrange(4)
        name = rng.choice([*message, "type", "extra", "__proto__"])
        if kind == 0:
            message[name] = rng.choice(STRANGE)
        elif kind == 1:
            message.pop(name, None)
        elif kind == 2:
            message[name] = rng.choice(VALID)
        else:
            message[rng.choice(["ply", "line", "cell", "id"])] = rng.choice([-(10**9), 2**40, 1e9, "0", 99_999])
    text = json.dumps(message)
    if rng.random() < 0.3:
        cut = rng.randrange(len(text))
        text = (
            text[:cut] + rng.choice(["", "\0", "}", '"', "[" * 1500, "{" * 500, "\u202e", "9" * 300]) + text[cut + 1 :]
        )
    return text[:4000]


def test_mutated_messages_do_no_harm(server: Served) -> None:
    async def run() -> None:
        rng = random.Random(4)
        before = len(server.complaints())
        made = server.create("scatter", "screen")
        for _ in range(150):
            async with client(server, made["id"], made["token"]) as attacker:
                with contextlib.suppress(Exception):
                    for _ in range(10):
                        await attacker.socket.send(mutated(rng))
                    await asyncio.wait_for(attacker.socket.recv(), 0.01)
        deep = [
            "[" * 2000 + "]" * 2000,
            '{"type":' * 500,
            '{"a":' * 600 + "1" + "}" * 600,
            "\x00" * 50,
            "{}",
            "null",
            "",
        ]
        for text in deep:
            async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as link:
                await link.send(text)
                assert (await closing(link))[0] == 4400
        async with client(server, made["id"], made["token"]) as honest:  # the game is still intact
            assert (await honest.answer("ping"))["type"] == "pong"
        assert server.complaints()[before:] == []

    asyncio.run(run())
    status, health = server.get("/health")
    assert status == 200
    assert health["status"] == "ok"


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_bodies_do_no_harm(server: Served, body: bytes) -> None:
    for path in ("/api/games", "/api/position", "/api/why", "/api/analyse", "/api/review"):
        assert server.raw("POST", path, body)[0] in (400, 422, 429)
    assert server.complaints() == []


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@settings(max_examples=200, deadline=None)
def test_nothing_but_the_protocol_is_understood(value: object) -> None:
    import msgspec

    with pytest.raises(msgspec.ValidationError):
        read_message(json.dumps(value))


def test_hostile_names_are_text(server: Served) -> None:
    for name in [
        "<script>alert(1)</script>",
        "\u202egnp.exe",
        "a\0b\x1b[31mred\r\n",
        "\u200b" * 50,
        "x" * 200,
        "' OR 1=1 --",
    ]:
        made = server.create("chain", "screen", name=name, other_name=name)
        _, state = server.get(f"/api/games/{made['id']}", made["token"])
        for player in state["players"]:
            assert 1 <= len(player["name"]) <= 32
            assert player["name"].isprintable()
        _, headers, record = server.raw("GET", f"/api/games/{made['id']}/record", token=made["token"])
        assert headers["content-type"].startswith("text/plain")
        assert record.count(b"\n[Player1 ") == 1


def test_clients_that_leave_leave_nothing_behind(server: Served) -> None:
    async def run() -> None:
        made = [server.create("scatter", "random") for _ in range(5)]
        for _ in range(20):
            async with contextlib.AsyncExitStack() as stack:
                for game in made:
                    one = await stack.enter_async_context(client(server, game["id"], game["token"]))
                    if one.state["you"]["may"][:1] == ["move"]:
                        await one.send("move", ply=one.state["ply"], line=0, cell=one.state["board"]["legal"][0])
                    one.socket.transport.abort()
        async with asyncio.timeout(WAIT):
            while (health := server.get("/health")[1])["games"] or health["connections"]:
                await asyncio.sleep(0.05)

    asyncio.run(run())
    assert server.complaints() == []
