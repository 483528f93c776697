"""Tests of the shared table: processes find each other's results, and damaged entries are never used."""

import mmap
import os
import random
from itertools import product

import pytest
from shapes import game
from truth import SEARCHED, variants

from gridlock.core.grid import Adjacency
from gridlock.core.rules import variant
from gridlock.core.shape import Shape
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interpreted import plain
from gridlock.engine.shared_memory import Place, SharedMemory

SIZE = 1 << 16


def solved(played, memory, start=None):
    """Solve a position with a shared table; return the verdict and the number of positions searched."""
    search = Engine(played, 1 << 22, mirrors=False).search
    search.share(memory)
    verdict = search.verdict(start or played.start(), Clock())
    return verdict, search.nodes + search.distances.nodes


BOARDS = {("scatter", "king"): "5x7", ("showdown", "king"): "7x7", ("trails", "king"): "4x5"}


@pytest.mark.parametrize(("name", "adjacency"), SEARCHED)
def test_what_another_search_has_proved_is_found(name, adjacency):
    found_again(variant(name, BOARDS.get((name, adjacency), "5x5"), adjacency))


def test_what_another_search_of_distances_has_proved_is_found():
    found_again(game(Shape(True, True), 4, 4, Adjacency.ORTHOGONAL))


def found_again(played):
    memory = mmap.mmap(-1, 1 << 22)
    verdict, nodes = solved(played, memory)
    assert nodes > 20
    again, fewer = solved(played, memory)
    assert again is verdict
    assert fewer < nodes / 4


@pytest.mark.parametrize(("name", "adjacency"), SEARCHED)
def test_a_table_of_parts_of_entries_changes_no_verdict(name, adjacency, rng):
    """If concurrent writes mix 64-bit words from different table entries, the verdict stays the same."""
    for played in variants(name, adjacency, 12, 14):
        memory = mmap.mmap(-1, SIZE)
        verdict, _ = solved(played, memory)
        words = memoryview(memory).cast("Q")
        for word in range(5):
            column = [words[at] for at in range(word, len(words) - 4, 5)]
            rng.shuffle(column)
            for place, at in enumerate(range(word, len(words) - 4, 5)):
                words[at] = column[place]
        assert solved(played, memory)[0] is verdict
        memory[:] = random.Random(rng.random()).randbytes(SIZE)
        assert solved(played, memory)[0] is verdict


def test_an_entry_written_in_part_is_never_found():
    """A lookup never returns a wrong result, even if a table entry mixes 64-bit words from two different entries."""
    table = plain("board_search").Table(0, 0)  # a single bucket
    entries = {(a, b): known << 6 for a, b, known in ((1, 2, 3), (5, 2, 3), (1, 6, 3), (1 << 70, 1 << 90, 9))}
    images = {}
    for state, known in entries.items():
        table.words[:] = memoryview(bytes(len(table.words) * 8)).cast("Q")
        table.keep(*state, known, 1)
        images[state] = table.words.tolist()[:5]
    for one, two in product(images, repeat=2):
        for parts in product((0, 1), repeat=5):
            for place, part in enumerate(parts):
                table.words[place] = images[two if part else one][place]
            for state in product((1, 5, 1 << 70), (2, 6, 1 << 90)):
                found = table.find(*state, 0)
                assert found == 0 or (state in entries and found >> 6 << 6 == entries[state])


def test_a_table_remembers(rng):
    for tag in (0, 0xFFFF << 6):
        table, kept = plain("board_search").Table(1 << 20, tag), {}
        for _ in range(500):
            state = rng.getrandbits(128), rng.getrandbits(128)
            known = rng.getrandbits(40) << 6 | 1 << 50
            table.keep(*state, known, rng.randint(1, 100))
            kept[state] = known
        found = sum(table.find(*state, known & tag) >> 6 == known >> 6 for state, known in kept.items())
        assert found > 490, "a bucket of four is seldom full"


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="needs Linux")
def test_shared_memory_is_opened_by_its_place():
    before = len(os.listdir("/proc/self/fd"))
    shared = SharedMemory(SIZE)
    one, two = shared.place.open(), shared.place.open()
    one[5:8] = b"abc"
    assert two[5:8] == b"abc"
    assert shared.place._replace(name="gridlock-other").open() is None
    assert shared.place._replace(path="/proc/self/fd/999999").open() is None
    shared.close()
    assert shared.place.open() is None, "its number may belong to another file by now"
    assert one[5:8] == b"abc"
    one.close()
    two.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_shared_memory_there_is_no_place(monkeypatch):
    monkeypatch.delattr(os, "memfd_create", raising=False)
    shared = SharedMemory(SIZE)
    assert shared.place is None
    shared.close()
    assert Place("/proc/self/fd/0", "gridlock-none", SIZE).open() is None


def test_a_large_board_shares_no_table():
    """A large board may need kernels of several sizes, which cannot share a table without misreading its entries."""
    assert Engine(variant("scatter", "12x12")).search.table_size == 0
    search = Engine(variant("scatter", "9x9"), 1 << 24).search
    assert search.table_size == search.memory


@pytest.mark.parametrize("memory", [0, 7, 5000, 1_000_001])
def test_any_amount_of_memory_can_be_shared(memory):
    played = variant("scatter", "4x4")
    search = Engine(played, memory).search
    search.share(mmap.mmap(-1, search.table_size))
    assert search.verdict(played.start(), Clock()) is Verdict.LOSS


def test_a_search_that_shares_a_table_later_keeps_its_count_and_what_it_learned():
    played = variant("scatter", "5x5", "orthogonal")
    search = Engine(played, 1 << 22, mirrors=False).search
    search.remember(1)
    verdict = search.verdict(played.start(), Clock())
    before, proved = search.nodes, search.proved()
    for entry in proved:
        search.learn(entry)
    search.share(mmap.mmap(-1, search.table_size))
    assert search.nodes == before > 20
    assert search.verdict(played.start(), Clock()) is verdict
    assert search.nodes <= before + 2
