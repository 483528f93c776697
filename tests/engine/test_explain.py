"""What is said of a position: true, for whoever reads it, and no longer than it is worth."""

from dataclasses import replace
from random import Random

import pytest
from gridlock.engine.explain import explain, line_words
from truth import SEARCHED, late_position

from gridlock.engine import explain as explain_module
from gridlock.engine import reference
from gridlock.engine.analysis import Analysis, MoveValue
from gridlock.engine.choice import best_try, estimate
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.notation import read_move
from gridlock.position import Position
from gridlock.rules import variant

MEMORY = 1 << 22


def never(_nodes):
    return False


def after(played, *moves):
    """The position after these moves."""
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
    assert Engine(played, MEMORY).analyse(after(played, *moves)).explanation == words


def row_of(count, left):
    """An analysis of a chain along one row, with a line of so many moves and so many cells left after it."""
    played = variant("chain", f"1x{count + left + 1}")
    position = played.start().after(0)
    return Analysis(played, position, Verdict.WIN, (), Method.SEARCH, line=tuple(range(1, count + 1)))


def test_a_line_is_cut_only_if_it_is_long_and_then_that_shows():
    names = [f"1,{number}" for number in range(2, 30)]
    assert line_words(row_of(13, 0)) == " ".join(names[:13]) + "."
    assert line_words(row_of(16, 0)) == " ".join(names[:16]) + "."
    assert line_words(row_of(17, 0)) == " ".join(names[:16]) + " ..."
    assert line_words(row_of(5, 2)) == " ".join(names[:5]) + " ..."


@pytest.mark.parametrize(("game", "board", "moves"), [("showdown", "6x7", ["1,1"]), ("trails", "7x7", [])])
def test_a_line_without_distances(game, board, moves):
    """Where the distance is not known there still is a line, and every move of the winner's in it wins."""
    played = variant(game, board)
    engine, other = Engine(played), Engine(played, mirrors=False)
    engine.__dict__["exact"] = None
    found = engine.analyse(after(played, *moves))
    assert (found.method, found.distance) == (Method.SEARCH, None)
    assert "as a search shows: for instance " in found.explanation
    assert "positions" not in found.explanation
    assert 2 < len(found.line) <= 16
    position, winner = found.position, found.position.turn if found.verdict is Verdict.WIN else 3 - found.position.turn
    for cell in found.line:
        assert played.legal(position) >> cell & 1
        mover, position = position.turn, position.after(cell)
        if mover == winner:
            assert other.by_search(position, never) is Verdict.LOSS
    assert mover == winner


def test_a_line_has_time_of_its_own():
    """However long the analysis took, the line follows at the first question already."""
    played = variant("showdown", "5x5")
    position = after(played, "1,1")
    engine = Engine(played, MEMORY)
    engine.analyse(position)
    found = engine.analyse(position, 0.0)
    assert len(found.line) == found.distance


def test_without_time_for_a_line_only_the_search_is_mentioned(monkeypatch):
    monkeypatch.setattr(explain_module, "PATIENCE", 0.0)
    played = variant("showdown", "7x7")
    engine = Engine(played)
    engine.__dict__["exact"] = None
    found = engine.analyse(after(played, "1,1"))
    assert found.explanation.endswith(" wins, as a search shows.") or found.explanation.startswith(
        "Every move loses, as"
    )
    assert found.line == ()
    assert "for instance" not in found.explanation


def test_what_was_tried_is_counted_right():
    played = variant("scatter", "8x8")
    engine = Engine(played)
    position = after(played, "1,1", "4,4")
    told = []
    for _ in range(2):
        found = engine.analyse(position, 0.3, lambda nodes, _seconds: told.append(nodes))
        assert found.verdict is Verdict.UNKNOWN
        assert f"a search of {found.positions:,} positions" in found.explanation
        assert max(told) <= found.positions
        told.clear()
    moves = (MoveValue(0, Verdict.LOSS), MoveValue(1, Verdict.UNKNOWN))
    hazy = replace(found, moves=moves, seconds=0.0031)
    words = explain(engine, hazy).explanation
    assert "did not finish in 0.01 s" in words
    assert "1 of 2 moves is known to lose." in words
    assert "there was no time for a search" in explain(engine, replace(hazy, positions=0)).explanation


def test_the_best_try_is_the_most_promising_where_nothing_can_be_counted():
    played = variant("scatter", "8x8")
    engine = Engine(played)
    found = engine.weigh(played.start(), 0.1)
    assert (found.verdict, found.method) == (Verdict.LOSS, Method.MIRROR)
    cell, counted = best_try(engine, found, 0.0, Random(3))
    promise = estimate(engine, found.position, 200, Random(3))
    assert not counted
    assert promise[cell] == max(promise.values())


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_the_best_try_leaves_the_fewest_winning_replies_beside_one_that_errs(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "4x4", adjacency)
    engine, memo, lost = Engine(played, MEMORY), {}, 0
    while lost < 20:
        found = engine.weigh(late_position(played, rng, 8))
        if found.verdict is not Verdict.LOSS:
            continue
        lost += 1
        cell, counted = best_try(engine, found, 60.0, rng)
        replies = {}
        for move in found.moves:
            wins = [one.win for one in reference.results(played, found.position.after(move.cell), memo).values()]
            replies[move.cell] = (all(wins), 0 if all(wins) else sum(wins))
        assert counted
        assert replies[cell] == min(replies.values())


def interrupt(_nodes):
    raise KeyboardInterrupt


def nearly_full(rng):
    """A position on 10x10 with a few cells left in a corner."""
    corner = [10 * row + col for row in range(4) for col in range(4)]
    rng.shuffle(corner)
    heads, empty = corner[:2], corner[2:10]
    owners = {cell: rng.choice((0, 1)) for cell in range(100) if cell not in empty} | {heads[0]: 0, heads[1]: 1}
    sets = [sum(1 << cell for cell, owner in owners.items() if owner == side) for side in (0, 1)]
    return Position(*sets, *heads, 1)


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_a_search_that_is_interrupted_can_be_asked_again(game, adjacency):
    """An exception out of the clock leaves nothing behind that is not so."""
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "10x10", adjacency)
    engine, memo = Engine(played, MEMORY, mirrors=False), {}
    early = after(played, *(("0,1", "9,8") if game == "trails" else ("2,3", "5,6")))
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            engine.by_search(early, interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.exact.all_moves(*early[:4], interrupt)
    for position in [nearly_full(rng) for _ in range(20)]:
        truth = reference.results(played, position, memo)
        assert engine.weigh(position).winning == [cell for cell, result in truth.items() if result.win]
        assert engine.by_search(position, never) is (
            Verdict.WIN if reference.best(truth.values()).win else Verdict.LOSS
        )
