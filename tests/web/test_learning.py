"""Puzzles, lessons and the atlas over HTTP."""

import asyncio
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from web_schema import Fits
from web_server import Served

from gridlock import RULE_BOOKS
from gridlock.cli.commands.atlas import SIGNS
from gridlock.core.rules import variant
from gridlock.engine.atlas import entry
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.play.lessons import lessons
from gridlock.play.puzzle_sources import WEEK, puzzle_of
from gridlock.web.operations import learning
from gridlock.web.pages.learning import Learning
from gridlock.web.thinking.pool import Spent

TODAY = datetime.now(UTC).date()
DOCS = Path(__file__).parents[2] / "docs"

# -- puzzles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", [date(2026, 11, 15), date(2026, 11, 16), TODAY])
def test_the_puzzle_of_a_day_is_the_same_as_at_the_terminal(server: Served, fits: Fits, day: date) -> None:
    status, found = server.get(f"/api/puzzle?day={day}")
    assert status == 200, found
    assert fits(found, "Puzzle")
    made = puzzle_of(day)
    assert found["position"]["setup"]["moves"] == [made.game.variant.name(move) for move in made.game.moves]
    assert found["position"]["setup"]["game"] == made.game.variant.book.name
    assert (found["day"], found["difficulty"]) == (day.isoformat(), WEEK[day.weekday()])
    assert (found["rule"], found["words"], found["choices"]) == (made.rule, made.question, made.choices)
    assert found["choices"] == len(found["position"]["board"]["legal"]) >= 6


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_new_puzzle_can_be_solved_by_giving_up_and_by_playing(server: Served, fits: Fits, name: str) -> None:
    status, found = server.get(f"/api/puzzle?game={name}&difficulty=2")
    assert status == 200, found
    assert fits(found, "Puzzle")
    setup = found["position"]["setup"]
    assert (setup["game"], found["day"]) == (name, None)
    again = server.post("/api/puzzle", {"setup": setup})
    assert again == (200, found), "its setup is its address"
    status, shown = server.post("/api/puzzle/try", {"setup": setup, "moves": [], "give_up": True})
    assert status == 200, shown
    assert fits(shown, "Tried")
    assert (shown["right"], shown["done"], shown["reply"]) == (False, True, None)
    assert shown["line"][0] in shown["winning"]
    moves: list[str] = []
    for mine, reply in zip(shown["line"][::2], [*shown["line"][1::2], None], strict=True):
        wish = {"setup": setup, "moves": [*moves, typed(found["position"], mine)]}
        status, told = server.post("/api/puzzle/try", wish)
        assert status == 200, told
        assert fits(told, "Tried")
        assert (told["right"], told["done"], told["reply"]) == (True, reply is None, reply)
        assert (told["refutation"], told["line"]) == ([], [])
        moves = told["position"]["setup"]["moves"][len(setup["moves"]) :]
    assert told["words"].startswith("Solved! ")
    assert mine in told["winning"]
    wrong = next(cell for cell in found["position"]["board"]["legal"] if cell not in shown["winning"])
    _, told = server.post("/api/puzzle/try", {"setup": setup, "moves": [typed(found["position"], wrong)]})
    assert (told["right"], told["done"], told["winning"]) == (False, False, [])
    line = [wrong, *told["refutation"]]
    assert len(line) % 2 == 0
    assert told["position"]["setup"]["moves"] == [*setup["moves"], *(typed(found["position"], cell) for cell in line)]


@pytest.mark.parametrize("kind", ["hottest", "trap"])
def test_puzzles_about_regions(server: Served, fits: Fits, kind: str) -> None:
    status, found = server.get(f"/api/puzzle?kind={kind}&difficulty=1")
    assert status == 200, found
    assert fits(found, "Puzzle")
    assert (found["kind"], found["difficulty"]) == (kind, 1)
    setup = found["position"]["setup"]
    assert server.post("/api/puzzle", {"setup": setup, "kind": kind}) == (200, found), "with its kind, an address"
    status, shown = server.post("/api/puzzle/try", {"setup": setup, "kind": kind, "moves": [], "give_up": True})
    assert status == 200, shown
    legal = found["position"]["board"]["legal"]
    assert set(shown["winning"]) < set(legal)
    for cell in legal:
        wish = {"setup": setup, "kind": kind, "moves": [typed(found["position"], cell)]}
        status, told = server.post("/api/puzzle/try", wish)
        assert status == 200, told
        assert fits(told, "Tried")
        assert told["right"] == (cell in shown["winning"])
        if kind == "hottest":
            assert told["position"] == found["position"], "the answer is no move"
            assert told["done"] == told["right"]


def typed(position: dict, cell: int) -> str:
    """Return a cell in the notation used for moves."""
    cols, origin = position["board"]["cols"], position["board"]["origin"]
    return f"{cell // cols + origin},{cell % cols + origin}"


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ("day=yesterday", 400, "Write the date like this: 2026-11-15."),
        ("day=1999-12-31", 422, "There is a daily puzzle for every date from 2020-01-01 to today."),
        (f"day={TODAY + timedelta(3)}", 422, "There is a daily puzzle for every date from 2020-01-01 to today."),
        (f"day={TODAY}&difficulty=1", 400, "The daily puzzle is fixed: give the date and no other options."),
        ("difficulty=6", 400, "difficulty must be a number from 1 to 5."),
        ("difficulty=hard", 400, "difficulty must be a number from 1 to 5."),
        ("kind=chess", 400, "kind must be one of win, hottest, trap."),
        ("kind=trap&game=chain", 422, "There are no puzzles of this kind for Chain."),
        ("game=chess", 422, "There is no game called 'chess'."),
    ],
)
def test_an_unknown_puzzle_is_reported(server: Served, asked: str, status: int, words: str) -> None:
    told = server.get(f"/api/puzzle?{asked}")
    assert told[0] == status
    assert told[1]["words"].startswith(words)


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("", {"setup": {"game": "keepaway", "moves": ["2,2"]}}, "This game is over, so it is not a puzzle."),
        (
            "",
            {"setup": {"game": "chain"}, "kind": "trap"},
            "No region is ever hot in this game, so this position is not a puzzle.",
        ),
        ("", {"setup": {"game": "chain"}}, "This position is lost for the player to move"),
        ("", {"setup": {"game": "keepaway", "swap": True}}, "Sides can still be swapped here"),
        ("/try", {"setup": {"game": "keepaway"}, "moves": []}, "There is no move to judge."),
        ("/try", {"setup": {"game": "chain"}, "moves": ["1,1", "1,2"]}, "It isn't the puzzle solver's turn."),
        (
            "/try",
            {"setup": {"game": "chain"}, "moves": ["1,1"], "give_up": True},
            "It isn't the puzzle solver's turn.",
        ),
        ("/try", {"setup": {"game": "chain"}, "moves": ["9,9"]}, "Move 1 (9,9) is not possible"),
        ("/try", {"setup": {"game": "keepaway", "swap": True}, "moves": ["1,1"]}, "There is nothing to solve"),
        ("/try", {"setup": {"game": "chain"}, "moves": [], "give_up": True}, "This position is lost for the player to"),
    ],
)
def test_a_position_without_a_puzzle_is_refused_with_the_reason(
    server: Served, path: str, body: dict, words: str
) -> None:
    status, told = server.post(f"/api/puzzle{path}", body)
    assert status == 422
    assert told["words"].startswith(words), told


class Asked:
    """A minimal request that has only a client address."""

    client = None


class Slow:
    """A fake set of workers: it counts requests, and answers them only when the test allows it."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self.go = asyncio.Event()

    async def ask(self, *_: object) -> None:
        self.asked += 1
        await self.go.wait()
        if self.fails:
            raise Spent(1)


def test_the_daily_puzzle_is_made_once_for_all_clients() -> None:
    async def story() -> None:
        api = Slow()
        shared = Learning(api)  # type: ignore[arg-type]
        asking = [asyncio.create_task(shared._daily(Asked(), TODAY)) for _ in range(5)]  # type: ignore[arg-type]
        await asyncio.sleep(0)
        asking[0].cancel()  # the first client leaves, and no other client is affected
        api.go.set()
        assert await asyncio.gather(*asking[1:]) == [None] * 4
        await shared._daily(Asked(), TODAY)  # type: ignore[arg-type]
        assert api.asked == 1

    asyncio.run(story())


def test_a_failure_is_not_cached_or_shared() -> None:
    async def story() -> None:
        api = Slow()
        shared = Learning(api)  # type: ignore[arg-type]
        api.fails = True
        first = asyncio.create_task(shared._daily(Asked(), TODAY))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        second = asyncio.create_task(shared._daily(Asked(), TODAY))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        api.go.set()
        with pytest.raises(Spent):
            await first
        api.fails = False
        assert await second is None
        assert api.asked == 2

    asyncio.run(story())


# -- lessons ------------------------------------------------------------------------------------------------------


def test_every_game_has_its_lessons(server: Served, fits: Fits) -> None:
    _, found = server.get("/api/lessons")
    assert fits(found, "Courses")
    assert [course["game"] for course in found["courses"]] == list(RULE_BOOKS)
    for course in found["courses"]:
        _, taught = server.get(f"/api/lessons/{course['game']}")
        assert fits(taught, "Lessons")
        own = lessons(RULE_BOOKS[course["game"]])
        assert [one["title"] for one in taught["lessons"]] == [one.title for one in own] == course["lessons"]
        for told, lesson in zip(taught["lessons"], own, strict=True):
            assert told["answers"] == lesson.cells
            assert len(told["answers"]) == len(lesson.answers)
            assert told["solution"] == lesson.solution


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_lesson_can_be_learned(server: Served, fits: Fits, name: str) -> None:
    for lesson in server.get(f"/api/lessons/{name}")[1]["lessons"]:
        begun = len(lesson["position"]["setup"]["moves"])
        position, moves = lesson["position"], []
        told = {"done": False}
        while not told["done"]:
            setup = position["setup"]
            _, found = server.post("/api/analyse", {"setup": setup, "seconds": 1})
            best = lesson["answers"][0] if not moves else found["analysis"]["winning"][0]
            cols, origin = position["board"]["cols"], position["board"]["origin"]
            moves = [*setup["moves"][begun:], f"{best // cols + origin},{best % cols + origin}"]
            status, told = server.post("/api/lessons", {"game": name, "lesson": lesson["number"], "moves": moves})
            assert status == 200, told
            assert fits(told, "Taught")
            assert told["right"], (lesson["title"], moves)
            position = told["position"]
        assert told["words"].startswith("Right! ")
        assert lesson["solution"].endswith(told["words"].removeprefix("Right! "))


def test_a_wrong_move_is_reported_and_not_made(server: Served) -> None:
    lesson = server.get("/api/lessons/chain")[1]["lessons"][1]
    status, told = server.post("/api/lessons", {"game": "chain", "lesson": 2, "moves": ["1,3"]})
    assert status == 200
    assert not told["right"]
    assert not told["done"]
    assert told["words"].startswith("1,3 does not win.")
    assert told["position"] == lesson["position"]


def test_a_later_move_that_loses_the_win_is_not_made(server: Served) -> None:
    lesson = {"game": "keepaway", "lesson": 5}
    _, begun = server.get("/api/lessons/keepaway")
    position = begun["lessons"][4]["position"]
    cell = begun["lessons"][4]["answers"][0]
    first = f"{cell // position['board']['cols'] + 1},{cell % position['board']['cols'] + 1}"
    _, told = server.post("/api/lessons", {**lesson, "moves": [first]})
    assert (told["right"], told["done"]) == (True, False)
    since = told["position"]["setup"]["moves"][len(position["setup"]["moves"]) :]
    _, found = server.post("/api/analyse", {"setup": told["position"]["setup"], "seconds": 1})
    losing = [move["cell"] for move in found["analysis"]["moves"] if move["verdict"] == "loss"]
    assert losing
    for bad in losing[:1]:
        name = f"{bad // position['board']['cols'] + 1},{bad % position['board']['cols'] + 1}"
        _, after = server.post("/api/lessons", {**lesson, "moves": [*since, name]})
        assert not after["right"]


@pytest.mark.parametrize(
    ("wish", "status", "words"),
    [
        ({"game": "chain", "lesson": 99, "moves": ["1,1"]}, 404, "There is no such lesson."),
        ({"game": "chain", "lesson": 1, "moves": ["4,4"]}, 422, "Move 1 (4,4) is not possible"),
        ({"game": "chain", "lesson": 1, "moves": ["here"]}, 422, "Move 1 (here) is not possible"),
        ({"game": "chain", "lesson": 1, "moves": []}, 400, "The request body isn't valid"),
        ({"game": "chess", "lesson": 1, "moves": ["1,1"]}, 422, "There is no game called"),
    ],
)
def test_an_unknown_lesson_is_reported(server: Served, wish: dict, status: int, words: str) -> None:
    told = server.post("/api/lessons", wish)
    assert told[0] == status
    assert told[1]["words"].startswith(words)


# -- the atlas ----------------------------------------------------------------------------------------------------


def test_the_atlas_is_that_of_the_documentation(server: Served, fits: Fits) -> None:
    _, atlas = server.get("/api/atlas")
    assert fits(atlas, "Atlas")
    written = re.findall(r"^```\n(.*?)```", (DOCS / "atlas.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(written) == len(atlas["tables"]) == 2 * len(RULE_BOOKS)
    for table, text in zip(atlas["tables"], written, strict=True):
        lines = text.splitlines()[1:]
        said = {(row, col): lines[row - 1].ljust(60)[3 + 4 * (col - 1) :][:4].strip() for row, col in sizes(table)}
        told = {
            (one["rows"], one["cols"]): f"{one['winner'] or '?'}{SIGNS[one['evidence']]}".strip()
            for one in table["boards"]
        }
        assert told == said


def sizes(table: dict) -> list[tuple[int, int]]:
    return [(one["rows"], one["cols"]) for one in table["boards"]]


def test_the_atlas_is_what_the_engine_finds() -> None:
    winners = {Verdict.WIN: 1, Verdict.LOSS: 2}
    for table in learning.atlas().tables:
        for one in table.boards:
            if one.rows * one.cols <= 9:
                found = entry(variant(table.game, f"{one.rows}x{one.cols}", table.adjacency), Clock(), memory=1 << 20)
                assert winners[found.verdict] == one.winner, (table.game, table.adjacency, one)
