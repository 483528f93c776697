"""Tests that phones can zoom in on large boards, and that a tap on a small cell must be confirmed."""

from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, played
from playwright.sync_api import expect
from test_browser_layout import SIZES, STICKING_OUT

pytestmark = pytest.mark.slow


IN_SIGHT = """() => {
  const box = document.querySelector("#board .scroller").getBoundingClientRect();
  const isInside = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
  };
  const number = (one) => Number(one.dataset.cell);
  return {
    cell: document.querySelector(".cell").getBoundingClientRect().width,
    cells: [...document.querySelectorAll(".cell")].filter(isInside).map(number),
    rows: document.querySelector(".down").getBoundingClientRect().left - box.left,
    columns: document.querySelector(".across").getBoundingClientRect().top - box.top,
    edges: document.querySelector("#board .scroller").dataset.edges,
  };
}"""


def test_a_large_board_on_a_phone_is_enlarged_or_shown_whole(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(viewport=SIZES["390"], has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = visitor.page
    setup = played("scatter", "20x20", 30)
    visitor.open(site.game(setup, "screen"))
    zoom = page.locator(".zoom")
    expect(zoom).to_have_text("Show the whole board")
    last = 20 * (int(setup["moves"][-1].split(",")[0]) - 1) + int(setup["moves"][-1].split(",")[1]) - 1
    seen = page.evaluate(IN_SIGHT)
    assert seen["cell"] >= 44
    assert last in seen["cells"]
    page.locator("#board .scroller").evaluate("(one) => one.scrollTo(300, 300)")
    page.wait_for_function("() => document.querySelector('#board .scroller').dataset.edges === 'left top right bottom'")
    seen = page.evaluate(IN_SIGHT)
    assert (seen["rows"], seen["columns"]) == (0, 0)  # the numbers have stayed
    assert page.locator(".row:nth-child(10) .cell").nth(9).evaluate("(one) => one.getBoundingClientRect().left") > 0
    page.locator("[data-cell='210']").tap()  # cells of this size need no confirmation
    visitor.count_is(31)
    page.locator("#board .scroller").evaluate("(one) => one.scrollTo(0, 0)")
    page.get_by_label("Move", exact=True).fill("20 20")
    page.get_by_label("Move", exact=True).press("Enter")
    visitor.count_is(32)
    assert 399 in page.evaluate(IN_SIGHT)["cells"]
    zoom.tap()
    expect(zoom).to_have_text("Zoom in")
    seen = page.evaluate(IN_SIGHT)
    assert len(seen["cells"]) == 400
    assert seen["edges"] == ""
    assert page.evaluate(STICKING_OUT) == []
    zoom.tap()
    assert 399 in page.evaluate(IN_SIGHT)["cells"]


def test_a_tap_on_a_small_cell_is_confirmed(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(viewport=SIZES["390"], has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.open(site.game({"game": "scatter", "board": "12x12"}, "screen"))
    expect(page.locator(".zoom")).to_have_text("Zoom in")
    cell, note = page.locator("[data-cell='14']"), page.locator("#note")
    cell.tap()
    expect(note).to_have_text("Tap 2,3 again to play it. Small cells need two taps (see Settings).")
    expect(page.locator("#announcements")).to_contain_text("Tap 2,3 again to play it.")
    expect(page.get_by_role("gridcell", name="2,3, you can play here, chosen")).to_be_attached()
    visitor.count_is(0)
    page.get_by_role("button", name="Close the note").tap()
    expect(page.locator(".chosen")).to_have_count(0)
    cell.tap()
    cell.tap()
    visitor.count_is(1)
    page.locator("[data-cell='100']").tap()
    expect(note).to_have_text("Tap 9,5 again to play it.")
    page.locator(".toast").get_by_role("button", name="Play").tap()
    visitor.count_is(2)
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("radio", name="Never").check()
    page.get_by_role("checkbox", name="Row and column numbers").uncheck()
    expect(page.locator(".across")).to_be_hidden()
    page.keyboard.press("Escape")
    page.locator("[data-cell='4']").tap()
    visitor.count_is(3)
    page.reload()
    expect(page.locator(".cell").first).to_be_visible()
    expect(page.locator(".down")).to_be_hidden()
    page.set_viewport_size(SIZES["1280"])
    page.evaluate("localStorage.setItem('gridlock.confirm', '\"always\"')")
    page.locator("[data-cell='44']").tap()
    expect(note).to_have_text("Tap 4,9 again to play it.")
