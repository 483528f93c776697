"""Compare the numbers of move sequences with published tables, independent counts and the naive model.

`pytest -m deep` runs the counts that take too long for every run.
"""

from dataclasses import dataclass, field
from math import factorial
from pathlib import Path

import pytest
from conformance import ADJACENCIES, naive

import oracle
from gridlock import RULE_BOOKS, Adjacency, Grid, Position, Variant, variant
from gridlock.core.perft import parts, perft

FOLDER = Path(__file__).parents[1] / "perft"


@dataclass
class Table:
    """A block of a .perft file."""

    game: str
    words: dict[str, str] = field(default_factory=dict)

    def counts(self, deep):
        """Return the block's perft counts; with `deep`, include the counts that take a long time to compute."""
        return [int(number) for key in ("perft", *["deep"] * deep) for number in self.words.get(key, "").split()]

    def __str__(self):
        return f"{self.game} {self.words['board']} {self.words['adjacency']}"


def tables():
    """Return every block of every file."""
    found = []
    for path in sorted(FOLDER.glob("*.perft")):
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == "board":
                found.append(Table(path.stem))
            if key and key != "#":
                assert key in ("board", "adjacency", "source", "perft", "deep"), f"{path.name}: {line}"
                assert key not in found[-1].words, f"{path.name}: {line}"
                found[-1].words[key] = value.strip()
    return found


TABLES = tables()


def compare(played, expected, source):
    """Compare counts with the expected counts; on failure, list the counts by first move, to help find the error."""
    counts = perft(played, len(expected))
    for depth, (count, said) in enumerate(zip(counts, expected, strict=True), 1):
        if count != said:
            listing = "\n".join(f"  {played.name(cell)} {part}" for cell, part in parts(played, depth))
            pytest.fail(f"{depth} moves: {count} sequences, but {source} says {said}. By first move:\n{listing}")


def test_every_game_has_a_table_that_names_its_source():
    assert {table.game for table in TABLES} == set(RULE_BOOKS)
    for table in TABLES:
        assert table.words["source"]
        assert len(table.counts(deep=False)) >= 5


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_tables(table):
    played = variant(table.game, table.words["board"], table.words["adjacency"])
    compare(played, table.counts(deep=False), table.words["source"])


@pytest.mark.deep
@pytest.mark.parametrize("table", [table for table in TABLES if "deep" in table.words], ids=str)
def test_deep_tables(table):
    played = variant(table.game, table.words["board"], table.words["adjacency"])
    compare(played, table.counts(deep=True), table.words["source"])


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_naive_model_agrees_with_the_tables(table):
    grid = variant(table.game, table.words["board"], table.words["adjacency"])
    expected = table.counts(deep=False)
    while sum(expected) > 20_000:  # it is slow
        expected.pop()
    assert oracle.perft(naive(grid, oracle.GAMES[table.game], 1), len(expected)) == expected


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(
    ("rows", "cols", "depth"), [(1, 2, 3), (1, 5, 6), (2, 2, 5), (2, 3, 7), (3, 2, 7), (6, 1, 7), (3, 3, 4), (2, 5, 4)]
)
def test_small_boards_against_the_naive_model(name, adjacency, rows, cols, depth):
    played = Variant(RULE_BOOKS[name], Grid(rows, cols, adjacency))
    compare(played, oracle.perft(naive(played, oracle.GAMES[name], 1), depth), "the naive model")


@pytest.mark.deep
@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_the_whole_of_a_3x3_board_against_the_naive_model(name, adjacency):
    played = Variant(RULE_BOOKS[name], Grid(3, 3, adjacency))
    compare(played, oracle.perft(naive(played, oracle.GAMES[name], 1), 10), "the naive model")


def by_positions(name, rows, cols, king, depth):
    """Multiply the number of resulting positions by the number of move orders that lead to each of them."""
    first, second = -(-depth // 2), depth // 2
    return factorial(first) * factorial(second) * oracle.positions(oracle.GAMES[name](rows, cols, king), first, second)


@pytest.mark.parametrize("name", ["scatter", "showdown"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(("rows", "cols", "depth"), [(3, 3, 6), (3, 4, 5), (5, 5, 4), (1, 9, 6), (4, 4, 4)])
def test_counting_by_positions_gives_the_same(name, adjacency, rows, cols, depth):
    played = Variant(RULE_BOOKS[name], Grid(rows, cols, adjacency))
    king = adjacency is Adjacency.KING
    expected = [by_positions(name, rows, cols, king, length) for length in range(1, depth + 1)]
    compare(played, expected, "counting by positions")


@pytest.mark.deep
@pytest.mark.parametrize("table", [table for table in TABLES if table.game in ("scatter", "showdown")], ids=str)
def test_counting_by_positions_confirms_the_deep_tables(table):
    rows, cols = map(int, table.words["board"].split("x"))
    for depth, count in enumerate(table.counts(deep=True), 1):
        assert by_positions(table.game, rows, cols, True, depth) == count


@pytest.mark.parametrize(
    ("side", "placements"), [(3, [1, 9, 16, 8, 1, 0]), (4, [1, 16, 78, 140, 79])], ids=["3x3", "4x4"]
)
def test_one_players_tokens_in_scatter_stand_like_kings(side, placements):
    """OEIS A193580: the number of ways to place a given number of kings on a board so that no two attack each other."""
    played = variant("scatter", f"{side}x{side}")
    standing = {0}
    for tokens, expected in enumerate(placements):
        assert len(standing) == expected, f"{tokens} tokens"
        standing = {own | 1 << cell for own in standing for cell in played.legal_cells(Position(own, 0, None, None, 1))}


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_divide_adds_up_and_perft_can_start_anywhere(name):
    played = variant(name, "3x4")
    for depth in (1, 2, 3, 4):
        counts = dict(parts(played, depth))
        assert list(counts) == played.legal_cells(played.start())
        assert sum(counts.values()) == perft(played, depth)[-1]
    here = played.start().after(played.legal_cells(played.start())[0])
    assert perft(played, 3, here)[-1] == dict(parts(played, 4))[played.legal_cells(played.start())[0]]
    assert perft(played, 3, played.start(2)) == perft(played, 3)
