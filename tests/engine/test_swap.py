"""Tests that every answer under the swap rule agrees with a naive model, which tries every game and every swap."""

from random import Random

import pytest
from test_mistakes import Judge
from truth import EVERY_GAME

from gridlock.core.game import SWAP, Game
from gridlock.core.rules import variant
from gridlock.engine.analysis import winner_by_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.review import review

BOARDS = ("1x2", "1x5", "2x2", "2x3", "2x4", "3x3")


class Truth:
    """An engine for games on one board, and a cache of the naive model's results."""

    def __init__(self, played):
        self.engine, self.memo = Engine(played, 1 << 22), {}

    def judge(self, game):
        """Return a brute-force judge for a game's current position."""
        judge = Judge(game)
        judge.memo = self.memo
        for move in game.moves:
            judge.go(move)
        return judge

    def check(self, game):
        """Check that the move values, the value of swapping, the verdict and the winner are correct."""
        analysis = self.engine.analyse(game, Clock(), counting=None)
        judge = self.judge(game)
        mover, _ = judge.mover()
        options = judge.options()
        assert game.turn == mover
        told = {value.cell: value.verdict for value in analysis.values}
        if analysis.swap is not None:
            told[SWAP] = analysis.swap
        worth = {move: Verdict.WIN if winner == mover else Verdict.LOSS for move, winner in options.items()}
        assert told == worth
        assert analysis.verdict is (Verdict.WIN if judge.winner() == mover else Verdict.LOSS)
        assert analysis.winning == [cell for cell in sorted(worth) if cell != SWAP and worth[cell] is Verdict.WIN]
        assert winner_by_swap(game) in (None, judge.winner())
        self.check_words(game, analysis)
        return analysis

    def check_words(self, game, analysis):
        """Check that the text reports a winning swap, and says that no first move wins if the opponent may swap."""
        words = analysis.words()
        if game.swap and not game.moves and analysis.values:
            assert words.startswith("No first move wins")
            assert (analysis.line, analysis.pairing, analysis.distance) == ((), {}, None)
            assert analysis.method is Method.RULES
        elif analysis.swap is Verdict.WIN:
            assert words.startswith(("Swapping wins", "Only swapping wins"))
            assert (analysis.best, analysis.line) == (None, ())
        else:
            assert (analysis.best in analysis.winning) == (analysis.verdict is Verdict.WIN)
            assert "wap" not in words


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_what_an_analysis_says_of_a_game_with_swap(game, adjacency, board):
    """Check the analysis before the first move, after each possible first move, after a swap, and a few moves later."""
    rng = Random(f"{game} {adjacency} {board}")
    played = variant(game, board, adjacency)
    truth = Truth(played)
    for starts in (1, 2):
        first = Game(played, starts=starts, swap=True)
        truth.check(first)
        assert winner_by_swap(first) == 3 - starts
        for cell in played.legal_cells(first.position):
            game_of = first.copy()
            game_of.push(cell)
            analysis = truth.check(game_of)
            assert analysis.verdict is Verdict.WIN
            swapped = game_of.copy()
            swapped.push(SWAP)
            truth.check(swapped)
            for later in (game_of, swapped):
                while not later.outcome and later.legal:
                    later.push(rng.choice(played.legal_cells(later.position)))
                    if not later.outcome:
                        truth.check(later)


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_a_review_and_an_analysis_agree(game, adjacency):
    """A review and an analysis name the same winner for every position, whether or not a swap is possible."""
    rng = Random(f"{game} {adjacency}")
    for board in ("2x3", "3x3"):
        played = variant(game, board, adjacency)
        engine = Engine(played, 1 << 22)
        for number in range(12):
            record = Game(played, starts=1 + number % 2, swap=True)
            while not record.outcome:
                if record.can_swap and (not record.legal or rng.random() < 0.5):
                    record.push(SWAP)
                else:
                    record.push(rng.choice(played.legal_cells(record.position)))
            for step in review(engine, record, 60.0):
                then = record.at(step.ply - 1)
                analysis = engine.analyse(then, Clock())
                assert step.before == (then.turn if analysis.verdict is Verdict.WIN else 3 - then.turn)
                if step.mistake:
                    held = [SWAP] if analysis.swap is Verdict.WIN else analysis.winning
                    assert list(step.better) == held


@pytest.mark.parametrize("game", ["scatter", "trails"])
def test_what_is_not_known_without_the_swap_is_not_claimed_with_it(game):
    """The player who may swap always wins, either by swapping or by moving."""
    played = variant(game, "15x15")
    record = Game(played, swap=True)
    record.push(played.legal_cells(record.position)[0])
    analysis = Engine(played, 1 << 20).analyse(record, Clock(0.0))
    assert (analysis.verdict, analysis.swap) == (Verdict.WIN, Verdict.UNKNOWN)
    assert analysis.words().startswith("The player to move wins, either by swapping or by making a move.")
    assert analysis.winning == []
