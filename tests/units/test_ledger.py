"""Check that, whatever happens to a ledger's file, the ledger contains a prefix of the added results or is rejected."""

import errno
import json
import os
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock.core.errors import BadRecord
from gridlock.units.ledger import Ledger

TASK = {"run": "a test", "boards": [(3, 4)]}
RESULTS = {"a": 1, "b": [2, None], "ä\n": {"moves": ["a1"]}, "": "x"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def written(path, results=RESULTS):
    """Write a ledger, and return its bytes."""
    with Ledger(path, TASK) as ledger:
        for key, result in results.items():
            assert ledger.add(key, result)
    return path.read_bytes()


def read(path, task=TASK):
    with Ledger(path, task) as ledger:
        return ledger.done


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=5), st.data())
def test_what_was_added_is_read_as_far_as_the_file_goes(tmp_path_factory, results, data):
    path = tmp_path_factory.mktemp("ledger") / "l"
    whole = written(path, results)
    assert read(path) == results
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    complete = max(0, whole[:cut].count(b"\n") - 1)
    assert list(read(path).items()) == list(results.items())[:complete]


def test_every_cut_loads_a_prefix_and_the_rest_can_be_added(tmp_path):
    path = tmp_path / "l"
    whole = written(path)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        with Ledger(path, TASK) as ledger:
            assert list(ledger.done) == list(RESULTS)[: max(0, whole[:cut].count(b"\n") - 1)]
            for key, result in RESULTS.items():
                ledger.add(key, result)
        assert path.read_bytes() == whole


def test_every_changed_byte_is_found(tmp_path):
    """A changed byte causes an error, but a changed final newline only makes the reader drop the last line."""
    path = tmp_path / "l"
    whole = written(path)
    for place in range(len(whole)):
        for change in (1, 0x20, 0x80):
            spoilt = whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :]
            path.write_bytes(spoilt)
            if place == len(whole) - 1:
                assert list(read(path)) == list(RESULTS)[:-1]
                continue
            with pytest.raises(BadRecord):
                read(path)
            assert path.read_bytes() == spoilt


def test_a_unit_is_added_once(tmp_path):
    path = tmp_path / "l"
    whole = written(path)
    with Ledger(path, TASK) as ledger:
        assert not ledger.add("a", 99)
        assert ledger.done["a"] == 1
    assert path.read_bytes() == whole


def test_a_result_is_what_a_resumed_run_would_read(tmp_path):
    for path in (None, tmp_path / "l"):
        with Ledger(path, TASK) as ledger:
            ledger.add("a", (1, {2: "two"}))
            assert ledger.done["a"] == [1, {"2": "two"}]


def test_what_is_not_json_is_not_added(tmp_path):
    with Ledger(tmp_path / "l", TASK) as ledger:
        with pytest.raises(TypeError):
            ledger.add("a", object())
        assert not ledger.done
    assert read(tmp_path / "l") == {}


def test_another_task_and_other_files_are_rejected_and_left_alone(tmp_path):
    path = tmp_path / "l"
    whole = written(path)
    with pytest.raises(BadRecord, match="is a ledger of another run"):
        read(path, {**TASK, "run": "another"})
    assert path.read_bytes() == whole
    for text in (b"Dear diary", b"Dear diary\n", b"\n", b"{}\n", b"\0" * 50):
        path.write_bytes(text)
        with pytest.raises(BadRecord, match="Choose another file"):
            read(path)
        assert path.read_bytes() == text


@pytest.mark.parametrize("content", [7, None, {}, "ab", [1, 2], ["a"], ["a", 1, 2]])
def test_a_made_up_line_is_rejected(tmp_path, content):
    path = tmp_path / "l"
    text = json.dumps(content).encode()
    path.write_bytes(written(path) + b"%08x %s\n" % (zlib.crc32(text), text))
    with pytest.raises(BadRecord, match="line 6 is damaged"):
        read(path)


def test_two_runs_cannot_share_a_file(tmp_path):
    pytest.importorskip("fcntl")
    path = tmp_path / "l"
    with Ledger(path, TASK), pytest.raises(BadRecord, match="in use by another run"):
        Ledger(path, TASK)
    assert read(path) == {}


def test_only_files_are_used(tmp_path):
    with pytest.raises(BadRecord, match="is not a file"):
        Ledger(tmp_path, TASK)


def test_the_disk_confirms_at_most_once_a_second_and_at_the_end(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", lambda _file: synced.append(now[0]))
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Ledger(tmp_path / "l", TASK) as ledger:
        for number in range(30):
            ledger.add(str(number), number)
            now[0] += 0.25
    assert synced == [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 107.5]


def test_a_full_disk_is_an_error(tmp_path, monkeypatch):
    def full(_file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        Ledger(tmp_path / "l", TASK)
