"""Layout: nothing overflows the window, on any page at any size."""

from collections.abc import Callable, Iterator

import pytest
from browser_visitor import Site, Visitor, played
from playwright.sync_api import Page, ViewportSize, expect

from tiers import mostly_deep

pytestmark = pytest.mark.slow

SIZES: dict[str, ViewportSize] = {
    "320": {"width": 320, "height": 640},
    "390": {"width": 390, "height": 844},
    "568x320": {"width": 568, "height": 320},
    "600x360": {"width": 600, "height": 360},
    "640x360": {"width": 640, "height": 360},  # also a window of 1280x720 at 200% zoom
    "667x375": {"width": 667, "height": 375},
    "780": {"width": 780, "height": 1000},
    "810": {"width": 810, "height": 1000},
    "844x390": {"width": 844, "height": 390},
    "1280": {"width": 1280, "height": 800},
    "1920": {"width": 1920, "height": 1080},
}
FONTS = ["DejaVu Sans", "Liberation Sans"]  # a wide one and a usual one
LENGTHS = {2: "320", 20: "844x390", 60: "1280"}  # moves of a game, and the size at which its page is loaded
PATHS = [
    "/",
    "/games",
    "/analyse",
    "/puzzles",
    "/lessons",
    "/atlas",
    "/design",
    "/review?at=chain/3x3/orthogonal/1/0/2,2",
]

# Visible elements that extend beyond the window's left or right edge, except those in boxes that scroll or clip them.
STICKING_OUT = """() => {
  const width = document.documentElement.clientWidth;
  const isHeld = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible") return true;
    }
    return false;
  };
  const out = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || element.closest(".unseen") || isHeld(element)) continue;
    const { left, right, width: wide } = element.getBoundingClientRect();
    if (wide && (left < -1 || right > width + 1)) {
      const name = `${element.tagName} #${element.id} .${element.getAttribute("class")}`;
      out.push(`${name} ${Math.round(left)}..${Math.round(right)}`);
    }
  }
  const scroll = document.scrollingElement.scrollWidth;
  if (scroll > innerWidth) out.push(`the page scrolls sideways: ${scroll} of ${innerWidth}`);
  return out;
}"""


# A script that lists faults found at the top of the page: links, buttons or headings that are cut off or covered, and
# links or buttons that overlap the heading.
HIDDEN_AT_THE_TOP = """() => {
  const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const hidden = [];
  for (const element of document.querySelectorAll(".top a, .top button:not(.skip), .heading h1")) {
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    const around = element.closest("nav, main, body").getBoundingClientRect();
    const isCut = box.left < around.left - 1 || box.right > around.right + 1 || box.right > innerWidth;
    const name = `${element.tagName} ${element.textContent || element.getAttribute("aria-label")}`;
    if (isCut) hidden.push(`${name} is cut off`);
    else if (!element.contains(document.elementFromPoint(...middle(box)))) hidden.push(`${name} is covered`);
  }
  const title = document.querySelector(".heading h1")?.getBoundingClientRect();
  for (const link of document.querySelectorAll(".top a, .top button:not(.skip)")) {
    const box = link.getBoundingClientRect();
    if (!title || box.left >= title.right || box.right <= title.left) continue;
    const name = link.textContent || link.getAttribute("aria-label");
    if (box.bottom > title.top + 1 && box.top < title.bottom - 1) hidden.push(`${name} lies on the heading`);
  }
  return hidden;
}"""
LOW: dict[str, ViewportSize] = {
    "1280x720": {"width": 1280, "height": 720},
    "1366x660": {"width": 1366, "height": 660},
}


def in_every_font(page: Page) -> Iterator[str]:
    """Show a page in each font."""
    for font in FONTS:
        page.evaluate("(font) => document.documentElement.style.setProperty('--font', `'${font}'`)", font)
        yield font


def stays_inside(page: Page, where: str) -> None:
    """Expand all sections, resize the page (which is faster than reloading it), and check that nothing overflows."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    before = page.viewport_size
    for font in in_every_font(page):
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            assert page.evaluate(STICKING_OUT) == [], f"{where} at {name} in {font}"
    assert before
    page.set_viewport_size(before)


def test_the_other_pages_stay_inside(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for number in range(8):  # a list of games that is long enough
        visitor.open(site.game({"game": "showdown"}, "screen", name="W" * 32, other_name=f"W{number}" * 16))
        expect(page.locator("#players")).to_contain_text(f"W{number}")
    page.goto(site.address)
    expect(page.locator(".game img").first).to_be_visible()
    expect(page.locator("#recent li")).to_have_count(3)
    visitor.pick("opponent", "link" if site.online else "screen")
    stays_inside(page, "the start page")
    page.get_by_role("link", name="Your games", exact=True).click()
    expect(page.locator("#groups .miniature")).to_have_count(8)
    stays_inside(page, "your games")
    page.go_back()
    visitor.pick("opponent", "link" if site.online else "screen")
    for name in ("Help", "Settings"):
        page.get_by_role("button", name=name).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        stays_inside(page, name)
        page.keyboard.press("Escape")
    if site.online:
        page.get_by_role("button", name="Start the game").click()
        expect(page.get_by_label("Invitation")).to_be_visible()
        stays_inside(page, "an invitation")
        page.goto(page.get_by_label("Invitation").input_value())
        expect(page.locator("#join")).to_be_visible()
        stays_inside(page, "an invitation that is opened")
    page.goto(site.url("/play"))
    expect(page.locator("#message")).to_be_visible()
    stays_inside(page, "a bad link")
    visitor.excuse("404")
    page.goto(f"{site.address}/foo" if site.online else f"{site.address}/a/missing/page.html")
    stays_inside(page, "no page")


@pytest.mark.parametrize(("length", "size"), LENGTHS.items())
def test_games_and_analyses_stay_inside(site: Site, visit: Callable[..., Visitor], length: int, size: str) -> None:
    visitor = visit(viewport=SIZES[size])
    page = visitor.page
    setup = played("chain", "8x8", length)
    visitor.open(site.game(setup, "screen", name="W" * 32, other_name="Grace"))
    stays_inside(page, "a game")
    page.keyboard.press("h")
    expect(page.get_by_role("button", name="Where?")).to_be_visible()
    stays_inside(page, "a hint")
    page.keyboard.press("Escape")  # on a phone, the hint covers the buttons
    analysis = page.get_by_role("link", name="Analyse this position").evaluate("(link) => link.href")
    page.get_by_role("button", name="Resign").click()
    stays_inside(page, "a question")
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(page.locator("#result")).to_be_visible()
    stays_inside(page, "the result")
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#review .swing")).to_be_in_viewport()
    stays_inside(page, "a review")
    page.goto(analysis)
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    stays_inside(page, "an analysis")


# The lesson has a wide board.
@pytest.mark.parametrize(
    "path",
    mostly_deep(
        [*PATHS, "/lessons?game=chain&lesson=2", "a game"], "/", "/analyse", "/lessons?game=chain&lesson=2", "a game"
    ),
)
def test_the_way_to_all_other_pages_is_in_sight(site: Site, visitor: Visitor, path: str) -> None:
    page = visitor.page
    game = site.game(played("chain", "8x8", 20), "screen", name="W" * 32, other_name="Grace")
    visitor.store_games()
    page.goto(game if path == "a game" else site.url(path))
    expect(page.locator("main h1").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    for font in in_every_font(page):
        for name, size in (SIZES | LOW).items():
            page.set_viewport_size(size)
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(HIDDEN_AT_THE_TOP) == [], f"at {name} in {font}"
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 640})
            box = page.get_by_role("button", name="Help").bounding_box()
            assert box
            assert box["width"] == box["height"] >= 44, f"{width} in {font}: {box}"


# The positions of the header's links and buttons.
HEADER = """() => {
  const shown = [...document.querySelectorAll(".top :is(a, button, nav)")].filter((one) => one.checkVisibility());
  return shown.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.textContent.trim() || one.ariaLabel, ...[x, y, width, height].map(Math.round)].join(" ");
  });
}"""


def test_the_header_is_in_the_same_place_on_every_page(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    places: dict[str, dict[str, list[str]]] = {name: {} for name in SIZES | LOW}
    game = site.game({"game": "showdown"}, "screen")
    visitor.store_games()
    for path in (*PATHS, game):
        page.goto(path if "://" in path else site.url(path))
        expect(page.locator("main h1").first).to_be_visible()
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        for name, size in (SIZES | LOW).items():
            page.set_viewport_size(size)
            places[name][path] = page.evaluate(HEADER)
    for name, at in places.items():
        first = at["/"]
        assert first
        assert {path: place for path, place in at.items() if place != first} == {}, f"at {name}: {first}"


def test_a_phone_has_its_links_at_the_bottom_and_the_rest_under_more(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size(SIZES["390"])
    page.goto(site.url("/atlas"))
    bar = page.get_by_role("navigation", name="Pages")
    box = bar.bounding_box()
    assert box
    assert box["y"] + box["height"] == 844
    assert bar.get_by_role("link").all_inner_texts() == ["Play", "Puzzles", "Learn"]
    bar.get_by_role("button", name="More").press("Enter")
    more = page.locator("#more-pages")
    expect(more.get_by_role("link")).to_have_text(["Your games", "Analysis", "Atlas", "Design"])
    expect(more.locator("[aria-current=page]")).to_have_text("Atlas")
    for one in bar.get_by_role("link").all():
        target = one.bounding_box()
        assert target
        assert target["height"] >= 44, one.inner_text()
    page.keyboard.press("Escape")
    expect(more).to_be_hidden()
    bar.get_by_role("button", name="More").click()
    more.get_by_role("link", name="Design").click()
    expect(page).to_have_url(site.url("/design"))


@pytest.mark.parametrize(
    ("size", "least"), [("844x390", 0.83), ("1280x660", 0.85), ("1280x800", 0.8), ("1920x1080", 0.85)]
)
@pytest.mark.parametrize("page", ["play", "analyse"])
def test_the_board_fits_the_window_and_fills_it(
    site: Site, visit: Callable[..., Visitor], page: str, size: str, least: float
) -> None:
    width, height = map(int, size.split("x"))
    visitor = visit(viewport={"width": width, "height": height})
    visitor.open(
        site.game({"game": "keepaway", "board": "6x6"}, "screen")
        if page == "play"
        else site.url("/analyse#keepaway/6x6/king/1/0/")
    )
    expect(visitor.page.get_by_role("grid")).to_be_in_viewport(ratio=0.99)  # without scrolling
    box = visitor.page.get_by_role("grid").bounding_box()
    assert box
    assert box["height"] >= least * height, box


# True if the notification covers the middle of a cell.
COVERS = """(cell) => {
  const note = document.querySelector(".toast:not([hidden])").getBoundingClientRect();
  const { left, right, top, bottom } = document.querySelector(`[data-cell='${cell}']`).getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return note.left <= x && x <= note.right && note.top <= y && y <= note.bottom;
}"""


def test_a_note_lies_on_the_board_away_from_its_cell_and_moves_nothing(
    site: Site, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(viewport=SIZES["390"])
    page = visitor.page
    visitor.open(site.game({"game": "showdown", "moves": ["1,1", "5,5"]}, "screen"))
    places = [page.locator(one) for one in ("#board", "#steps", "#actions")]
    page.clock.install()
    for size in ("390", "844x390", "1280"):
        page.set_viewport_size(SIZES[size])
        before = [one.bounding_box() for one in places]
        for cell in (0, 18, 24):  # the last two are next to the bottom
            page.locator(f"[data-cell='{cell}']").click()
            expect(page.locator(f"[data-cell='{cell}'] .refused")).to_be_attached()
            expect(page.locator(".toast")).to_be_visible()
            assert not page.evaluate(COVERS, cell), f"{cell} at {size}"
            assert [one.bounding_box() for one in places] == before, f"{cell} at {size}"
    page.clock.fast_forward(5_000)
    expect(page.locator(".toast")).to_be_visible()
    page.clock.fast_forward(20_000)
    expect(page.locator(".toast")).to_be_hidden()
    page.locator("[data-cell='24']").click()
    expect(page.locator(".toast")).to_be_visible()
    page.get_by_role("button", name="Close the note").click()
    expect(page.locator(".toast")).to_be_hidden()
    expect(page.locator("#announcements")).to_contain_text(page.locator("#note").inner_text())


@pytest.mark.parametrize("board", ["2x2", "3x3", "4x4"])
def test_a_small_board_is_in_the_middle_of_its_place(site: Site, visitor: Visitor, board: str) -> None:
    page = visitor.page
    page.goto(site.url(f"/analyse?at=showdown/{board}/king/1/0/"))
    expect(page.locator(".cell").first).to_be_visible()
    for name, size in (SIZES | LOW).items():
        page.set_viewport_size(size)
        place, field = page.locator("#board").bounding_box(), page.locator(".frame").bounding_box()
        assert place
        assert field
        left, right = field["x"] - place["x"], place["x"] + place["width"] - field["x"] - field["width"]
        assert abs(left - right) <= 2, f"at {name}: {left} on the left, {right} on the right"


@pytest.mark.parametrize("size", ["320", "390", "568x320"])
def test_the_result_is_in_sight_after_resigning(site: Site, visit: Callable[..., Visitor], size: str) -> None:
    visitor = visit(viewport=SIZES[size])
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "easy"))
    page.get_by_role("button", name="Resign").evaluate("(button) => button.scrollIntoView({ block: 'start' })")
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(page.locator("#words")).to_have_text("You lose: you resigned.")
    expect(page.locator("#status")).to_be_in_viewport(ratio=0.99)


def test_markers_in_the_list_of_moves_keep_their_size(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    setup = played("scatter", "20x20", 60)
    setup["moves"] = [f"{21 - row},{21 - col}" for row, col in (map(int, move.split(",")) for move in setup["moves"])]
    visitor.open(site.game(setup, "screen"))  # with the longest names of cells
    sizes = "(all) => [...new Set(all.map((one) => one.getBoundingClientRect().width))]"
    wide = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    for font in in_every_font(page):
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            assert len(page.locator("#moves .glyph").evaluate_all(sizes)) == 1, f"at {name} in {font}"
            assert page.locator("#moves .glyph").first.evaluate("(one) => one.getBoundingClientRect().width") > 17
            assert page.locator("#moves button").evaluate_all(wide) == [], f"at {name} in {font}"


# Players' names that are cut off or broken inside a word.
CUT_NAMES = """() => [...document.querySelectorAll(".player .who b")].filter((name) => {
  const range = document.createRange();
  const words = [...name.textContent.matchAll(/\\S+/g)].some(({ index, 0: word }) => {
    range.setStart(name.firstChild, index);
    range.setEnd(name.firstChild, index + word.length);
    return range.getClientRects().length > 1;
  });
  return words || name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight;
}).map((name) => name.textContent)"""


def test_the_computers_level_is_readable_in_full(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "perfect", clock={"seconds": 180}))
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(page.locator(".player .score")).to_have_count(2)
    for font in in_every_font(page):
        for name, size in (SIZES | LOW).items():
            page.set_viewport_size(size)
            assert page.evaluate(CUT_NAMES) == [], f"at {name} in {font}"


@pytest.mark.parametrize(
    ("path", "size"),
    [
        # The full tier tests each page at one size; the deep tier adds the other sizes.
        pytest.param(path, size, marks=() if (number - place) % 3 == 0 else pytest.mark.deep)
        for number, path in enumerate([*PATHS, "a game"])
        for place, size in enumerate(["390", "1280", "1280x720"])
    ],
)
def test_layout_hardly_shifts_while_a_page_loads(
    site: Site, visit: Callable[..., Visitor], path: str, size: str
) -> None:
    visitor = visit(viewport=(SIZES | LOW)[size])
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "screen"))  # which the start page lists
    game = site.game({"game": "trails"}, "easy", clock={"seconds": 180})  # whose rule takes two lines on a phone
    visitor.store_games()
    page.add_init_script(
        """globalThis.shifts = [];
        const { fetch: ask } = globalThis;
        globalThis.fetch = async (...wish) => {
          await new Promise((resolve) => setTimeout(resolve, 200)); // so that answers come after the first paint
          return ask(...wish);
        };
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries()) {
            const moved = ({ node, previousRect: from, currentRect: to }) =>
              `${node?.id || node?.className} ${from.x},${from.y} to ${to.x},${to.y}`;
            shifts.push([value, ...sources.map(moved)]);
          }
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    ready = ".game img, #verdict[aria-busy=false], #actions :is(a, button:enabled), #course button, .mines a"
    for _ in range(3):  # a busy machine may draw a page in pieces once; animations do so every time
        page.goto("about:blank")
        page.goto(game if path == "a game" else site.url(path))
        expect(page.locator(ready).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        shifts = page.evaluate("shifts")
        if sum(value for value, *_ in shifts) < (0.005 if path == "a game" else 0.02):
            return
    pytest.fail(str(shifts))


# The visible part of the board, and the numbers beside it.
