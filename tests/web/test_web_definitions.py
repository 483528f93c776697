"""Tests that a custom game sent with a record or a setup is either accepted in full or rejected with a reason."""

import asyncio
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from web_client import client
from web_hermit import hermit
from web_schema import Fits
from web_server import Served

from gridlock.core.definition import definition_of
from gridlock.core.errors import BadGame
from gridlock.core.game import Game
from gridlock.core.records import dump_json, dump_text
from gridlock.core.rules import FIRST, RULE_BOOKS, variant
from gridlock.engine.evidence import Verdict
from gridlock.web.operations.pictures import picture_of
from gridlock.web.thinking import questions
from gridlock.web.wire.answers import WholeSetup

pytestmark = pytest.mark.slow  # starts a separate server


def test_records_bring_their_own_game(server: Served, fits: Fits, folder: Path) -> None:
    game = hermit(folder)
    for record in (dump_text(game), json.dumps(dump_json(game)), json.dumps([dump_json(game)])):
        status, position = server.post("/api/position", {"record": record})
        assert status == 200, position
        assert fits(position, "Position")
        assert position["setup"]["definition"] == definition_of(game.variant.book)
        status, found = server.post("/api/analyse", {"record": record, "distances": True})
        assert (status, found["analysis"]["distance"]) == (200, 4)
        assert server.post("/api/review", {"record": record})[0] == 200
    # The page takes the setup from the server's answer, and sends it with later requests.
    setup = position["setup"]
    status, position = server.post("/api/position", {"setup": {**setup, "moves": ["2,2", "1,1"]}})
    assert (status, position["board"]["legal"]) == (200, [2, 6, 8])
    assert server.post("/api/why", {"setup": setup, "cell": 1})[1]["causes"] == [4]
    status, made = server.post("/api/games", {"setup": setup, "opponent": "screen"})
    _, state = server.get(f"/api/games/{made['id']}", made["token"])
    assert (status, state["setup"]) == (201, setup)


def test_a_record_with_a_setup_preserves_it(server: Served) -> None:
    start = hermit_position()
    game = Game(variant("showdown", "3x3"), start=start)
    game.push(8)
    status, position = server.post("/api/position", {"record": dump_text(game)})
    assert (status, position["board"]["cells"]) == (200, "X.......O")
    assert position["setup"]["position"].startswith("showdown king X2/3/3 O")
    for setup in (position["setup"], {**position["setup"], "moves": []}):
        again = server.post("/api/position", {"setup": setup})[1]
        assert again["board"]["cells"] == ("X.......O" if setup["moves"] else "X........")
        assert server.post("/api/analyse", {"setup": setup})[1]["position"] == again
    made = server.post("/api/games", {"setup": position["setup"], "opponent": "screen"})[1]
    assert server.get(f"/api/games/{made['id']}", made["token"])[1]["board"]["cells"] == "X.......O"
    elsewhere = {**position["setup"], "board": "4x4"}
    assert "different boards" in server.post("/api/position", {"setup": elsewhere})[1]["words"]


def hermit_position() -> object:
    return variant("showdown", "3x3").start().after(0)


@pytest.mark.parametrize("name", ["./hermit.toml", "hermit.toml", "/etc/passwd", "../games/hermit", "HERMIT.TOML"])
def test_a_setup_never_names_a_file(knowing: Served, folder: Path, name: str) -> None:
    for game in (name, str(folder / "hermit.toml")[:40]):
        for path, body in (
            ("/api/position", {"setup": {"game": game}}),
            ("/api/analyse", {"setup": {"game": game}}),
            ("/api/review", {"setup": {"game": game}}),
            ("/api/games", {"setup": {"game": game}, "opponent": "screen"}),
        ):
            status, answer = knowing.post(path, body)
            assert (status, answer["words"][:24]) == (422, "There is no game called "), answer
    record = dump_text(Game(variant("showdown"))).replace('[Game "showdown"]', f'[Game "{name}"]')
    status, answer = knowing.post("/api/position", {"record": record})
    assert (status, "There is no game called" in answer["words"]) == (422, True)


LARGE = {"rules": "a" * 2001, "title": "b" * 41, "summary": "c" * 201, "closed": "d" * 201, "name": "e" * 33}
HOSTILE = [
    *({setting: words} for setting, words in LARGE.items()),
    {"title": "a\x1b[2Jb"},
    {"title": "a\u202eb"},
    {"title": "a\x00b"},
    {"title": ["Hermit"]},
    {"marks": ["<b>", "O"]},
    {"marks": ["\u202e", "O"]},
    {"marks": [".", "#"]},
    {"marks": ["X", "X"]},
    {"players": ["a", "b" * 33]},
    {"board": "31x31"},
    {"board": "9999999999x1"},
    {"board": [3, 3]},
    {"origin": 10**30},
    {"example": [[1, 1]] * 21},
    {"example": [[10**30, 1]]},
    {"shape": {"closes_own": "yes"}},
    {"shape": {"legal": "print"}},
    {"shape": []},
    {"path": "/etc/passwd"},
    {"name": "../hermit"},
    {"name": "other"},
    {"name": "showdown"},
]


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: f"{next(iter(change))}={str(change)[:30]!a}")
def test_hostile_definitions_are_refused_with_a_sentence(server: Served, folder: Path, change: dict) -> None:
    game = hermit(folder)
    definition = {**definition_of(game.variant.book), **change}
    setup = {"game": "hermit", "board": "3x3", "definition": definition}
    record = {**dump_json(game), "Definition": json.dumps(definition)}
    del record["Check"]
    for path in ("/api/position", "/api/analyse", "/api/review"):
        for body in ({"setup": setup}, {"record": json.dumps(record)}):
            status, answer = server.post(path, body)
            assert (status, answer["error"]) == (422, "illegal"), answer
            assert len(answer["words"]) < 400
    assert server.complaints() == []


DESIGN = {"name": "design", "title": "Design", "board": "4x4", "adjacency": "king", "shape": {"closes_own": True}}


@pytest.mark.parametrize(
    ("board", "shape", "words"),
    [
        ("5x5", {"closes_own": True}, "These rules allow no first move, because a pawn's step always ends next to"),
        ("2x2", {"closes_other": True}, "That board is too small: there is no legal move."),
    ],
)
def test_a_game_without_a_first_move_is_rejected_with_the_reason(
    server: Served, board: str, shape: dict, words: str
) -> None:
    definition = {**DESIGN, "board": board, "shape": {"follows": "near", "pawn": True, **shape}}
    wish = {"setup": {"game": "design", "definition": definition}, "opponent": "easy"}
    status, answer = server.post("/api/games", wish)
    assert (status, answer["error"]) == (422, "illegal")
    assert answer["words"].startswith(words)


@pytest.mark.parametrize(
    "wish",
    [
        {"opponent": "hard", "clock": {"seconds": 60, "increment": 1}},
        {"opponent": "screen", "clock": {"seconds": 60, "increment": 0}},
        {"opponent": "levels", "levels": ["easy", "random"]},
        {"opponent": "link", "starts": "random"},
    ],
    ids=lambda wish: str(wish["opponent"]),
)
def test_a_design_is_played_in_every_way(server: Served, fits: Fits, wish: dict) -> None:
    setup = {"game": "design", "definition": DESIGN, "board": "3x5", "adjacency": "orthogonal", "swap": True}
    status, made = server.post("/api/games", {"setup": setup, **wish})
    assert status == 201, made
    _, state = server.get(f"/api/games/{made['id']}", made["token"])
    assert fits(state, "State")
    assert (state["board"]["rows"], state["board"]["cols"], state["board"]["title"]) == (3, 5, "Design")
    assert (state["clock"] is not None) == ("clock" in wish)


def test_a_design_goes_through_a_match_and_its_review(server: Served, fits: Fits) -> None:
    """Two friends play a custom game, start a rematch with swapped sides, and review the first game."""
    made = server.create("design", name="Ada", public=True, setup={"definition": DESIGN})
    token = server.join(made)

    async def run() -> str:
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            assert server.get("/api/lobby")[1]["games"][0]["title"] == "Design"
            hint = server.post("/api/hint", {"setup": ada.state["setup"]})
            assert hint[0] == 200
            while not ada.state["outcome"]:
                mover, other = (ada, grace) if "move" in ada.state["you"]["may"] else (grace, ada)
                await mover.play(mover.state["board"]["legal"][0])
                await other.until(ply=mover.state["ply"])
            for player in (ada, grace):
                assert (await player.act("ask", what="rematch"))["type"] == "accepted"
            while not ada.state["rematch"]:
                await ada.receive()
            return str(ada.state["rematch"])

    following = asyncio.run(run())
    _, state = server.get(f"/api/games/{following}", made["token"])
    assert (state["setup"]["definition"]["shape"], state["you"]["seats"]) == ({"closes_own": True}, [2])
    _, first = server.get(f"/api/games/{made['id']}", made["watch"])
    status, reviewed = server.post("/api/review", {"setup": first["setup"]})
    assert (status, len(reviewed["steps"])) == (200, len(first["setup"]["moves"]))
    assert fits(reviewed, "Review")
    setup = first["setup"]
    more = quote(json.dumps({"definition": DESIGN}))
    at = f"design/{setup['board']}/{setup['adjacency']}/1/0/{'_'.join(setup['moves'])}/{more}"
    for path in ("/picture.svg", "/picture.png", "/embed", "/review", "/analyse"):
        assert server.raw("GET", f"{path}?at={at}")[0] == 200, path
    assert b"Design (custom game), 4x4" in server.raw("GET", f"/embed?at={at}")[2]
    assert server.complaints() == []


def test_a_known_name_is_not_taken_over(server: Served, folder: Path) -> None:
    definition = {**definition_of(hermit(folder).variant.book), "name": "showdown"}
    status, answer = server.post("/api/position", {"setup": {"game": "showdown", "definition": definition}})
    assert (status, answer["words"]) == (422, "showdown is built in, so don't send a definition for it.")


def test_words_that_look_like_markup_are_words(server: Served, folder: Path) -> None:
    title = "<img src=x onerror=alert(1)>"
    definition = {**definition_of(hermit(folder).variant.book), "title": title}
    setup = {"game": "hermit", "definition": definition}
    status, position = server.post("/api/position", {"setup": setup})
    assert (status, position["board"]["title"]) == (200, title)
    book = RULE_BOOKS[FIRST]
    drawn = picture_of(type(book)(**{**vars(book), "title": title}))
    assert "<img" not in drawn
    assert "&lt;img" in drawn


def test_deep_and_long_definitions_do_no_harm(server: Served, folder: Path) -> None:
    deep = '{"a":' * 5000 + "1" + "}" * 5000
    body = f'{{"setup":{{"game":"hermit","definition":{deep}}}}}'
    assert server.raw("POST", "/api/position", body.encode())[0] in (400, 422)
    record = json.dumps({**dump_json(hermit(folder)), "Definition": deep})
    assert server.post("/api/position", {"record": record})[0] == 422
    long = {"k" * 50_000: 1}
    assert len(server.post("/api/position", {"setup": {"game": "hermit", "definition": long}})[1]["words"]) <= 1000
    many = {f"setting{number}": "a" for number in range(3000)}
    status, answer = server.post("/api/position", {"setup": {"game": "hermit", "definition": many}})
    assert (status, len(answer["words"]) < 400) == (422, True)
    assert server.post("/api/position", {"setup": {"game": "hermit", "definition": {"rules": "a" * 70000}}})[0] == 413


def test_a_worker_knows_a_game_by_its_question_alone(folder: Path) -> None:
    setup = WholeSetup(
        game="hermit",
        definition=definition_of(hermit(folder).variant.book),
        board="3x3",
        adjacency="orthogonal",
        starts=1,
        swap=False,
        moves=["2,2"],
    )
    assert questions.answer({}, questions.choose, setup, 1, ("perfect",)) in (0, 2, 6, 8)
    assert questions.answer({}, questions.analyse, setup, 1, ()).verdict is Verdict.LOSS
    with pytest.raises(BadGame, match="title is missing"):
        questions.answer({}, questions.analyse, replace(setup, definition={}), 1, ())
