"""Tests that no file contains merge-conflict markers."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
MARKS = ("\n" + "<" * 7 + " ", "\n" + ">" * 7 + " ")
KINDS = {".py", ".pxd", ".md", ".toml", ".js", ".ts", ".css", ".html", ".yml", ".yaml", ".json", ".txt"}
PLACES = ("src", "tests", "docs", "bench", "examples", "deploy", "*.*")


def test_no_file_contains_merge_markers() -> None:
    files = [
        file
        for place in PLACES
        for found in ROOT.glob(place)
        for file in (found.rglob("*") if found.is_dir() else [found])
        if file.suffix in KINDS and file.is_file()
    ]
    assert len(files) > 200
    marked = [file for file in files if any(mark in file.read_text() for mark in MARKS)]
    assert marked == []
