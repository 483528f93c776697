"""Functions that check whether a rule book satisfies the laws that apply to every game."""

import pickle
from functools import cache
from random import Random

from gridlock.core.game import Game, Termination
from gridlock.core.grid import Adjacency, Grid, cells_of, set_of
from gridlock.core.notation import play_moves, read_move
from gridlock.core.records import dump_json, dump_text, load_json, loads
from gridlock.core.rulebook import Reason, Variant

ADJACENCIES = list(Adjacency)


def naive(variant, model, starts):
    """Create a naive model of a game on a variant's board."""
    grid = variant.grid
    return model(grid.rows, grid.cols, grid.adjacency is Adjacency.KING, starts)


def check_book(book):
    """Check that a rule book has all the texts that introduce its game, and that its example can be played."""
    assert book.name == book.name.lower().strip()
    assert book.name.isidentifier()
    assert book.title
    assert book.summary.endswith(".")
    assert "\n" not in book.summary
    assert len(book.rules) > len(book.summary)
    assert book.closed
    assert not book.closed.endswith(".")
    assert len(set(book.marks)) == len(set(book.players)) == 2
    variant = Variant(book, Grid(*book.board, book.adjacency))
    game = Game(variant)
    for row, col in book.example:
        game.push(variant.cell(row, col))
    assert game.moves
    assert game.outcome is None


def check_position(variant, position, model_game=None):
    """Check that all answers about a position agree with one another and with the naive model."""
    grid = variant.grid
    legal = variant.legal(position)
    assert legal & ~grid.cells == 0
    assert variant.legal_cells(position) == cells_of(legal)
    assert {cell for cell in range(grid.size) if variant.refusal(position, cell) is None} == set(cells_of(legal))
    for cell in range(grid.size):
        refusal = variant.refusal(position, cell)
        if refusal:
            assert refusal.words
            assert refusal.causes
            assert refusal.causes & ~position.taken == 0
            assert refusal.reason is (Reason.TAKEN if position.taken >> cell & 1 else Reason.ADJACENCY)
    for outside in (None, -1, grid.size, 10**30):
        refusal = variant.refusal(position, outside)
        assert refusal == (Reason.OUTSIDE, "outside the grid", 0)
    stuck, other_stuck = not legal, not variant.legal(position.passed())
    assert variant.must_pass(position) == (variant.book.passes and stuck and not other_stuck)
    assert variant.over(position) == (stuck and (other_stuck or not variant.book.passes))
    assert variant.winner(position) == (3 - position.turn if variant.over(position) else None)
    check_law_of_passing(variant, position)
    assert position.passed().passed() == position
    assert position.mine & position.theirs == 0
    if model_game is not None:
        check_against(variant, position, model_game)


def check_law_of_passing(variant, position):
    """Check the solver's assumption that once a side must pass, it stays stuck, wherever the other side moves."""
    todo, seen = [position] if variant.must_pass(position) else [], set()
    while todo:
        other = todo.pop().passed()
        if other in seen:
            continue
        seen.add(other)
        for cell in variant.legal_cells(other)[:5]:  # a few of each: there are many continuations
            after = other.after(cell)
            assert not variant.legal(after), f"{variant.name(cell)} frees a side that was stuck"
            todo.append(after)
            if len(seen) > 200:
                return


def check_against(variant, position, model_game):
    """Check that the rules under test and a naive model agree about a position.

    The rules and the model must agree on the turn, the markers, the legal cells, the reasons why other cells are
    illegal, passes, and the result.
    """
    cols = variant.grid.cols

    @cache  # on a large board thousands of cells have the same cause
    def pairs(bits):
        found = set()
        while bits:
            found.add(divmod(bits.bit_length() - 1, cols))
            bits ^= 1 << bits.bit_length() - 1
        return found

    assert position.turn == model_game.turn
    for side in (1, 2):
        assert pairs(position.markers(side)) == {cell for cell, owner in model_game.owner.items() if owner == side}
        head = position.head(side)
        assert (None if head is None else divmod(head, cols)) == model_game.last[side]
    assert [divmod(cell, cols) for cell in variant.legal_cells(position)] == model_game.legal()
    for cell in range(variant.grid.size):
        refusal = variant.refusal(position, cell)
        seen = None if refusal is None else (str(refusal.reason), pairs(refusal.causes))
        assert seen == model_game.why_not(divmod(cell, cols)), variant.name(cell)
    assert variant.must_pass(position) == model_game.must_pass()
    assert variant.over(position) == model_game.over()
    assert variant.winner(position) == model_game.winner()


def check_random_game(book, rows, cols, adjacency, starts, seed, model=None, asked=lambda _ply: True):
    """Play one random game to its end; check some or all of its positions, and then the whole game."""
    random = Random(seed)
    variant = Variant(book, Grid(rows, cols, adjacency))
    game = Game(variant, starts=starts)
    model_game = naive(variant, model, starts) if model else None
    while True:
        raw = game.positions[-1]
        if asked(len(game.moves)) or variant.over(raw):
            check_position(variant, raw, model_game)
            check_value(raw)
        if variant.over(raw):
            break
        if model_game and game.passing:
            model_game.skip()
        cell = random_cell(random, variant.grid.size, game.legal)
        check_spelling(variant, game.position, cell)
        if model_game:
            assert model_game.why_not(divmod(cell, cols)) is None
            model_game.play(divmod(cell, cols))
        game.push(cell)
        assert len(game.moves) <= variant.grid.size
    check_finished(game)
    return game


def random_cell(random, size, legal):
    """Return a random cell from a set.

    On a large board, trying random cells is much faster than listing all cells in the set.
    """
    for cell in random.sample(range(size), min(size, 20)):
        if legal >> cell & 1:
            return cell
    return random.choice(cells_of(legal))


def check_value(position):
    """Check that a position is immutable: it can be compared, hashed and pickled, but not changed."""
    twin = pickle.loads(pickle.dumps(position))
    assert twin == position
    assert hash(twin) == hash(position)
    try:
        position.turn = 1
    except AttributeError:
        return
    raise AssertionError("a position could be changed")


def check_spelling(variant, position, cell):
    """Check that parsing a cell's name returns the cell."""
    name = variant.name(cell)
    assert variant.cell(*variant.coordinates(cell)) == cell
    assert read_move(name, variant, variant.book.marks[position.turn - 1]) == cell


def check_finished(game):
    """Check that a finished game has one winner, keeps its history, can be recorded, and can be undone move by move."""
    variant = game.variant
    outcome = game.outcome
    assert outcome is not None
    assert outcome.termination is Termination.STUCK
    assert outcome.winner in (1, 2)
    assert not game.passing
    assert game.legal == 0

    check_history(game)
    for text in (dump_text(game), dump_json(game)):
        again = loads(text)[0] if isinstance(text, str) else load_json(text)
        assert (again.moves, again.positions, again.outcome) == (game.moves, game.positions, game.outcome)
    retold = Game(variant, starts=game.starts)
    play_moves(retold, " ".join(map(variant.name, game.moves)))
    assert retold.positions == game.positions

    trail = game.positions[:]
    for ply in range(0, len(trail), max(1, len(trail) // 20)):
        assert game.at(ply).positions == trail[: ply + 1]
    for ply in range(len(trail) - 1, -1, -1):
        assert len(game.moves) == ply
        assert game.positions[-1] == trail[ply]
        assert (game.outcome is not None) == (ply == len(trail) - 1)
        if ply:
            game.pop()
    for cell in retold.moves:
        game.push(cell)
    assert game.positions == trail


def check_history(game):
    """Check that the history contains each move with its side, and a pass wherever a side moves twice in a row."""
    events = list(game.history())
    assert [event.cell for event in events if event.cell is not None] == game.moves
    sides = [game.starts, 3 - game.starts]
    assert [event.side for event in events] == [sides[turn % 2] for turn in range(len(events))]
    for side in (1, 2):
        start = game.positions[0].markers(side)
        placed = set_of(event.cell for event in events if event.side == side and event.cell is not None)
        assert game.positions[-1].markers(side) == start | placed
    assert game.variant.book.passes or all(event.cell is not None for event in events)
