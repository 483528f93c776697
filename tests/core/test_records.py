"""Tests that a saved game loads exactly as it was, and that files without a valid game are rejected."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_records import RECORD, facts, random_game, refused, tagged

from gridlock import BadRecord, Game, variant
from gridlock.core.names import LONGEST_NAME, clean_name
from gridlock.core.records import LONGEST, dump_json, dump_text, load_bytes, load_json, loads

# -- there and back -----------------------------------------------------------------------------------------------


def test_every_kind_of_game_comes_back_from_text_and_json():
    kinds = set()
    for seed in range(400):
        game = random_game(seed)
        kinds.add((game.swapped, game.outcome and game.outcome.termination))
        text, data = dump_text(tagged(game, Event='A "test"\nof two lines')), json.dumps(dump_json(game))
        for form in (text, data, text.replace("\n", "\r\n"), "\ufeff" + text, json.dumps([dump_json(game)], indent=1)):
            (again,) = load_bytes(form.encode())
            assert facts(again) == facts(game)
        assert dump_text(again) == dump_text(game)
        assert all(len(line) <= 250 for line in text.split("\n"))
    assert len(kinds) == 6  # swapped or not, by stuck or resigned or unfinished


@given(st.text(max_size=50), st.text(alphabet='"\\[]{};*1-0 \n\r\u2028é', max_size=20), st.text(max_size=30))
def test_any_names_and_tags_come_back(first, second, event):
    game = Game(variant("chain"), names=(first, second))
    game.push(5)
    data = dump_text(tagged(game, Event=event, Site=second)).encode()
    assert facts(load_bytes(data)[0]) == facts(game)
    assert facts(load_json(json.loads(json.dumps(dump_json(game))))) == facts(game)


@given(st.dictionaries(st.integers(0, 3), st.text(max_size=300)), st.text(max_size=30))
def test_tags_and_comments_survive(comments, event):
    game = tagged(Game(variant("scatter")), Event=event, Date="2024.06.01")
    for cell in (0, 2, 4):
        game.push(cell)
    game.comments = comments
    once = loads(dump_text(game))[0]
    (twice,), again = loads(dump_text(once)), load_json(json.loads(json.dumps(dump_json(once))))
    assert facts(once) == facts(game)
    assert once.tags["Date"] == "2024.06.01"
    assert (once.tags, once.comments) == (twice.tags, twice.comments) == (again.tags, again.comments)
    printable = {ply for ply, text in comments.items() if clean_name(text)}
    assert set(once.comments) == printable


def test_comments_stand_where_they_stood():
    text = dump_text(Game(variant("chain"))).replace(
        "\n*", "\n{before\nall} 1. 1,1 {one} ; and two\n2,1 {[GridLock is no game} *"
    )
    text = re.sub(r'\[Check "\w+"\]\n', "", text)
    (game,) = loads(text)
    assert game.comments == {0: "before all", 1: "one and two", 2: "[GridLock is no game"}
    assert loads(dump_text(game))[0].comments == {**game.comments, 2: "(GridLock is no game"}
    assert game.at(1).comments == {0: "before all", 1: "one and two"}
    game.pop()
    assert list(game.comments) == [0, 1]
    data = dump_json(game)
    for bad in ([], {"9": "x"}, {"1": 2}, {"01": "x"}):
        with pytest.raises(BadRecord, match="Comments must be an object that maps move numbers to strings"):
            load_json({**data, "Comments": bad})


def test_several_games_in_one_file():
    games = [random_game(seed) for seed in range(12)]
    text = "\n".join(map(dump_text, games))
    assert list(map(facts, loads(text))) == list(map(facts, games))
    assert list(map(facts, loads(json.dumps([dump_json(game) for game in games])))) == list(map(facts, games))
    broken = text.replace(f'[Check "{dump_json(games[-1])["Check"]}"]', '[Check "00000000"]')
    start = text[: text.rindex("[GridLock ")].count("\n") + 1
    assert refused(broken).startswith(f"line {start}: the moves or tags do not match the Check tag")


def test_the_longest_game_fits():
    game = Game(variant("chain", "100x100"))
    for row in range(100):
        for col in range(100) if row % 2 == 0 else range(99, -1, -1):
            game.push(100 * row + col)
    text = dump_text(game)
    assert len(text) < LONGEST / 20
    assert facts(loads(text)[0]) == facts(game)


# -- one record, changed by hand ----------------------------------------------------------------------------------


def test_the_record_by_hand_loads():
    (game,) = loads(RECORD)
    assert game.moves == [12, -1, 0, 10]
    assert [game.player_name(player) for player in (1, 2)] == ["Ada", 'Bob "B" \\']
    assert game.outcome == (2, "resigned")
    assert game.resigned == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1. 3,3", "{a comment} 1. 3,3"),
        ("1. 3,3", "; to the end of the line } {\n1. 3,3"),
        ("swap 2.", "{over\nthree\n\nlines} swap{and}2."),
        ("3,1 0-1", "3,1;done\n\n\n 0-1 ; 1-0"),
        ("1. 3,3 swap 2. 1,1 3,1", "3,3 swap 1,1 3,1"),
        ("1. 3,3 swap 2. 1,1 3,1", "1.\n3,3\t  swap\n2.\n1,1\n03,001"),
        ('[Event "Kitchen table"]\n', ""),
        ('[Event "Kitchen table"]', '[Date "2024.02.30"]\n[Round "1"]\n[Site ""]'),
        ('"5x5"', '"5X5"'),
        ("\n", "\r\n"),
        ('[GridLock "1"]', '\n  \n[GridLock "1"]'),
        ('[Board "5x5"]\n[Adjacency "king"]', '[Adjacency "king"]   \n[Board "5x5"]'),
    ],
)
def test_changes_that_change_nothing(old, new):
    assert old in RECORD
    assert facts(loads(RECORD.replace(old, new))[0]) == facts(loads(RECORD)[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GridLock", "Gridlock", "line 1: there is no tag 'Gridlock'"),
        ('[GridLock "1"]', '[GridLock "2"]', 'line 1: a record begins with [GridLock "1"]'),
        ('[GridLock "1"]\n', "", 'line 1: a record begins with [GridLock "1"]'),
        ('[Game "showdown"]\n', "", "line 1: the tag Game is missing"),
        ('[Swap "on"]\n', "", "line 1: the tag Swap is missing"),
        ('"showdown"', '"chess"', "line 1: in the tags: There is no game called 'chess'"),
        ('"5x5"', '"0x5"', "line 1: in the tags: A board of 0x5 is not possible"),
        ('"5x5"', '""', "line 1: in the tags: '' is not a board"),
        ('"king"', '"queen"', "line 1: in the tags: Adjacency must be king or orthogonal, not 'queen'"),
        ('"king"', '""', "line 1: in the tags: Adjacency must be king or orthogonal, not ''"),
        ('Starts "1"', 'Starts "3"', "line 1: Starts is '3', but must be 1 or 2"),
        ('Swap "on"', 'Swap "yes"', "line 1: Swap is 'yes', but must be on or off"),
        ('Swap "on"', 'Swap "off"', "line 13: move 2 ('swap') is not possible: this game has no swap rule"),
        ('[Swap "on"]', '[Swap "on"]\n[Swap "on"]', "line 8: the tag Swap appears twice"),
        ('[Swap "on"]', "[Swap on]", "line 7: a tag looks like"),
        ('[Swap "on"]', '[Swap "on" ]', "line 7: a tag looks like"),
        ('[Swap "on"]', '[Swap "on"] x', "line 7: a tag looks like"),
        ('"Ada"', '"A\\da"', "line 8: a tag looks like"),
        ('"Ada"', '"A"da"', "line 8: a tag looks like"),
        ('[Event "', '[Colour "', "line 2: there is no tag 'Colour'"),
        ('[Swap "on"]', '[Swap "on"]\n[Check "00000000"]', "line 1: the moves or tags do not match the Check tag"),
        ("1. 3,3", "2. 3,3", "line 13: the number 2. is at the wrong move"),
        ("swap 2.", "2. swap", "line 13: the number 2. is at the wrong move"),
        ("3,3 swap", "3,3 3,3", "line 13: move 2 ('3,3') is not possible: the cell is already occupied"),
        ("3,3 swap", "3,3 9,9", "line 13: move 2 ('9,9') is not possible: the cell is outside the grid"),
        ("3,3 swap", "3,3 2,2", "line 13: move 2 ('2,2') is not possible: the cell is adjacent to your"),
        ("3,3 swap", "3,3\nb2", "line 14: move 2 ('b2') is not possible: a move is a row and a column"),
        ("3,3 swap", "3,3 \uff12,1", "line 13: move 2 ('\uff12,1') is not possible: a move is"),
        ("1. 3,3 swap", "1. swap 3,3", "line 13: move 1 ('swap') is not possible: a swap is possible only"),
        (" 0-1\n", "\n", "line 14: the record ends before its result ('0-1')"),
        (" 0-1\n", "", "line 13: the record ends before its result ('0-1')"),
        ("3,1 0-1", "3,1 1-0", "line 13: the moves end with 1-0, but the tag Result says '0-1'"),
        ("3,1 0-1", "3,1 *", "line 13: the moves end with *, but the tag Result says '0-1'"),
        ("3,1 0-1", "3,1 0-1\n\nand so on", "line 15: 'and' comes after the result"),
        ("3,1 0-1", "3,1 0-1 0-1", "line 13: '0-1' comes after the result"),
        ("3,1 0-1", "3,1 } 0-1", "line 13: move 5 ('}') is not possible"),
        ("3,1 0-1", "3,1 {0-1", "line 13: a comment begins here and never ends"),
        ("resigned", "stuck", "line 1: Result says '0-1', but after its moves the game is '*'"),
        ("resigned", "unfinished", "line 1: Result says '0-1', but after its moves the game is '*'"),
        ("resigned", "tired", "line 1: Result says '0-1', but after its moves the game is '*'"),
        ("3,3 swap 2.", "[x]\n3,3", "line 13: move 1 ('[x]') is not possible"),
    ],
)
def test_changes_that_are_noticed(old, new, message):
    assert old in RECORD
    assert refused(RECORD.replace(old, new)).startswith(message)


def test_results_that_the_moves_do_not_bear_out():
    won = Game(variant("keepaway"))
    won.push(4)
    text = dump_text(won).replace(f'[Check "{dump_json(won)["Check"]}"]\n', "")
    assert facts(loads(text)[0]) == facts(won)
    assert refused(text.replace("1-0", "0-1")) == "line 1: Result says '0-1', but after its moves the game is '1-0'"
    assert refused(text.replace("stuck", "resigned")).startswith("line 1: Termination says 'resigned'")
    assert refused(text.replace("1-0", "*").replace("stuck", "resigned")).startswith("line 1: Result says '*'")
    open_game = dump_text(Game(variant("keepaway"))).replace("unfinished", "resigned")
    assert refused(open_game) == "line 1: Result is '*', but must be 1-0 or 0-1"


# -- the documentation --------------------------------------------------------------------------------------------


def test_the_examples_in_the_documentation_load_and_are_what_the_code_writes():
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text()
    text, data = re.findall(r"```(?:text|json)\n(.*?)```", page, re.DOTALL)
    (game,) = loads(text)
    assert game.tags == {"Event": "Kitchen table", "Date": "2024.06.01"}
    assert dump_text(game) == text
    assert loads(data)[0].moves == game.moves
    assert json.loads(data) == dump_json(loads(data)[0])
    assert str(LONGEST_NAME) in page
    assert f"{LONGEST:,}" in page
