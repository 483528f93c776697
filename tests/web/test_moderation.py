"""Tests that an operator can block clients, end and hide games, see each client's usage, and check a configuration."""

import asyncio
import json
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import WAIT, Client, client, closing
from web_server import Served
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gridlock.command import run
from gridlock.web.net import logs
from gridlock.web.storage.moderation import network

BEHIND = ["--trusted-proxy=127.0.0.1"]  # so that a test can pretend to have any address
QUICK = {"gridlock.web.games.moderation.READING": 0.05}
Printed = Callable[..., str]


@pytest.fixture
def admin(capsys: pytest.CaptureFixture[str], database: str) -> Printed:
    """Run `gridlock admin` on the database, and return what it prints."""

    def command(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert run(["admin", *arguments, "--database", database]) == code
        printed = capsys.readouterr()
        return printed.out if code == 0 else printed.err

    return command


def eventually(happened: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + WAIT
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def page(server: Served, address: str, path: str = "/api/lobby") -> tuple[int, str]:
    """Return the status and body that a client at this address gets for a path."""
    status, _, body = server.raw("GET", path, X_Forwarded_For=address)
    return status, body.decode()


@pytest.mark.slow
def test_a_blocked_address_gets_403_and_its_sockets_are_closed(
    serve: Callable[..., Served], database: str, admin: Printed
) -> None:
    server = serve(*BEHIND, database=database, patches=QUICK)
    made = server.create("scatter", "screen")
    url = f"ws://127.0.0.1:{server.port}/ws"

    async def work() -> None:
        def at(address: str) -> connect:
            return connect(url, origin=server.origin, additional_headers={"X-Forwarded-For": address})

        async with at("203.0.113.7") as theirs, at("203.0.114.1") as other:
            for socket in (theirs, other):
                await Client(socket).answer("hello", game=made["id"], token=made["token"])
            said = await asyncio.to_thread(admin, "block", "203.0.113.7/24", "--reason", "Spam, seit gestern: あ")
            assert said == "Blocked 203.0.113.0/24. Running servers apply changes within seconds.\n"
            words = "This server's operator has blocked your address. The reason: Spam, seit gestern: あ"
            assert await closing(theirs) == (4403, words)
            assert (await Client(other).answer("ping"))["type"] == "pong"
        with pytest.raises(InvalidStatus) as refused:
            await at("203.0.113.200").__aenter__()
        assert refused.value.response.status_code == 403
        for path in ("/api/lobby", "/", "/health"):
            status, body = await asyncio.to_thread(page, server, "203.0.113.9", path)
            assert (status, json.loads(body)) == (403, {"error": "blocked", "words": words})
        in_browser = server.raw("GET", "/", X_Forwarded_For="203.0.113.9", Accept="text/html,*/*")
        assert (in_browser[0], in_browser[2].decode()) == (403, words)
        assert page(server, "203.0.114.1")[0] == 200
        assert page(server, "2001:db8:5:6::1")[0] == 200
        await asyncio.to_thread(admin, "block", "2001:db8:5:6::1")
        await asyncio.to_thread(eventually, lambda: page(server, "2001:db8:5:6:7::8")[0] == 403)
        assert page(server, "2001:db8:5:7::8")[0] == 200

    asyncio.run(work())
    assert [line.split()[0] for line in admin("list").splitlines()] == ["what", "block", "block"]
    assert "Spam, seit gestern: あ" in admin("list")
    assert admin("allow", "203.0.113.0/24").startswith("Allowed 203.0.113.0/24 again.")
    eventually(lambda: page(server, "203.0.113.9")[0] == 200)
    assert "no blocked client, ended game or hidden game 203.0.113.0/24" in admin("allow", "203.0.113.0/24", code=1)
    server.end()
    server.start()  # a block outlives a restart
    assert page(server, "2001:db8:5:6::2")[0] == 403
    assert not server.complaints()


@pytest.mark.slow
def test_an_ended_game_says_why_and_a_hidden_one_leaves_the_lobby(
    serve: Callable[..., Served], database: str, admin: Printed
) -> None:
    server = serve(database=database, patches=QUICK)
    made = server.create("scatter", "link", public=True, name="Rude")
    link = f"http://127.0.0.1/play#{made['id']}/{made['token']}"

    def listed() -> list[str]:
        return [one["game"] for one in server.get("/api/lobby")[1]["challenges"]]

    async def work() -> None:
        async with client(server, made["id"], made["token"]) as player:
            assert await asyncio.to_thread(listed) == [made["id"]]
            assert (await asyncio.to_thread(admin, "hide", link)).startswith(f"Hid {made['id']}.")
            await asyncio.to_thread(eventually, lambda: listed() == [])
            assert (await player.answer("ping"))["type"] == "pong"  # the hidden game's player stays connected
            await asyncio.to_thread(admin, "allow", link)
            await asyncio.to_thread(eventually, lambda: listed() == [made["id"]])
            await asyncio.to_thread(admin, "end", made["id"], "--reason", "Abusive name")
            words = "This server's operator has ended this game. The reason: Abusive name"
            assert await closing(player.socket) == (4403, words)
        assert listed() == []
        said = await asyncio.to_thread(admin, "hide", link, code=1)
        assert said.startswith(f"gridlock: game {made['id']} is ended, so no list shows it. To reopen it: ")
        assert "Abusive name" in await asyncio.to_thread(admin, "list")
        async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as again:
            await Client(again).send("hello", game=made["id"], token=made["token"])
            assert await closing(again) == (4403, words)
        refused = (403, {"error": "ended", "words": words})
        assert server.get(f"/api/games/{made['id']}", made["token"]) == refused
        join = {"name": "Ada", "nonce": "n" * 22}
        assert server.post(f"/api/games/{made['id']}/join", join, made["invitation"]) == refused
        await asyncio.to_thread(admin, "allow", made["id"])
        open_again = lambda: server.get(f"/api/games/{made['id']}", made["token"])[0] == 200  # noqa: E731
        await asyncio.to_thread(eventually, open_again)

    asyncio.run(work())
    assert not server.complaints()


@pytest.mark.slow
def test_the_operator_sees_who_uses_how_much_and_can_block_by_code(
    serve: Callable[..., Served], database: str, admin: Printed
) -> None:
    server = serve(*BEHIND, "--log-addresses=truncated", database=database, patches=QUICK)

    def create(address: str, board: str) -> str:
        wish = {"setup": {"game": "scatter", "board": board}, "opponent": "screen", "name": "\u202eEvil"}
        body = json.dumps(wish).encode()
        status, _, answer = server.raw("POST", "/api/games", body, X_Forwarded_For=address)
        assert status == 201
        return str(json.loads(answer)["id"])

    small, large = create("2001:db8:1:2::3", "3x3"), [create("203.0.113.7", "9x9") for _ in range(2)]
    lines = [line.split() for line in admin("clients").splitlines()]
    assert lines[0] == ["client", "network", "games", "unfinished", "MB", "last", "move"]
    assert [line[-5:-2] for line in lines[1:]] == [["2", "2", "0.06"], ["1", "1", "0.01"]]
    assert len(lines[1]) == 6  # an IPv4 address is its own network
    assert admin("clients", "203.0.113.7").splitlines()[1].split() == lines[1]
    assert admin("clients", "203.0.113.8") == "Nothing to list.\n"
    assert len(admin("clients", "--most", "1").splitlines()) == 2
    code, (small_code, small_network) = lines[1][0], lines[2][:2]
    assert {line.split()[0] for line in admin("games", code).splitlines()[1:]} == set(large)
    assert [line.split()[0] for line in admin("games", small_network).splitlines()[1:]] == [small]
    assert "\u202e" not in admin("games")
    admin("block", code)
    eventually(lambda: page(server, "203.0.113.7")[0] == 403)
    assert page(server, "2001:db8:1:2::3")[0] == 200
    admin("block", small_network)
    eventually(lambda: page(server, "2001:db8:1:ffff::3")[0] == 403)
    created = [line for line in server.lines() if line["event"] == "created"]
    assert [line["client"] for line in created] == [small_code, code, code]
    seen = {line["address"] for line in server.lines() if line["event"] == "request"}
    assert seen >= {"2001:db8:1::/48", "203.0.113.0/24"}
    assert not [address for address in seen if not str(address).endswith(("/48", "/24"))]


@pytest.mark.slow
def test_every_process_on_one_database_applies_a_ruling(serve: Callable[..., Served], postgres: str) -> None:
    servers = [serve(*BEHIND, database=postgres, patches=QUICK) for _ in range(2)]
    assert run(["admin", "block", "203.0.113.7", "--database", postgres]) == 0
    for server in servers:
        eventually(lambda server=server: page(server, "203.0.113.7")[0] == 403)  # type: ignore[misc]


@pytest.mark.slow
def test_a_purged_game_takes_its_ruling_along(serve: Callable[..., Served], database: str, admin: Printed) -> None:
    from gridlock.web.storage.retention import _delete
    from gridlock.web.storage.rows import since
    from gridlock.web.storage.store import Store

    server = serve(database=database)
    made = server.create("scatter", "screen")
    server.end()
    admin("end", made["id"])
    store = Store(database, "test")
    with store.database.transaction(writes=True) as connection:
        assert _delete(connection, {made["id"]: since(connection, made["id"], 0)[0]}) == 1
    store.engine.dispose()
    assert admin("list") == "Nothing to list.\n"


def test_a_ruling_keeps_its_reason_until_another_is_given(database: str, admin: Printed) -> None:
    from gridlock.web.storage.store import Store

    def reason() -> str:
        (line,) = admin("list").splitlines()[1:]
        return line.partition("203.0.113.7/32")[2].strip()

    store = Store(database, "test")
    store.prepare()
    store.start()
    store.stop()
    admin("block", "203.0.113.7")
    assert reason() == ""
    for given, kept in (
        (["--reason", "Spam"], "Spam"),
        ([], "Spam"),
        (["--reason", "Rude"], "Rude"),
        (["--reason", ""], ""),
    ):
        admin("block", "203.0.113.7", *given)
        assert reason() == kept
    admin("block", "203.0.113.7", "--reason", "Spam")
    admin("allow", "203.0.113.7")
    admin("block", "203.0.113.7")
    assert reason() == ""


@pytest.mark.parametrize(
    ("given", "target"),
    [
        ("203.0.113.7", "203.0.113.7/32"),
        ("203.0.113.7/24", "203.0.113.0/24"),
        ("::ffff:203.0.113.7", "203.0.113.7/32"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::1/128", "2001:db8::1/128"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("3f9a0c1d2e4b5a69", "3f9a0c1d2e4b5a69"),
        ("example.org", None),
        ("", None),
        ("203.0.113.7/33", None),
    ],
)
def test_what_can_be_blocked(given: str, target: str | None) -> None:
    assert network(given) == target


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["block", "0.0.0.0/0"], 2, "0.0.0.0/0 is too large. Block a /8 network or a smaller one."),
        (["block", "example.org"], 2, "'example.org' is not an address, a prefix or a client's code."),
        (["block", "203.0.113.7", "--reason", "x" * 201], 2, "a reason is one line of at most 200 characters."),
        (["end", "short"], 2, "'short' is not a game's id, which has 22 characters, or a link to a game."),
        (["games", "203.0.113.7"], 2, "'203.0.113.7' is not a code that 'gridlock admin clients' lists."),
        (["list"], 1, "there is no database at"),
        (["end", "-" * 22], 1, "there is no database at"),
        (["shoot"], 2, "No such command 'shoot'"),
    ],
)
def test_wrong_usage_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    database = ["--database", str(tmp_path / "none.sqlite3")] if arguments != ["shoot"] else []
    assert run(["admin", *arguments, *database]) == code
    printed = capsys.readouterr()
    assert words in re.sub(r"\s+", " ", printed.err)
    assert printed.err.splitlines()[0].endswith(".")
    assert "Traceback" not in printed.err
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.parametrize(
    ("how", "address", "field"),
    [
        ("off", "203.0.113.7", {}),
        ("truncated", "203.0.113.7", {"address": "203.0.113.0/24"}),
        ("truncated", "::ffff:203.0.113.7", {"address": "203.0.113.0/24"}),
        ("truncated", "2001:db8:1:2::3", {"address": "2001:db8:1::/48"}),
        ("truncated", "unix", {}),
        ("full", "2001:db8:1:2::3", {"address": "2001:db8:1:2::3"}),
    ],
)
def test_addresses_in_the_log_are_the_operators_choice(how: logs.Addresses, address: str, field: dict) -> None:
    assert logs.address(address, how) == field


@pytest.mark.slow
def test_without_the_option_no_address_is_logged(serve: Callable[..., Served]) -> None:
    server = serve()
    server.create("scatter", "screen")
    assert "address" not in {name for line in server.lines()[1:] for name in line if line["event"] != "started"}


@pytest.mark.slow
def test_browsers_stay_with_tls(serve: Callable[..., Served], tmp_path: Path) -> None:
    header = "strict-transport-security"
    assert header not in serve().raw("GET", "/")[1]
    public = Served(str(tmp_path / "public"), tmp_path / "public.log", "--origin=https://games.example.org", *BEHIND)
    public.launch()
    try:
        eventually(lambda: any(line["event"] == "started" for line in public.lines()))
        (started,) = [line for line in public.lines() if line["event"] == "started"]
        assert isinstance(started["address"], list)
        public.port = started["address"][1]
        for path in ("/", "/embed", "/api/games", "/nothing"):
            assert public.raw("GET", path)[1][header] == "max-age=31536000"
    finally:
        public.close()


# -- the check ------------------------------------------------------------------------------------------------------


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """Run `gridlock serve --check` as an ordinary user, and return what it prints."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)

    def command(*options: str, code: int, database: str | None = None) -> str:
        given = database or str(tmp_path / "games.sqlite3")
        assert run(["serve", "--check", "--database", given, "--database-limit", "10", *options]) == code
        return capsys.readouterr().out

    return command


def test_a_safe_configuration_is_called_safe(check: Printed, tmp_path: Path) -> None:
    printed = check(code=0)
    assert printed.endswith("Nothing unsafe was found.\n")
    assert f"The database {tmp_path / 'games.sqlite3'} will be created." in printed
    assert list(tmp_path.iterdir()) == []  # the check created no files


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0", "--origin", "http://192.0.2.1"], "Without TLS, anyone on the network path"),
        (["--origin", "https://games.example.org"], "behind a proxy, name the proxy with --trusted-proxy"),
        (["--trusted-proxy", "10.0.0.0/8"], "--trusted-proxy 10.0.0.0/8 is a large network"),
        (["--metrics", "0.0.0.0:9100"], "--metrics listens on 0.0.0.0"),
        (["--most-games", "0"], "--most-games 0 sets no limit"),
        (["--database-limit", "0"], "--database-limit 0 sets no limit"),
        (["--database-limit", "999999999"], "The disk would fill up before the limit was reached"),
        (["--share-per-client", "50"], "2 clients can fill the database for everyone"),
        (["--keep-finished", "0"], "--keep-finished 0 keeps finished games forever"),
        (["--log-addresses", "full"], "--log-addresses full writes personal data"),
    ],
)
def test_what_is_unsafe_is_named(check: Printed, options: list[str], words: str) -> None:
    printed = check(*options, code=1)
    (line,) = [line for line in printed.splitlines() if words in line]
    assert line.startswith("Unsafe: ")


def test_an_unsafe_machine_is_named(check: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_text("This is not a database." * 100)
    assert "Unsafe: The database cannot be used: file is not a database." in check(code=1)
    file.unlink()
    tmp_path.chmod(tmp_path.stat().st_mode | stat.S_IWOTH)
    assert f"Unsafe: Every user of this machine can change {tmp_path}." in check(code=1)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "Unsafe: The server would run as root." in check(code=1)


@pytest.mark.slow
def test_the_check_works_while_a_server_runs(serve: Callable[..., Served], database: str, check: Printed) -> None:
    server = serve(database=database)
    server.create("scatter", "screen")
    printed = check(code=0, database=database)
    assert re.search(r"The (sqlite|postgresql) database has version \d+\. Games stored: 1\.", printed)
    assert server.create("scatter", "screen")
