"""Tests of positions written as lines of text: every reachable position can be read back, and nonsense is rejected."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock import RULE_BOOKS, SWAP, Game, GridLockError, variant
from gridlock.core.definition import book_from
from gridlock.core.records import dump_text, loads
from gridlock.core.shape import SHAPES

SHAPED = [
    book_from({"title": "Any", "shape": {key: value for key, value in vars(shape).items() if value}}, f"any{number}")
    for number, shape in enumerate(SHAPES)
]


def standing(game):
    """Return everything that determines how a game can continue."""
    return game.variant, game.positions[-1], game.swapped, game.turn, game.can_swap, game.legal, game.outcome


@pytest.mark.slow
@pytest.mark.parametrize("book", [*RULE_BOOKS.values(), *SHAPED], ids=lambda book: book.name)
def test_every_position_of_random_games_comes_back(book):
    random = Random(book.name)
    for seed in range(30):
        board = f"{random.randint(1, 5)}x{random.randint(2, 12)}"
        game = Game(variant(book, board), starts=random.randint(1, 2), swap=seed % 2 == 0)
        while True:
            text = game.position_text()
            again = Game.from_text(text, book)
            assert standing(again) == standing(game)
            assert again.position_text() == text
            assert " " not in game.position_word()
            assert standing(Game.from_text(game.position_word(), book)) == standing(game)
            if not again.swap:
                assert loads(dump_text(again))[0].positions == again.positions
            if game.outcome:
                break
            if game.can_swap and (not game.legal or random.random() < 0.5):
                game.push(SWAP)
            else:
                game.push(random.choice(game.variant.legal_cells(game.position)))


def test_a_game_that_begins_in_the_middle_is_recorded_with_its_position():
    game = Game.from_text("trails orthogonal aA1/3/2B B 0,1 2,2 swapped")
    assert game.turn == 1
    game.push(game.variant.cell(1, 2))
    text = dump_text(game)
    assert '[Position "trails orthogonal aA1/3/2B B 0,1 2,2 swapped"]' in text
    (again,) = loads(text)
    assert standing(again) == standing(game)
    assert dump_text(again) == text
    for old, new in (('[Board "3x3"]', '[Board "3x4"]'), ("aA1/3", "aA1/2"), ("aA1/3", "aA1/2A")):
        with pytest.raises(GridLockError, match="line 1: in the tags: "):
            loads(text.replace(old, new))


def test_the_positions_of_the_documentation_can_be_read():
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text()
    lines = re.search(r"## A position as one line\n.*?```\n(.*?)```", page, re.DOTALL)[1].splitlines()
    assert [Game.from_text(line).position_text() for line in lines] == lines
    assert len(lines) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "A position has 7 fields"),
        ("chess king 3 X - - -", "There is no game called 'chess'"),
        ("chain queen 3 X - - -", "Adjacency must be king or orthogonal, not 'queen'"),
        ("chain king 3/4 X - - -", "The rows '3/4' do not all have the same length"),
        ("chain king 3/3 Q - - -", "The turn must be X or O, not 'Q'"),
        ("chain king X2/3 O - - -", "The cell that X took last must be one that X occupies"),
        ("chain king X2/3 O 2,2 - -", "The cell that X took last must be one that X occupies"),
        ("chain king X2/3 O 1,1 1,1 -", "The cell that O took last must be one that O occupies"),
        ("chain king x2/3 O - - -", "'x' cannot stand on a board of chain"),
        ("chain king 3/3 X - - maybe", "The last field must be swap, swapped or -"),
        ("chain king XO1/3 X 1,1 1,2 swap", "A swap is possible only right after the first move"),
        ("chain king 101 X - - -", "boards go from 1x1 to 100x100"),
        ("chain king  X - - -", "A position has 7 fields"),
        ("chain king / X - - -", "boards go from 1x1 to 100x100"),
        (f"chain king {'9' * 99_999} X - - -", "A row has at most 100 cells"),
        (f"chain king {'1/' * 99_999} X - - -", "A row has at most 100 cells"),
        ("trails king 3/3 A - - -", "There must be one pawn A on the board, not 0"),
        ("trails king A1A/2B A 0,0 1,2 -", "There must be one pawn A on the board, not 2"),
    ],
)
def test_errors_are_explained(text, words):
    with pytest.raises(GridLockError) as error:
        Game.from_text(text)
    assert words in str(error.value)


@given(st.text(alphabet="chain king/XO0123456789,-swap \n", max_size=40))
def test_any_text_is_a_position_or_refused(text):
    try:
        game = Game.from_text(text)
    except GridLockError:
        return
    assert Game.from_text(game.position_text()).positions[-1] == game.positions[-1]
