"""Tests of the page's behaviour: colours, sounds, notifications, the computer's delay, celebrations and typed moves."""

import json
import re
from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect

from gridlock.command import run

pytestmark = pytest.mark.slow

NEARLY_WON = {"game": "keepaway", "board": "1x2"}  # one move ends it


# -- colours ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theme", "scheme"),  # other tests cover the pages in the system's theme
    [("light", "dark"), ("dark", "light"), ("contrast", "light"), ("contrast", "dark")],
)
def test_every_colour_can_be_read(site: Site, visit: Callable[..., Visitor], theme: str, scheme: str) -> None:
    visitor = visit(color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page
    page.add_init_script(f"localStorage.setItem('gridlock.theme', {json.dumps(json.dumps(theme))})")
    visitor.open(site.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "easy"))
    page.get_by_role("gridcell", name="1,2").click()
    expect(page.locator(".cause")).to_have_count(1)
    check_with_axe(page, f"playing in {theme}")
    edges = page.locator(".side > .card").evaluate_all("all => all.map((one) => getComputedStyle(one).borderLeftWidth)")
    assert set(edges) == {"0px"}  # their words begin where the edge would be
    page.get_by_role("button", name="Settings").click()
    check_with_axe(page, f"settings in {theme}")
    visitor.open(site.game(NEARLY_WON, "screen"))
    visitor.place()
    expect(page.locator("#status.won")).to_be_visible()
    check_with_axe(page, f"won in {theme}")


def test_chosen_colours_are_saved_and_used_at_the_first_paint(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.page
    colour = "getComputedStyle(document.body).backgroundColor"
    page.goto(site.address)
    assert page.evaluate(colour) == "rgb(244, 240, 230)"
    page.get_by_role("button", name="Settings").click()
    visitor.select(page.get_by_label("Dark"))
    assert page.evaluate(colour) == "rgb(21, 24, 30)"
    # Record the page's theme as soon as the body exists, before any module has run.
    page.add_init_script(
        """new MutationObserver((_, observer) => {
          if (!document.body) return;
          globalThis.atFirst = document.documentElement.dataset.theme ?? "none";
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });"""
    )
    at = "/embed?at=trails/4x5/orthogonal/1/0/0,1"
    for path in ("/", "/play", "/analyse", "/games", "/offline", at):
        page.goto(site.url(path))
        assert page.evaluate("atFirst") == "dark", path
    page.goto(site.url(f"{at}&theme=light"))  # the page around it decides, too
    assert page.evaluate(colour) == "rgb(244, 240, 230)"
    page.goto(site.address)
    page.get_by_role("button", name="Settings").click()
    visitor.select(page.get_by_label("Same as device"))
    assert page.evaluate(colour) == "rgb(244, 240, 230)"


# -- moves that are seen ------------------------------------------------------------------------------------------


def test_the_computers_move_is_drawn_in_after_a_moment(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "easy"))
    page.evaluate(
        """() => {
          globalThis.drawn = [];
          document.addEventListener("animationstart", (event) => drawn.push(event.animationName));
          globalThis.seen = [];
          new MutationObserver(() => {
            const count = document.querySelectorAll("#moves button").length;
            if (seen.at(-1) !== count) seen.push(count);
          }).observe(document.getElementById("moves"), { childList: true });
        }"""
    )
    page.get_by_role("gridcell", name="3,3").click()
    visitor.count_is(2)
    assert page.evaluate("seen") == [1, 2]  # the user's move was visible alone first, however fast the computer is
    page.wait_for_function("() => drawn.includes('draw')")


def test_taking_back_at_once_takes_back_what_has_happened(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "easy"))
    for _ in range(3):
        page.get_by_role("gridcell", name="3,3").click()
        expect(page.locator("#moves button")).not_to_have_count(0)
        page.keyboard.press("u")
        visitor.count_is(0)
        assert visitor.wait_for_turn()
        assert "moved on" not in page.locator("#note").inner_text()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_win_is_celebrated(site: Site, visit: Callable[..., Visitor], motion: str) -> None:
    visitor = visit(reduced_motion=motion)
    page = visitor.page
    visitor.open(site.game({"game": "showdown", "board": "2x2"}, "screen"))
    visitor.place()
    expect(page.locator("#status.over.won")).to_be_visible()
    expect(page.locator(".frame")).to_have_attribute("data-ended", "won")
    expect(page.locator(".winner")).to_have_count(1)
    expect(page.locator(".closed")).to_have_count(3)  # why: all of these are closed to the other
    expect(page.get_by_role("gridcell", name="2,2, closed")).to_be_visible()
    moving = page.evaluate("document.getAnimations().length")
    assert (moving == 0) == (motion == "reduce")
    page.keyboard.press("[")
    expect(page.locator(".frame")).to_have_attribute("data-ended", "")


def test_closed_cells_look_like_no_marker_even_without_colours(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(forced_colors="active")
    visitor.open(site.game({"game": "showdown", "board": "2x2"}, "screen"))
    visitor.place()
    signs = visitor.page.locator(".closed .dash")
    expect(signs).to_have_count(3)
    for sign in signs.all():
        width, height = sign.evaluate("(path) => [path.getBBox().width, path.getBBox().height]")
        assert width > 10 * height  # a level line: a cross would look like X's marker
        assert sign.evaluate("(path) => getComputedStyle(path).stroke") not in ("none", "rgb(255, 255, 255)")


def test_a_loss_is_not_celebrated(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game({"game": "showdown", "board": "2x2", "starts": 2}, "easy"))
    expect(visitor.page.locator("#status.over.lost")).to_be_visible()
    expect(visitor.page.locator("#words")).to_have_text("You lose: you have no move left.")
    expect(visitor.page.locator(".frame")).to_have_attribute("data-ended", "lost")


# -- typed moves --------------------------------------------------------------------------------------------------


def test_moves_can_be_typed(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("422")
    visitor.open(site.game({"game": "showdown", "swap": True}, "screen"))
    field, note = page.get_by_label("Move", exact=True), page.locator("#note")

    def enter(text: str) -> None:
        field.fill(text)
        field.press("Enter")

    enter("banana")
    expect(note).to_have_text("Enter a row and a column, such as 1,1.")
    enter("9 9")
    expect(note).to_have_text("The cell is outside the grid.")
    enter(" ")
    expect(note).to_have_text("Type a row and a column, such as 2 3.")
    enter("3 3; 1 1")
    expect(note).to_have_text("One move at a time, please.")
    enter("3 3")
    visitor.count_is(1)
    expect(field).to_have_value("")
    enter("swap")
    visitor.count_is(2)
    enter("3 3")
    expect(note).to_have_text("The cell is already occupied.")
    enter("3 4")  # rejected like a click: the markers in the way are highlighted
    expect(note).to_have_text("The cell is adjacent to your opponent's marker.")
    expect(page.get_by_role("gridcell", name="3,3, X, last move, in the way")).to_have_count(1)
    expect(page.locator(".refused")).to_have_count(1)
    expect(field).to_have_value("3 4")
    visitor.open(site.game({"game": "trails"}, "screen"))
    enter("up")
    expect(note).to_have_text("The cell is outside the grid.")
    enter("right")
    visitor.count_is(1)
    enter("w")
    visitor.count_is(2)


# -- sounds and notices -------------------------------------------------------------------------------------------

LISTENING = """globalThis.heard = 0;
const { OscillatorNode: Real } = globalThis;
globalThis.OscillatorNode = class extends Real { start(...when) { heard += 1; super.start(...when); } };"""
NOTIFYING = """globalThis.told = [];
globalThis.Notification = class {
  static permission = "default";
  static async requestPermission() { return (Notification.permission = "granted"); }
  constructor(title, { body }) { told.push(`${title}: ${body}`); }
};
globalThis.hide = (yes) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => yes });
  document.dispatchEvent(new Event("visibilitychange"));
};"""


def test_sounds_are_off_by_default(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script(LISTENING)
    visitor.open(site.game({"game": "showdown"}, "screen"))
    visitor.place()
    assert page.evaluate("heard") == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").check()
    page.keyboard.press("Escape")
    before = page.evaluate("heard")
    visitor.place()
    page.wait_for_function("(before) => heard > before", arg=before)


@pytest.mark.served("two players")
def test_a_hidden_window_notifies_you_of_your_turn(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    grace.page.add_init_script(NOTIFYING)
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    grace.page.evaluate("hide(true)")
    ada.place()
    expect(grace.page).to_have_title("● Your turn · Showdown · GridLock")
    assert grace.page.evaluate("told") == []  # it has not been asked for
    grace.page.evaluate("hide(false)")
    expect(grace.page).to_have_title("Your turn · Showdown · GridLock")
    grace.page.get_by_role("button", name="Settings").click()
    grace.page.get_by_label("Notify me when it's my turn").check()
    grace.page.keyboard.press("Escape")
    grace.place()
    assert ada.wait_for_turn()
    grace.page.evaluate("hide(true)")
    ada.place()
    grace.count_is(3)
    (told,) = grace.page.evaluate("told")
    assert re.fullmatch(r"Your turn · Showdown: Ada \(X\) plays \d,\d\.", told)


# -- links for others in the network ------------------------------------------------------------------------------


@pytest.mark.served("the operator's database")
def test_a_game_that_the_operator_ends_says_why(site: Site, visitor: Visitor) -> None:
    link = site.game({"game": "scatter"}, "screen")
    visitor.open(link)
    database = str(site.folder / "server.sqlite3")
    assert run(["admin", "end", link, "--reason", "Abusive name", "--database", database]) == 0
    words = "This server's operator has ended this game. The reason: Abusive name"
    expect(visitor.page.get_by_text(words)).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_text(words)).to_be_visible()


@pytest.mark.served("an invitation")
def test_a_server_in_the_network_gives_its_address_to_friends(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "chain"}, "link"))
    expect(page.locator("#invite-local")).to_be_visible()
    known = page.evaluate("fetch('/api/games').then((answer) => answer.json())")
    lan = "http://192.168.7.5:8000"
    page.route("**/api/games", lambda route: route.fulfill(json={**known, "address": lan}))
    page.reload()
    expect(page.get_by_label("Invitation")).to_have_value(re.compile(f"^{re.escape(lan)}/play#"))
    expect(page.locator("#invite-local")).to_be_hidden()


# -- without eyes -------------------------------------------------------------------------------------------------


def test_a_whole_game_by_keyboard_and_screen_reader(site: Site, visitor: Visitor) -> None:
    page, keys = visitor.page, visitor.page.keyboard
    visitor.open(site.game({"game": "showdown", "board": "3x3"}, "random"))
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    for _ in range(40):
        keys.press("Tab")
        if re.match(r"\d,\d, ", page.evaluate(focused)):
            break
    for _ in range(9):
        told = page.locator("body").aria_snapshot()
        if re.search("You (win|lose):", told):
            break
        free = re.findall(r'gridcell "(\d),(\d), you can play here', told)
        if not free:
            expect(page.locator("body")).to_have_text(re.compile("Your turn|You win:|You lose:"))
            continue
        at = re.match(r"(\d),(\d)", page.evaluate(focused))
        assert at
        down, across = (int(free[0][axis]) - int(at[axis + 1]) for axis in (0, 1))
        for far, low, high in ((down, "ArrowUp", "ArrowDown"), (across, "ArrowLeft", "ArrowRight")):
            for _ in range(abs(far)):
                keys.press(high if far > 0 else low)
        assert page.evaluate(focused).startswith(",".join(free[0]))
        keys.press("Enter")
        expect(page.locator(":focus")).not_to_have_attribute("aria-label", re.compile("can play|being"))
        expect(page.locator("#announcements")).to_contain_text("plays")
        expect(page.locator("#words")).to_have_text(re.compile("Your turn|You win:|You lose:"))
    expect(page.locator("#announcements")).to_contain_text(re.compile("You (win|lose):"))
