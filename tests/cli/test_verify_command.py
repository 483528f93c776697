"""Tests of `gridlock solve --certificate` and `gridlock verify`."""

import gzip
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gridlock.engine.clock import cancellation
from gridlock.engine.solve import Solver


def test_a_certificate_is_written_and_verified(gridlock, tmp_path):
    file = tmp_path / "proof.txt"
    code, out, err = gridlock("solve", "scatter", "--board", "3x5", "--certificate", str(file))
    assert code == 0
    assert out.startswith("The second player wins scatter on 3x5 (king).")
    assert "certificate" in err
    code, out, _ = gridlock("verify", str(file))
    assert (code, out) == (0, "Every step is valid: the second player wins scatter on 3x5 (king). 0 records.\n")
    packed = tmp_path / "proof.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    code, out, _ = gridlock("verify", str(packed), "--json")
    assert code == 0
    assert json.loads(out)["games"] == ["scatter"]


def test_a_certificate_has_standard_output_for_itself(gridlock, tmp_path):
    code, out, err = gridlock("solve", "scatter", "--board", "3x5", "--certificate", "-")
    assert code == 0
    assert "The second player wins" in err
    file = tmp_path / "proof.txt"
    file.write_text(out)
    assert gridlock("verify", str(file))[0] == 0
    code, out, err = gridlock("solve", "scatter", "--certificate", "-", "--json")
    assert (code, out) == (2, "")
    assert "'--certificate -' and --json would both write to standard output." in err


def test_a_position_and_its_winning_move(gridlock, tmp_path):
    file = tmp_path / "proof.txt"
    gridlock("solve", "showdown", "--board", "3x3", "--certificate", str(file))
    _, out, _ = gridlock("verify", str(file))
    assert "the first player wins showdown on 3x3 (king), beginning with 2,2." in out
    other = tmp_path / "other.txt"
    gridlock("solve", "trails", "--moves", "0,1", "--certificate", str(other))
    _, out, _ = gridlock("verify", str(other))
    assert "the player to move loses this position of trails on 3x3 (orthogonal)." in out


def test_a_step_that_does_not_follow(gridlock, tmp_path):
    file = tmp_path / "proof.txt"
    gridlock("solve", "scatter", "--board", "3x5", "--certificate", str(file))
    file.write_text(file.read_text().replace("loses", "wins 0"))
    code, out, err = gridlock("verify", str(file))
    assert (code, out) == (3, "")
    assert "Line 6, after 0 good records: " in err
    file.write_bytes(b"\xff\x00")
    code, _, err = gridlock("verify", str(file))
    assert code == 3
    assert "Line 1" in err


def test_a_damaged_archive(gridlock, tmp_path):
    file = tmp_path / "proof.gz"
    for damaged in (b"hello", gzip.compress(b"# a comment\n" * 9)[:-9]):
        file.write_bytes(damaged)
        code, _, err = gridlock("verify", str(file))
        assert (code, err) == (3, "gridlock: The file is damaged: it is not a complete gzip file.\n")


def test_what_has_no_certificate(gridlock, tmp_path):
    file = str(tmp_path / "proof.txt")
    code, _, err = gridlock("solve", "scatter", "--openings", "--certificate", file)
    assert code == 2
    assert "--openings" in err
    code, _, err = gridlock("solve", "scatter", "--board", "12x12", "--certificate", file)
    assert code == 2
    assert "128 cells" in err
    code, _, err = gridlock("verify", str(tmp_path / "missing"))
    assert code == 2


def test_a_compressed_certificate_is_written(gridlock, tmp_path, monkeypatch):
    file = tmp_path / "proof.gz"
    assert gridlock("solve", "scatter", "--board", "5x5", "--certificate", str(file))[0] == 0
    text = gzip.decompress(file.read_bytes())
    assert text.startswith(b"gridlock certificate 1\nboard 5 5 king\n")
    renamed = tmp_path / "proof.txt"
    file.rename(renamed)
    assert gridlock("verify", str(renamed))[0] == 0
    for content in (text, gzip.compress(text)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))
        assert gridlock("verify", "-")[0] == 0


def test_files_that_are_no_certificates(gridlock, tmp_path):
    file = tmp_path / "proof.txt"
    for content, why in {
        b"": "Line 1, after 0 good records: the certificate ends before its result.",
        b"x" * 3_000_000: "Line 1, after 0 good records: the line is cut off or too long.",
        b"gridlock certificate 2\n": "Line 1, after 0 good records: this is version '2' of the format, "
        "but this program reads version 1.",
    }.items():
        file.write_bytes(content)
        assert gridlock("verify", str(file)) == (3, "", f"gridlock: {why}\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_stays_a_pipe(gridlock, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(pipe.read_bytes)
        assert gridlock("solve", "scatter", "--board", "3x5", "--certificate", str(pipe))[0] == 0
        assert got.result(10).startswith(b"gridlock certificate 1\n")
    assert pipe.is_fifo()
    if Path("/dev/full").is_char_device():
        code, _, err = gridlock("solve", "scatter", "--board", "3x5", "--certificate", "/dev/full")
        assert (code, err) == (1, "gridlock: No space left on device: /dev/full\n")
        assert Path("/dev/full").is_char_device()


def test_an_interrupted_certificate_is_not_written(gridlock, tmp_path, monkeypatch):
    def interrupted(_self):
        cancellation.cancel()

    monkeypatch.setattr(Solver, "certificate", interrupted)
    code, out, err = gridlock("solve", "scatter", "--board", "5x5", "--certificate", str(tmp_path / "proof.txt"))
    assert (code, err) == (
        130,
        "Interrupted: the winner is known, but the certificate is not complete and was not written.\n",
    )
    assert out.startswith("The second player wins")
    assert list(tmp_path.glob("proof*")) == []
