"""Tests of the public library, `import gridlock as gl`."""

import doctest
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import gridlock as gl
from gridlock.core.game import Game
from gridlock.core.notation import step_word, takes_steps

pytestmark = pytest.mark.usefixtures("registries")
DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_about_python_is_true():
    results = doctest.testfile(
        str(DOCS / "python.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert results.failed == 0
    assert results.attempted > 40


def test_every_public_name_loads_and_is_listed():
    for name in gl.__all__:
        assert getattr(gl, name) is not None
    assert dir(gl) == sorted(gl.__all__)
    assert {"Game", "Grounds", "Step", "Value", "load", "solve"} <= set(dir(gl))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gl.nothing  # noqa: B018


def test_importing_loads_next_to_nothing():
    code = "import sys, gridlock; print([name for name in sys.modules if name.startswith('gridlock.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_there_is_one_class():
    assert gl.Game is Game
    assert type(gl.Game("chain").copy()) is Game


class Whole:
    """An integer of a type other than int, such as a NumPy integer."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def forms(game, cell):
    """Return a move in every form that the library accepts."""
    if cell == gl.SWAP:
        return [gl.SWAP, Whole(gl.SWAP), "swap", " Swap "]
    row, col = game.variant.coordinates(cell)
    written = [(row, col), [row, col], (Whole(row), col), f"{row},{col}", f"{row} {col}", f"row {row} column {col}"]
    if takes_steps(game.variant) and game.legal >> cell & 1:
        written.append(step_word(game.variant, game.position, cell))
    return [cell, Whole(cell), *written]


@pytest.mark.parametrize("name", gl.RULE_BOOKS)
def test_every_form_of_a_move_is_the_same_move(name):
    """The fast path of `push` (for cell numbers) has the same effect as the general path (for other forms of moves)."""
    rng = Random(name)
    for seed in range(20):
        board = f"{rng.randint(1, 5)}x{rng.randint(2, 5)}"
        game, plain = (gl.Game(name, board, swap=seed % 2 == 0) for _ in range(2))
        while not plain.outcome:
            for cell in range(-3, plain.variant.grid.size + 2):
                fast, slow = plain.copy(), plain.copy()
                refusals = []
                for trial, move in (
                    (fast, cell),
                    (slow, rng.choice(forms(plain, cell)) if cell >= -1 else Whole(cell)),
                ):
                    try:
                        trial.push(move)
                        refusals.append("")
                    except gl.IllegalMove as error:
                        refusals.append(error.why)
                assert refusals[0] == refusals[1], (board, seed, plain.moves, cell)
                assert (fast.moves, fast.positions) == (slow.moves, slow.positions)
                possible = plain.can_swap if cell == gl.SWAP else cell >= 0 and bool(plain.legal >> cell & 1)
                assert (refusals[0] == "") == possible
            places = list(game.legal_moves)
            assert [game.variant.cell(*place) for place in places] == gl.cells_of(plain.legal)
            assert places == [game.legal_moves[at] for at in range(len(places))] == game.legal_moves[:]
            assert set(places) == game.legal_moves
            outside = [(row, col) for row in range(-1, 7) for col in range(-1, 7) if (row, col) not in set(places)]
            assert not any(place in game.legal_moves for place in outside)
            swap = plain.can_swap and (not places or rng.random() < 0.5)
            cell = gl.SWAP if swap else rng.choice(gl.cells_of(plain.legal))
            assert swap or all(form in game.legal_moves for form in forms(game, cell))
            assert {game.cell(form) for form in forms(game, cell)} == {cell}
            plain.push(cell)
            game.push(rng.choice(forms(game, cell)))
            assert game == plain
            assert game.peek() == game.played[-1]
            assert [m if m == gl.SWAP else game.variant.cell(*m) for m in game.played] == game.moves
        assert game.outcome == plain.outcome
        assert (game.is_over, game.winner) == (True, game.outcome.winner)
        assert f"player {game.outcome.winner} won" in repr(game)
        twin = game.copy()
        if game.moves:
            assert twin.pop() == game.played[-1]
            assert len(game) == len(twin) + 1
            assert twin != game


def test_numbers_from_numpy_set_up_a_game_on_a_large_board():
    numpy = pytest.importorskip("numpy")
    ten, one = numpy.int64(10), numpy.int64(1)
    assert gl.Grid(ten, ten, "king").cells == gl.Grid(10, 10, "king").cells
    position = gl.Position(1 << 80, 1 << 70, numpy.int64(80), numpy.int64(70), one)
    game = gl.Game("showdown", (ten, ten), start=position)
    assert game.position == gl.Position(1 << 80, 1 << 70, 80, 70, 1)
    assert all(type(number) is int for number in game.position)
    assert game.legal == gl.Game("showdown", "10x10", start=gl.Position(1 << 80, 1 << 70, 80, 70, 1)).legal
    game.push(numpy.int64(99))
    game.resign(numpy.int8(2))
    assert repr(game.winner) == "1"
    assert type(gl.Game("showdown", starts=numpy.int64(2)).starts) is int


def test_numbers_from_numpy_are_moves():
    numpy = pytest.importorskip("numpy")
    game = gl.Game("showdown")
    game.push(numpy.int64(12))
    game.push((numpy.int8(1), numpy.uint8(1)))
    assert game.moves == [12, 0]
    assert {type(move) for move in game.moves} == {int}
    with pytest.raises(gl.UnreadableMove, match="is not a move"):
        game.push(numpy.float64(3))


@pytest.mark.parametrize("move", [None, 3.5, (1, 2, 3), (1,), b"1,1", object, {}, "x" * 5000])
def test_invalid_moves_are_read_as_none(move):
    game = gl.Game("chain")
    with pytest.raises(gl.UnreadableMove) as error:
        game.cell(move)
    assert len(str(error.value)) < 250
    assert move not in game.legal_moves


def test_a_move_is_read_whether_it_is_legal_or_not_but_not_outside_the_board():
    game = gl.Game("showdown")
    game.push("3,3")
    assert game.cell("3,3") == 12
    assert game.cell("swap") == gl.SWAP
    for outside in ("9,9", (0, 0), 25, -2):
        with pytest.raises(gl.IllegalMove, match="outside the grid"):
            game.cell(outside)


def test_equal_games_have_the_same_rules_start_moves_and_end():
    def begun(*moves, game="chain", **settings):
        played = gl.Game(game, "3x3", **settings)
        for move in moves:
            played.push(move)
        return played

    plain = begun("1,1")
    assert plain == begun((1, 1), names=("Ada", "Bob"))
    resigned, timed = begun("1,1"), begun("1,1")
    resigned.resign(2)
    timed.resign(2, gl.Termination.TIME)
    others = [
        *(begun("1,2"), begun(), begun("1,1", game="showdown"), begun("1,1", swap=True), begun("1,1", starts=2)),
        *(gl.Game("chain", "3x3", start=plain.position, exchanged=exchanged) for exchanged in (False, True)),
        *(resigned, timed),
    ]
    every = [plain, *others]
    assert all((one == other) == (one is other) for one in every for other in every)
    assert plain != "chain"


def test_a_game_is_true_before_its_first_move_and_cannot_be_hashed():
    game = gl.Game("chain")
    assert game
    assert len(game) == 0
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: gl.Game("chain", starts=3), "starts must be the player who moves first, 1 or 2, not 3."),
        (lambda: gl.Game("chain", names="Ada"), "names must be two names, such as ('Ada', 'Bob'), not 'Ada'."),
        (lambda: gl.Game("chain", names=("Ada",)), "names must be two names, such as ('Ada', 'Bob'), not ('Ada',)."),
        (
            lambda: gl.Game("chain", names=("Ada", 7)),
            "names must be two names, such as ('Ada', 'Bob'), not ('Ada', 7).",
        ),
        (lambda: gl.Game("chain", (5,)), "'(5,)' is not a board. Give rows x columns, such as 5x6."),
        (lambda: gl.Game("chain", 5), "'5' is not a board. Give rows x columns, such as 5x6."),
        (lambda: gl.Game("chain", None, "hex"), "Adjacency must be king or orthogonal, not 'hex'."),
        (lambda: gl.Game(7), "A game must be a name, a TOML file, a Shape, a RuleBook or a Variant, not '7'."),
        (lambda: gl.Shape(follows="x"), 'The property "follows" must be "near", "away" or None, not \'x\'.'),
        (lambda: gl.Shape(follows=["near"]), 'The property "follows" must be "near", "away" or None, not [\'near\'].'),
        (lambda: gl.Game("chain").resign(3), "Only player 1 or 2 can resign, not 3."),
        (lambda: gl.cells_of(-1), "A set of cells is a whole number from 0 up, not -1."),
        (lambda: gl.cells_of(-(1 << 80)), f"A set of cells is a whole number from 0 up, not {-(1 << 80)}."),
    ],
)
def test_wrong_values_give_a_sentence(wrong, words):
    with pytest.raises(gl.GridLockError) as error:
        wrong()
    assert str(error.value) == words


@pytest.mark.parametrize(
    "start", [(1, 1, 0, 0, 7), (1, 1, 0, 0, 1), (1 << 9, 0, 9, None, 1), (-1, 0, 0, None, 1), (1, 2, 1, 1, 1)]
)
def test_positions_that_cannot_be_are_no_start(start):
    with pytest.raises(gl.BadPosition, match="This position cannot occur in chain on 3x3"):
        gl.Game("chain", "3x3", start=gl.Position(*start))
    with pytest.raises(gl.BadPosition, match="cannot occur in trails"):
        gl.Game("trails", "3x3", start=gl.Position(1, 2, None, 1, 1))


def test_games_and_boards_are_found_in_any_case_and_as_numbers():
    assert gl.Game("Showdown", (4, 6)) == gl.Game(" SHOWDOWN ", "4X6") == gl.Game("showdown", [4, 6])
    assert gl.solve("Keepaway", (3, 3)).openings == [(2, 2)]


def test_after_a_resignation_nothing_is_possible_until_it_is_taken_back():
    game = gl.Game("showdown", names=("Ada", "Bob"))
    game.resign(1)
    assert game.why_not("1,1") == game.why_not("swap") == "The game is over."
    with pytest.raises(gl.IllegalMove, match=r"'1,1' is not possible: the game is over\."):
        game.push("1,1")
    with pytest.raises(gl.IllegalMove, match=r"The game is over: Ada resigned\. Use pop\(\) to undo\."):
        game.analyse()
    assert (game.peek(), game.pop()) == (None, None)
    assert game.why_not("1,1") == ""
    assert game.why_not("swap") == "This game has no swap rule."
    assert game.analyse(seconds=2).winner == 1
    with pytest.raises(gl.IllegalMove, match="nothing to undo"):
        game.peek()


def test_winners_have_one_vocabulary():
    game = gl.Game("keepaway", "3x3", swap=True)
    game.push("1,1")
    game.push(gl.SWAP)
    found = game.analyse()
    assert game.turn == 1  # the player who now has the second player's original side
    assert (found.verdict, found.winner) in (("win", 1), ("loss", 2))
    game.push(found.best)
    after = game.analyse()
    assert after.winner == found.winner if found.verdict == "win" else after.winner in (1, 2)
    solved = gl.solve("showdown", "4x4")
    assert (solved.winner, solved.verdict) == (1, "win")
    lost = gl.solve("chain", "2x2")
    assert (lost.winner, lost.verdict) == (2, "loss")
    hasty = gl.solve("scatter", "9x11", seconds=0.01)
    assert (hasty.winner, hasty.verdict) == (None, "unknown")
    assert gl.Game("scatter", "9x11").analyse(seconds=0.01).winner is None
    [step, *_] = game.review()
    assert isinstance(step, gl.Step)
    assert step.winner == step.after == 2  # the player who may still swap


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
        ("x", "'x' cannot be read: Enter a row and a column, such as 1,3."),
        (99, "Cell 99 (20,5) is not possible: the cell is outside the grid."),
        (0, "Cell 0 (1,1) is not possible: the cell is already occupied."),
        (gl.SWAP, "A swap is not possible: this game has no swap rule."),
        ([1, 1], "[1, 1] is not possible: the cell is already occupied."),
        (True, "True cannot be read: 'True' is not a move. A move is a row and a column, such as '1,1'."),
        ("right", "'right' cannot be read: Enter a row and a column, such as 1,3."),
        ("swap", "'swap' is not possible: this game has no swap rule."),
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
    with pytest.raises(gl.GridLockError, match="because a variant already has both"):
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
    assert lost.winner == 2
    pairs = lost.proof.pairing
    assert sorted(cell for pair in pairs for cell in pair) == [(1, 1), (1, 2), (2, 1), (2, 2)]  # each cell in one pair
    for one, other in pairs:
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) == 1  # partners touch
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


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (
            lambda game: game.tags.update({"My tag": "x"}),
            "A record has no tag 'My tag'. The tags for your own notes are Eve",
        ),
        (lambda game: game.tags.update(Game="chess"), "A record has no tag 'Game'."),
        (
            lambda game: game.tags.update(Event="x" * 201),
            "The tag Event has 201 characters, but a record can have at most 200.",
        ),
        (lambda game: game.tags.update(Date=2024), "The tag Date must be a string, not 2024."),
        (lambda game: game.comments.update({2: "x"}), "There is a comment on move 2, but this game has no such move."),
        (
            lambda game: game.comments.update({-1: "x"}),
            "There is a comment on move -1, but this game has no such move.",
        ),
        (lambda game: game.comments.update({1: "x" * 2001}), "The comment after move 1 has 2,001 characters"),
    ],
)
def test_what_a_record_cannot_hold_is_not_saved(spoil, words):
    game = gl.Game("chain")
    game.push("1,1")
    gl.save(game, "game.txt")
    before = Path("game.txt").read_bytes()
    spoil(game)
    with pytest.raises(gl.BadRecord) as error:
        gl.save([gl.Game("chain"), game], "game.txt")
    assert str(error.value).startswith(words)
    assert Path("game.txt").read_bytes() == before


def test_a_record_of_no_games_is_not_saved():
    gl.save(gl.Game("chain"), "game.txt")
    before = Path("game.txt").read_bytes()
    for path in ("game.txt", "new.txt"):
        with pytest.raises(gl.BadRecord, match="There are no games to save"):
            gl.save([], path)
    assert Path("game.txt").read_bytes() == before
    assert not Path("new.txt").exists()


def test_a_file_that_cannot_be_written_is_named_as_it_was_given(tmp_path):
    for path, why in ((Path("no/where.txt"), "No such file"), (tmp_path, "Is a directory"), ("a\0b", "embedded null")):
        with pytest.raises(gl.BadRecord) as error:
            gl.save(gl.Game("chain"), path)
        assert str(error.value).startswith(f"{path} cannot be written: {why}")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_sees_a_picture():
    game = gl.Game("trails")
    game.push("0,1")
    assert game._repr_svg_().startswith("<svg")
    assert "Last move: 0,1" in game.svg()
