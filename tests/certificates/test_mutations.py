"""Tests that all checkers reject altered certificates, unless the claims are still true.

`GRIDLOCK_MUTATIONS=10000 pytest -n 0 -m full tests/certificates/test_mutations.py` runs until
10,000 mutations have been rejected.
"""

import os
import re
import shutil
from random import Random

import pytest
from claims import CChecker, Truth, accepted, accepted_by_page, certificate_of, records_of

from gridlock.certificates.checker import check
from gridlock.core.grid import Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import rule_book
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.engine.solve import Solver

COUNT = int(os.environ.get("GRIDLOCK_MUTATIONS") or 400)
PRINTABLE = [chr(code) for code in range(32, 127)]
BOARDS = [
    ("scatter", 3, 3, "orthogonal"), ("scatter", 3, 5, "orthogonal"), ("scatter", 5, 5, "king"),
    ("showdown", 3, 4, "king"), ("trails", 5, 5, "orthogonal"), ("trails", 7, 7, "orthogonal"),
    ("keepaway", 3, 3, "king"),
]  # fmt: skip


def a_byte(lines, random):
    """Change one character."""
    at = random.randrange(len(lines))
    col = random.randrange(len(lines[at]))
    new = random.choice([*PRINTABLE, "\n"])
    text = "".join([*lines[:at], lines[at][:col] + new + lines[at][col + 1 :], *lines[at + 1 :]])
    return text.splitlines(keepends=True)


def a_word(lines, random):
    """Replace a word (a move, a reference, a number or a rule) with the word in the same position on another line."""
    at, other = (random.randrange(1, len(lines)) for _ in range(2))
    words, others = lines[at].split(), lines[other].split()
    col = random.randrange(min(len(words), len(others)))
    words[col] = others[col]
    return [*lines[:at], " ".join(words) + "\n", *lines[at + 1 :]]


def a_number(lines, random):
    """Slightly change a number in a line."""
    at = random.randrange(1, len(lines))
    found = list(re.finditer(r"\d+", lines[at]))
    if not found:
        return lines
    one = random.choice(found)
    new = str(max(0, int(one[0]) + random.choice([-2, -1, 1, 2])))
    return [*lines[:at], lines[at][: one.start()] + new + lines[at][one.end() :], *lines[at + 1 :]]


def a_word_less(lines, random):
    """Remove a random word from a random line."""
    at = random.randrange(len(lines))
    words = lines[at].split()
    del words[random.randrange(len(words))]
    return [*lines[:at], " ".join(words) + "\n", *lines[at + 1 :]]


def a_line_less(lines, random):
    """Remove a random line."""
    at = random.randrange(len(lines))
    return [*lines[:at], *lines[at + 1 :]]


def two_lines_swapped(lines, random):
    """Swap two consecutive lines."""
    at = random.randrange(len(lines) - 1)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def another_slot(lines, random):
    """Move a record to another slot, where it may overwrite a claim that is still needed."""
    at = random.randrange(len(lines))
    words = lines[at].split(" ")
    slots = int(lines[4].split()[1])
    if not words[0].isdigit() or slots < 2:
        return lines
    words[0] = str((int(words[0]) + random.randrange(1, slots)) % slots)
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


KINDS = [a_byte, a_word, a_number, a_word_less, a_line_less, two_lines_swapped, another_slot]


def still_true(lines):
    """Return whether an accepted certificate makes only true statements."""
    proved = check(lines)
    if proved.shape.placing:
        truth = Truth(proved.grid, proved.shape)
        if proved.grid.size <= 15 and not all(truth.holds(line) for line in records_of(lines)):
            return False
    books = [rule_book(name) for name in ("scatter", "showdown", "trails", "keepaway")]
    book = next(book for book in books if book.shape == proved.shape)
    start = Position(*proved.position, 1)
    wins = Solver(Variant(book, proved.grid), clock=Clock(), memory=1 << 20, start=start).solve().verdict is Verdict.WIN
    return wins == (proved.wins is not None)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_mutations_are_rejected(tmp_path):
    in_c = CChecker(tmp_path)
    random, rejected, harmless = Random(1), 0, 0
    certificates = []
    for game, rows, cols, adjacency in BOARDS:
        variant = Variant(rule_book(game), Grid(rows, cols, adjacency))
        position = variant.start()
        for _ in range(2 if game == "showdown" else 0):  # showdown's starting position needs only a mirror strategy
            position = position.after(variant.legal_cells(position)[0])
        certificates.append(certificate_of(variant, position))
    texts, verdicts = [], []
    while rejected < COUNT:
        lines = random.choice(certificates)
        kind = random.choice(KINDS)
        changed = kind(lines, random)
        if "".join(changed) == "".join(lines):
            continue
        fine = accepted(changed)
        texts.append("".join(changed))
        verdicts.append(fine)
        assert in_c.accepts(changed) == fine, (kind.__name__, changed)
        if fine:
            harmless += 1
            assert still_true(changed), (kind.__name__, changed)
        else:
            rejected += 1
    if shutil.which("node"):
        assert accepted_by_page(texts, tmp_path) == verdicts
    print(f"{rejected} rejected by all checkers, {harmless} still true")
