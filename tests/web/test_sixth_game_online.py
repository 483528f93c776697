"""A game that nobody built in, on the server: offered, played, reviewed and analysed like the others."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import client
from web_schema import Fits
from web_server import Served

import hermit

# Read by every process that Python starts: the server, and those that think for it.
_REGISTERS = "from gridlock.rules import RULE_BOOKS\nfrom hermit import HERMIT\nRULE_BOOKS[HERMIT.name] = HERMIT\n"


@pytest.fixture
def knowing(serve: Callable[..., Served], tmp_path: Path) -> Served:
    """A server that knows the game."""
    (tmp_path / "sitecustomize.py").write_text(_REGISTERS)
    return serve(env={"PYTHONPATH": f"{tmp_path}:{Path(hermit.__file__).parent}"})


def test_it_is_offered_set_up_analysed_and_reviewed(knowing: Served, fits: Fits) -> None:
    _, catalogue = knowing.get("/api/games")
    assert catalogue["games"][-1]["name"] == "hermit"
    assert fits(catalogue, "Catalogue")
    setup = {"game": "hermit", "board": "3x3", "moves": ["2,2"]}
    _, position = knowing.post("/api/position", {"setup": setup})
    assert position["board"]["legal"] == [0, 2, 6, 8]  # the neighbours of the centre are closed to both
    _, why = knowing.post("/api/why", {"setup": setup, "cell": 1})
    assert (why["words"], why["causes"]) == ("The cell is adjacent to a marker.", [4])
    status, found = knowing.post("/api/analyse", {"setup": setup})
    assert (status, found["analysis"]["verdict"]) == (200, "loss")  # four corners are left, none next to another
    assert fits(found, "Analysis")
    status, reviewed = knowing.post("/api/review", {"setup": setup})
    assert (status, reviewed["summary"]) == (200, "No mistakes: Player 1 was winning from the start.")
    assert fits(reviewed, "Review")


def test_it_is_played_against_the_computer(knowing: Served, fits: Fits) -> None:
    made = knowing.create("hermit", "perfect", setup={"board": "3x3"})

    async def run() -> None:
        async with client(knowing, made["id"], made["token"]) as ada:
            for cell in (4, None, None):
                await ada.play(ada.state["board"]["legal"][0] if cell is None else cell)
                await ada.until(thinking=False)
            assert ada.state["outcome"]["winner"] == 1
            assert fits(ada.state, "State")

    asyncio.run(run())
    _, record = knowing.get(f"/api/games/{made['id']}/record?format=json", made["watch"])
    assert (record["Game"], record["Result"]) == ("hermit", "1-0")
    assert knowing.complaints() == []
