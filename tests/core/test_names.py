"""Tests that reserved names and titles are rejected in any disguise, and that titles are cleaned up."""

import unicodedata

import pytest

import gridlock as gl
from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadGame
from gridlock.core.names import clean_name, is_reserved, skeleton
from gridlock.core.records import dump_text, loads
from gridlock.core.rules import BUILT_IN, check_own, rule_book
from gridlock.players.registry import AGENTS

CYRILLIC = str.maketrans("acehikmnoprstuwyACEHIKMOPSTXY", "асеһікмпоргѕтцԝуАСЕНІКМОРЅТХУ")
GREEK = str.maketrans("aeiknoptuwyAEHIKMNOPTXY", "αεικηορτυωγΑΕΗΙΚΜΝΟΡΤΧΥ")
DISGUISES = {
    "as it is": str,
    "capitals": str.upper,
    "small letters": str.lower,
    "spaces": " ".join,
    "underscores": "_".join,
    "punctuation": lambda text: f"«{text}»!",
    "Cyrillic": lambda text: text.translate(CYRILLIC),
    "Cyrillic capitals": lambda text: text.upper().translate(CYRILLIC),
    "Greek": lambda text: text.translate(GREEK),
    "Greek capitals": lambda text: text.upper().translate(GREEK),
    "fullwidth": lambda text: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text),
    "mathematical": lambda text: "".join(
        unicodedata.lookup(f"MATHEMATICAL BOLD SMALL {char.upper()}") if char.isalpha() else char for char in text
    ),
    "accents": lambda text: "".join(f"{char}\u0301\u0323" for char in text),
    "stroke": lambda text: "".join(f"{char}\u0338" for char in text),
    "Latin variants": lambda text: text.replace("o", "ø").replace("l", "ł").replace("i", "ı").replace("t", "ŧ"),  # noqa: RUF001
    "digits": lambda text: text.replace("o", "0").replace("l", "1").replace("i", "1"),
    "pairs": lambda text: text.replace("w", "vv").replace("m", "rn").replace("d", "cl"),
    "regional": lambda text: "".join(
        chr(0x1F1E6 + ord(char.lower()) - 97) if char.isascii() and char.isalpha() else char for char in text
    ),
}
TITLES = [text for name in sorted(BUILT_IN) for text in (gl.RULE_BOOKS[name].title, name)]
PEOPLE = [
    "Player 1",
    "Player 2",
    "Player A",
    "Player B",
    "Computer",
    "GridLock",
    *(f"Computer, {one}" for one in AGENTS),
]


def described(**changes: object) -> dict:
    """Return a game's definition with some entries changed."""
    return {"title": "Hermits", "name": "hermits", "shape": {"closes_own": True}, **changes}


def passes(**changes: object) -> bool:
    """Return whether a user's own game is allowed to have these properties."""
    try:
        check_own(book_from(described(**changes), "hermits"))
    except BadGame:
        return False
    return True


def test_no_disguise_of_a_reserved_name_passes():
    titles = [(how, disguise(text)) for how, disguise in DISGUISES.items() for text in TITLES]
    names = [(how, disguise(text)) for how, disguise in DISGUISES.items() for text in PEOPLE]
    let_through = [one for one in titles if passes(title=one[1])]
    unnoticed = [one for one in names if not is_reserved(one[1])]
    print(f"{len(let_through)} of {len(titles)} disguised titles pass, {len(unnoticed)} of {len(names)} names")
    assert (let_through, unnoticed) == ([], [])


@pytest.mark.parametrize(
    "title", ["Hermit", "Show", "Showdown 2", "Chains", "Цепь", "鎖", "Ketju", "♟️ Pawns", "Gridiron"]
)
def test_harmless_titles_are_free(title):
    assert passes(title=title)


@pytest.mark.parametrize(
    "name",
    ["Ada", "Аda", "Игорь", "さくら", "Player One", "Conrad", "Compton", "Grid", "", "Плеер"],  # noqa: RUF001
)
def test_harmless_names_are_free(name):
    assert not is_reserved(name)


def test_a_game_s_name_is_reserved_with_underscores_too():
    assert not passes(name="show_down")
    assert not passes(name="keep_away")
    assert passes(name="show_down_2")


def test_a_game_s_players_are_not_called_like_the_computer():
    assert not passes(players=["Computer, perfect", "Bo"])
    assert not passes(players=["Player 2", "Player 1"])
    assert passes(players=["Player 1", "Player 2"])
    assert passes(players=["Fox", "Hare"])


@pytest.mark.parametrize("title", ["\u3164\u3164", "\u2800", "\ufe0f", "\u034f\u034f"])
def test_a_title_must_be_visible(title):
    with pytest.raises(BadGame, match=r"^title has only invisible characters\.$"):
        book_from(described(title=title), "hermits")


def test_titles_are_cleaned_like_names():
    shown = book_from(described(title="Z" + "\u0301" * 39), "hermits").title
    assert shown == clean_name("Z" + "\u0301" * 39)
    assert len(unicodedata.normalize("NFD", shown)) < 8
    assert book_from(described(title="a\u3164 b"), "hermits").title == "a b"
    marked = book_from(described(title="♟️ Pawns", summary="One\u2800word."), "hermits")
    assert book_from(definition_of(marked), "hermits") == marked


def test_names_keep_the_accents_that_languages_need():
    for name in ("Nguyễn Thị Ánh", "שָׁלוֹם", "ไม่รู้", "हिन्दी", "ཨོཾ"):
        assert clean_name(name) == unicodedata.normalize("NFC", name)


def test_a_file_is_told_what_is_wrong(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Ѕhowdown"\n[shape]\ncloses_own = true\n')  # noqa: RUF001
    with pytest.raises(BadGame) as error:
        rule_book(file)
    assert str(error.value) == (
        f"{file}: the title 'Ѕhowdown' looks like Showdown, a built-in game. Choose another title."  # noqa: RUF001
    )
    with pytest.raises(BadGame, match="looks like Chain"):
        gl.register(gl.RuleBook(title="C h a i n", name="mine", shape=gl.Shape(closes_own=True)))
    assert "mine" not in gl.RULE_BOOKS


def test_a_record_of_earlier_days_can_still_be_read():
    book = gl.RuleBook(title="Showdown", name="mine", shape=gl.Shape(closes_own=True))
    assert loads(dump_text(gl.Game(book)))[0].variant.book.title == "Showdown"


def test_a_skeleton_tells_different_names_apart():
    names = ["Ada", "Bo", "Grace", "李小龍", "Игорь", "Player 1", "Player 2", "Player A", "Player B", *TITLES[::2]]
    assert len({skeleton(name) for name in names}) == len(names)
