"""Tests that setups, records and edited boards are read correctly without a server, and that bad input is reported."""

import pytest
from msgspec import UNSET

from gridlock.core.definition import definition_of
from gridlock.core.errors import GridLockError
from gridlock.core.notation import split_moves
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Shape
from gridlock.web.referee.views import set_up
from gridlock.web.wire.messages import Setup, SetUpRequest, Source
from gridlock.web.wire.setups import game_from, set_up_from

TITLES = "The games are Keep-Away, Chain, Scatter, Trails, Showdown."


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (Source(record="{}"), "This is not a GridLock record."),
        (Source(record='[GridLock "1"]\n[Game "chain"]'), "Line 1: the tag Board is missing."),
        (Source(setup=Setup(game="chess")), f"There is no game called 'chess'. {TITLES}"),
        (
            Source(setup=Setup(game="chain", board="0x5")),
            "A board of 0x5 isn't possible: boards in the browser go from 1x1 to 30x30.",
        ),
        (
            Source(setup=Setup(game="chain", board="99x99")),
            "A board of 99x99 isn't possible: boards in the browser go from 1x1 to 30x30.",
        ),
        (Source(setup=Setup(game="trails", board="1x1")), "Trails needs a board of at least 2 cells."),
    ],
)
def test_bad_input_is_named_in_a_sentence(source: Source, words: str) -> None:
    with pytest.raises(GridLockError) as error:
        game_from(source)
    assert str(error.value) == words


def test_a_board_that_is_too_large_is_not_set_up() -> None:
    line = f"chain orthogonal {'/'.join(['31'] * 2)} X - - -"
    with pytest.raises(GridLockError, match="A board of 2x31 isn't possible"):
        set_up_from(SetUpRequest(line=line))


@pytest.mark.parametrize("text", ["3,3 1,1", "3 3; 1 1", "3 3 / 1 1", "3 3\n1 1", "(3, 3) / (1, 1)"])
def test_lists_of_moves_may_be_separated_in_any_usual_way(text: str) -> None:
    game = game_from(Source(setup=Setup(game="showdown"), text=text))
    assert [game.variant.name(move) for move in game.moves] == ["3,3", "1,1"]


def test_a_slash_inside_a_move_separates_nothing() -> None:
    assert split_moves("3/3") == ["3/3"]


def test_a_custom_game_is_set_up_from_its_definition() -> None:
    book = RuleBook(title="Loner", shape=Shape(closes_own=True, closes_other=True))
    line = "loner king X2/3/2O X ? ? -"
    answer = set_up(set_up_from(SetUpRequest(line=line, definition=definition_of(book) or {})))
    assert answer.position is not None
    assert answer.position.setup.position == "loner king X2/3/2O X 1,1 3,3 -"
    assert (answer.pawns, answer.follows) == (False, False)
    with pytest.raises(GridLockError, match="no game called 'loner'"):
        set_up_from(SetUpRequest(line=line))


@pytest.mark.parametrize(
    ("line", "pawns", "follows"),
    [
        ("trails orthogonal A2/3/2B A ? ? -", True, True),
        ("chain orthogonal 3/3/3 X - - -", False, True),
        ("scatter king 3/3/3 X - - -", False, False),
    ],
)
def test_the_editor_learns_what_to_ask_for(line: str, pawns: bool, follows: bool) -> None:
    answer = set_up(set_up_from(SetUpRequest(line=line)))
    assert (answer.pawns, answer.follows, answer.words, answer.cells) == (pawns, follows, "", [])
    assert answer.position is not None
    assert answer.position.setup.position is UNSET  # the usual starting position is left out
