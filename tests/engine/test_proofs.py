"""Tests that statements about a position are true and concise."""

from dataclasses import replace
from random import Random

import pytest
from bench import reference
from truth import EVERY_GAME, SEARCHED, analysed, by_functions, late_position, without_distances

from gridlock.core.notation import read_move
from gridlock.core.position import Position
from gridlock.core.rules import variant
from gridlock.engine import engine as engine_module
from gridlock.engine.analysis import MoveValue
from gridlock.engine.choice import best_try, estimate
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Searched, Verdict
from gridlock.engine.mirror import HOW

MEMORY = 1 << 22


def after(played, *moves):
    """Return the position after these moves."""
    position = played.start()
    for text in moves:
        position = position.after(read_move(text, played, ""))
    return position


@pytest.mark.parametrize(
    ("game", "board", "moves", "words"),
    [
        ("keepaway", "3x3", [], "2,2 wins: it leaves the opponent no move."),
        ("scatter", "1x1", [], "1,1 wins: it leaves the opponent no move."),
        ("scatter", "3x3", ["2,2"], "1,1 wins: the opponent has no move left."),
        ("showdown", "3x3", [], "2,2 wins: it leaves the opponent no move."),
        ("keepaway", "3x3", ["2,2"], "There is no move left: the player to move has lost."),
    ],
)
def test_a_win_at_once_has_that_for_its_reason(game, board, moves, words):
    played = variant(game, board)
    assert analysed(Engine(played, MEMORY), after(played, *moves)).words() == words


def row_of(count, left):
    """Return a proof for Chain on a single row; its line of play has `count` moves and leaves `left` cells empty."""
    played = variant("chain", f"1x{count + left + 1}")
    position = played.start().after(0)
    return Searched(variant=played, position=position, verdict=Verdict.WIN, line=tuple(range(1, count + 1)))


def test_a_line_is_cut_only_if_it_is_long_and_then_that_shows():
    names = [f"{'XO'[number % 2 == 0]} 1,{number}" for number in range(2, 30)]
    assert row_of(13, 0).line_words() == ", ".join(names[:13]) + "."
    assert row_of(16, 0).line_words() == ", ".join(names[:16]) + "."
    assert row_of(17, 0).line_words() == ", ".join(names[:16]) + " ..."
    assert row_of(5, 2).line_words() == ", ".join(names[:5]) + " ..."


@pytest.mark.parametrize(("game", "board", "moves"), [("showdown", "6x7", ["1,1"]), ("trails", "7x7", [])])
def test_a_line_without_distances(game, board, moves):
    """Even if the distance is unknown, the analysis has a line of play in which the winner makes only winning moves."""
    played = variant(game, board)
    engine, other = without_distances(Engine(played)), Engine(played, mirrors=False)
    analysis = analysed(engine, after(played, *moves))
    assert (analysis.method, analysis.distance) == (Method.SEARCH, None)
    assert "as a search shows: for instance " in analysis.words()
    assert "positions" not in analysis.words()
    assert 2 < len(analysis.line) <= 16
    position = analysis.position
    winner = position.turn if analysis.verdict is Verdict.WIN else 3 - position.turn
    for cell in analysis.line:
        assert played.legal(position) >> cell & 1
        mover, position = position.turn, position.after(cell)
        if mover == winner:
            assert other.search.verdict(position, Clock()) is Verdict.LOSS
    assert mover == winner


def test_every_winning_move_can_be_explained_not_only_the_best():
    """Each winning move is explained by a mirror strategy, or by a line of play that begins with the move."""
    played = variant("showdown", "5x6")
    engine = Engine(played, MEMORY)
    analysis = analysed(engine, played.start())
    methods = set()
    for cell in analysis.winning:
        explained = engine.explained(analysis, Clock(), cell)
        assert explained.proof.best == cell
        methods.add(explained.method)
        words = explained.words()
        assert words.startswith(f"{played.name(cell)} wins")
        assert words == explained.words(cell)
        if explained.line:
            assert explained.line[0] == cell
        else:
            assert any(how in words for how in HOW.values())
    assert len(analysis.winning) > 1
    assert Method.SEARCH in methods


def test_an_answer_belongs_to_the_move_that_is_explained():
    """Each move that wins by a mirror strategy has its own mirror, which provides the winner's replies."""
    met = 0
    for board in ("3x4", "4x4", "5x5"):
        played = variant("showdown", board)
        engine = Engine(played, MEMORY)
        analysis = engine.weigh(played.start(), Clock(), 0.0)
        for cell in analysis.proof.winning:
            proof = engine.explained(analysis, Clock(), cell).proof
            now = played.start().after(cell)
            for move in played.legal_cells(now):
                assert played.legal(now.after(move)) >> proof.answer(move) & 1
                answered = now.after(move).after(proof.answer(move))
                assert engine.prove(answered, Clock()).verdict is Verdict.LOSS
                met += 1
    assert met


def test_without_time_for_a_line_only_the_search_is_mentioned(monkeypatch):
    monkeypatch.setattr(engine_module, "LONGEST_LOOK", 0.0)
    played = variant("showdown", "7x7")
    analysis = analysed(without_distances(Engine(played)), after(played, "1,1"))
    assert analysis.words().endswith(" wins, as a search shows.") or analysis.words() == (
        "Every move loses, as a search shows."
    )
    assert analysis.line == ()


def test_what_was_tried_is_counted_right():
    played = variant("scatter", "8x8")
    engine = Engine(played)
    position = after(played, "1,1", "4,4")
    told = []
    for _ in range(2):
        before = engine.nodes
        analysis = analysed(engine, position, Clock(0.3, lambda nodes, _seconds: told.append(nodes)))
        assert analysis.verdict is Verdict.UNKNOWN
        assert analysis.positions == engine.nodes - before
        assert f"searching {analysis.positions:,} positions" in analysis.words()
        assert max(told) <= engine.nodes
        told.clear()
    values = (MoveValue(0, Verdict.LOSS), MoveValue(1, Verdict.UNKNOWN))
    hazy = replace(analysis, values=values, seconds=0.0031)
    assert "in 0.01 s did not settle it" in engine._proofs(hazy, None, {})[0].words()
    assert "1 of 2 moves is known to lose." in engine._proofs(hazy, None, {})[0].words()
    assert "there was no time for a search" in engine._proofs(replace(hazy, positions=0), None, {})[0].words()


def test_a_mirror_is_mentioned_only_where_one_was_tried():
    played = variant("scatter", "8x8")
    position = after(played, "1,1", "4,4")
    shapeless = Engine(by_functions(played))
    for engine, tried in ((Engine(played), "no mirror strategy applies, and "), (shapeless, "")):
        words = analysed(engine, position, Clock(0.1)).words()
        assert words.startswith(f"The winner is not known: {tried}searching ")
        hazy = engine.judge(position, lambda _nodes: True)
        assert hazy.verdict is Verdict.UNKNOWN
        assert hazy.words() == f"The winner is not known: {tried}a search did not finish."


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_a_search_judges_as_theory_does(game, adjacency):
    """The search provides its own proof, unless it runs out of time."""
    played = variant(game, "3x4", adjacency)
    engine, rng = Engine(played, MEMORY), Random(f"{game} {adjacency}")
    for _ in range(10):
        position = late_position(played, rng, 8)
        proof = engine.search.judge(position, Clock())
        assert proof.method is Method.SEARCH
        assert (proof.variant, proof.position) == (played, position)
        assert proof.verdict is engine.judge(position, Clock()).verdict
        assert (proof.verdict is Verdict.WIN) == reference.solve(played, position).win
        assert engine.search.judge(position, lambda _nodes: True) is None


def test_how_to_answer_a_move_that_loses():
    """Every kind of proof has its own wording."""
    for game, board, moves, words in (
        ("keepaway", "4x4", [], ": answer with its partner, "),
        ("scatter", "4x4", [], ": answer with the cell opposite through the centre of the board, 4,4, and keep"),
        ("trails", "3x3", ["0,1"], ": for instance "),
    ):
        played = variant(game, board)
        analysis = analysed(Engine(played, MEMORY), after(played, *moves))
        assert analysis.verdict is Verdict.LOSS
        said = analysis.proof.refutation(analysis.values[0].cell)
        assert said.startswith(words)
        assert said.endswith(".")
    assert replace(analysis.proof, line=()).refutation(0) == ", as a search shows."


def test_the_best_try_is_the_most_promising_where_nothing_can_be_counted():
    played = variant("scatter", "8x8")
    engine = Engine(played)
    analysis = engine.weigh(played.start(), Clock(0.1))
    assert (analysis.verdict, analysis.method) == (Verdict.LOSS, Method.MIRROR)
    cell, counted = best_try(engine, analysis, Clock(0.0), Random(3))
    promise = estimate(engine, analysis.position, 200, Random(3))
    assert not counted
    assert promise[cell] == max(promise.values())


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_the_best_try_leaves_the_fewest_winning_replies_beside_one_that_errs(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "4x4", adjacency)
    engine, memo, lost = Engine(played, MEMORY), {}, 0
    while lost < 20:
        analysis = engine.weigh(late_position(played, rng, 8), Clock())
        if analysis.verdict is not Verdict.LOSS:
            continue
        lost += 1
        cell, counted = best_try(engine, analysis, Clock(60.0), rng)
        replies = {}
        for move in analysis.values:
            wins = [one.win for one in reference.results(played, analysis.position.after(move.cell), memo).values()]
            replies[move.cell] = (all(wins), 0 if all(wins) else sum(wins))
        assert counted
        assert replies[cell] == min(replies.values())


def interrupt(_nodes):
    raise KeyboardInterrupt


def nearly_full(rng):
    """Return a position on a 10x10 board with a few empty cells in a corner."""
    corner = [10 * row + col for row in range(4) for col in range(4)]
    rng.shuffle(corner)
    heads, empty = corner[:2], corner[2:10]
    owners = {cell: rng.choice((0, 1)) for cell in range(100) if cell not in empty} | {heads[0]: 0, heads[1]: 1}
    sets = [sum(1 << cell for cell, owner in owners.items() if owner == side) for side in (0, 1)]
    return Position(*sets, *heads, 1)


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_a_search_that_is_interrupted_can_be_asked_again(game, adjacency):
    """An exception raised by the clock leaves no false results behind."""
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "10x10", adjacency)
    engine, memo = Engine(played, MEMORY, mirrors=False), {}
    early = after(played, *(("0,1", "9,8") if game == "trails" else ("2,3", "5,6")))
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            engine.search.verdict(early, interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.distances.of_moves(early, interrupt)
    for position in [nearly_full(rng) for _ in range(20)]:
        truth = reference.results(played, position, memo)
        assert engine.weigh(position, Clock()).winning == [cell for cell, result in truth.items() if result.win]
        assert engine.search.verdict(position, Clock()) is (
            Verdict.WIN if reference.best(truth.values()).win else Verdict.LOSS
        )
