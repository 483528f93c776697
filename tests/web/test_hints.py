"""Tests of step-by-step hints: the server gives the same hints as the terminal and reveals no more than it should."""

import pytest
from web_schema import Fits
from web_server import Served

from gridlock import RULE_BOOKS
from gridlock.core.game import SWAP
from gridlock.core.grid import cells_of
from gridlock.engine.engine import engine_for
from gridlock.play.advice import advise
from gridlock.web.thinking import questions
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.setups import game_of


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_hint_says_what_the_coach_at_the_terminal_says(name: str, swap: bool, count: int) -> None:
    board = "4x3"
    game = game_of(WholeSetup(game=name, board=board, adjacency="king", starts=1, swap=swap, moves=[]))
    for _ in range(count):
        game.push(cells_of(game.legal)[-1])
    coach = advise(engine_for(game.variant), game, 3)
    hint = questions.advise(game, 3)
    assert (hint.opinion, hint.where, hint.naming, hint.reason) == (
        coach.opinion,
        coach.where,
        coach.naming,
        coach.reason,
    )
    assert hint.swap == (coach.move == SWAP)
    if not hint.swap:
        assert hint.move in hint.region
        assert set(hint.region) <= set(cells_of(game.legal))
    assert {cell for pair in (*hint.pairing, *hint.mirror) for cell in pair} == set(coach.pairs)
    assert not (hint.pairing and hint.mirror)


def test_a_mirror_is_given_as_pairs_of_free_cells(server: Served, fits: Fits) -> None:
    status, hint = server.post("/api/hint", {"setup": {"game": "showdown"}})
    assert (status, hint["move"], hint["region"], hint["verdict"]) == (200, 12, [12, 13, 17, 18], "win")
    assert fits(hint, "Hint")
    assert hint["pairing"] == []
    assert [0, 24] in hint["mirror"]
    _, found = server.post("/api/analyse", {"setup": {"game": "showdown"}})
    assert found["analysis"]["mirror"] == hint["mirror"]


def test_the_answer_to_a_centre_comes_before_the_images(server: Served, fits: Fits) -> None:
    """Check that the pair that contains the centre is listed first.

    The cell that answers a move in the centre belongs to two pairs: one with the centre, and one with the cell's own
    mirror image. If a cell belongs to two pairs, the page uses the pair that is listed last, so the pair that contains
    the centre must be listed first.
    """
    setup = {"game": "scatter", "board": "3x5", "adjacency": "king"}
    status, found = server.post("/api/analyse", {"setup": setup})
    assert (status, found["analysis"]["method"], found["analysis"]["verdict"]) == (200, "centre", "loss")
    assert fits(found["analysis"], "Findings")
    assert found["analysis"]["mirror"][0] == [7, 2]
    assert [2, 12] in found["analysis"]["mirror"][1:]
    assert len(found["analysis"]["mirror"]) == 8


def test_there_is_no_hint_when_the_game_is_over(server: Served) -> None:
    over = {"game": "showdown", "board": "1x1", "moves": ["1,1"]}
    status, refused = server.post("/api/hint", {"setup": over})
    assert (status, refused["words"]) == (422, "The game is over, so there is no move to suggest.")
