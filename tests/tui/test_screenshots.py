"""Screenshot tests, which compare the content and colours of every screen in three sizes and three themes."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.tui.app import make_theme
from gridlock.tui.review import ReviewPage
from gridlock.tui.training import LessonPage
from gridlock.userdata.settings import THEMES

SIZES = [(60, 20), (80, 24), (200, 60)]
TEXT = "{http://www.w3.org/2000/svg}text"


async def at_home(_stage):
    return "daily puzzle"


async def choosing(stage):
    await stage.press("h")
    return "swap rule"


async def values(stage):
    await stage.press("v")
    await stage.sees("loses")
    return "loses"


async def reviewing(stage):
    game = stage.app.screen.live.game.copy()
    for cell in (0, 15, 1):
        game.push(cell)
    stage.app.push_screen(ReviewPage(stage.app.state, game, 1.0))
    await stage.until(lambda: getattr(stage.app.screen, "review", None))
    return "!"


async def learning(stage):
    stage.app.push_screen(LessonPage(stage.app.state, rule_book("chain")))
    await stage.pilot.pause()
    return "Lesson 1 of"


async def the_day(stage):
    await stage.press("d")
    await stage.sees("Difficulty")
    return "Difficulty"


async def results(stage):
    await stage.press("r")
    return "You have not finished a game"


async def which_lessons(stage):
    await stage.press("l")
    return "which game"


async def keys(stage):
    await stage.press("question_mark")
    return "Keys on this page"


FIRST = [at_home, choosing, learning, the_day, results, which_lessons, keys]
IN_A_GAME = [values, reviewing]


def texts(svg):
    """Return the pieces of text in a picture, each with its position, and the set of colours in the picture."""
    tree = ElementTree.fromstring(svg)
    found = [
        (element.get("x"), element.get("y"), unescape(element.text or ""))
        for element in tree.iter(TEXT)
        if element.get("clip-path", "").count("line")
    ]
    return found, set(re.findall(r"#[0-9a-f]{6}", svg))


@pytest.mark.slow
@pytest.mark.parametrize("reach", [*FIRST, *IN_A_GAME])
def test_every_screen_in_three_sizes_and_three_themes(play, reach):
    async def scene(stage):
        words = await reach(stage)
        for size in SIZES:
            await stage.pilot.resize_terminal(*size)
            await stage.pilot.pause()
            shown, coloured = [], []
            for theme in THEMES:
                stage.app.theme = theme
                await stage.pilot.pause()
                svg = stage.app.export_screenshot(title="gridlock", simplify=True)
                found, colours = texts(svg)
                shown.append("".join(text for _, _, text in found).replace("\xa0", " "))
                coloured.append(colours)
            assert words in " ".join(shown[0].split()), size
            assert re.sub(r"\s+", "", shown[0]) == re.sub(r"\s+", "", shown[1]) == re.sub(r"\s+", "", shown[2])
            assert len({frozenset(colours) for colours in coloured}) == len(THEMES)
            assert max(len(line) for line in stage.lines()) == size[0]
            assert len(stage.lines()) == size[1]

    match = Match(variant(rule_book("showdown"), "4x4")) if reach in IN_A_GAME else None
    play(scene, match=match)


def _luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one, other):
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [make_theme(name) for name in THEMES], ids=THEMES)
def test_everything_can_be_read(theme):
    """Check that contrast is at least 4.5 to 1, and at least 7 to 1 in the high-contrast theme.

    The Web Content Accessibility Guidelines require 4.5 to 1 at level AA, and 7 to 1 at level AAA.
    """
    least = 7 if theme.name == "contrast" else 4.5
    words = [theme.foreground, theme.primary, theme.secondary, theme.success, theme.error, theme.warning]
    words += [theme.variables[name] for name in ("quiet", "pointer", "pairs")]
    for colour in words:
        for ground in (theme.background, theme.panel):
            assert _contrast(colour, ground) >= least, (colour, ground)


def test_without_colours_the_signs_stay(play, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(stage):
        await stage.press("enter")
        assert ">X<" in stage.text() or "> ╲╱ <" in stage.text() or "╲ ╱" in stage.text()
        assert ":" in "".join(stage.lines()[1:-3])
        assert "·" in "".join(stage.lines())

    play(scene, match=Match(variant(rule_book("showdown"))))


def test_every_game_is_pictured_in_the_list(play):
    async def scene(stage):
        for book in RULE_BOOKS.values():
            assert book.summary in stage.said("#about")
            assert stage.app.screen.query_one("Board").picture.variant.book is book
            await stage.press("down")

    play(scene)
