"""Tests of the HTTP API: setups, pasted records, analysis, reviews, and the API's own description."""

import json

import pytest
from web_schema import Fits
from web_server import Served

from gridlock import RULE_BOOKS, SWAP, Game, variant
from gridlock.core.records import dump_json, dump_text


def test_the_description_is_true(server: Served, fits: Fits) -> None:
    _, catalogue = server.get("/api/games")
    assert fits(catalogue, "Catalogue")
    assert [book["name"] for book in catalogue["games"]] == list(RULE_BOOKS)
    assert fits(server.get("/health")[1], "Health")
    made = server.create("chain")
    assert fits(made, "Created")
    assert fits(server.get(f"/api/games/{made['id']}", made["watch"])[1], "State")
    _, seat = server.post(f"/api/games/{made['id']}/join", {"nonce": "x" * 22}, made["invitation"])
    assert fits(seat, "Seat")
    assert fits(server.get("/nowhere")[1], "Error")
    assert server.raw("DELETE", "/api/games")[0] == 405


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_analysis_and_why_of_every_game(server: Served, fits: Fits, name: str) -> None:
    setup = {"game": name, "board": "3x3"}
    status, found = server.post("/api/analyse", {"setup": setup, "seconds": 1})
    assert status == 200, found
    assert fits(found, "Analysis")
    assert [move["cell"] for move in found["analysis"]["moves"]] == found["position"]["board"]["legal"]
    assert found["analysis"]["verdict"] in ("win", "loss")
    status, why = server.post("/api/why", {"setup": setup, "cell": 8})
    assert fits(why, "Why")
    assert why["legal"] == (8 in found["position"]["board"]["legal"])


def test_a_typed_cell_is_explained_like_any_other(server: Served, fits: Fits) -> None:
    setup = {"game": "showdown", "moves": ["3,3"]}
    _, why = server.post("/api/why", {"setup": setup, "cell": 13})
    assert why["causes"] == [12]
    for text in ("3 4", "(3, 4)", "row 3 column 4"):
        assert server.post("/api/why", {"setup": setup, "text": text}) == (200, why)
    status, outside = server.post("/api/why", {"setup": setup, "text": "99 1"})
    assert (status, outside["cell"], outside["words"]) == (200, None, "The cell is outside the grid.")
    assert fits(outside, "Why")
    step = {"game": "trails", "board": "3x3"}
    assert server.post("/api/why", {"setup": step, "text": "right"})[1]["cell"] == 1
    assert server.post("/api/why", {"setup": {**step, "adjacency": "king"}, "text": "down right"})[1]["cell"] == 4
    wrong = {"1 1; 2 2": "One move at a time, please.", "banana": "Enter a row and a column, such as 1,1.", None: ""}
    for text, words in wrong.items():
        status, refused = server.post("/api/why", {"setup": setup, **({"text": text} if text else {})})
        assert status == 422
        assert refused["words"].startswith(words)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("board", ["9x9", "12x12"])
def test_a_board_too_large_to_solve_still_gets_an_answer(server: Served, name: str, board: str) -> None:
    status, found = server.post("/api/analyse", {"setup": {"game": name, "board": board}, "seconds": 0.3})
    assert status == 200, found
    assert len(found["analysis"]["moves"]) == len(found["position"]["board"]["legal"])


def test_review_finds_the_mistake(server: Served, fits: Fits) -> None:
    # On 3x3, taking the centre wins Keep-Away immediately; every other first move loses.
    status, found = server.post("/api/review", {"setup": {"game": "keepaway", "moves": ["2,2"]}})
    assert status == 200, found
    assert fits(found, "Review")
    assert found["summary"] == "No mistakes: Player 1 was winning from the start."
    status, found = server.post("/api/review", {"setup": {"game": "chain", "board": "1x3", "moves": ["1,1", "1,2"]}})
    assert fits(found, "Review")
    assert [step["text"] for step in found["steps"]] == ["1,1", "1,2"]
    assert all(step["mistake"] == bool(step["better"]) for step in found["steps"])


def test_review_is_about_players_and_knows_how_the_game_ended(server: Served, fits: Fits) -> None:
    game = Game(variant("showdown"), swap=True, names=("Ada", "Bob"))
    game.push(12)
    game.push(SWAP)
    game.push(0)
    game.resign(2)
    status, found = server.post("/api/review", {"record": dump_text(game)})
    assert status == 200, found
    assert fits(found, "Review")
    assert found["players"] == [{"name": "Ada", "mark": "O"}, {"name": "Bob", "mark": "X"}]
    steps = found["steps"]
    assert [(step["kind"], step["who"], step["cell"]) for step in steps] == [
        ("move", "Ada (X)", 12),
        ("swap", "Bob (O)", None),
        ("move", "Ada (O)", 0),
        ("resign", "Bob (X)", None),
    ]
    assert (found["start"], [step["after"] for step in steps]) == (2, [2, 2, 2, 1])
    assert [step["mistake"] for step in steps] == [False, False, False, True]
    assert found["summary"] == "Decided when Bob (X) resigned."
    _, found = server.post("/api/review", {"setup": {"game": "showdown", "swap": True, "moves": ["3,3", "1,1"]}})
    assert fits(found, "Review")
    assert (found["steps"][1]["mistake"], found["steps"][1]["better_swap"]) == (True, True)
    assert found["steps"][1]["better"] == []


def test_positions_from_setups_records_and_move_lists(server: Served, fits: Fits) -> None:
    game = Game(variant("showdown"), swap=True)
    for cell in (12, 0, 24):
        game.push(cell)
    expected = ["3,3", "1,1", "5,5"]
    sources = [
        {"setup": {"game": "showdown", "moves": expected}},
        {"setup": {"game": "showdown"}, "text": "3,3 1,1; 5 5"},
        {"setup": {"game": "showdown", "moves": ["3,3"]}, "text": "Place O at row 1 column 1; (5, 5)"},
        {"record": dump_text(game)},
        {"record": json.dumps(dump_json(game))},
        {"record": json.dumps([dump_json(game), "whatever"])},
        {"record": dump_text(game) + "\n" + dump_text(game).replace("5x5", "99x99")},
    ]
    for source in sources:
        status, found = server.post("/api/position", source)
        assert status == 200, (source, found)
        assert fits(found, "Position")
        assert found["setup"]["moves"] == expected
        assert found["mark"] == "O"


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ({}, 422),
        ({"setup": {"game": "chess"}}, 422),
        ({"setup": {"game": "chain", "board": "31x1"}}, 422),
        ({"setup": {"game": "chain", "board": "100000000x100000000"}}, 422),
        ({"setup": {"game": "chain", "board": "0x5"}}, 422),
        ({"setup": {"game": "chain", "board": "5"}}, 422),
        ({"setup": {"game": "trails", "board": "1x1"}}, 422),
        ({"setup": {"game": "chain", "adjacency": "queen"}}, 422),
        ({"setup": {"game": "chain", "moves": ["1,1", "4,4"]}}, 422),
        ({"setup": {"game": "chain", "moves": ["1,1", "swap"]}}, 422),
        ({"setup": {"game": "chain", "moves": ["a1"]}}, 422),
        ({"setup": {"game": "chain", "moves": [1]}}, 400),
        ({"setup": {"game": "chain", "moves": ["1,1"] * 1001}}, 400),
        ({"setup": {"game": "chain", "starts": 3}}, 400),
        ({"setup": {"game": "chain"}, "text": "1,1 banana"}, 422),
        ({"setup": {"game": "chain", "colour": "red"}}, 400),
        ({"record": "[GridLock"}, 422),
        ({"record": "{" * 50_000}, 422),
        ({"record": "[" * 50_000}, 422),
        ({"record": '[GridLock "1"]\n[Board "99x99"]\n'}, 422),
        ({"record": '{"GridLock": "1", "Board": "99x99"}'}, 422),
        ({"record": "x", "setup": {"game": "chain"}}, 422),
        ([], 400),
        (None, 400),
    ],
)
def test_what_is_wrong_is_refused_with_a_sentence(server: Served, source: object, status: int) -> None:
    for path in ("/api/position", "/api/analyse", "/api/review"):
        answered, error = server.post(path, source)
        assert answered == status, error
        assert error["words"].endswith((".", "`", "`)")) or status in (400, 422)
        assert set(error) == {"error", "words"}


@pytest.mark.parametrize(
    "wish",
    [
        {"setup": {"game": "chain"}, "opponent": "cheater"},
        {"setup": {"game": "chain"}, "opponent": "link", "seat": 0},
        {"setup": {"game": "chain"}, "opponent": "link", "name": "n" * 201},
        {"setup": {"game": "chain", "moves": ["1,1"]}, "opponent": "link", "starts": "random"},
        {"setup": {"game": "keepaway", "moves": ["2,2"]}, "opponent": "screen"},
        {"opponent": "link"},
    ],
)
def test_games_that_cannot_be_created(server: Served, wish: dict) -> None:
    status, error = server.post("/api/games", wish)
    assert status in (400, 422), error
