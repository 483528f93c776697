"""Tests that the advice shared by all interfaces agrees with the reference solver, even if swaps or passes occur."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from bench import reference

from gridlock.cli.line.advice import partners_board, partners_in_words, values_in_words
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.core.notation import read_move
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis, MoveValue
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.play.advice import Advice, Reason, advise, why_program_moved

PROGRAMS = ("random", "random")


def game_of(name: str, board: str | None = None, moves: tuple[int, ...] = (), **settings: Any) -> Game:
    game = Game(variant(name, board), **settings)
    for move in moves:
        game.push(move)
    return game


def random_game(seed: int) -> Game:
    """Return an unfinished game on a small board."""
    rng = Random(seed)
    names = list(RULE_BOOKS)
    game = game_of(names[seed % len(names)], rng.choice(["2x3", "3x3", "1x5"]), swap=rng.random() < 0.4)
    for _ in range(rng.randrange(5)):
        if game.can_swap and rng.random() < 0.5:
            game.push(SWAP)
            continue
        cells = game.variant.legal_cells(game.position)
        if not cells:
            break
        game.push(rng.choice(cells))
        if game.outcome:
            game.pop()
            break
    return game


def truth(game: Game) -> dict[int, bool]:
    """Return, for each legal move, whether it wins, using a solver that shares no code with the engine."""
    return {cell: result.win for cell, result in reference.results(game.variant, game.position).items()}


@pytest.mark.parametrize("seed", range(60))
def test_advice_is_right(seed: int) -> None:
    print(f"seed {seed}")
    game = random_game(seed)
    wins, advice = truth(game), advise(engine_for(game.variant), game, 5.0)
    winning = tuple(cell for cell, (_, verdict) in advice.values.items() if verdict == "win")
    assert all(advice.steps)
    assert all(step.endswith((".", " ...")) for step in advice.steps)
    assert set(advice.values) == set(wins) == set(cells_of(game.legal))
    if game.swap and not game.moves:
        assert (advice.verdict, winning, advice.reason) == ("unknown", (), NO_FIRST_WIN)
        assert {verdict for _, verdict in advice.values.values()} == {"loss"}
        assert advice.opinion.startswith("No first move guarantees a win")
    else:
        assert winning == tuple(cell for cell, win in wins.items() if win)
        assert {cell: text[0] for cell, (text, _) in advice.values.items()} == {
            cell: "-+"[win] for cell, win in wins.items()
        }
    if game.can_swap and not any(wins.values()):
        assert (advice.move, advice.region, advice.verdict) == (SWAP, 0, "win")
        assert advice.opinion == "You can win only by swapping: no move wins."
        assert advice.naming == "Swap: the first move was a winning one."
        return
    assert advice.move in cells_of(advice.region)
    assert advice.naming.startswith(f"Try {game.variant.name(advice.move)}: ")
    if winning:
        count, of = len(winning), len(wins)
        some = f"{count} of {of} moves {'wins' if count == 1 else 'win'}"
        if count == of:
            some = "your only move wins" if of == 1 else "every move wins"
        if count == of > 1:
            assert (set(cells_of(advice.region)), advice.where) == (set(wins), "Play anywhere: every move wins.")
        else:
            assert advice.where.startswith("Look ")
        assert advice.opinion == f"You can win: {some}.{' Swapping loses.' * game.can_swap}"
        assert advice.move in winning
        assert advice.naming.endswith(": it wins.")
        assert advice.reason.startswith(game.variant.name(advice.move))
    elif advice.verdict == "loss":
        assert advice.opinion == "Every move loses against perfect play."
        assert advice.naming.endswith(": it is the hardest to beat.")
        assert advice.reason.startswith("Every move loses")
    assert advice.why(game.position).played == (advice.move if winning else None)


@pytest.mark.parametrize("seed", range(60))
def test_why_a_program_moved_is_right(seed: int) -> None:
    """The program's latest move is correctly described as a win, a mistake or, if every move loses, a loss."""
    print(f"seed {seed}")
    game = random_game(seed)
    why = why_program_moved(engine_for(game.variant), game, PROGRAMS, 5.0)
    assert why_program_moved(engine_for(game.variant), game, ("human", "human"), 5.0) is None
    if not game.moves:
        assert why is None
        return
    assert why is not None
    before, move, words = game.at(len(game.moves) - 1), game.moves[-1], why.words[0]
    assert why.position == before.position
    wins = truth(before)
    if move == SWAP:
        wrong = any(wins.values())
        assert words == (
            "The computer's swap was a mistake: now you can win."
            if wrong
            else "The first move wins, so the computer swapped sides."
        )
        return
    name = game.variant.name(move)
    if before.swap and not before.moves:
        advice = "wins, so swap" if wins[move] else "loses, so don't swap"
        assert words == f"{NO_FIRST_WIN} {name} {advice}."
    elif wins[move]:
        assert words.startswith(f"{name} wins")
    elif any(wins.values()) or before.can_swap:
        assert words == f"{name} was a mistake: now you can win."
    else:
        assert words.startswith(f"{name} loses, as any move would")


def test_an_earlier_move_is_explained_where_the_person_has_moved_since() -> None:
    game = game_of("showdown", moves=(0, 24))
    why = why_program_moved(engine_for(game.variant), game, ("easy", "human"), 5.0)
    assert why is not None
    assert why.words == ["1,1 was a mistake."]


@pytest.mark.parametrize(("name", "first"), [("scatter", 12), ("showdown", 12), ("trails", 1)])
def test_a_swap_without_time_to_judge_it(name: str, first: int) -> None:
    """Even without time to judge a swap, players who may swap are told that they can win, and get a suggested move."""
    game = game_of(name, "9x9", (first,), swap=True)
    advice = advise(Engine(game.variant), game, 0.0001)
    assert advice.verdict == "win"
    assert advice.opinion == (
        "You can win, but there wasn't enough time to work out whether to swap or to make a move."
    )
    assert advice.move in cells_of(game.legal)
    assert advice.naming == f"Try {game.variant.name(advice.move or 0)}: it looks best, but that isn't proved."


def test_unknown_answers_are_reported_as_unknown() -> None:
    game = game_of("scatter", "12x12", (27, 20, 53))
    advice = advise(Engine(game.variant), game, 0.05)
    assert advice.verdict == "unknown"
    assert advice.opinion == "There wasn't enough time to work out who wins."
    assert re.fullmatch(r"Try \d+,\d+: it looks best, but that isn't proved\.", advice.naming)
    assert "? is unknown" in advice.legend


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "board", "words"),
    [("scatter", "8x8", "looks the"), ("scatter", "99x100", "looks the"), ("keepaway", "4x4", "is the")],
)
def test_the_best_try_is_called_so_only_if_all_were_compared(name: str, board: str, words: str) -> None:
    game = game_of(name, board)
    advice = advise(Engine(game.variant), game, 0.2)
    assert advice.opinion == "Every move loses against perfect play."
    assert re.fullmatch(rf"Try \d+,\d+: it {words} hardest to beat\.", advice.naming)


def test_a_move_that_was_not_decided_is_not_called_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    weigh = Engine.weigh

    def hazy(self: Engine, *settings: Any) -> Analysis:
        """Mark the value of every move as unknown, except for one winning move."""
        analysis = weigh(self, *settings)
        known = analysis.winning[-1]
        values = [one if one.cell == known else MoveValue(one.cell, Verdict.UNKNOWN) for one in analysis.values]
        return replace(analysis, values=tuple(values))

    monkeypatch.setattr(Engine, "weigh", hazy)
    game = game_of("showdown", moves=(0, 4))
    why = why_program_moved(engine_for(game.variant), game, ("human", "perfect"), 1.0)
    assert why is not None
    assert why.words == ["It isn't known whether 1,5 wins."]
    advice = advise(engine_for(game.variant), game_of("showdown", moves=(0,)), 1.0)
    assert re.match(r"You can win: at least 1 of \d+ moves wins\.", advice.opinion)


@pytest.mark.parametrize(("name", "board"), [("keepaway", "4x4"), ("keepaway", "12x12"), ("chain", "20x20")])
def test_a_lost_move_is_answered_with_its_partner(name: str, board: str) -> None:
    """If the program's move loses, the explanation tells the user to answer with the partner of the program's cell."""
    game = game_of(name, board, (5,))
    why = why_program_moved(engine_for(game.variant), game, ("perfect", "human"), 2.0)
    assert why is not None
    said = re.fullmatch(
        r"(.*) loses, as any move would: answer with its partner, (.*), and keep doing so\.", why.words[0]
    )
    assert said
    assert said[1] == game.variant.name(5)
    game.push(read_move(said[2], game.variant, ""))
    assert engine_for(game.variant).weigh(game.position, Clock(1.0)).verdict is Verdict.LOSS
    assert why.answered == game.position
    (more,) = partners_in_words(game.variant, why)
    later = re.match(r"After that, for instance, (\d+,\d+) is answered by (\d+,\d+)", more)
    assert later
    for text in later.groups():
        game.push(read_move(text, game.variant, ""))  # which is legal at that moment


def test_pairs_are_drawn_with_letters_or_said_in_words() -> None:
    game = game_of("chain", "3x3")
    why = advise(engine_for(game.variant), game, 2.0).why(game.position)
    heading, *board = partners_board(game.variant, why.position, why.pairs, why.played)
    assert heading == "Cells with the same letter form a pair; * is the move:"
    letters = [sign for line in board[1:] for sign in line.split()[1:]]
    assert letters.count("*") == 1
    assert all(letters.count(one) == 2 for one in set(letters) - {"*"})
    assert why.pairs
    large = game_of("chain", "20x20", (0,))
    why = advise(engine_for(large.variant), large, 2.0).why(large.position)
    assert partners_board(large.variant, why.position, why.pairs, why.played) == []  # there are not enough letters
    (words,) = partners_in_words(large.variant, why)
    assert re.fullmatch(r"Likewise \d+,\d+ is answered by \d+,\d+\.", words)
    assert partners_in_words(large.variant, Reason([], large.position)) == []


def test_a_winning_swap_shows_the_pairs_it_rests_on() -> None:
    game = game_of("showdown", moves=(12,), swap=True)
    advice: Advice = advise(engine_for(game.variant), game, 2.0)
    assert advice.move == SWAP
    assert advice.reason.startswith("Only swapping wins. Every move loses: the opponent can")
    assert advice.mirror
    assert advice.pairs[0] == 24
    assert advice.why(game.position).played is None


def test_values_in_words() -> None:
    three = variant("keepaway", "3x3")
    values = {4: ("+1", "win"), 0: ("-2", "loss"), 1: ("-2", "loss"), 2: ("?", "unknown")}
    assert values_in_words(three, values) == ["1 move wins: 2,2", "2 moves lose: 1,1  1,2", "1 move unsolved: 1,3"]
    many = dict.fromkeys(range(9), ("-", "loss"))
    assert values_in_words(three, many) == ["9 moves lose: 1,1  1,2  1,3  2,1  2,2  2,3 ..."]
