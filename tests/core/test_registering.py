"""Tests of rule books, and of games and agents that a program or an installed package adds."""

import re
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from random import Random

import pytest

import gridlock as gl
from gridlock.core.records import dump_text, loads
from hermit import HERMIT

pytestmark = pytest.mark.usefixtures("registries")


def test_a_rule_book_needs_a_title_and_a_shape(tmp_path):
    """Settings omitted in Python get the same default values as settings omitted in a TOML file."""
    for shape, properties in [
        (gl.Shape(), ""),
        (gl.Shape(closes_own=True, closes_other=True), "closes_own = true\ncloses_other = true"),
        (gl.Shape(follows="away", pawn=True), 'follows = "away"\npawn = true'),
    ]:
        path = tmp_path / "my_game.toml"
        path.write_text(f'title = "My Game"\n[shape]\n{properties}\n')
        assert gl.RuleBook(title="My Game", shape=shape) == gl.Game(path).variant.book
        game = gl.Game(shape, "4x4")
        game.push(game.legal_moves[0])
        assert loads(dump_text(game)) == [game]
        assert gl.Game.from_text(game.position_text(), game.variant.book).position == game.position
    free = gl.RuleBook(title="Free", legal=lambda grid, at: grid.cells & ~at.taken, causes=lambda _grid, _at, _cell: 0)
    assert (free.name, free.example) == ("free", ((3, 3),))
    assert gl.Game(free, "2x2").analyse().winner == 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"marks": ("●", "○")},
            "The marks of rivals must be two different capital letters from A to Z, not ('●', '○').",
        ),
        (
            {"marks": ("Ж", "Ü")},
            "The marks of rivals must be two different capital letters from A to Z, not ('Ж', 'Ü').",
        ),
        (
            {"marks": ("1", "2")},
            "The marks of rivals must be two different capital letters from A to Z, not ('1', '2').",
        ),
        (
            {"marks": ("X", "X")},
            "The marks of rivals must be two different capital letters from A to Z, not ('X', 'X').",
        ),
        ({"marks": "XO"}, ""),
        (
            {"name": "My Game"},
            "A game's name must have up to 32 lower-case letters, digits and underscores, starting with a letter; 'My",
        ),
        ({"name": "x" * 33}, "A game's name must have up to 32 lower-case letters"),
        ({"name": "größe"}, "A game's name must have up to 32 lower-case letters"),
        ({"title": "42"}, "A game's name must have up to 32 lower-case letters"),
        ({"adjacency": "hex"}, "Adjacency must be king or orthogonal, not 'hex'."),
        ({"shape": None}, "rivals needs either a Shape, which says what its markers do, or its own legal"),
        ({"board": (0, 5)}, "A board of 0x5 is not possible"),
    ],
)
def test_a_rule_book_has_a_name_and_marks_that_records_can_hold(settings, words):
    settings = {"title": "Rivals", "shape": gl.Shape(closes_other=True), **settings}
    if not words:
        assert gl.RuleBook(**settings).marks == ("X", "O")
        return
    with pytest.raises(gl.GridLockError) as error:
        gl.RuleBook(**settings)
    assert str(error.value).startswith(words)


def test_games_can_be_registered_once_under_a_name():
    gl.register(HERMIT)
    assert gl.Game("hermit").variant.book is HERMIT
    assert gl.register(gl.RULE_BOOKS["chain"]) is gl.RULE_BOOKS["chain"]
    with pytest.raises(gl.BadGame, match="There is already a game called chain"):
        gl.register(replace(HERMIT, name="chain"))


def test_a_game_that_a_file_or_a_request_names_is_never_read_from_disk(tmp_path):
    """Only users' own input may name a file, because records, positions and requests can come from anywhere."""
    (tmp_path / "hermit.toml").write_text('title = "Hermit"\n[shape]\ncloses_own = true\n')
    assert gl.Game("hermit.toml").variant.book.title == "Hermit"
    assert gl.Game(tmp_path / "hermit.toml").variant.book.name == "hermit"
    record = dump_text(gl.Game("chain")).replace('"chain"', '"hermit.toml"')
    with pytest.raises(gl.BadRecord, match=r"There is no game called 'hermit\.toml'"):
        loads(record)
    with pytest.raises(gl.BadGame, match=r"There is no game called 'hermit\.toml'"):
        gl.Game.from_text("hermit.toml king 3/3/3 X - - -")
    with pytest.raises(gl.BadGame, match=r"There is no game called 'hermit\.toml'"):
        gl.variant("hermit.toml")


def test_a_game_with_words_that_no_file_may_have_is_known_by_registering_it():
    book = gl.register(replace(HERMIT, name="odd", summary="s" * 500 + "."))
    game = gl.Game("odd")
    game.push("1,1")
    text = dump_text(game)
    assert "Definition" not in text
    assert loads(text)[0].variant.book is book
    del gl.RULE_BOOKS["odd"]
    with pytest.raises(gl.BadRecord, match="There is no game called 'odd'"):
        loads(text)


def test_packages_bring_games_and_agents(monkeypatch):
    points = EntryPoints(
        [
            EntryPoint("hermit", "hermit:HERMIT", "gridlock.games"),
            EntryPoint("lazy", "operator:itemgetter", "gridlock.agents"),
        ]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))
    monkeypatch.setattr(gl.agents, "_packages", None)
    assert gl.Game("hermit").variant.book == HERMIT
    assert "lazy" in list(gl.agents)
    wrong = EntryPoints([EntryPoint("odd", "operator:itemgetter", "gridlock.games")])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: wrong.select(group=group))
    with pytest.raises(gl.BadGame, match="The package behind the game 'odd' provides no rule book"):
        gl.Game("unheard_of")


def test_agents_are_a_mapping():
    gl.agents["mine"] = lambda game, _rng, _seconds: gl.cells_of(game.legal)[0]
    assert gl.agents["mine"](gl.Game("chain"), Random(), 1.0) == 0
    assert {"random", "easy", "medium", "hard", "perfect", "mine"} <= set(gl.agents)
    assert len(gl.agents) == len(list(gl.agents))
    del gl.agents["mine"]
    with pytest.raises(gl.GridLockError) as error:
        gl.agents["mine"]
    assert re.match(
        "There is no agent called 'mine'. The agents are random, easy, medium, hard, perfect", str(error.value)
    )
    assert "mine" not in gl.agents
    with pytest.raises(gl.GridLockError, match="There is already an agent called easy"):
        gl.agents["easy"] = len
