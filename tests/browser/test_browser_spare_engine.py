"""A server that sends its engine to browsers, so that they can play, solve and analyse while the server is down."""

import re

import pytest
from browser_chromium import ChromiumWindow
from browser_settings import SPARE
from browser_visitor import Site, check_with_axe
from browser_windows import Window
from test_site_browsers import until_stored

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("setting", SPARE, indirect=True)]
# The errors that Chromium and Firefox log when a server has stopped.
EXCUSED = re.compile("ERR_CONNECTION_|ERR_EMPTY_RESPONSE|WebSocket|Failed to fetch|can.t establish a connection")
START = ".cell.playable"


def check_access(window: Window, where: str) -> None:
    """Check the page for accessibility problems, if the browser is Chromium."""
    if isinstance(window, ChromiumWindow):
        check_with_axe(window.page, where)


def test_a_visit_goes_on_while_the_server_is_stopped(window: Window, place: Site) -> None:
    window.excused = EXCUSED
    window.open("/", START)
    until_stored(window)
    assert not window.count("#offline")
    window.open(place.game({"game": "showdown", "board": "4x4"}, "easy", name="Ada"), START)
    window.click(START)
    window.count_is("#moves button", 2)

    place.stop()
    window.sees("#connection", "Connection lost.")
    check_access(window, "a game whose server has stopped")
    window.click("button", "Continue in this browser")
    window.wait(
        "document.querySelectorAll('#moves button').length === 2 && !document.body.classList.contains('offline')"
    )
    window.sees("#players", "Ada")
    window.click(START)
    window.count_is("#moves button", 4)
    kept = window.evaluate("location.href")

    window.open("/puzzles", "#offline")
    window.sees("#offline", "The server can't be reached. You can still play the computer")
    window.click(START)
    window.sees("#squares > *, #words")
    window.open("/analyse?at=showdown/4x4/king/1/0/2,2", "#board .win, #board .loss")
    check_access(window, "an analysis without the server")

    place.start()
    window.misses("#offline")
    window.open(kept, START)  # which stays in this browser
    window.count_is("#moves button", 4)
    window.click(START)
    window.count_is("#moves button", 6)
    window.open(place.game({"game": "showdown"}, "link"), "#invite input")
    window.sees("#words", "Waiting for an opponent to join.")
