"""Taking turns: what the page shows and announces during a game, and which elements must stay in place."""

import re
from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe, played
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

LONG = 40  # moves: more than the list has room for
PHONE = {"viewport": {"width": 390, "height": 844}}


def pair(site: Site, visit: Callable[..., Visitor], **setup: object) -> tuple[Visitor, Visitor]:
    """Open a game by link in two windows; return the windows of Ada, who created it, and Grace, who joined it."""
    ada, grace = visit(), visit()
    ada.open(site.game({"game": "showdown", **setup}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    expect(ada.page.locator(".cell.playable, .player.turn").first).to_be_visible()
    expect(grace.page.locator("#join")).to_be_hidden()
    return ada, grace


def test_the_list_of_moves_follows_the_game(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game(played("chain", "9x9", LONG), "screen"))
    seen = """() => {
      const place = document.getElementById("moves").getBoundingClientRect();
      const current = document.querySelector("#moves [aria-current]").getBoundingClientRect();
      return current.top >= place.top && current.bottom <= place.bottom;
    }"""
    visitor.page.wait_for_function(seen)  # the list follows with the next frame
    visitor.place()
    visitor.page.wait_for_function(seen)
    visitor.page.get_by_role("button", name="Go to the start").click()
    visitor.page.get_by_role("button", name="Next move").click()
    expect(visitor.page.locator("#moves [aria-current]")).to_contain_text("1,1")
    visitor.page.wait_for_function(seen)


def test_undo_never_becomes_resign(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "screen"))
    visitor.place()
    visitor.place()
    box = page.get_by_role("button", name="Undo").bounding_box()
    assert box
    for left in (1, 0, 0, 0):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        visitor.count_is(left)
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    visitor.place()
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    visitor.count_is(0)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    expect(page.locator("#confirm")).to_be_hidden()


def test_focus_goes_to_no_other_action(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown", "swap": True, "moves": ["3,3"]}, "screen"))
    page.get_by_role("button", name="Swap sides").focus()
    page.keyboard.press("Enter")
    visitor.count_is(2)
    expect(page.get_by_role("button", name="Swap sides")).to_have_count(0)
    expect(page.locator("#swap")).to_be_focused()  # from where Tab continues, but Enter does nothing


@pytest.mark.served("two players")
def test_a_declined_request_is_reported_once(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = pair(site, visit)
    ada.place()
    ask = ada.page.get_by_role("button", name="Ask for a takeback")
    ask.click()
    expect(ada.page.locator("#offer")).to_contain_text("You've asked to take back a move.")
    expect(grace.page.locator("#offer")).to_contain_text("Ada asks to take back a move.")
    grace.page.get_by_role("button", name="Decline").click()
    expect(ada.page.locator("#note")).to_have_text("Grace declined the takeback.")
    expect(grace.page.locator("#note")).to_have_text("You declined the takeback.")
    assert "Grace declined" in ada.said
    expect(ask).to_be_disabled()
    grace.wait_for_turn()
    grace.place()
    expect(ask).to_be_enabled()
    expect(ada.page.locator("#note")).to_have_text("")


@pytest.mark.served("a connection that is held up")
def test_a_late_click_is_reported(site: Site, visit: Callable[..., Visitor]) -> None:
    one, other = visit(), visit()
    link = site.game({"game": "showdown"}, "screen")
    one.open(link)
    # The second tab learns of the first tab's move only after the click in the second tab. This simulates clicks in
    # both tabs at the same moment.
    other.page.add_init_script(
        """const Real = WebSocket;
        globalThis.WebSocket = class extends Real {
          set onmessage(listen) {
            super.onmessage = (event) => {
              if (event.data.includes('"state"') && globalThis.deaf) (globalThis.held ??= []).push(() => listen(event));
              else listen(event);
            };
          }
        };"""
    )
    other.open(link)
    other.page.evaluate("globalThis.deaf = true")
    one.page.get_by_role("gridcell", name=re.compile("^3,3")).click()
    one.count_is(1)
    other.page.get_by_role("gridcell", name=re.compile("^1,1")).click()
    words = "Your move was not made. The game has moved on since then."
    expect(other.page.locator("#note")).to_have_text(words)
    other.page.evaluate("globalThis.deaf = false; for (const tell of globalThis.held) tell()")
    other.count_is(1)
    expect(other.page.locator("#note")).to_have_text(words)
    other.page.get_by_role("gridcell", name=re.compile("^1,1")).click()
    other.count_is(2)
    expect(other.page.locator("#note")).to_have_text("")


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (640, 360), (1280, 720)])
def test_a_possible_swap_is_in_sight_and_in_words(
    site: Site, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    setup = {"game": "showdown", "swap": True, "starts": 2, "moves": ["3,3"]}
    visitor.open(site.game(setup, "easy"))
    expect(page.locator("#words")).to_have_text("Your turn: move or swap sides.")
    assert "Your turn: move or swap sides." in visitor.said
    expect(page.get_by_role("button", name="Swap sides")).to_be_in_viewport(ratio=1)
    top = "document.getElementById('board').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.get_by_role("gridcell", name=re.compile("^1,1, you")).click()
    expect(page.get_by_role("button", name="Swap sides")).to_have_count(0)
    assert abs(page.evaluate(top) - before) < 1  # the board stays under the finger


@pytest.mark.served("two players")
def test_the_opponents_swap_is_announced(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = pair(site, visit, swap=True)
    ada.page.get_by_role("gridcell", name=re.compile("^3,3")).click()
    grace.page.get_by_role("button", name="Swap sides").click()
    expect(ada.page.locator("#note")).to_have_text("Grace takes over the other side. You now play O.")
    expect(grace.page.locator("#note")).to_have_text("")


def test_the_board_comes_into_sight_for_a_move_in_the_list(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    page = visitor.page
    visitor.open(site.game(played("chain", "9x9", LONG), "screen"))
    page.evaluate("document.getElementById('moves').scrollIntoView({ block: 'start' })")
    page.locator("#moves button").nth(LONG - 3).click()
    expect(page.locator("#status.past")).to_have_count(1)
    expect(page.get_by_role("grid")).to_be_in_viewport(ratio=0.99)


def test_single_keys_can_be_turned_off_and_arrows_step(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    count = page.locator("#steps .count")
    visitor.open(site.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "screen"))
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("1 / 2")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("2 / 2")
    for held in ({"altKey": True}, {"altKey": True, "ctrlKey": True}):  # as Macs and AltGr send them
        page.evaluate(
            "(held) => document.body.dispatchEvent(new KeyboardEvent('keydown', held))",
            {"key": "[", "bubbles": True, **held},
        )
        expect(count).to_have_text("1 / 2")
        page.keyboard.press("]")
        expect(count).to_have_text("2 / 2")
    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect(count).to_have_text("2 / 2")
    for key in ("u", "[", "?"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowLeft")  # not a character, and so harmless
    expect(count).to_have_text("1 / 2")
    expect(page.locator("#help")).to_be_hidden()
    visitor.count_is(2)


def test_moves_are_called_what_is_written_on_them(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "screen"))
    expect(visitor.page.get_by_role("button", name="1 3,3: Player 1 (X) plays 3,3", exact=True)).to_be_visible()
    check_with_axe(visitor.page, "a game", {"rules": {"label-content-name-mismatch": {"enabled": True}}})


CONTRAST = """([selector, property]) => {
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const element = document.querySelector(selector);
  const line = getComputedStyle(element)[property].match(/rgb\\([^)]*\\)/)[0];
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--card)";
  const [light, dark] = [luminance(line), luminance(getComputedStyle(probe).color)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_grid_lines_differ_from_cell_contents(site: Site, visit: Callable[..., Visitor], scheme: str) -> None:
    visitor = visit(color_scheme=scheme)
    visitor.open(site.game({"game": "showdown"}, "screen"))
    assert visitor.page.evaluate(CONTRAST, [".cells", "backgroundImage"]) >= 3
    visitor.page.goto(site.address)
    expect(visitor.page.locator(".game").first).to_be_visible()
    for selector in (".option:has(:not(:checked)) .face", ".segment:has(:not(:checked)) span"):
        assert visitor.page.evaluate(CONTRAST, [selector, "borderColor"]) >= 3, selector


def test_forced_colours_leave_whose_turn_it_is(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(forced_colors="active")
    visitor.open(site.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "screen"))
    outline = "(element) => getComputedStyle(element).outlineStyle"
    for marked, plain in ((".player.turn", ".player:not(.turn)"), ("#moves [aria-current]", "#moves button")):
        assert visitor.page.locator(marked).first.evaluate(outline) == "solid"
        assert visitor.page.locator(plain).first.evaluate(outline) == "none"
