"""The end of a game: what the board shows, the result card, and the animated picture of the game."""

import re
from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe, played
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

# X wins by playing 1,5.
LOST_CAUSE = {"game": "showdown", "board": "1x7", "moves": ["1,2", "1,7"]}
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 720)]


def title(page: Page) -> str:
    """Wait for the result card, and return its title."""
    expect(page.locator("#result")).to_be_visible()
    return page.locator("#result-title").inner_text()


def places(page: Page) -> object:
    """Return the positions of all elements that must stay in place when the result card appears."""
    return page.locator("#board, #steps, #players, #status, #moves").evaluate_all(
        "(all) => all.map((one) => { const { x, y, width } = one.getBoundingClientRect(); return [x, y, width] })"
    )


@pytest.mark.parametrize("size", SIZES)
def test_a_win_shows_the_lock_and_a_card_that_moves_nothing(
    site: Site, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    visitor.open(site.game(LOST_CAUSE, "screen", name="Ada", other_name="Grace"))
    page.get_by_role("gridcell", name="1,4").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#status.over")).to_be_visible()
    before = places(page)
    assert title(page) == "Ada wins"
    assert places(page) == before
    expect(page.locator("#result .why")).to_have_text("Grace has no move left.")
    expect(page.locator(".tally")).to_have_attribute("aria-label", "Rounds won: Ada 1, Grace 0")
    expect(page.locator("#result")).to_be_focused()
    assert "Grace (O) has no cell to play. Ada (X) wins!" in visitor.said
    locks = page.locator(".cell:has(.cause)")
    expect(locks).to_have_count(2)
    expect(locks.last).to_have_attribute("aria-label", "1,5, X, last move, locks the loser")
    expect(locks.locator(".cause.one")).to_have_count(2)  # in the winner's colour
    assert page.locator(".closed").count() == 4
    names = page.locator("#result .actions").locator("a, button").all_inner_texts()
    assert names == ["Rematch", "Review", "Share", "New game"]
    for button in page.locator("#result button, #result a").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= 40
        assert box["y"] + box["height"] <= size[1], "out of sight"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    check_with_axe(page, "the end of a game")
    page.keyboard.press("Escape")
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator(".cell:focus")).to_have_count(1)  # back on the board
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    assert places(page) == before


@pytest.mark.parametrize("size", [(544, 320), (568, 320), (640, 360), (667, 375), (844, 390), (1280, 500)])
def test_in_a_low_window_the_card_is_beside_the_board(
    site: Site, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "easy"))
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    assert title(page) == "You lose"
    board, card = page.locator("#board").bounding_box(), page.locator("#result").bounding_box()
    assert board
    assert card
    assert board["x"] + board["width"] <= card["x"]


@pytest.mark.served("two players")
def test_two_people_agree_on_a_rematch_in_the_card_and_a_spectator_follows(
    site: Site, visit: Callable[..., Visitor]
) -> None:
    ada, grace, watcher = visit(), visit(viewport={"width": 390, "height": 844}), visit()
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    watcher.open(ada.page.get_by_label("Link to watch").input_value())
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.place()
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.locator("#confirm").get_by_role("button", name="Resign").click()
    assert title(ada.page) == "You lose"
    expect(ada.page.locator("#result .why")).to_have_text("You resigned.")
    assert title(grace.page) == "You win"
    expect(grace.page.locator("#result .why")).to_have_text("Ada resigned.")
    assert title(watcher.page) == "Grace wins"
    assert watcher.page.locator("#result .actions").locator("a, button").all_inner_texts() == [
        "Review",
        "Share",
        "New game",
    ]
    ada.page.get_by_role("button", name="Rematch").click()
    expect(ada.page.locator("#result")).to_contain_text("Grace hasn't answered yet.")
    expect(grace.page.locator("#result .asked")).to_contain_text("Ada asks to play again")
    expect(grace.page.locator("#offer")).to_be_hidden()
    for width, height in [(320, 568), (390, 844), (768, 1024)]:
        grace.page.set_viewport_size({"width": width, "height": height})
        grace.page.evaluate("scrollTo(0, 0)")
        expect(grace.page.locator("#result")).to_be_in_viewport(ratio=0.99)
    grace.page.get_by_role("button", name="Accept").click()
    for visitor in (ada, grace, watcher):
        expect(visitor.page.locator("#subtitle")).to_contain_text("round 2")
        expect(visitor.page.locator("#result")).to_be_hidden()


def test_a_takeback_or_an_earlier_position_closes_the_card(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game(LOST_CAUSE, "screen"))
    page.get_by_role("gridcell", name="1,5").click()
    title(page)
    page.keyboard.press("[")
    expect(page.locator("#words")).to_contain_text("After move 2 of 3.")
    expect(page.locator("#result")).to_be_hidden()
    page.keyboard.press("u")
    visitor.count_is(2)
    page.get_by_role("gridcell", name="1,5").click()
    title(page)
    page.keyboard.press("u")
    visitor.count_is(2)
    expect(page.locator("#result")).to_be_hidden()


# The number and size of the frames that an independent decoder finds in a picture.
DECODED = """async (bytes) => {
  const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
  const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(image, 0, 0);
  const at = (x, y) => [...drawing.getImageData(x, y, 1, 1).data].slice(0, 3);
  const seen = [at(13 + 4 * 48 + 24, 13 + 24), at(13 + 24, 13 + 24)];
  return [frameCount, repetitionCount === Infinity, image.duration / 1000, ...seen];
}"""


def test_a_game_is_saved_as_an_animated_picture(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game(LOST_CAUSE, "screen"))
    page.get_by_role("gridcell", name="1,5").click()
    title(page)
    page.get_by_role("button", name="Share").click()
    picture = page.get_by_role("img", name="The game, move by move")
    expect(picture).to_be_visible()
    check_with_axe(page, "sharing a game")
    with page.expect_download() as downloading:
        page.locator("#sharing").get_by_role("link", name="Save as GIF").click()
    assert downloading.value.suggested_filename == "gridlock-showdown-3-moves.gif"
    content = downloading.value.path().read_bytes()
    assert page.evaluate(DECODED, list(content)) == [4, True, 4000, [27, 75, 122], [235, 228, 211]]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#result")).to_be_hidden()
    page.get_by_role("link", name="Open full page").click()
    page.wait_for_url(re.compile("/review"))  # until then, "Share" is the button on the game's page
    page.get_by_text("Share", exact=True).click()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Save as GIF").click()
    assert downloading.value.path().read_bytes() == content


def test_a_game_of_two_equal_levels_is_watched_at_the_spectator_s_pace(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "scatter", "board": "4x4"}, "levels", levels=["easy", "easy"]))
    expect(page.locator("#players")).to_contain_text("Computer 1, easy")
    expect(page.locator("#players")).to_contain_text("Computer 2, easy")
    visitor.count_is(1)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    before = len(visitor.moves())
    page.wait_for_timeout(2500)
    assert len(visitor.moves()) == before
    page.get_by_role("button", name="Speed: normal").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Speed: fast")).to_be_visible()
    assert title(page).startswith("Computer ")
    expect(page.get_by_role("link", name="Stop")).to_have_count(0)


def test_a_review_counts_the_moves_that_kept_the_win_and_offers_the_mistakes_as_puzzles(
    site: Site, visitor: Visitor
) -> None:
    moves = ["1,1", "3,3", "2,1", "1,3", "3,1", "1,2", "3,2"]
    visitor.page.goto(site.url(f"/review?at=keepaway/3x3/king/1/0/{'_'.join(moves)}"))
    kept = visitor.page.locator(".kept li")
    expect(kept).to_have_count(2)
    expect(kept.first).to_contain_text("Player 1")
    first = visitor.page.get_by_role("link", name="Practise the mistakes: 2 puzzles")
    expect(first).to_have_js_property("href", site.url("/puzzles?at=keepaway/3x3/king/1/0/&from=game"))
    rest = visitor.page.locator(".practice .chip")
    expect(rest).to_have_js_property(
        "href", site.url("/puzzles?at=keepaway/3x3/king/1/0/1,1_3,3_2,1_1,3_3,1&from=game")
    )
    check_with_axe(visitor.page, "a review")


def test_a_move_made_without_a_connection_survives_a_reload(visit: Callable[..., Visitor], own_site: Site) -> None:
    visitor = visit(own_site, service_workers="allow")
    visitor.excuse("ERR_|WebSocket|Failed to fetch|503")
    page = visitor.page
    visitor.open(own_site.game(played("showdown", "5x5", 2), "screen"))
    page.evaluate("navigator.serviceWorker.ready")
    expect(page.get_by_role("button", name="Resign")).to_be_enabled()
    own_site.stop()
    expect(page.locator("#connection")).to_contain_text("Connection lost.")
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    page.get_by_role("gridcell", name="5,5").click()
    expect(page.locator("#connection")).to_contain_text("Your move will be sent")
    page.reload()
    expect(page.locator("#connection")).to_contain_text("Your move will be sent")
    expect(page.get_by_role("gridcell", name="5,5, being placed")).to_be_visible()
    own_site.start()
    visitor.count_is(3)
    expect(page.locator("#connection")).to_be_empty()
