"""Tests of the notations in which players can type moves."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gridlock import Game, IllegalMove, UnreadableMove, variant
from gridlock.core.notation import play_moves, read_move, split_moves

CHAIN = variant("chain")
TRAILS = variant("trails")


@pytest.mark.parametrize(
    "text",
    [
        "2 3",
        "2,3",
        "2, 3",
        "2 ,3",
        "2 , 3",
        "  2 \t 3  ",
        "2\u00a03",
        "(2,3)",
        "(2, 3)",
        "( 2 ,  3 )",
        "row 2 column 3",
        "Row 2 Column 3",
        "ROW  2   COLUMN 3",
        "row 2, column 3",
        "row 2 col 3",
        "Place X at row 2 column 3",
        "place x at ROW 2 COLUMN 3",
        "PLACE  'X'  AT  row 2 column 3",
        "Place X at (2, 3)",
        "place x at 2 3",
        "02 003",
        "+2,3",
    ],
)
def test_every_form_of_a_move(text):
    assert read_move(text, CHAIN, "X") == 6


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "2", "2,", ",3", "2 3 4", "2,3,4", "b2", "2b", "b,2", "B 2", "2;3", "2.3", "2-3", "(2,3", "2,3)",
        "((2,3))", "[2,3]", "row 2", "column 3", "row 2 column", "column 3 row 2", "row2 column3", "place X",
        "place at row 2 column 3", "place X row 2 column 3", "put X at row 2 column 3", "2,3 please",
        "²,3", "٢,٣", "\uff12 \uff13", "2,\uff13", "1e1,2", "0x2,3", "2.0,3",
        "two three", "- 2,3", "--2,3", "pass", "swap", "resign", "2_0,3", "\x002,3", "x" * 10_000,
    ],
)  # fmt: skip
def test_everything_else_is_not_a_move(text):
    with pytest.raises(UnreadableMove, match="Enter a row and a column, such as 1,1"):
        read_move(text, CHAIN, "X")


@pytest.mark.parametrize(
    "text", ["0,1", "1,0", "5,1", "1,5", "-1,2", "1 -2", f"{'9' * 5000},1", f"1,{'1' * 9}", "-0,1"]
)
def test_what_lies_outside_the_grid_is_a_move_but_no_cell(text):
    assert read_move(text, CHAIN, "X") is None


def test_trails_counts_from_nought():
    assert read_move("0,0", TRAILS, "A") == 0
    assert read_move("2 2", TRAILS, "A") == 8
    assert read_move("Place B at row 1 column 0", TRAILS, "B") == 3
    assert read_move("3,0", TRAILS, "A") is None
    assert read_move("-1,0", TRAILS, "A") is None
    with pytest.raises(UnreadableMove, match="such as 0,0"):
        read_move("", TRAILS, "A")


@pytest.mark.parametrize(
    ("text", "mark"), [("Place O at row 2 column 3", "X"), ("place x at 2,3", "O"), ("place XO at 2,3", "X")]
)
def test_naming_the_other_marker_is_an_error(text, mark):
    with pytest.raises(UnreadableMove, match=f"Your marker is {mark}"):
        read_move(text, CHAIN, mark)


@settings(max_examples=500)
@given(st.text(max_size=40) | st.text(alphabet="0123456789 ,()rowclumnpateX'\"+-;", max_size=30))
@example("place ß at 1,1")
@example("1,1\n")
def test_any_text_is_a_move_or_unreadable(text):
    try:
        cell = read_move(text, CHAIN, "X")
    except UnreadableMove:
        return
    assert cell is None or 0 <= cell < 16
    assert any(char.isdigit() for char in text)


@given(st.integers(-3, 12), st.integers(-3, 12), st.sampled_from(["{} {}", "{},{}", "( {} ,{})", "row {} column {}"]))
def test_numbers_mean_what_they_say(row, col, form):
    expected = (row - 1) * 4 + col - 1 if 1 <= row <= 4 and 1 <= col <= 4 else None
    assert read_move(form.format(row, col), CHAIN, "X") == expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" ; ;", []),
        ("3,3 1,1", ["3,3", "1,1"]),
        ("3,3; 1,1;", ["3,3", "1,1"]),
        ("3 3; 1 1", ["3 3", "1 1"]),
        ("3 3", ["3 3"]),
        ("(3, 3) (1, 1)", ["(3,3)", "(1,1)"]),
        ("3 , 3  1 ,1", ["3,3", "1,1"]),
        ("row 1 column 2; Place O at row 3 column 4", ["row 1 column 2", "Place O at row 3 column 4"]),
        ("3,3\n1,1\t2,2", ["3,3", "1,1", "2,2"]),
        ("b2 3,3", ["b2", "3,3"]),
    ],
)
def test_lists_of_moves(text, pieces):
    assert split_moves(text) == pieces


def test_playing_a_list():
    game = Game(CHAIN)
    play_moves(game, "2,2 (2, 3); Place X at row 3 column 3")
    assert game.moves == [5, 6, 10]
    scatter = Game(variant("scatter", "3x3"))
    play_moves(scatter, "2,2 1,1 3,3 1,3; place O at row 3 column 1")  # the passes of X are left out
    assert scatter.outcome.winner == 2


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (
            "2,2 b3",
            UnreadableMove,
            "Move 2 ('b3') cannot be read: Columns have numbers here, not letters. "
            "Enter a row and a column, such as 1,2.",
        ),
        ("2,2 2,3 1,1", IllegalMove, "Move 3 (1,1) is not possible: the cell is not adjacent to the last marker."),
        ("2,2; 2,2", IllegalMove, "Move 2 (2,2) is not possible: the cell is already occupied."),
        ("9,9", IllegalMove, "Move 1 (9,9) is not possible: the cell is outside the grid."),
        ("2 2; place x at 2,3", UnreadableMove, "Move 2 ('place x at 2,3') cannot be read: Your marker is O."),
    ],
)
def test_a_bad_list_says_which_move_and_why(text, error, words):
    with pytest.raises(error) as caught:
        play_moves(Game(CHAIN), text)
    assert str(caught.value) == words


def test_a_move_too_many():
    with pytest.raises(IllegalMove, match=r"Move 2 \(1,1\) is not possible: the game is over\."):
        play_moves(Game(variant("keepaway")), "2,2 1,1")


@given(st.text(alphabet="12 ,;()b", max_size=30))
def test_any_list_is_played_or_refused_with_its_move(text):
    game = Game(variant("showdown"))
    refusal = None
    try:
        play_moves(game, text)
    except (UnreadableMove, IllegalMove) as error:
        refusal = str(error)
    if refusal is None:
        assert len(game.moves) == len(split_moves(text))
    else:
        assert refusal.startswith(f"Move {len(game.moves) + 1} (")
