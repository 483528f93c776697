"""All keys that Textual can recognise in a terminal's input, with Textual's names for them."""

import string
from functools import cache

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import _character_to_key

ESCAPE = "\x1b"


@cache
def real_keys() -> dict[str, str]:
    """Return the characters that a terminal sends for each key, keyed by the key's name."""
    keys = {"escape": ESCAPE}  # a lone Escape counts only after a while without more
    for sent in [*string.ascii_letters, *string.digits, *string.punctuation, " ", *ANSI_SEQUENCES_KEYS]:
        if sent != ESCAPE:
            made = list(XTermParser().feed(sent))
            if len(made) == 1 and isinstance(made[0], Key):
                keys.setdefault(made[0].key, sent)
    return keys


def real(key: str) -> str:
    """Return Textual's name for a key, given this name or the key's character; fail if no terminal can send the key."""
    name = _character_to_key(key) if len(key) == 1 else key
    if name not in real_keys():
        raise AssertionError(f"no terminal sends a key called {key!r}")
    return name
