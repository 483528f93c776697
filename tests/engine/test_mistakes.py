"""Tests that a review calls a move a mistake if and only if, according to the naive model, the move gives up a win."""

from random import Random

import pytest
from truth import EVERY_GAME

import oracle
from gridlock.core.game import SWAP
from gridlock.core.rules import variant
from gridlock.engine.engine import Engine
from gridlock.engine.review import review
from sample_games import random_game


class Judge:
    """A brute-force judge of who wins, which uses the naive model and allows for swaps and passes."""

    def __init__(self, game):
        self.game, grid = game, game.variant.grid
        king = str(grid.adjacency) == "king"
        self.here = oracle.GAMES[game.variant.book.name](grid.rows, grid.cols, king, game.starts)
        self.swapped, self.ply, self.memo = False, 0, {}

    def player(self, side):
        return 3 - side if self.swapped else side

    def side_to_win(self, here):
        """Return the side that wins a position in which swapping is no longer possible."""
        key = (frozenset(here.owner.items()), *here.last.values(), here.last_mover, here.turn)
        if key not in self.memo:
            if here.over():
                self.memo[key] = here.winner()
            elif here.must_pass():
                self.memo[key] = self.side_to_win(self.after(here, None))
            else:
                found = {self.side_to_win(self.after(here, cell)) for cell in here.legal()}
                self.memo[key] = here.turn if here.turn in found else 3 - here.turn
        return self.memo[key]

    @staticmethod
    def after(here, cell):
        """Return the game after a cell is taken or (for None) after a pass."""
        here = here.copy()
        if cell is None:
            here.skip()
        else:
            here.play(cell)
        return here

    def mover(self):
        """Return the player to move, and whether the opponent has just had to pass."""
        passed = self.here.must_pass()
        return self.player(3 - self.here.turn if passed else self.here.turn), passed

    def options(self):
        """For each option of the player to move (a cell or SWAP), return the player who wins after it."""
        here = self.after(self.here, None) if self.here.must_pass() else self.here
        found = {}
        for row, col in here.legal():
            child = self.after(here, (row, col))
            cell = row * here.cols + col
            found[cell] = self.player(self.side_to_win(child))
            if self.game.swap and self.ply == 0:  # the other one may keep the side, or exchange it
                either, other = {found[cell], 3 - found[cell]}, 3 - self.mover()[0]
                found[cell] = other if other in either else 3 - other
        if self.game.swap and self.ply == 1:
            found[SWAP] = 3 - self.side_to_win(here)
        return found

    def winner(self):
        """Return the player who wins."""
        found, (mover, _) = set(self.options().values()), self.mover()
        return mover if mover in found else 3 - mover

    def go(self, move):
        """Record a move that has been made."""
        if move == SWAP:
            self.swapped = True
        else:
            here = self.after(self.here, None) if self.here.must_pass() else self.here
            self.here = self.after(here, divmod(move, here.cols))
        self.ply += 1


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_mistakes_are_where_the_naive_model_says(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    seen = set()
    for board in ("2x2", "2x3", "1x7", "2x4"):
        played = variant(game, board, adjacency)
        engine, memo = Engine(played, 1 << 22), {}
        for number in range(24):
            plies = 99 if number % 2 else rng.randrange(4)
            record = random_game(played, rng, plies, swap=number % 3 < 2, resigns=0.2 * (number % 5 < 2))
            judge = Judge(record)
            judge.memo = memo
            steps = list(review(engine, record, 10.0))
            assert [step.move for step in steps] == record.moves + [None] * (record.resigned is not None)
            for ply, step in enumerate(steps, 1):
                assert step.ply == ply
                mover, passed = judge.mover()
                options, before = judge.options(), judge.winner()
                player = mover if step.move is not None else record.resigned
                assert (step.player, step.passed, step.before) == (player, passed, before)
                assert judge.player(step.side) == player
                if step.move is not None:
                    judge.go(step.move)
                    assert step.after == judge.winner()
                else:
                    assert step.after == 3 - player
                assert step.mistake == (before == player != step.after)
                held = {move for move, winner in options.items() if winner == player}
                assert set(step.better) == (held if step.mistake and player == mover else set())
                if step.mistake:
                    seen |= {step.kind, *({"swap held"} if SWAP in step.better else ())}
    assert seen >= {"swap", "resign"} | ({"swap held"} if game != "scatter" else set())  # there, few openings win


def test_a_resignation_while_the_other_side_passes():
    """The only player who can still place a marker resigns, and so loses a won game."""
    rng = Random(3)
    played = variant("scatter", "3x3")
    engine = Engine(played, 1 << 22)
    found = 0
    for _ in range(60):
        game = random_game(played, rng, plies=rng.randrange(2, 9))
        if game.passing:
            game.resign(game.turn)
            last = list(review(engine, game, 10.0))[-1]
            assert last.mistake
            assert last.passed
            assert list(last.better) == played.legal_cells(game.position)
            found += 1
    assert found
