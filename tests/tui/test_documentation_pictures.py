"""Tests that the documentation's pictures show the current full-screen mode."""

import asyncio
import re
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")


def words(svg):
    """Return the text of each text element in an SVG picture."""
    return [unescape(text).replace("\xa0", " ").rstrip() for text in TEXT.findall(svg)]


@pytest.mark.slow
def test_the_pictures_are_up_to_date():
    """If the pictures are outdated, run: python docs/screens.py"""
    spec = spec_from_file_location("screens", ROOT / "docs" / "screens.py")
    screens = module_from_spec(spec)
    spec.loader.exec_module(screens)
    drawn = asyncio.run(screens.pictures())
    assert {path.name for path in screens.IMAGES.glob("screen-*.svg")} == {f"screen-{name}.svg" for name in drawn}
    for name, svg in drawn.items():
        committed = (screens.IMAGES / f"screen-{name}.svg").read_text()
        assert words(committed) == words(svg), name
        assert "url(http" not in committed  # nothing is fetched from other sites


def test_every_picture_is_on_a_page():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = "".join(page.read_text() for page in pages)
    for path in (ROOT / "docs" / "images").iterdir():
        assert f"images/{path.name}" in shown
