"""Tests of accessibility and robustness: keyboards, phones, screen readers, lost connections and hostile names."""

import re
from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
NEARLY_OVER = ["1,1", "3,3", "2,1", "1,3", "3,1", "1,2"]


# -- keyboard -----------------------------------------------------------------------------------------------------


def test_names_start_with_what_is_seen_and_headings_are_headings(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    rules = {"runOnly": {"type": "rule", "values": ["label-content-name-mismatch", "p-as-heading"]}}
    page.goto(site.url("/atlas"))
    expect(page.locator("#boards button")).not_to_have_count(0)
    check_with_axe(page, "the atlas", rules)
    page.goto(site.url("/review?at=showdown/3x3/king/1/0/1,1_3,3_1,3"))
    expect(page.locator("#review-body .swing")).to_be_visible()
    check_with_axe(page, "a review", rules)


def test_the_current_page_is_marked_in_forced_colours(site: Site, visit: Callable[..., Visitor]) -> None:
    page = visit(forced_colors="active").page
    page.goto(site.url("/atlas"))
    lines = page.locator(".top nav a").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).textDecorationLine)"
    )
    names = page.locator(".top nav a").all_inner_texts()
    assert [name for name, line in zip(names, lines, strict=True) if line == "underline"] == ["Atlas"]


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus reaches an element."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not lead to {selector}")


def test_the_header_can_be_skipped(site: Site, visitor: Visitor) -> None:
    page, keys = visitor.page, visitor.page.keyboard
    visitor.open(site.game({"game": "showdown"}, "screen"))
    keys.press("Tab")
    skip = page.get_by_role("button", name="Skip to main content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    check_with_axe(page, "about to skip the header")
    keys.press("Enter")
    expect(page.get_by_role("gridcell", name="3,3")).to_be_focused()
    page.goto(site.address)
    expect(page.locator(".game img").first).to_be_visible()
    keys.press("Tab")
    keys.press("Enter")
    keys.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    page, keys = visitor.page, visitor.page.keyboard
    page.goto(visitor.site.address)
    expect(page.locator("input[name=game]:checked")).to_have_value("showdown")
    tab_to(page, "input[name=game]")
    keys.press("ArrowRight")
    expect(page.locator("input[name=game]:checked")).to_have_value("keepaway")
    tab_to(page, "input[name=level]")
    keys.press("ArrowLeft")
    tab_to(page, "#start")
    keys.press("Enter")
    expect(page.locator("#players")).to_be_visible()
    tab_to(page, "[role=gridcell]")
    keys.press("Home")
    keys.press("PageUp")
    assert page.evaluate("document.activeElement.dataset.cell") == "0"
    keys.press("Enter")
    expect(page.locator("#moves button")).not_to_have_count(0)
    while visitor.wait_for_turn():
        target = int(page.locator(".cell.playable").first.get_attribute("data-cell") or 0)
        at = int(page.evaluate("document.activeElement.dataset.cell"))
        before = len(visitor.moves())
        for far, low, high in (
            (target // 3 - at // 3, "ArrowUp", "ArrowDown"),
            (target % 3 - at % 3, "ArrowLeft", "ArrowRight"),
        ):
            for _ in range(abs(far)):
                keys.press(high if far > 0 else low)
        keys.press("Enter")
        expect(page.locator("#moves button")).not_to_have_count(before)
    assert re.search(r"You (win|lose): ", visitor.said)
    played = len(visitor.moves())
    keys.press("[")
    expect(page.locator(".count")).to_have_text(f"{played - 1} / {played}")
    keys.press("]")
    expect(page.locator(".count")).to_have_text(f"{played} / {played}")
    keys.press("?")
    expect(page.get_by_role("heading", name="How to play Keep-Away")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    keys.press("u")
    expect(page.locator("#status.over")).to_have_count(0)


# -- phones -------------------------------------------------------------------------------------------------------


def fits(page: Page) -> bool:
    """Return whether the page is no wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_game_on_a_phone(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    page = visitor.page
    page.goto(visitor.site.address)
    expect(page.locator(".game")).to_have_count(5)
    assert fits(page)
    page.get_by_role("button", name="Start the game").tap()
    expect(page.locator("#players")).to_be_visible()  # the start page also has playable cells
    while visitor.wait_for_turn():
        box = page.locator(".cell.playable").first.bounding_box()
        assert box
        assert box["width"] >= 44
        before = len(visitor.moves())
        page.locator(".cell.playable").first.tap()
        expect(page.locator("#moves button")).not_to_have_count(before)
    assert fits(page)
    board = page.get_by_role("grid").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    page.goto(visitor.site.url("/analyse"))
    expect(page.locator(".win, .loss").first).to_be_visible()
    assert fits(page)


# -- screen readers and themes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "options"), [("light", {}), ("dark", PHONE)], ids=["light", "dark phone"])
def test_axe_finds_nothing_on_any_page(
    site: Site, visit: Callable[..., Visitor], scheme: str, options: dict[str, object]
) -> None:
    visitor = visit(color_scheme=scheme, **options)
    page = visitor.page
    setup = {"game": "showdown", "moves": ["3,3", "1,1"]}
    visitor.open(site.game(setup, "easy"))
    page.get_by_role("gridcell", name="1,2").click()
    expect(page.locator(".cause")).to_have_count(1)
    page.get_by_text("Share", exact=True).click()
    check_with_axe(page, "playing")
    page.get_by_role("button", name="Resign").click()
    check_with_axe(page, "resigning")
    page.goto(site.address)
    expect(page.locator("#recent")).to_be_visible()
    expect(page.locator(".game")).to_have_count(5)
    check_with_axe(page, "start")
    page.get_by_role("button", name="Help").click()
    pictures = page.locator("#help .game-rule img")
    expect(pictures).to_have_count(5)
    for one in pictures.all():
        assert one.evaluate("async (picture) => (await picture.decode(), picture.naturalWidth > 0)")
    check_with_axe(page, "help")
    visitor.open(site.game({"game": "keepaway", "moves": NEARLY_OVER}, "screen"))
    visitor.play_to_the_end()
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".swing")).to_be_visible()
    check_with_axe(page, "review")
    if site.online:
        visitor.open(site.game({"game": "chain"}, "link"))
        expect(page.locator("#invite")).to_be_visible()
        check_with_axe(page, "inviting")
        invited = visit(color_scheme=scheme, **options)
        invited.open(page.get_by_label("Invitation").input_value())
        expect(invited.page.locator("#join")).to_be_visible()
        check_with_axe(invited.page, "invited")
    page.goto(site.url("/play#nothing"))
    expect(page.get_by_role("heading", name="No game here")).to_be_visible()
    check_with_axe(page, "no game")
    page.goto(site.url("/analyse#chain/4x4/orthogonal/1/0/"))
    expect(page.locator(".loss").nth(3)).to_be_visible()
    for summary in page.locator("summary:visible").all():
        summary.click()
    check_with_axe(page, "analysis")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(244, 240, 230)", "dark": "rgb(21, 24, 30)"}[scheme]


def test_reduced_motion_stops_all_animation(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.open(site.game({"game": "showdown", "board": "8x8", "starts": 2}, "perfect"))
    moving = "document.getAnimations({subtree: true}).length"
    assert visitor.page.evaluate(moving) == 0
    assert visitor.wait_for_turn()
    assert visitor.page.evaluate(moving) == 0


# -- bad networks -------------------------------------------------------------------------------------------------


def test_reload_in_the_middle_comes_back_to_the_game(visitor: Visitor) -> None:
    visitor.start("showdown", level="easy")
    visitor.place()
    visitor.count_is(2)
    moves = visitor.moves()
    visitor.page.reload()
    visitor.count_is(2)
    assert visitor.moves() == moves
    visitor.page.goto(visitor.site.address)
    visitor.page.locator("#recent a").first.click()
    visitor.count_is(2)
    assert visitor.moves() == moves
    assert visitor.wait_for_turn()


@pytest.mark.served("two players")
def test_a_lost_connection_is_reported_and_nothing_is_lost(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    ada.excuse("ERR_INTERNET_DISCONNECTED")
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    lost = ada.page.locator("#connection")
    ada.context.set_offline(True)
    expect(lost).to_have_text("Connection lost. Reconnecting…")
    ada.page.get_by_role("gridcell", name="3,3").click()
    expect(ada.page.locator(".pending")).to_have_count(1)
    assert grace.moves() == []
    ada.context.set_offline(False)
    expect(lost).to_be_empty()
    ada.count_is(1)
    grace.count_is(1)
    ada.context.set_offline(True)
    expect(lost).not_to_be_empty()
    grace.place()
    ada.context.set_offline(False)
    ada.count_is(2)
    assert ada.wait_for_turn()
    assert ada.moves() == grace.moves()


def test_the_page_comes_back_when_the_server_does(own_site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(own_site)
    visitor.excuse("WebSocket connection|ERR_CONNECTION_REFUSED")
    visitor.open(own_site.game({"game": "showdown"}, "screen"))
    visitor.place()
    own_site.stop()
    expect(visitor.page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    visitor.page.locator(".cell.playable").first.click()
    expect(visitor.page.locator(".pending")).to_have_count(1)
    own_site.start()
    visitor.count_is(2)
    expect(visitor.page.locator("#connection")).to_be_empty()


# -- safety -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "\"'><script>alert(1)</script>", "${alert(1)}&lt;b&gt;"]
)
@pytest.mark.served("two players")
def test_hostile_names_are_shown_as_text(site: Site, visit: Callable[..., Visitor], name: str) -> None:
    ada, grace = visit(), visit()
    ada.start("chain", "link", name=name)
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    ada.place()
    grace.count_is(1)
    for one in (ada, grace):
        assert one.page.locator(".player b").first.inner_text() == name[:32]
        assert name[:32] in (one.page.locator("#moves button").first.get_attribute("aria-label") or "")
        assert one.page.locator(".player img, .player script, #moves img").count() == 0
    ada.page.get_by_role("button", name="Ask for a takeback").click()
    expect(grace.page.locator("#offer")).to_contain_text(name[:32])
    grace.page.goto(site.address)
    expect(grace.page.locator("#recent")).to_contain_text(name[:32])


@pytest.mark.served("an invitation")
def test_tokens_stay_in_the_fragment(visitor: Visitor) -> None:
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.extend([request.url, str(request.headers)]))
    visitor.start("chain", "link")
    link = visitor.page.url
    assert re.fullmatch(r"http://[\d.:]+/play#[\w-]{22}/[\w-]{32}", link)
    visitor.page.reload()
    visitor.page.get_by_role("link", name="Analysis").click()
    expect(visitor.page.locator(".win, .loss").first).to_be_visible()
    token = link.rsplit("/", 1)[1]
    assert not [text for text in asked if token in text.partition("#")[0]]
