"""The library for people: `import gridlock as gl`."""

import doctest
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from random import Random

import pytest

import gridlock as gl
from gridlock.core import game as core
from gridlock.core import rules
from gridlock.core.records import dump_text, loads
from hermit import HERMIT

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def _registries(monkeypatch, tmp_path):
    """Nothing that a test registers or writes is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules, "RULE_BOOKS", rules.RULE_BOOKS)
    known, added = dict(rules.RULE_BOOKS), dict(gl.agents._added)
    yield
    for registry, before in ((rules.RULE_BOOKS, known), (gl.agents._added, added)):
        registry.clear()
        registry.update(before)


def test_the_page_about_python_is_true():
    results = doctest.testfile(
        str(DOCS / "python.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert results.failed == 0
    assert results.attempted > 40


def test_every_public_name_can_be_loaded_and_is_said_to_be_there():
    for name in gl.__all__:
        assert getattr(gl, name) is not None
    assert set(gl.__all__) <= set(dir(gl))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gl.nothing  # noqa: B018


def test_importing_loads_next_to_nothing():
    code = "import sys, gridlock; print([name for name in sys.modules if name.startswith('gridlock.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("name", gl.RULE_BOOKS)
def test_a_game_by_places_is_the_same_game_by_cells(name):
    rng = Random(name)
    for seed in range(20):
        board = f"{rng.randint(1, 5)}x{rng.randint(2, 5)}"
        game, plain = gl.Game(name, board, swap=seed % 2 == 0), core.Game(gl.variant(name, board), swap=seed % 2 == 0)
        while not plain.outcome:
            places = list(game.legal_moves)
            assert [game.variant.cell(*place) for place in places] == plain.variant.legal_cells(
                plain.position
            ) or not plain.legal
            assert set(places) == game.legal_moves
            assert len(places) == len(game.legal_moves)
            assert all(place in game.legal_moves and "{},{}".format(*place) in game.legal_moves for place in places)
            outside = [(row, col) for row in range(-1, 7) for col in range(-1, 7) if (row, col) not in set(places)]
            assert not any(place in game.legal_moves for place in outside)
            swap = plain.can_swap and (not places or rng.random() < 0.5)
            move = gl.SWAP if swap else rng.choice(places)
            plain.push(gl.SWAP if swap else plain.variant.cell(*move))
            game.push(rng.choice([move, "swap" if swap else "{},{}".format(*move)]))
            assert (game.moves, game.positions) == (plain.moves, plain.positions)
            assert [m if m == gl.SWAP else game.variant.cell(*m) for m in game.played] == game.moves
        assert game.outcome == plain.outcome
        assert f"player {game.outcome.winner} won" in repr(game)
        twin = game.copy()
        assert type(twin) is gl.Game
        if game.moves:
            assert twin.pop() == game.played[-1]
            assert len(game.moves) == len(twin.moves) + 1


def test_legal_moves_are_a_set():
    moves = gl.Game("chain", "2x2").legal_moves
    assert moves == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert moves & {(1, 1), (9, 9)} == {(1, 1)}
    assert moves - {(1, 1)} == {(1, 2), (2, 1), (2, 2)}
    assert "nonsense" not in moves
    assert 3.5 not in moves
    assert gl.SWAP not in moves
    assert repr(moves) == "<4 moves: 1,1 1,2 2,1 2,2>"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("9,9", "'9,9' is not possible: the cell is outside the grid."),
        ("1,1", "'1,1' is not possible: the cell is already occupied."),
        ((1, 1), "(1, 1) is not possible: the cell is already occupied."),
        ("x", "'x' cannot be read: Enter a row and a column, such as 1,1."),
        ("swap", "'swap' is not possible: this game is without swap."),
        (3.5, "3.5 cannot be read: '3.5' is not a move. A move is a row and a column, such as '1,1'."),
        (
            (True, 1),
            "(True, 1) cannot be read: '(True, 1)' is not a move. A move is a row and a column, such as '1,1'.",
        ),
    ],
)
def test_errors_name_what_was_given(move, words):
    game = gl.Game("showdown")
    game.push("1,1")
    with pytest.raises(gl.GridLockError) as error:
        game.push(move)
    assert str(error.value) == words
    assert game.played == [(1, 1)]


def test_a_variant_has_its_board():
    assert gl.Game(gl.variant("chain", "3x3")).variant.grid.rows == 3
    with pytest.raises(gl.GridLockError, match="A variant has its board already"):
        gl.Game(gl.variant("chain", "3x3"), "4x4")


def test_an_answer_can_be_played_and_asked():
    game = gl.Game("keepaway", "3x3")
    found = game.analyse()
    assert found.best == (2, 2)
    assert found.winning == [(2, 2)]
    assert found.values[(2, 2)].distance == 1
    assert found.proof.line == [(2, 2)]
    assert found.proof.method == "matching"
    assert "leaves the opponent no move" in repr(found)
    game.push(found.best)
    assert game.outcome.winner == 1
    lost = gl.Game("chain", "2x2").analyse()
    assert lost.verdict == "loss"
    assert {frozenset(pair) for pair in lost.proof.pairing} == {frozenset(pair) for pair in lost.proof.pairing}
    for one, other in lost.proof.pairing:
        assert lost.proof.answer(one) == other
        assert lost.proof.answer("{},{}".format(*other)) == one
    with pytest.raises(gl.IllegalMove, match="'9,9' is outside the grid"):
        lost.proof.answer("9,9")
    assert gl.Game("scatter", "9x11").analyse(seconds=0.01).verdict == "unknown"


def test_files_that_cannot_be_used_are_named(tmp_path):
    with pytest.raises(gl.BadRecord, match=r"nowhere\.txt cannot be read: No such file"):
        gl.load("nowhere.txt")
    Path("bad.txt").write_text("hello")
    with pytest.raises(gl.BadRecord, match=r"bad\.txt cannot be used: line 1"):
        gl.load("bad.txt")
    games = [gl.Game("chain"), gl.Game("trails", swap=True)]
    gl.save(games, tmp_path / "two.txt")
    assert [type(game) for game in gl.load(tmp_path / "two.txt")] == [gl.Game, gl.Game]


def test_games_can_be_registered_once_under_a_name():
    gl.register(HERMIT)
    assert gl.Game("hermit").variant.book is HERMIT
    assert gl.register(gl.RULE_BOOKS["chain"]) is gl.RULE_BOOKS["chain"]
    with pytest.raises(gl.BadGame, match="There is a game called chain already"):
        gl.register(replace(HERMIT, name="chain"))


def test_a_game_that_a_file_or_a_request_names_is_never_read_from_disk(tmp_path):
    """Only people's own words may name a file: a record, a position or a request could come from anywhere."""
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
    book = gl.register(replace(HERMIT, name="odd", marks=("x", "o"), summary="s" * 500 + "."))
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
    with pytest.raises(gl.BadGame, match="The package behind the game 'odd' brings no rule book"):
        gl.Game("unheard_of")


def test_agents_are_a_mapping():
    gl.agents["mine"] = lambda game, _rng, _seconds: gl.cells_of(game.legal)[0]
    assert gl.agents["mine"](gl.Game("chain"), Random(), 1.0) == 0
    assert {"random", "easy", "medium", "hard", "perfect", "mine"} <= set(gl.agents)
    assert len(gl.agents) == len(list(gl.agents))
    del gl.agents["mine"]
    with pytest.raises(gl.GridLockError) as error:
        gl.agents["mine"]
    assert re.match("There is no agent called 'mine'. There are random, easy, medium, hard, perfect", str(error.value))
    assert "mine" not in gl.agents
    with pytest.raises(gl.GridLockError, match="There is an agent called easy already"):
        gl.agents["easy"] = len


def test_a_notebook_sees_a_picture():
    game = gl.Game("trails")
    game.push("0,1")
    assert game._repr_svg_().startswith("<svg")
    assert "Last move: 0,1" in game.svg()
