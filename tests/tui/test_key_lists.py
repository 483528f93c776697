"""Tests that every key shown in the footer or in the list of keys (opened with `?`) is bound to the action shown."""

import re

import pytest
from keys import real, real_keys
from textual.widgets._footer import FooterKey
from tui_pages import PAGES, opened

from gridlock.tui.page import KEYS, Note

pytestmark = pytest.mark.slow

NAMES = {display: key for key, display in KEYS.items()}


def key_of(display):
    """Return Textual's name for a key that the screen displays."""
    return f"ctrl+{display[1]}" if display[0] == "^" and len(display) == 2 else real(NAMES.get(display, display))


@pytest.mark.parametrize("page", PAGES)
def test_every_key_that_is_listed_works(play, page):
    async def scene(stage):
        shown = await opened(stage, page)
        active = shown.active_bindings
        for footer in shown.query(FooterKey):
            assert footer.key in real_keys()
            for display in footer.key_display.split():
                assert active[key_of(display)].binding.action.partition("(")[0] == footer.action.partition("(")[0]
        await stage.press("?")
        note = stage.app.screen
        assert isinstance(note, Note)
        listed = note.lines[note.lines.index("") + 1 :] if "" in note.lines else note.lines
        assert len(listed) == len(set(listed)) > 3
        for line in listed:
            keys, words = (part.split() for part in re.split(r" {2,}", line, maxsplit=1))
            words = " ".join(words)
            assert len(keys) == len(set(keys)) > 0
            assert words
            for display in keys:
                assert active[key_of(display)].enabled, line
                assert active[key_of(display)].binding.description == words
        assert not [line for line in listed if "Scroll" in line or "Page" in line]

    play(scene, (79, 40))
