"""Tests of lessons, the atlas, reviews and embedded boards in the browser."""

import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect
from test_browser_layout import stays_inside
from test_browser_puzzles import click

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


# -- lessons ------------------------------------------------------------------------------------------------------


def test_a_lesson_is_played_to_its_end_and_remembered(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/lessons?game=chain&lesson=2"))
    expect(page.locator("#lesson-title")).to_have_text("2. A dead end")
    page.get_by_role("gridcell", name="1,4").click()
    expect(page.locator("#note")).to_contain_text("not adjacent to the last marker")
    page.get_by_role("gridcell", name="1,3").click()
    expect(page.locator("#words")).to_contain_text("1,3 does not win.")
    page.get_by_role("gridcell", name="1,1").click()
    expect(page.locator("#words")).to_contain_text("Right! The path ends")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator("#lesson-title")).to_have_text("3. Dominoes")
    page.get_by_role("gridcell", name="2,2").click()
    while "Right!" not in page.locator("#words").inner_text():
        expect(page.locator("#words")).to_contain_text(re.compile("Keep going|Right!"))
        if page.locator(".cell.playable").count():
            before = page.locator("#words").inner_text()
            page.locator(".cell.playable").first.click()
            expect(page.locator("#words")).not_to_have_text(before)
    page.reload()
    expect(page.locator("#course button", has_text="done")).to_have_count(2)
    expect(page.locator("#courses a[aria-current]")).to_contain_text("2 of 6 done")
    page.goto(site.url("/lessons?game=chain"))
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_contain_text("The answer is 1,2 or 2,1 or 2,3 or 3,2.")
    expect(page.locator(".better")).to_have_count(4)
    expect(page.locator("#course button", has_text="done")).to_have_count(2)


def test_a_link_to_a_lesson_that_does_not_exist_says_which_lesson_is_shown(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for wanted in ("0", "two", "9" * 60):
        page.goto(site.url(f"/lessons?game=chain&lesson={wanted}"))
        expect(page.get_by_role("alert")).to_have_text(f"Chain has no lesson '{wanted}', so this is lesson 1.")
        expect(page.locator("#lesson-title")).to_contain_text("1. ")
    stays_inside(page, "a long word")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator("#lesson-title")).to_contain_text("2. ")
    expect(page.locator("#problem")).to_have_text("")


def test_show_me_answers_the_position_on_the_board(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/lessons?game=keepaway&lesson=4"))
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_have_text(
        re.compile(r"^The answer is \d,\d( or \d,\d)*\. You always have an answer")
    )
    stars = page.locator(".cell:has(.better)")
    first = str(stars.first.get_attribute("data-cell"))
    page.get_by_role("button", name="Try again").click()
    click(page, int(first))
    expect(page.locator("#words")).to_contain_text("Keep going.")
    markers = page.locator(".cell[aria-label*=', X'], .cell[aria-label*=', O']")
    before = markers.count()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_have_text(re.compile(r"^From here, \d,\d( or \d,\d)* wins\.$"))
    assert markers.count() == before  # the moves are still there
    for star in stars.all():
        assert str(star.get_attribute("aria-label")).split(",", 2)[0] in page.locator("#words").inner_text()
    expect(page.locator("#course button", has_text="done")).to_have_count(0)


def test_the_last_lesson_ends_the_course_and_leads_to_a_game_and_the_next_one(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/lessons?game=keepaway&lesson=1"))
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    count = page.locator("#course button").count()
    done = {"keepaway": list(range(2, count + 1)), "chain": [1, 2, 3, 4, 5, 6]}
    page.evaluate("(done) => localStorage.setItem('gridlock.lessons', JSON.stringify(done))", done)
    page.reload()
    expect(page.locator("#finish")).to_be_hidden()
    page.get_by_role("button", name="Show me").click()
    stars = page.locator(".cell:has(.better)")
    first = str(stars.first.get_attribute("data-cell"))
    expect(page.locator("#finish")).to_be_hidden()  # a lesson that was shown is not done
    page.get_by_role("button", name="Try again").click()
    click(page, int(first))
    expect(page.locator("#finish-words")).to_have_text(
        "You have finished Keep-Away. Play it, or continue with Scatter."
    )
    assert "You have finished Keep-Away." in visitor.said
    check_with_axe(page, "the end of a course")
    page.get_by_role("link", name="Learn Scatter").click()
    expect(page.locator("#title")).to_contain_text("Scatter in ")
    page.go_back()
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    click(page, int(first))
    page.get_by_role("button", name="Play Keep-Away").click()
    expect(page.locator("#players")).to_be_visible()


# -- the atlas ----------------------------------------------------------------------------------------------------


def test_a_certificate_is_checked_on_the_atlas(site: Site, visitor: Visitor) -> None:
    page, head = visitor.page, "gridlock certificate 1\nboard 2 2 king\nmarker own\nposition 0 0 - -\nslots 0\n"
    good, stop = f"{head}loses /d\n".encode(), page.get_by_role("button", name="Stop")

    def choose(content: bytes) -> None:
        file = {"name": "proof", "mimeType": "text/plain", "buffer": content}
        page.get_by_label("Choose a file").set_input_files(file)

    page.goto(site.url("/atlas"))
    for content, words in {
        good: "the player to move loses on 2x2 (king)",
        f"{head}loses .\n".encode(): "Not valid. Line 6",
        gzip.compress(good): "the player to move loses on 2x2 (king)",
        gzip.compress(good)[:-9]: "Not valid. The file is damaged: it is not a complete gzip file.",
    }.items():
        choose(content)
        expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()
        expect(stop).to_be_hidden()
    page.route("**/certificate-worker.js", lambda _route: None)  # it never arrives
    choose(good)
    expect(page.locator("#checked")).to_have_text("Checking proof…")
    stop.click()
    expect(page.locator("#checked")).to_have_text("Stopped.")
    expect(stop).to_be_hidden()


def test_an_atlas_board_is_viewed_played_and_analysed(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/atlas?game=scatter"))
    expect(page.locator("#table-title")).to_have_text(
        "The second player wins on every board, as far as we know, except on 1x1."
    )
    expect(page.locator("#boards .sign.search")).not_to_have_count(0)
    assert set(page.locator("#boards button").all_inner_texts()) == {""}  # no codes to look up
    expect(page.locator("#games .mini-map")).to_have_count(5)
    expect(page.locator("#told-title")).to_have_text("5x5: the second player wins (search)")
    visitor.select(page.get_by_role("radio", name="Chain"))
    page.get_by_role("button", name="3x3: the first player wins (theorem)", exact=True).click()
    expect(page.locator("#facts")).to_contain_text("5 of 9 first moves win.")
    expect(page.locator("#board .win")).to_have_count(5)
    link = page.url
    page.locator("#board [data-cell='4']").click()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    visitor.count_is(1)
    page.goto(link)
    expect(page.locator("#facts")).to_contain_text("5 of 9 first moves win.")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.locator("#players")).to_be_visible()
    assert visitor.wait_for_turn()
    expect(page.locator(".cell.playable")).to_have_count(9)


def test_a_link_to_a_board_that_the_atlas_lacks_says_what_is_shown(site: Site, visitor: Visitor) -> None:
    page, problem = visitor.page, visitor.page.get_by_role("alert")
    for query, words in {
        "game=chain&board=99x99": "The atlas has no board '99x99', so this is Chain on 5x5.",
        "game=poker&board=3x3": "The atlas has no game 'poker', so this is Keep-Away on 3x3.",
        "adjacency=all&board=big": "The atlas has no adjacency 'all' and no board 'big', so this is Keep-Away on 5x5.",
    }.items():
        page.goto(site.url(f"/atlas?{query}"))
        expect(problem).to_have_text(words)
        expect(page.locator("#told-title")).to_contain_text(words[-4:-1])
    page.get_by_role("button", name="4x5: ").click()
    expect(page.locator("#problem")).to_have_text("")
    page.goto(site.url("/atlas?game=trails&adjacency=king&board=3x3"))
    expect(page.locator("#told-title")).to_contain_text("3x3")
    expect(page.locator("#problem")).to_have_text("")


# -- a review -------------------------------------------------------------------------------------------------------


def test_a_review_has_a_link_that_survives_a_reload(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    moves = ["1,1", "3,3", "2,1", "1,3", "3,1", "1,2"]
    visitor.open(site.game({"game": "keepaway", "moves": moves}, "screen", name="Ada", other_name="Grace"))
    visitor.play_to_the_end()
    page.get_by_role("button", name="Review").click()
    page.get_by_role("link", name="Open full page").click()
    for _ in range(2):
        expect(page.locator(".swing")).to_be_visible()
        expect(page.locator("#subtitle")).to_have_text("Ada (X) against Grace (O)")
        page.reload()
    expect(page.locator(".swing")).to_be_visible()
    seen = len(visitor.moves())
    assert seen
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator(".count")).to_have_text(f"0 / {seen}")
    page.locator(".mistakes button").first.click()
    expect(page.locator(".better").first).to_be_visible()
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#subtitle")).to_contain_text("watching")  # a person with this link has no seat
    page.goto(site.url(f"/analyse?at=keepaway/3x3/king/1/0/{'_'.join(moves)}"))
    page.get_by_role("link", name="Review these moves").click()
    expect(page.locator(".swing")).to_be_visible()
    visitor.count_is(len(moves))
    visitor.excuse("401")
    page.goto(site.url(f"/review#{'x' * 22}/{'y' * 32}"))
    expect(page.locator("#words")).to_have_text("This link doesn't open a game.")
    page.goto(site.url("/review?at=half"))
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")
    page.goto(site.url("/review"))
    expect(page.locator("#words")).to_have_text("This page needs a link with a game or a position.")
    page.locator("#actions").get_by_role("link", name="Your games").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()


def test_what_takes_long_says_so(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.route(re.compile("/api/puzzle|/engine/"), lambda _route: None)  # and no answer comes
    page.goto(site.url("/puzzles"))
    words = """() => {
      const { content, opacity } = getComputedStyle(document.querySelector(".heading"), "::after");
      return [content, opacity];
    }"""
    for _ in range(100):
        content, opacity = page.evaluate(words)
        if opacity == "1":
            break
        page.wait_for_timeout(100)
    assert (content, opacity) == ('"One moment…"', "1")


def test_a_board_can_be_embedded_in_another_page(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    visitor.excuse("a request to 127|404|[Cc]lipboard")
    page.goto(site.url("/analyse?at=showdown/5x5/king/1/0/3,3"))
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    page.locator("#share-card summary").click()
    code = page.get_by_label("Embed code").input_value()
    assert "<iframe src=" in code
    page.get_by_role("button", name="Copy embed code").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    (tmp_path / "index.html").write_text(f"<!doctype html><title>x</title><h1>My lesson</h1>{code}")
    with teachers_page(tmp_path) as address:
        page.goto(address)
        tries_moves(page)
    page.goto(site.url("/embed?at=half"))
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")


@contextmanager
def teachers_page(folder: Path) -> Iterator[str]:
    """Serve pages from a second server, and yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def tries_moves(page: Page) -> None:
    board = page.frame_locator("iframe")
    expect(board.locator("#words")).to_have_text("Player 2 (O) is to move.")
    board.get_by_role("gridcell", name="3,4").click()
    expect(board.locator("#note")).to_contain_text("The cell is adjacent to")
    board.get_by_role("gridcell", name="1,1").click()
    expect(board.locator("#words")).to_have_text("Player 1 (X) is to move.")
    board.get_by_role("button", name="Start over").click()
    expect(board.locator("#words")).to_have_text("Player 2 (O) is to move.")
    stored = page.frames[1].evaluate("Object.keys({ ...localStorage, ...sessionStorage })")
    assert set(stored) <= {"problems"}  # which a static site's pages store in tests


# -- all of them --------------------------------------------------------------------------------------------------

READY = {
    "/puzzles": "#actions button",
    "/puzzles?difficulty=4": "#actions button",
    "/puzzles?run": "#board .row",
    "/lessons": "#course button",
    "/atlas?game=trails&board=4x5": "#board .loss",
    "/design": "#board .win",
    "/embed?at=trails/4x5/orthogonal/1/0/0,1": "#actions a",
    "/review?at=chain/3x3/orthogonal/1/0/2,2_1,2_1,1": ".swing",
}


def test_these_pages_stay_inside(site: Site, visitor: Visitor) -> None:
    for path, ready in READY.items():
        visitor.page.goto(site.url(path))
        expect(visitor.page.locator(ready).first).to_be_visible()
        stays_inside(visitor.page, path)


@pytest.mark.parametrize(("scheme", "options"), [("light", {}), ("dark", PHONE)], ids=["light", "dark phone"])
def test_axe_finds_nothing_on_these_pages(
    site: Site, visit: Callable[..., Visitor], scheme: str, options: dict[str, object]
) -> None:
    visitor = visit(color_scheme=scheme, **options)
    visitor.excuse("422|404")
    page = visitor.page
    for path, ready in READY.items():
        page.goto(site.url(path))
        expect(page.locator(ready).first).to_be_visible()
        check_with_axe(page, path)
        for label in ("Show the answer", "Show me"):
            if page.get_by_role("button", name=label).count():
                page.get_by_role("button", name=label).click()
                check_with_axe(page, f"{path}, answered")
    page.goto(site.url("/lessons?game=nothing"))
    expect(page.locator("#words")).to_contain_text("There is no game called 'nothing'.")
    check_with_axe(page, "no lesson")
