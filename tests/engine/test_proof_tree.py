"""Tests that the tree of first moves reaches the right verdict, no matter which of its leaves are solved."""

import pytest
from bench import reference
from shapes import EVERY_SHAPE, game, label
from truth import SEARCHED, by_functions, late_position

from gridlock.core.position import Position
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.mirror import symmetries
from gridlock.engine.proof_tree import Keys, ProofTree

MEMORY = 1 << 20


def grown(played, start, rng, decides):
    """Grow a tree until its root is decided; several leaves are searched at once, and results arrive in any order."""
    engine = Engine(played, MEMORY)
    tree = ProofTree(engine.search, start)
    out, workers = {}, rng.randint(1, 4)
    while tree.verdict is Verdict.UNKNOWN:
        leaf = tree.take() if len(out) < workers else None
        if leaf:
            number, position = leaf
            assert position not in out.values()
            out[number] = position
        else:
            number = rng.choice(list(out))
            position = out.pop(number)
            tree.settle(number, engine.verdict(position, Clock()) if decides(position) else Verdict.UNKNOWN)
    return tree


@pytest.mark.parametrize(("shape", "adjacency"), EVERY_SHAPE, ids=label)
def test_every_shape(shape, adjacency, rng):
    for rows, cols in ((1, 5), (2, 3), (2, 4)):
        heads = tuple(rng.sample(range(rows * cols), 2)) if shape.pawn else None
        played = game(shape, rows, cols, adjacency, heads)
        chance = rng.choice((0, 0.3, 0.7))
        tree = grown(played, played.start(), rng, lambda _, chance=chance: rng.random() < chance)
        assert (tree.verdict is Verdict.WIN) == reference.solve(played, played.start(), {}).win


@pytest.mark.parametrize(("name", "adjacency"), SEARCHED)
def test_positions_of_the_games_that_are_searched(name, adjacency, rng):
    """Solve leaves at some depths of the tree; at other depths, expand leaves with the moves that a kernel selects."""
    for board in ("3x4", "4x4", "3x6"):
        played = variant(name, board, adjacency)
        start = late_position(played, rng, 10)
        share = rng.randint(0, 8)
        tree = grown(played, start, rng, lambda position, share=share: position.taken.bit_count() % 9 < share)
        assert (tree.verdict is Verdict.WIN) == reference.solve(played, start, {}).win


def test_a_game_without_a_shape(rng):
    played = by_functions(variant("showdown", "3x3"))
    tree = grown(played, played.start(), rng, lambda _: rng.random() < 0.3)
    assert tree.verdict is Verdict.WIN


@pytest.mark.parametrize(("shape", "adjacency"), EVERY_SHAPE, ids=label)
def test_keys(shape, adjacency):
    """A position's rotations and reflections share its key, and positions with the same key have the same result."""
    played = game(shape, 2, 3, adjacency, (0, 5) if shape.pawn else None)
    keys, memo, results = Keys(played), {}, {}
    reference.solve(played, played.start(), memo)
    for state, result in memo.items():
        position = Position(*state, 1)
        key = keys.of(position)
        assert results.setdefault(key, result.win) == result.win
        for image in symmetries(played.grid):
            assert keys.of(moved(position, image)) == key


def moved(position, image):
    """Return the image of a position, given the image of every cell."""
    sets = (sum(1 << image[cell] for cell in range(len(image)) if bits >> cell & 1) for bits in position[:2])
    return Position(*sets, *(None if head is None else image[head] for head in position[2:4]), position.turn)


def test_leaves_are_handed_out_once_and_grow():
    played = variant("scatter", "4x4", "orthogonal")
    engine = Engine(played, MEMORY)
    tree = ProofTree(engine.search, played.start())
    assert len(tree.root.children) == 3, "a corner, a side and the centre"
    first = [tree.take() for _ in range(3)]
    assert [position for _, position in first] == [child.position for child in tree.root.children]
    assert tree.take() is None
    for number, _ in first:
        tree.settle(number, Verdict.UNKNOWN)
    number, position = tree.take()
    assert position == tree.root.children[0].children[0].position
    assert tree.open == sum(len(child.children) for child in tree.root.children) - shared_children(tree)


def shared_children(tree):
    """Return how many two-move sequences lead to a position that an earlier sequence has already reached."""
    below = [child for first in tree.root.children for child in first.children]
    return len(below) - len(set(map(id, below)))
