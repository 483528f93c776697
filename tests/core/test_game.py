"""Tests of a single game: turns, swap, resignation, undo, history and names."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock import RULE_BOOKS, SWAP, BadBoard, Game, GridLockError, IllegalMove, Outcome, Termination, variant
from gridlock.core.game import Event
from gridlock.core.names import LONGEST_NAME, clean_name

every_game = pytest.mark.parametrize("name", RULE_BOOKS)


def play(game, *moves):
    for row, col in moves:
        game.push(game.variant.cell(row, col))
    return game


# -- moves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "bad", "words"),
    [
        ("keepaway", [(1, 1)], (1, 2), "the cell is adjacent to the opponent's last marker"),
        ("keepaway", [(1, 1)], (1, 1), "the cell is already occupied"),
        ("keepaway", [(1, 1)], (1, 4), "the cell is outside the grid"),
        ("chain", [(2, 2)], (3, 3), "the cell is not adjacent to the last marker"),
        ("scatter", [(3, 3), (1, 1)], (4, 4), "the cell is adjacent to one of your own tokens"),
        ("trails", [], (1, 1), "the cell is not adjacent to your position"),
        ("trails", [], (0, 0), "the cell is not adjacent to your position"),
        ("trails", [(0, 1), (2, 1)], (0, 0), "the cell is blocked"),
        ("trails", [(0, 1), (2, 1), (1, 1)], (1, 1), "the cell is occupied by your opponent"),
        ("trails", [], (3, 0), "the cell is outside the grid"),
        ("showdown", [(3, 3)], (2, 2), "the cell is adjacent to your opponent's marker"),
    ],
)
def test_what_a_refused_move_says_and_that_it_changes_nothing(name, moves, bad, words):
    game = play(Game(variant(name)), *moves)
    before = game.positions[:]
    with pytest.raises(IllegalMove) as error:
        play(game, bad)
    assert error.value.why == words
    assert str(error.value).endswith(f" is not possible: {words}.")
    assert game.positions == before
    assert len(game.moves) == len(moves)


@pytest.mark.parametrize("cell", [None, -5, 9, 10**20])
def test_an_invalid_cell_is_rejected(cell):
    game = Game(variant("keepaway"))
    with pytest.raises(IllegalMove, match="outside the grid"):
        game.push(cell)


def test_the_documents_facts():
    centre = play(Game(variant("keepaway")), (2, 2))  # the rule takes precedence over the document's own example
    assert centre.outcome == Outcome(1, Termination.STUCK)
    alone = Game(variant("trails", "1x2"))
    assert alone.outcome == Outcome(2, Termination.STUCK)
    assert Game(variant("trails", "1x2"), starts=2).outcome == Outcome(1, Termination.STUCK)
    showdown = play(Game(variant("showdown")), (3, 3))
    assert [showdown.variant.name(cell) for cell in showdown.variant.legal_cells(showdown.position)] == [
        *("1,1", "1,2", "1,3", "1,4", "1,5", "2,1", "2,5", "3,1"),
        *("3,5", "4,1", "4,5", "5,1", "5,2", "5,3", "5,4", "5,5"),
    ]


def test_nothing_can_be_done_in_a_game_that_is_over():
    game = play(Game(variant("keepaway"), swap=False), (2, 2))
    for attempt in (lambda: game.push(0), lambda: game.push(SWAP), lambda: game.resign(1)):
        with pytest.raises(IllegalMove, match="the game is over"):
            attempt()


# -- passes -------------------------------------------------------------------------------------------------------


def test_a_stuck_player_passes_in_scatter_and_the_other_continues():
    game = play(Game(variant("scatter", "3x3")), (2, 2), (1, 1))
    assert game.passing
    assert game.positions[-1].turn == 1
    assert game.turn == 2
    assert list(game.history())[-1] == Event(2, 1, 1, None)
    play(game, (3, 3), (1, 3), (3, 1))
    assert game.outcome == Outcome(2, Termination.STUCK)
    turns = [(event.side, event.cell) for event in game.history()]
    assert turns == [(1, 4), (2, 0), (1, None), (2, 8), (1, None), (2, 2), (1, None), (2, 6)]
    assert game.undo_turn() == 5  # back to the last turn on which player 1 could move at all
    assert game.moves == []
    play(game, (2, 2), (1, 1), (3, 3))
    assert game.undo_turn() == 1
    assert game.moves == [4, 0]


# -- swap ---------------------------------------------------------------------------------------------------------


def test_a_swap_exchanges_the_sides_and_the_first_player_moves_next():
    game = Game(variant("showdown"), swap=True, names=("Ada", "Bob"))
    assert game.swap_ahead
    assert game.last_cell is None
    play(game, (3, 3))
    assert game.can_swap
    assert not game.swap_ahead
    assert game.turn == 2
    assert [game.mark_of(player) for player in (1, 2)] == ["X", "O"]
    game.push(SWAP)
    assert game.last_cell == 12
    assert [game.mark_of(player) for player in (1, 2)] == ["O", "X"]
    assert game.swapped
    assert not game.can_swap
    assert game.moves == [12, SWAP]
    assert game.positions[1] == game.positions[2]
    assert game.turn == 1
    assert [game.player(side) for side in (1, 2)] == [2, 1]
    assert [game.side(player) for player in (1, 2)] == [2, 1]
    play(game, (1, 1))
    assert game.turn == 2
    assert game.position.markers(1) == 1 << 12
    assert list(game.history()) == [Event(1, 1, 1, 12), Event(2, 2, 2, None, swap=True), Event(3, 1, 2, 0)]
    with pytest.raises(IllegalMove, match="only right after the first move"):
        game.push(SWAP)


def test_a_swap_is_possible_even_when_the_first_move_leaves_no_reply():
    game = play(Game(variant("keepaway"), swap=True), (2, 2))
    assert game.outcome is None
    assert game.legal == 0
    game.push(SWAP)
    assert game.outcome == Outcome(2, Termination.STUCK)
    game.pop()
    assert game.outcome is None
    game.resign(2)
    assert game.outcome == Outcome(1, Termination.RESIGNED)


@pytest.mark.parametrize("starts", [1, 2])
def test_only_the_second_player_may_swap_and_only_with_the_option(starts):
    with_swap = Game(variant("chain"), swap=True, starts=starts)
    assert not with_swap.can_swap
    assert with_swap.swap_ahead
    with pytest.raises(IllegalMove, match="only right after the first move"):
        with_swap.push(SWAP)
    without = play(Game(variant("chain"), starts=starts), (1, 1))
    assert not without.can_swap
    assert not without.swap_ahead
    with pytest.raises(IllegalMove, match="this game has no swap rule"):
        without.push(SWAP)


@every_game
@pytest.mark.parametrize("starts", [1, 2])
def test_random_games_with_a_swap_end_as_without_but_for_the_players(name, starts):
    random = Random(f"{name}{starts}")
    for _ in range(30):
        plain, swapped = (Game(variant(name, "4x5"), starts=starts, swap=swap) for swap in (False, True))
        while plain.outcome is None:
            cell = random.choice(plain.variant.legal_cells(plain.position))
            for game in (plain, swapped):
                game.push(cell)
            if len(plain.moves) == 1:
                swapped.push(SWAP)
            assert swapped.turn == 3 - plain.turn
        assert swapped.outcome.winner == 3 - plain.outcome.winner
        assert swapped.positions[2:] == plain.positions[1:]


# -- resigning and taking back ------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [1, 2])
def test_resigning(player):
    game = play(Game(variant("chain")), (1, 1))
    game.resign(player)
    assert game.outcome == Outcome(3 - player, Termination.RESIGNED)
    assert game.legal == 0
    assert not game.can_swap
    assert game.at(1).outcome == game.outcome
    assert game.at(0).outcome is None
    with pytest.raises(IllegalMove, match="the game is over"):
        game.push(1)
    game.pop()
    assert game.outcome is None
    assert game.moves == [0]


@pytest.mark.parametrize("player", [1, 2])
def test_taking_a_turn_back_after_a_resignation_takes_back_only_that(player):
    game = play(Game(variant("chain")), (1, 1), (1, 2))
    game.resign(player)
    assert game.undo_turn() == 0
    assert game.resigned is None
    assert game.moves == [0, 1]
    assert game.undo_turn() == 2
    assert game.moves == []


def test_taking_back():
    game = Game(variant("showdown"), swap=True)
    with pytest.raises(IllegalMove, match="nothing to undo"):
        game.pop()
    with pytest.raises(IllegalMove, match="no earlier turn"):
        game.undo_turn()
    play(game, (3, 3))
    with pytest.raises(IllegalMove, match="no earlier turn"):
        game.undo_turn()
    assert game.moves == [12]
    game.push(SWAP)
    assert game.undo_turn() == 2
    assert game.positions == [game.variant.start()]


@every_game
def test_undo_turn_goes_back_to_the_same_players_turn(name):
    random = Random(name)
    for _ in range(40):
        game = Game(variant(name, "4x4"), starts=random.randint(1, 2), swap=True)
        while game.outcome is None:
            before, player = game.copy(), game.turn
            if game.can_swap and (not game.legal or random.random() < 0.3):
                game.push(SWAP)
            else:
                game.push(random.choice(game.variant.legal_cells(game.position)))
            try:
                twin = game.copy()
                count = twin.undo_turn()
            except IllegalMove:
                assert all(game.at(ply).turn != game.turn for ply in range(len(game.moves)))
                continue
            assert twin.turn == game.turn
            assert len(twin.moves) == len(game.moves) - count
            assert all(game.at(ply).turn != game.turn for ply in range(len(twin.moves) + 1, len(game.moves)))
            assert before.turn == player  # the copies are separate games


# -- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \t  Lovelace\n", "Ada Lovelace"),
        ("\x1b[31mRed\x1b[0m", "Red"),
        ("\x9b31mRed", "Red"),
        ("a\x00b\x07c", "a b c"),
        ("Bob\u202egnihtemos", "Bob gnihtemos"),
        ("\u2066x\u2069", "x"),
        ("A\u200bd\u200ca\ufeff", "A d a"),
        ("\u3164\u2800\u115f", ""),
        ("e\u034f\u0301", "é"),
        ("Zoe\u0308", "Zoë"),
        ("\ud800x", "x"),
        ("line\u2028two\u2029three\x85four", "line two three four"),
        ("李小龍", "李小龍"),
        ("👩\u200d👩\u200d👧\u200d👦", "👩\u200d👩\u200d👧\u200d👦"),
        ("🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"),
        ("A\ufe0fda ❤\ufe0f\ufe0f \ufe0f", "Ada ❤\ufe0f"),
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),
        ("\u200d👩\u200d a\u200db ^\u200d^ 👩\u200d\u200d👧", "👩 a b ^ ^ 👩 👧"),  # nothing is joined there
        ("👩\u200d" * 40, ("👩\u200d" * 40)[: LONGEST_NAME - 1]),
        ("x" * 500, "x" * LONGEST_NAME),
        ("", ""),
    ],
)
def test_names_are_cleaned(typed, shown):
    assert clean_name(typed) == shown
    assert Game(variant("chain"), names=(typed, "")).player_name(1) == (shown or "Player 1")


@given(st.text(max_size=60) | st.text(alphabet='\x1b[0m;3A \u200b\u200d👩\u202e\u034f\u0301e\x9b\\"', max_size=60))
def test_any_name_is_safe_to_show_and_stays_as_it_is(name):
    cleaned = clean_name(name)
    assert cleaned == clean_name(cleaned)
    assert len(cleaned) <= LONGEST_NAME
    visible = re.sub("(?<=👩)\u200d(?=👩)", "", cleaned)
    assert all(char == " " or (char.isprintable() and not char.isspace()) for char in visible)
    assert cleaned == cleaned.strip()
    cleaned.encode()


def test_names_when_none_are_given():
    assert [Game(variant("trails")).player_name(player) for player in (1, 2)] == ["Player A", "Player B"]


# -- finding a game -----------------------------------------------------------------------------------------------


def test_variants_by_name():
    for name, book in RULE_BOOKS.items():
        found = variant(name)
        assert found.book is book
        assert (found.grid.rows, found.grid.cols, found.grid.adjacency) == (*book.board, book.adjacency)
    assert str(variant("chain", "2x7", "king").grid) == "2x7"
    assert variant("chain", "2x7", "king").grid.adjacency == "king"
    assert variant("Chain", (2, 7)) == variant("chain", "2x7")
    for wrong in [("chess",), ("chain", None, "hex"), ("chain", "3x3", ""), (7,)]:
        with pytest.raises(GridLockError):
            variant(*wrong)
    for board in ("", "0x1", "101x1"):
        with pytest.raises(BadBoard):
            variant("chain", board)
    with pytest.raises(BadBoard, match="Trails needs a board of at least 2 cells"):
        variant("trails", "1x1")
