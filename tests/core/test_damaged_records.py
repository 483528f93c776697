"""Tests that a damaged record, or a file that is not a record, is either rejected with a message or harmless."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_records import RECORD, facts, outcome_of, random_game, refused, tagged

from gridlock import SWAP, BadRecord, Game, variant
from gridlock.core.records import LONGEST, dump_json, dump_text, load_json, read_json


def damaged_games():
    swapped = Game(variant("showdown"), swap=True, names=('Q "uote" \\', "Zoë 39"))
    for move in (12, None, 0, 10, 4):
        if move is None:
            swapped.push(SWAP)
        else:
            swapped.push(move)
    chain = Game(variant("chain"))
    for move in (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12):
        chain.push(move)
    resigned = random_game(3, "trails")
    return {"swapped": swapped, "chain": chain, "trails": resigned}


@pytest.mark.slow
@pytest.mark.parametrize("kind", damaged_games())
@pytest.mark.parametrize("form", ["text", "crlf", "json"])
def test_every_truncation_and_every_flipped_bit_is_refused_or_harmless(kind, form):
    game = damaged_games()[kind]
    text = json.dumps(dump_json(game)) if form == "json" else dump_text(tagged(game, Event="x"))
    data = (text.replace("\n", "\r\n") if form == "crlf" else text).encode()
    damaged = [data[:end] for end in range(len(data))]
    for place in range(len(data)):
        for bit in range(8):
            damaged.append(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
    caught = 0
    for piece in damaged:
        again, refusal = outcome_of(piece)
        if again:
            assert list(map(facts, again)) == [facts(game)], piece
            continue
        caught += 1
        assert form == "json" or piece[:1] == b"{" or re.match(r"line \d+: ", refusal), (piece, refusal)
    assert caught > 0.9 * len(damaged)


@settings(max_examples=300)
@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data):
    refused(data)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_records_with_pieces_moved_about_never_surprise(data):
    source = RECORD.encode()
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = sorted(data.draw(st.integers(0, len(source))) for _ in range(2))
        piece = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"{", b"}", b";", b"\n", b"[GridLock ", b"1-0", b"\x85"])
        )
        source = source[:start] + piece + source[end:]
    games, refusal = outcome_of(source)
    assert games or refusal


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: there is no game here"),
        (b" \r\n\n", "line 1: there is no game here"),
        (b"\xef\xbb\xbf", "line 1: there is no game here"),
        (b"hello", "line 1: the tag GridLock is missing"),
        (RECORD.encode("utf-16"), "line 1: this is not UTF-8 text"),
        (RECORD.replace("Ada", "Ad\u00e9").encode("latin-1"), "line 8: this is not UTF-8 text"),
        (b"x" * (LONGEST + 1), "it is longer than 4,000,000 characters"),
        ("é".encode() * (4 * LONGEST), "it is longer than 4,000,000 characters"),
        (b"[" * 100_000, "line 1: a tag looks like"),
        (b'[{"a":' * 100_000, "its numbers or lists are larger than any game needs"),
        (b"{" * 100_000, "line 1: this is not JSON"),
        (b"[]", "line 1: there is no game here"),
        (b"{}", "this is not a GridLock record"),
        (b"[{}, 5]", "this is not a GridLock record"),
        (b'{"GridLock": "1"', "line 1: this is not JSON"),
        (b'{"GridLock":\n\n"1",}', "line 3: this is not JSON"),
        (b'{"GridLock": "1", "GridLock": "1"}', "a name appears twice in one object"),
        (b'{"GridLock": NaN}', "NaN is not a value that JSON knows"),
        (b'{"GridLock": -Infinity}', "-Infinity is not a value that JSON knows"),
        (b'{"GridLock": ' + b"1" * 10_000 + b"}", "its numbers or lists are larger than any game needs"),
        (b'{"GridLock": "1", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "its numbers or lists are larger"),
    ],
    ids=range(21),
)
def test_files_that_are_no_record(data, message):
    assert refused(data).startswith(message)


@pytest.mark.parametrize("wrong", [None, 1, 1.5, True, [], {}, ["x"], {"x": 1}])
@pytest.mark.parametrize("field", [*dump_json(Game(variant("chain"))), "Event"])
def test_json_of_the_wrong_types(field, wrong):
    game = Game(variant("chain"))
    game.push(3)
    data = {**dump_json(game), field: wrong}
    if field == "Moves" and wrong == []:
        message = "the moves or tags do not match the Check tag"
    elif field == "GridLock":
        message = "this is not a GridLock record"
    elif field == "Moves":
        message = "Moves: move 1 ('x')" if wrong == ["x"] else "Moves must be a list of strings"
    else:
        message = f"{field} is missing or not a string"
    assert refused(json.dumps(data)).startswith(message)
    with pytest.raises(BadRecord):
        load_json(wrong)


def test_json_with_something_missing_or_too_much():
    game = random_game(5)
    whole = dump_json(game)
    for field in whole:
        less = {name: value for name, value in whole.items() if name != field}
        if field == "Check":
            assert facts(load_json(less)) == facts(game)
        else:
            refused(json.dumps(less))
    assert facts(load_json({**whole, "Event": "free"})) == facts(game)
    assert refused(json.dumps({**whole, "Colour": "red"})) == "there is no tag 'Colour'"


fields = st.sampled_from(["GridLock", "Moves", "Game", "x"])


some_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(fields, some, max_size=3),
    max_leaves=8,
)


@given(some_json)
def test_any_json_is_a_game_or_refused(value):
    with pytest.raises(BadRecord):
        load_json(value)
    assert read_json(json.dumps(value)) == value
