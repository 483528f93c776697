"""Tests of regions over HTTP: answers use the terminal's wording, bad requests are rejected, and memory is limited."""

import xml.etree.ElementTree as ET
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from web_schema import Fits
from web_server import Served

from gridlock.core.grid import cells_of
from gridlock.engine import engine, snort_values
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.play.regions import NO_VALUES, report_to_onlookers
from gridlock.web.thinking import questions
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.setups import game_of

MOVES = ["3,3", "1,1", "5,3", "1,3", "3,5"]


@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("name", ["showdown", "scatter"])
def test_the_page_says_what_every_surface_says(name: str, count: int) -> None:
    game = game_of(WholeSetup(game=name, board="5x5", adjacency="king", starts=1, swap=False, moves=MOVES[:count]))
    report = report_to_onlookers(game, engine_for(game.variant).weigh_game(game, Clock(5)), 5)
    shown = questions.regions(game, 5)
    assert [shown.verdict, *(region.words for region in shown.regions), *shown.closing] == report.lines
    assert shown.verdict.startswith(f"{'XO'[count % 2]} is to move and ")
    taken = [cell for region in shown.regions for cell in region.cells] + [cell for one in shown.free for cell in one]
    assert len(taken) == len(set(taken))
    assert set(cells_of(game.legal)) <= set(taken)
    for region in shown.regions:
        assert region.best is None or (region.best in region.cells and game.legal >> region.best & 1)
        if region.thermograph:
            assert ET.fromstring(region.thermograph).tag.endswith("svg")


def test_a_position_with_two_regions(server: Served, fits: Fits) -> None:
    setup = {"game": "showdown", "board": "5x5", "moves": MOVES[:4]}
    status, shown = server.post("/api/regions", {"setup": setup, "seconds": 5})
    assert status == 200, shown
    assert fits(shown, "Regions")
    assert shown["verdict"] == "X is to move and wins."
    assert [(one["letter"], one["heat"], one["best"]) for one in shown["regions"]] == [("A", 3, 15), ("B", 2, 18)]
    assert shown["regions"][0]["thermograph"].startswith("<svg ")
    assert shown["closing"] == ["Hottest: A. 4,1 wins.", "Free moves: X 1, O 1."]
    assert shown["free"] == [[17], [1]]


def test_a_game_without_values_gets_one_sentence(server: Served) -> None:
    status, shown = server.post("/api/regions", {"setup": {"game": "chain"}})
    assert (status, shown["regions"], shown["closing"]) == (200, [], [NO_VALUES])


def test_requests_that_make_no_sense_are_rejected(server: Served) -> None:
    over = {"game": "showdown", "board": "1x1", "moves": ["1,1"]}
    status, refused = server.post("/api/regions", {"setup": over})
    assert (status, refused["words"]) == (422, "The game is over, so there are no regions left.")
    status, _ = server.post("/api/regions", {"setup": {"game": "showdown"}, "seconds": 60})
    assert status == 400


def test_the_largest_boards_are_answered(server: Served) -> None:
    status, shown = server.post("/api/regions", {"setup": {"game": "showdown", "board": "30x30"}, "seconds": 0.2})
    assert (status, [one["words"] for one in shown["regions"]]) == (200, ["A, 900 cells: not worked out in time."])
    assert shown["regions"][0]["heat"] is None


def test_a_region_opens_move_by_move(server: Served, fits: Fits) -> None:
    setup = {"game": "showdown", "board": "6x6", "moves": ["3,2", "5,4", "2,3", "1,6", "6,6", "2,6"]}
    status, shown = server.post("/api/region", {"setup": setup, "cell": 24})
    assert status == 200, shown
    assert fits(shown, "OpenRegion")
    assert (shown["drawn"], shown["words"]) == (["11#", "..2", "..2"], "±5, temperature 5")
    assert shown["thermograph"].startswith("<svg ")
    (one,), (two,) = shown["left"], shown["right"]
    assert (one["text"], one["words"], two["text"], two["words"]) == ("5,2", "5", "5,1", "-5")
    status, deeper = server.post("/api/region", {"setup": setup, "cell": 24, "path": [[1, one["cell"]]]})
    assert (status, deeper["drawn"], deeper["words"]) == (200, one["drawn"], one["words"])
    assert (deeper["thermograph"], deeper["right"]) == ("", [])


def test_a_region_that_does_not_open_has_a_reason(server: Served) -> None:
    setup = {"game": "showdown", "board": "3x3", "moves": ["2,2"]}
    status, told = server.post("/api/region", {"setup": setup, "cell": 0, "path": [[2, 0]]})
    assert (status, told["words"]) == (422, "Cell 1,1 isn't open to O in this region.")
    for path in ([[3, 0]], [[1, -1]], [[1]], [[1, 0]] * 101):
        assert server.post("/api/region", {"setup": setup, "cell": 0, "path": path})[0] == 400


@pytest.mark.slow
def test_a_worker_does_not_grow_with_the_regions_it_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, rng: Random
) -> None:
    """Even after questions about many boards, each store stays within its memory limit, and old stores are dropped."""
    made: list[snort_values._Snort] = []

    class Recorded(snort_values._Snort):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            made[:] = [*made[-1:], self]

    monkeypatch.setattr(engine, "TABLES", 2 << 20)
    monkeypatch.setattr(snort_values, "_stored", lru_cache(maxsize=2)(Recorded))
    sizes = []
    for _ in range(30):
        rows, cols = rng.randint(4, 9), rng.randint(4, 9)
        move = f"{rng.randint(1, rows)},{rng.randint(1, cols)}"
        adjacency = rng.choice(["king", "orthogonal"])
        setup = WholeSetup(
            game="showdown", board=f"{rows}x{cols}", adjacency=adjacency, starts=1, swap=False, moves=[move]
        )
        questions.answer({}, questions.regions, setup, 0.1, ())
        questions.answer({}, questions.open_region, setup, 0.1, (rng.randrange(rows * cols), []))
        assert snort_values._stored.cache_info().currsize <= 2
        for one in made:
            assert one.exact.store.used + one.cooled.store.used <= one.memory <= engine.TABLES
        sizes.append(int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20)
    assert len(made) == 2, "the boards did not all fit into one store"
    assert max(sizes[10:]) <= max(sizes[:10]) + 24, sizes
