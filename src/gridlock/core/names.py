"""Clean up names and notes before they are shown, and detect names that look like other names."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

LONGEST_NAME = 32
_UNSEEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursor movements
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"  # blanks
)
_JOINER = "\u200d"  # combines emoji
_COLOURED = "\ufe0f"  # turns the symbol before it into an emoji
_MOST_MARKS = 4  # accents on one letter, as in Unicode's advice on security (UTS #39)
_SKIN = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # skin tones of the emoji before them


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name as one short line without control, escape, invisible or direction-changing characters."""
    if name.isascii() and name.isprintable():  # as nearly all names are
        return " ".join(name.split())[:longest].strip()
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", name[: 10 * longest]))
    name = "".join(char for before, char in pairwise(f" {name}") if char != _COLOURED or _is_emoji(before))
    name = _without_towers(name)
    joins = (_joins(name[at - 1 : at], name[at : at + 1], name[at + 1 : at + 2]) for at in range(len(name)))
    shown = zip(name, joins, strict=True)
    visible = "".join(char if join or unicodedata.category(char)[0] not in "CZ" else " " for char, join in shown)
    return " ".join(visible.split())[:longest].strip().rstrip(_JOINER)


def _joins(before: str, char: str, after: str) -> bool:
    """Return whether a character is a joiner between two emoji; joiners in other places would just be invisible."""
    return char == _JOINER and (before == _COLOURED or _is_emoji(before)) and _is_emoji(after)


def _is_emoji(char: str) -> bool:
    """Return whether a character is an emoji, or a symbol that may be drawn as an emoji."""
    return char != "" and (char in _SKIN or unicodedata.category(char) == "So")


def _without_towers(name: str) -> str:
    """Return a name with at most four accents on each letter, because taller stacks would cover other lines."""
    marks, kept = 0, []
    for char in name:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)


# -- look-alikes ----------------------------------------------------------------------------------------------------

# Look-alikes of the letters in the reserved names below and in the titles of the built-in games. Each look-alike is
# followed by the Latin letter that it resembles. Capitals are replaced first, because their lower-case forms may look
# like other letters.
_CAPITALS = "Αa Εe Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Ϲc Ꭺa Ꮯc Ꭰd Ꭼe Ꮐg Ꮋh Ꮶk Ꮮl Ꮇm Ꮲp Ꭱr Ꮪs Ꭲt Ꮃw Ꭹy"  # noqa: RUF001
_SMALL = (
    "аa сc ԁd еe єe ԍg һh нh іi кk ӏl мm пn оo рp гr ѕs тt цu ԝw шw ѡw уy үy "  # noqa: RUF001
    "αa ςc εe ηn ιi κk οo σo ρp τt υu ωw γy ցg հh ոn օo սu ɑa ɩi"  # noqa: RUF001
)
_ALIKE = (("1", "l"), ("|", "l"), ("i", "l"), ("0", "o"), ("rn", "m"), ("vv", "w"), ("cl", "d"))
_LATIN = re.compile(r"(?:LATIN|INDICATOR) .*LETTER (?:[A-Z]{2,} )*([A-Z])(?: WITH .*)?$")  # as Unicode names them
_TABLES = [str.maketrans({pair[0]: pair[1] for pair in pairs.split()}) for pairs in (_CAPITALS, _SMALL)]


@lru_cache(maxsize=512)
def skeleton(name: str) -> str:
    """Return a form of a name that is the same for all names that look alike to a hurried reader.

    Case, spaces, punctuation, accents and font styles are ignored. A character that looks like a Latin letter counts as
    that letter.
    """
    text = unicodedata.normalize("NFKC", name).translate(_TABLES[0]).casefold()
    text = unicodedata.normalize("NFD", text).translate(_TABLES[1])
    text = "".join(_latin(char) for char in text if char == "|" or unicodedata.category(char)[0] in "LNS")
    for char, alike in _ALIKE:
        text = text.replace(char, alike)
    return "".join(char for char in text if char.isalnum())


def _latin(char: str) -> str:
    """Return the Latin letter that a character (such as a small capital) is a variant of.

    A character that is not a variant of a Latin letter is returned unchanged.
    """
    found = None if char.isascii() else _LATIN.search(unicodedata.name(char, ""))
    return found[1].lower() if found else char


_HOUSE = tuple(skeleton(word) for word in ("Computer", "GridLock"))
_PLAYER = skeleton("Player")


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one of GridLock's own, such as `Computer, easy`, `Player 2` or `GridLock`."""
    bare = skeleton(name)
    return bare.startswith(_HOUSE) or (bare.startswith(_PLAYER) and len(bare) <= len(_PLAYER) + 1)
