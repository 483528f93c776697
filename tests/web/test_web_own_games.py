"""Tests of users' own games, which the server loads from a folder."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from web_client import client, closing
from web_hermit import HERMIT
from web_schema import Fits
from web_server import Served
from websockets.asyncio.client import connect

from gridlock.core.rules import BUILT_IN, FIRST, RULE_BOOKS
from gridlock.web.storage.schema import checksum
from gridlock.web.wire.setups import load_folder

pytestmark = pytest.mark.slow  # starts a separate server


# -- from a folder ------------------------------------------------------------------------------------------------


def test_it_is_offered_set_up_analysed_and_reviewed(knowing: Served, fits: Fits) -> None:
    _, catalogue = knowing.get("/api/games")
    assert [game["name"] for game in catalogue["games"]] == [*RULE_BOOKS, "hermit"]
    assert catalogue["first"] == FIRST
    assert fits(catalogue, "Catalogue")
    setup = {"game": "hermit", "board": "3x3", "moves": ["2,2"]}
    _, position = knowing.post("/api/position", {"setup": setup})
    assert position["board"]["legal"] == [0, 2, 6, 8]  # the centre's neighbours are closed to both players
    assert "definition" not in position["setup"]  # clients of this server need not send the definition
    _, why = knowing.post("/api/why", {"setup": setup, "cell": 1})
    assert (why["words"], why["causes"]) == ("The cell is adjacent to a marker.", [4])
    status, found = knowing.post("/api/analyse", {"setup": setup})
    assert (status, found["analysis"]["verdict"]) == (200, "loss")  # four corners are left, and no two are adjacent
    assert [move["distance"] for move in found["analysis"]["moves"]] == [4, 4, 4, 4]
    assert fits(found, "Analysis")
    status, reviewed = knowing.post("/api/review", {"setup": setup})
    assert (status, reviewed["summary"]) == (200, "No mistakes: Player 1 was winning from the start.")
    assert fits(reviewed, "Review")


@pytest.mark.parametrize("level", ["random", "easy", "medium", "hard", "perfect"])
def test_it_is_played_against_every_level(knowing: Served, fits: Fits, level: str) -> None:
    made = knowing.create("hermit", level, setup={"board": "3x3"})

    async def run() -> None:
        async with client(knowing, made["id"], made["token"]) as ada:
            cell = 4
            while not ada.state["outcome"]:
                await ada.play(cell)
                await ada.until(thinking=False)
                cell = next(iter(ada.state["board"]["legal"]), 0)
            # After a move in the centre, all four corners are taken in some order, so Player 1 makes the last move.
            assert ada.state["outcome"]["winner"] == 1
            assert fits(ada.state, "State")

    asyncio.run(run())
    _, record = knowing.get(f"/api/games/{made['id']}/record?format=json", made["watch"])
    assert (record["Game"], record["Result"]) == ("hermit", "1-0")
    status, reviewed = knowing.post("/api/review", {"record": json.dumps(record)})
    assert (status, len(reviewed["steps"])) == (200, 5)
    assert knowing.complaints() == []


def test_every_game_has_a_picture(knowing: Served) -> None:
    for name in (*RULE_BOOKS, "hermit"):
        status, headers, body = knowing.raw("GET", f"/pictures/{name}.svg")
        assert (status, headers["content-type"].partition(";")[0]) == (200, "image/svg+xml"), name
        assert b"<title>" in body
    for name in ("chess", "..%2Ficon", "%2e%2e/icon", "../icon"):
        assert knowing.raw("GET", f"/pictures/{name}.svg")[0] == 404


def test_a_stored_game_continues_without_its_file(serve: Callable[..., Served], knowing: Served, folder: Path) -> None:
    made = knowing.create("hermit", "perfect", setup={"board": "3x3"})
    knowing.end()
    (folder / "hermit.toml").unlink()
    later = serve()
    assert later.post("/api/position", {"setup": {"game": "hermit"}})[0] == 422

    async def run() -> dict:
        async with client(later, made["id"], made["token"]) as ada:
            for cell in (4, None, None):
                await ada.play(ada.state["board"]["legal"][0] if cell is None else cell)
                await ada.until(thinking=False)
            return ada.state

    state = asyncio.run(run())
    assert state["outcome"]["winner"] == 1
    assert state["setup"]["definition"]["title"] == "Hermit"  # so that the page can ask about the game
    assert later.post("/api/analyse", {"setup": {**state["setup"], "moves": ["2,2"]}})[0] == 200
    assert later.complaints() == []


def test_a_changed_file_does_not_change_the_games_that_were_begun(
    serve: Callable[..., Served], knowing: Served, folder: Path
) -> None:
    made = knowing.create("hermit", "screen", setup={"board": "3x3"})
    knowing.end()
    (folder / "hermit.toml").write_text(HERMIT.replace("closes_own = true\n", ""))
    later = serve("--games", str(folder))
    _, state = later.get(f"/api/games/{made['id']}", made["token"])
    assert state["setup"]["definition"]["shape"] == {"closes_own": True, "closes_other": True}
    fresh = later.create("hermit", "screen")
    _, state = later.get(f"/api/games/{fresh['id']}", fresh["token"])
    assert "definition" not in state["setup"]


def test_an_unknown_stored_game_is_rejected_with_a_message(
    serve: Callable[..., Served], knowing: Served, tmp_path: Path
) -> None:
    made = knowing.create("hermit", "screen")
    knowing.end()
    engine = create_engine(f"sqlite:///{tmp_path}/games.sqlite3")
    with engine.begin() as connection:  # as if a package with its own functions had provided the game
        row = connection.execute(text("SELECT id, created, settings FROM games")).one()
        stored = json.loads(row.settings)
        assert stored.pop("definition")["name"] == "hermit"
        changed = {"settings": json.dumps(stored), "sum": checksum(row.id, row.created, json.dumps(stored))}
        connection.execute(text("UPDATE games SET settings = :settings, checksum = :sum"), changed)
    engine.dispose()
    later = serve()
    status, answer = later.get(f"/api/games/{made['id']}", made["token"])
    assert (status, answer["error"]) == (422, "illegal")
    assert "There is no game called 'hermit'" in answer["words"]

    async def run() -> tuple[int, str]:
        async with connect(f"ws://127.0.0.1:{later.port}/ws", origin=later.origin) as link:
            await link.send(json.dumps({"type": "hello", "game": made["id"], "token": made["token"]}))
            return await closing(link)

    assert asyncio.run(run()) == (4422, "this server does not know the game")


# -- the command --------------------------------------------------------------------------------------------------


def refused(*arguments: str) -> tuple[int, str]:
    """Return the exit code and the error message of a server that fails to start."""
    done = subprocess.run(
        [sys.executable, "-m", "gridlock", "serve", "--port", "0", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=dict(os.environ),
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (
            "bad.toml",
            HERMIT.replace("closes_own = true", "closes_own = 1"),
            "bad.toml, line 7: closes_own must be true or",
        ),
        ("bad.toml", "title = ", "bad.toml, line 1: invalid TOML"),
        (
            "bad.toml",
            HERMIT.replace("3x4", "31x4"),
            "bad.toml: its board is 31x4, but boards in the browser can be at most 30x30.",
        ),
        ("showdown.toml", HERMIT, "showdown.toml: there is already a game called showdown."),
        ("other.toml", 'name = "hermit"\n' + HERMIT, "other.toml: hermit.toml also describes a game called hermit."),
    ],
)
def test_a_bad_file_is_named_and_nothing_is_served(folder: Path, name: str, content: str, complaint: str) -> None:
    (folder / name).write_text(content)
    code, said = refused("--games", str(folder))
    assert (code, complaint in said, len(said.splitlines())) == (3, True, 1), said


def test_a_folder_without_games_and_no_folder(tmp_path: Path) -> None:
    code, said = refused("--games", str(tmp_path))
    assert (code, f"there are no games in {tmp_path}" in said) == (2, True)
    code, said = refused("--games", str(tmp_path / "nowhere"))
    assert (code, "does not exist" in said) == (2, True)
    (tmp_path / "file").touch()
    assert refused("--games", str(tmp_path / "file"))[0] == 2


def test_a_folder_is_taken_whole_or_not_at_all(folder: Path) -> None:
    (folder / "zebra.toml").write_text("title = 3")
    with pytest.raises(Exception, match="zebra"):
        load_folder(folder)
    assert set(RULE_BOOKS) == BUILT_IN
