"""Tests that no code outside the rules depends on a game's name; only text meant for people may contain such names."""

import io
import re
import tokenize
from pathlib import Path

import pytest

import gridlock
from gridlock.core.rules import BUILT_IN, RULE_BOOKS

SOURCE = Path(gridlock.__file__).parent
TITLES = [RULE_BOOKS[name].title for name in BUILT_IN]
NAME = re.compile(rf"(?<![a-z])(?:{'|'.join([*BUILT_IN, *TITLES])})(?![a-z])", re.IGNORECASE)
EXAMPLE = re.compile(
    rf"""gridlock [a-z]+ (?:{"|".join(BUILT_IN)})\b|gridlock_(?:{"|".join(BUILT_IN)})\("""
    rf"""|(?:Game|variant|solve|Batch|Against|env)\((?:game=)?"(?:{"|".join(BUILT_IN)})\""""
)

# The files in FILES may mention any game by name. Each entry of WORDS allows one name in one file, and says why.
FILES = ("core/rules/", "play/words.py", "drawing/text.py")  # the rules, and the documents' own words and drawings
WORDS = {
    ("core/snapshot.py", "showdown"): "the example of a position's text",
    ("core/records.py", "chain"): "the example of a tag",
    ("cli/commands/arena.py", "showdown"): "the examples of a match and of a plan",
    ("cli/commands/suite.py", "trails"): "the example of a part of the suite",
    **{(f"envs/{name}.py", "showdown"): "the example of an id" for name in ("gymnasium", "pettingzoo", "jax/env")},
    ("web/referee/views.py", "trails"): "no game: the cells that pawns have left",
    ("web/wire/answers.py", "trails"): "no game: the cells that pawns have left",
    ("web/static/notation.js", "showdown"): "the example of a position's text",
    ("web/static/editor.js", "trails"): "no game: the cells that pawns have left",
    ("web/static/board.js", "trails"): "no game: the cells that pawns have left",
    **{("cli/commands/play.py", name): "the help lists what is built in" for name in BUILT_IN},
}


def words_of(text, python):
    """Return the parts of a file that could name a game; in a Python file, these are names, strings and comments."""
    if not python:
        return text
    kinds = {tokenize.NAME, tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in found if token.type in kinds)


def named_in(text, python=True):
    """Return the game names in a file, except those in example commands and calls."""
    return {found.group().lower() for found in NAME.finditer(EXAMPLE.sub("", words_of(text, python)))}


def sources():
    for path in sorted(SOURCE.rglob("*")):
        place = path.relative_to(SOURCE).as_posix()
        if path.suffix in (".py", ".pxd", ".js", ".html", ".css") and not place.startswith(FILES):
            yield place, path


def test_no_game_is_named_outside_its_rules_and_documents():
    named = {(place, name) for place, path in sources() for name in named_in(path.read_text(), path.suffix == ".py")}
    assert named - set(WORDS) == set()


def test_what_may_be_named_still_is():
    """Every exception in the list is still needed."""
    present = {place for place, _ in sources()}
    named = {(place, name) for place, path in sources() for name in named_in(path.read_text(), path.suffix == ".py")}
    assert {one for one in WORDS if one[0] in present} <= named


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('if variant.book.name == "keepaway":\n    pass\n', {"keepaway"}),
        ("GEOGRAPHY = (KEEPAWAY, other)\n", {"keepaway"}),
        ("from gridlock.engine.kernels import scatter_kernel\n", {"scatter"}),
        ("x = 1  # in Showdown this is two\n", {"showdown"}),
        ('"""Keep-Away and others."""\n', {"keep-away"}),
        ('x = f"{y} of trails"\n', {"trails"}),
        ("markers = unscattered(chained, trailside)\n", set()),
        ('epilog = "Example: gridlock play showdown --swap"\n', set()),
        ('"""Example: gridlock play showdown. In chain, no."""\n', {"chain"}),
    ],
)
def test_the_search_for_names_finds_them(text, names):
    assert named_in(text) == names


def test_the_search_looks_at_everything():
    places = {place for place, _ in sources()}
    assert {
        "engine/engine.py",
        "engine/mirror.py",
        "core/game.py",
        "cli/commands/play.py",
        "web/games/hub.py",
    } <= places
    assert any(place.endswith(".js") for place in places)
    assert len(places) > 80
