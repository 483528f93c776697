"""One scenario for each area of a static site, in Chromium, Firefox and WebKit.

Playwright can drive neither Debian's Firefox nor WebKitGTK, so the tests in `test_browser_*.py` run only in
Chromium. More tests of static sites in Chromium, Firefox and WebKit are in `test_other_browsers.py` and
`test_site_browsers.py`.
"""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from browser_settings import DEEP_STATIC
from browser_visitor import Site
from browser_windows import Window
from test_browser_endings import LOST_CAUSE
from test_browser_seats_list import PROGRESS

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("setting", DEEP_STATIC, indirect=True)]

START = ".cell.playable"
ANALYSED = "#verdict[aria-busy=false]"
THREE_REGIONS = "showdown/1x9/king/1/0/1,3_1,7"  # values of larger boards may take too long on a busy machine
# A script that prevents downloads and instead stores each file's text in the variable `saved`.
CATCH_DOWNLOADS = """(globalThis.saved = '',
  HTMLAnchorElement.prototype.click = () => undefined,
  URL.createObjectURL = (blob) => (blob.text().then((text) => { saved = text; }), '#'),
  0)"""
CERTIFICATE = "gridlock certificate 1\nboard 2 2 king\nmarker own\nposition 0 0 - -\nslots 0\nloses /d\n"


def choose(window: Window, group: str, value: str) -> None:
    """Select a radio button."""
    window.click(f"label:has(input[name={group}][value='{value}'])")


def enter(window: Window, selector: str, text: str) -> None:
    """Type text into a field, replacing its contents."""
    field = f"document.querySelector({json.dumps(selector)})"
    window.evaluate(f"({field}.focus(), {field}.select(), 0)")
    window.press(*text)
    window.wait(f"{field}.value === {json.dumps(text)}")


def unfold(window: Window) -> None:
    """Expand all collapsed sections."""
    window.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def choose_file(window: Window, selector: str, content: str) -> None:
    """Select a file with the given content in one of the page's file inputs."""
    window.evaluate(f"""(() => {{
      const chosen = new DataTransfer();
      chosen.items.add(new File([{json.dumps(content)}], "chosen.txt"));
      const input = document.querySelector({json.dumps(selector)});
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", {{ bubbles: true }}));
    }})()""")


def settle(window: Window) -> None:
    """Wait until the page has been drawn; until then, WebKit sends keys to a dialog that has just been closed."""
    window.evaluate(
        "(globalThis.drawn = 0, requestAnimationFrame(() => requestAnimationFrame(() => { drawn = 1; })), 0)"
    )
    window.wait("drawn")


def value(window: Window, selector: str) -> Any:
    """Wait until a field has a value, and return the value."""
    return window.wait(f"document.querySelector({json.dumps(selector)})?.value")


# -- analysing ----------------------------------------------------------------------------------------------------


def test_a_position_is_set_up_shared_and_opened(window: Window) -> None:
    window.open("/analyse#keepaway/4x4/king/1/0/", ANALYSED)
    window.click("#edit")
    window.click("[data-cell='0']")
    window.sees(".cell[aria-label^='1,1, X']")
    choose(window, "tool", "O")
    window.click("[data-cell='1']")
    window.sees("#setup-problem", "O's last marker, 1,2, touches X's last marker, so it was not a legal move.")
    window.click("[data-cell='1']")  # the same marker again removes it
    window.click("[data-cell='10']")
    window.sees(".cell[aria-label^='3,3, O']")
    window.wait("document.querySelector('#setup-problem').textContent === ''")
    window.click("#use-share")
    window.misses("#editor")
    link = value(window, "#share input")
    assert link.startswith(window.site.url("/analyse?at=keepaway/4x4/king/1/0//"))
    window.open("/atlas", "#boards button")
    window.open(link, ANALYSED)
    window.sees(".cell[aria-label^='3,3, O']")
    window.sees("#words", "Player 1 (X) is to move.")


def test_the_best_line_and_the_regions_are_drawn(window: Window) -> None:
    window.open("/analyse?at=scatter/3x4/king/1/0/1,1", ANALYSED)
    window.sees("#facts", "in ")  # the distances have been counted
    choose(window, "overlay", "line")
    window.wait("document.querySelectorAll('.cells .ghost-step').length > 2")
    assert window.count("#line .chip") == window.count(".cells .ghost-step")
    window.open(f"/analyse?at={THREE_REGIONS}", ANALYSED)
    choose(window, "overlay", "regions")
    window.count_is("#regions details", 3)
    window.sees("#regions > p", "Hottest: A. 1,5 wins.")
    assert window.count(".cells .area") == 7
    window.click("#regions summary")
    window.wait("document.querySelector('#regions details[open] img').naturalWidth > 0")
    window.click("#regions details[open] button", "X 1,5 leaves")
    window.sees("#regions", "After X 1,5: ")


def test_a_swap_is_analysed_and_made(window: Window) -> None:
    window.open("/analyse?at=showdown/5x5/king/1/1/3,3", ANALYSED)
    window.sees("#verdict-words", "O is to move and wins by swapping.")
    window.sees("#swap-worth", "Swapping wins.")
    window.click("#swap")
    window.count_is("#moves button", 2)
    window.sees("#verdict-words", "O is to move and loses.")


def test_a_review_leads_to_puzzles(window: Window) -> None:
    moves = "1,1_3,3_2,1_1,3_3,1_1,2_3,2"
    window.open(f"/review?at=keepaway/3x3/king/1/0/{moves}", ".swing")
    window.count_is(".kept li", 2)
    window.click(".mistakes button")
    window.sees(".better")
    window.click("a", "Practise the mistakes: 2 puzzles")
    window.sees("#words", "")
    window.wait(r"/\/puzzles\.html\?at=keepaway/.test(location.href)")
    window.sees("#actions button", "Show the answer")


def test_an_embedded_board_is_played(window: Window) -> None:
    window.open("/embed?at=showdown/5x5/king/1/0/3,3", "#actions a")
    window.click("[data-cell='13']")
    window.sees("#note", "The cell is adjacent to")
    window.click("[data-cell='0']")
    window.sees("#words", "Player 1 (X) is to move.")
    window.click("button", "Start over")
    window.sees("#words", "Player 2 (O) is to move.")


# -- playing ------------------------------------------------------------------------------------------------------


def test_a_hint_says_more_each_time(window: Window, place: Site) -> None:
    window.open(place.game({"game": "showdown"}, "easy"), START)
    for words in ("You can win: 1 of 25 moves wins.", "Look in the middle.", "Try 3,3: it wins.", "the cell opposite"):
        window.press("h")
        window.sees("#hint p", words)
        assert window.count(".region") == (4 if words.startswith("Look") else 0), words
        assert window.count(".cells .better") == int(words.startswith(("Try", "the"))), words
    window.press("Escape")
    window.misses("#hint")


def test_a_game_ends_with_a_card_a_picture_and_a_rematch(window: Window, place: Site) -> None:
    window.open(place.game(LOST_CAUSE, "screen", name="Ada", other_name="Grace"), START)
    window.click("[data-cell='4']")
    window.sees("#result", "Grace has no move left.")
    assert window.text("#result-title") == "Ada wins"
    assert (window.count(".cell .cause"), window.count(".closed")) == (2, 4)
    window.click("#result button", "Share")
    window.wait("document.querySelector('#sharing img')?.naturalWidth > 0")
    window.evaluate(CATCH_DOWNLOADS)
    window.click("#sharing a", "Save as GIF")
    assert window.wait("saved").startswith("GIF89a")
    window.press("Escape")
    window.click(":is(#result, #actions) button", "Rematch")
    window.sees("#subtitle", "round 2")
    window.sees("#players", "Grace")
    window.press("u")  # there is nothing to undo
    window.count_is("#moves button", 0)


def test_a_clock_runs_out(window: Window, place: Site) -> None:
    wishes = {"name": "Ada", "other_name": "Bo", "clock": {"seconds": 12, "increment": 0}}
    window.open(place.game({"game": "scatter"}, "screen", **wishes), START)
    window.click(START)
    window.count_is("#moves button", 1)
    window.sees(".clock.runs", "0:0")
    assert not window.count("#status.over")
    window.sees("#words", "Bo (O) runs out of time. Ada (X) wins!")
    window.sees(".clock", "0:00.0")
    window.click(":is(#result, #actions) button", "Review")
    window.sees("#review-body", "ran out of time")


def test_two_levels_are_paused_and_watched_to_the_end(window: Window, place: Site) -> None:
    window.open(place.game({"game": "scatter", "board": "4x4"}, "levels", levels=["easy", "easy"]), ".cell")
    window.click("button", "Pause")
    window.sees("button", "Continue")
    window.click("button", "Speed: normal")
    window.click("button", "Continue")
    window.sees("#result", "Computer ")


def test_a_large_board_is_shown_whole_or_enlarged(window: Window, place: Site) -> None:
    window.resize(390, 844)
    window.open(place.game({"game": "scatter", "board": "20x20"}, "screen"), START)
    width = "document.querySelector('.cell').getBoundingClientRect().width"
    window.sees(".zoom", "Zoom in")
    assert window.evaluate(width) * 20 <= 390
    window.click(".zoom")
    window.sees(".zoom", "Show the whole board")
    assert window.evaluate(width) >= 44
    window.click("[data-cell='399']")  # which scrolls into sight
    window.count_is("#moves button", 1)
    window.open("/analyse?at=keepaway/30x30/king/1/0/1,1", ANALYSED)
    window.sees("#show-pairs-label", "Show the pairs of cells near the pointer")


def test_the_keyboard_skips_the_header_and_steps_through_a_game(window: Window, place: Site) -> None:
    window.open(place.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "screen"), START)
    window.press("Tab")
    window.wait("document.activeElement.textContent === 'Skip to main content'")
    window.press("Enter")
    window.wait("document.activeElement.matches('.cell')")
    window.evaluate("document.activeElement.blur()")
    window.press("ArrowLeft")
    window.sees("#steps .count", "1 / 2")
    window.press("ArrowRight")
    window.sees("#steps .count", "2 / 2")
    enter(window, "#typed-move", "9 9")
    window.press("Enter")
    window.sees("#note", "The cell is outside the grid.")
    window.evaluate("document.activeElement.blur()")
    window.press("?")
    window.sees("dialog[open]", "How to play Showdown")
    window.click("dialog[open] label", "Single-key shortcuts")
    window.press("Escape")
    window.misses("dialog[open]")
    settle(window)
    window.press("u")
    window.press("ArrowLeft")
    window.sees("#steps .count", "1 / 2")


# -- learning -----------------------------------------------------------------------------------------------------


def test_a_lesson_is_shown_and_a_solved_one_is_remembered(window: Window) -> None:
    window.open("/lessons?game=keepaway&lesson=4", "#course button")
    window.click("button", "Show me")
    window.sees("#words", "The answer is ")
    window.sees(".better")
    assert "done" not in window.text("#course")
    window.open("/lessons?game=chain&lesson=2", "#course button")
    window.click("[data-cell='0']")
    window.sees("#words", "Right!")
    window.open("/lessons?game=chain", "#course button")
    window.sees("#course button", "done")
    window.sees("#courses a[aria-current]", "1 of 6 done")


def test_an_atlas_board_is_played_and_a_certificate_is_checked(window: Window) -> None:
    window.open("/atlas?game=scatter", "#boards button")
    for content, words in {
        CERTIFICATE: "the player to move loses on 2x2 (king)",
        CERTIFICATE.replace("/d", "."): "Not valid. Line 6",
    }.items():
        choose_file(window, "#certificate input[type=file], input[type=file]", content)
        window.sees("[role=status]", words)
    window.click("#games label", "Chain")
    window.click("#boards button", "3x3: the first player wins (theorem)")
    window.sees("#facts", "5 of 9 first moves win.")
    window.count_is("#board .win", 5)
    window.click("button", "Play the computer")
    window.sees("#players")
    window.count_is(START, 9)


def test_puzzles_are_chosen_given_up_dated_and_timed(window: Window) -> None:
    window.open("/puzzles?difficulty=2&game=keepaway", "#actions button")
    window.wait("location.search.startsWith('?at=')")
    first = window.evaluate("location.href")
    window.click("button", "Show the answer")
    window.sees("#words", "The winning move")
    window.sees("#standing", "In a row: 0")
    window.click("a", "Next puzzle")
    window.wait(f"location.search.startsWith('?at=') && location.href !== {json.dumps(first)}")
    window.sees("button", "Show the answer")
    window.open("/puzzles", "#actions button")
    window.sees("#title", "Today's puzzle")
    window.click(".calendar .button")
    window.click("a.day")
    window.sees("#title", "Daily puzzle, 1 ")
    window.open(f"/puzzles?at={THREE_REGIONS}&kind=hottest", "#actions button")
    window.click("[data-cell='4']")
    window.sees("#words", "Right: A, 3 cells: hot, 1.")
    window.open("/puzzles?run", "#board .row")
    window.click("button", "Start")
    window.count_is("#squares .next", 1)
    assert re.search(r"[23]:\d\d", window.text("#timer"))
    window.click("button", "End the run")
    window.sees("#words", "You ended the run. 0 solved.")


def test_progress_moves_to_another_browser_by_link_and_file(window: Window) -> None:
    window.open("/atlas", "#boards button")
    window.evaluate(f"({PROGRESS})()")
    window.open("/games", "#carrying")
    window.sees("#carrying", "Your games stay in this browser.")
    window.click("button", "Link to your progress")
    link = value(window, "dialog[open] input")
    assert link.startswith(window.site.url("/games#take/"))
    window.press("Escape")
    window.evaluate(CATCH_DOWNLOADS)
    window.click("button", "Export to a file")
    file = window.wait("saved")
    lessons = "localStorage.getItem('gridlock.lessons')"
    for way in ("link", "file"):
        window.evaluate("localStorage.clear()")
        window.open("/atlas", "#boards button")
        window.open(link if way == "link" else "/games", "#carrying")
        window.sees("#carrying", "Your games stay in this browser.")  # which the page's script writes
        if way == "link":
            window.click("dialog[open] button", "Add")
        else:
            choose_file(window, "#import", file)
        window.sees("#told", "Your puzzle and lesson progress is now saved in this browser.")
        assert window.evaluate(lessons) == '{"chain":[1,2]}'


# -- choosing -----------------------------------------------------------------------------------------------------


def test_a_theme_is_remembered_on_every_page(window: Window) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    for theme, background in (("dark", "rgb(21, 24, 30)"), ("light", "rgb(244, 240, 230)")):
        window.open("/", START)
        window.click("button", "Settings")
        window.click(f"dialog[open] label:has(input[value={theme}])")
        window.wait(f"{colour} === {json.dumps(background)}")
        window.press("Escape")
        window.open("/atlas", "#boards button")
        assert window.evaluate(colour) == background


def test_your_games_are_listed_filtered_and_removed(window: Window, place: Site) -> None:
    window.open(place.game({"game": "trails"}, "easy"), START)
    window.open(place.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "easy"), START)
    window.click("#actions button", "Resign")
    window.click("#confirm button", "Resign")
    window.sees("#status.over")
    window.open("/games", "#groups .mine")
    assert window.count("#groups .mine") == 2
    window.sees("#results", "Showdown")
    choose(window, "kind", "running")
    window.count_is("#groups .mine", 1)
    window.sees("#groups .mine", "Trails")
    choose(window, "kind", "finished")
    window.sees("#groups .mine", "Showdown")
    window.click("#groups button", "Remove")
    window.sees("#confirm", "Only this browser has this game")
    window.click("#confirm button", "Remove it")
    choose(window, "kind", "all")
    window.count_is("#groups .mine", 1)
    window.click("#groups .mine a", "Trails")
    window.sees(START)
    kept = window.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('gridlock.engine.')).length")
    window.open("/games", "#groups .mine")
    window.click("#forget")
    window.click("#confirm button", "Forget it")
    window.sees("#none", "No games yet.")
    assert kept
    window.wait("!Object.keys(localStorage).some((key) => key.startsWith('gridlock.engine.'))")


def test_your_own_game_is_played_and_forgotten(window: Window) -> None:
    definition = {"name": "hermits", "title": "Hermits", "board": "4x5", "shape": {"closes_own": True}}
    window.open(f"/#own={quote(json.dumps(definition))}", START)
    window.sees("#game-rule", "Never put a marker next to one of your own.")
    window.click("[data-cell='6']")
    window.sees("#subtitle", "custom game")
    window.sees("#moves button", "2,2")
    window.open("/design", "#board .win")
    window.sees("#own-list li", "Hermits")
    choose(window, "moves", "step")
    window.sees("#words", "Move your pawn one step")
    window.sees("#closes_own-misfit", "A step always ends next to your own trail.")
    window.click("#own-list button", "Forget: Hermits")
    window.wait("JSON.parse(localStorage.getItem('gridlock.own') ?? '[]').length === 0")


def test_the_start_page_explains_and_remembers_choices(window: Window) -> None:
    window.open("/", START)
    choose(window, "game", "scatter")
    choose(window, "opponent", "screen")
    unfold(window)
    enter(window, "#name", "Computer, perfect")
    window.click("#start")
    window.sees("#problem", "The name 'Computer, perfect' is reserved. Choose another name.")
    enter(window, "#name", "Ada")
    enter(window, "#rows", "4")
    window.click("#swap")
    window.click("#start")
    window.sees("#players", "Ada")
    window.open("/", START)
    window.sees("#options-summary", "swap rule")
    assert window.count("input[name=game][value=scatter]:checked") == 1
    assert window.count("input[name=opponent][value=screen]:checked") == 1
    assert value(window, "#rows") == "4"
