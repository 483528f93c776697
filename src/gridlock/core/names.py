"""Clean-up of names and notes before they are shown."""

import re
import unicodedata

LONGEST_NAME = 32
_UNSEEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursor movements
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"  # blanks
)
_JOINER = "\u200d"  # combines emoji
_SKIN = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # skin tones of the emoji before them


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name as one short line without control, escape, invisible or direction-changing characters."""
    if not name:
        return ""
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", name[: 10 * longest]))
    joins = (_joins(name[at - 1 : at], name[at : at + 1], name[at + 1 : at + 2]) for at in range(len(name)))
    shown = zip(name, joins, strict=True)
    visible = "".join(char if join or unicodedata.category(char)[0] not in "CZ" else " " for char, join in shown)
    return " ".join(visible.split())[:longest].strip().rstrip(_JOINER)


def _joins(before: str, char: str, after: str) -> bool:
    """Return whether a character joins the emoji on both sides of it; anywhere else it would only be invisible."""
    return char == _JOINER and all(
        one and (one in _SKIN or unicodedata.category(one) == "So") for one in (before, after)
    )
