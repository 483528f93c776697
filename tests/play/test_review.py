"""Tests of a review's text and chart: the steps, the decisive moment, and who was winning."""

import re
from random import Random
from xml.etree import ElementTree

import pytest

from gridlock.core.game import Game
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.review import Step
from gridlock.play.review import Review, review_game
from sample_games import a_game, random_game

SVG = "{http://www.w3.org/2000/svg}"


def report(game, seconds=10.0):
    """Return the report as one string."""
    return "".join(f"{line}\n" for line in review_game(game, seconds).report())


def test_the_mistake_and_what_holds():
    game = a_game("showdown", "3x3", "1,1 3,3")  # the only winning opening is the centre
    assert "  1. Player 1 (X) 1,1  gives away the win. This move keeps the win: 2,2\n" in report(game)


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_every_view_of_a_review_agrees(name):
    """Check the report, the description of each step, the chart and the summary in reviews of random games."""
    for seed in range(30):
        print("seed", seed)
        rng = Random(f"{name} {seed}")
        game = random_game(variant(RULE_BOOKS[name], "3x3"), rng, plies=seed, swap=seed % 2 > 0, resigns=0.1)
        found = review_game(game, 10.0)
        assert len(found.winners) == len(found.steps) + bool(found.steps)
        assert len(found.remarks) == len(found.steps)
        lines = found.report()
        assert lines[-1] == found.summary
        for number, step in enumerate(found.steps, 1):
            words = found.step_words(number)
            assert len(words) == 1 + step.mistake
            assert step.mistake == (number in found.mistakes) == ("gives away the win" in words[0])
            assert step.mistake == (found.winners[number - 1] == step.player != found.winners[number])
            told = next(line for line in lines if re.sub(r" +", " ", line[5:]).startswith(_start(words[0])))
            assert all(part.strip(".") in told for part in (found.remarks[number - 1], *words[1:]))
        assert found.step_words(0) == ["The starting position."]


def _start(words):
    """Return the player and the move named at the start of a step's description."""
    return re.sub(r"^\d+\. ", "", words).partition(":")[0]


def test_a_swap_that_takes_over_the_losing_side_is_the_mistake():
    game = a_game("chain", "3x3", "1,2 swap 1,1 2,1 3,1", swap=True, names=("Ada", "Bob"))
    assert report(game) == (
        "Chain on a 3x3 board, orthogonal adjacency, with the swap rule\n"
        "Ada (X) against Bob (O); Ada starts\n"
        "\n"
        "  1. Ada (X) 1,2   losing either way, because Bob may swap\n"
        "  2. Bob (O) swap  takes over X, gives away the win. These moves keep the win: 1,1  1,3  2,2\n"
        "  3. Ada (O) 1,1   punishes the mistake: winning\n"
        "  4. Bob (X) 2,1   losing anyway\n"
        "  5. Ada (O) 3,1   winning\n"
        "\n"
        "No result yet: Bob (X) is to move, with 1 cell to choose from.\n"
        "Decided at move 2, when Bob (O) swapped.\n"
    )


def test_not_to_swap_after_a_winning_opening_is_a_mistake():
    game = a_game("showdown", "5x5", "3,3 1,1 3,1", swap=True)
    output = report(game)
    assert "  2. Player 2 (O) 1,1  gives away the win. This move keeps the win: swap\n" in output
    assert "  3. Player 1 (X) 3,1  punishes the mistake: winning\n" in output


def test_a_won_game_that_is_resigned():
    game = a_game("showdown", "5x5", "3,3 swap 1,1 3,1 1,5", swap=True, names=("Ada", "Bob"))
    game.resign(2)
    output = report(game)
    assert "\n     Bob (X) resigns  gives away the win. These moves keep the win: 1,3  2,3  3,4 " in output
    assert output.endswith("\nAda wins: Bob resigned.\nDecided when Bob (X) resigned.\n")

    game = a_game("showdown", "5x5", "3,3")  # it is the other player's turn
    game.resign(1)
    assert "\n     Player 1 (X) resigns  gives away the win. Playing on would have kept the win.\n" in report(game)
    assert review_game(game, 10.0).step_words(2)[1] == "Playing on would have kept the win.", "one full stop"


def test_a_lost_game_that_is_resigned_and_games_without_moves():
    game = Game(variant("scatter", "4x4"))
    output = report(game)
    assert output.endswith(
        "\n\nNo result yet: Player 1 (X) is to move, with 16 cells to choose from.\nNo moves were made.\n"
    )
    game.resign(1)
    assert "     Player 1 (X) resigns  losing anyway\n" in report(game)
    game.pop()
    game.push(5)
    game.resign(1)
    output = report(game)
    assert "  1. Player 1 (X) 2,2      losing anyway\n     Player 1 (X) resigns  losing anyway\n" in output
    assert output.endswith("Player 2 wins: Player 1 resigned.\nNo mistakes: Player 2 was winning from the start.\n")


def test_passes_are_shown():
    game = a_game("scatter", "3x3", "2,2 1,1")
    lines = report(game).splitlines()
    assert lines[5] == "     Player 1 (X) has no cell and passes"
    for cell in ("1,3", "3,1"):
        game.push(game.variant.cell(*map(int, cell.split(","))))
    lines = report(game).splitlines()
    assert [line[5:] for line in lines[4:9]] == [
        "Player 2 (O) 1,1  winning",
        "Player 1 (X) has no cell and passes",
        "Player 2 (O) 1,3  winning",
        "Player 1 (X) has no cell and passes",
        "Player 2 (O) 3,1  winning",
    ]


def test_unproved_verdicts_are_not_claimed():
    game = Game(variant("scatter", "31x31"))
    game.push(0)
    found = review_game(game, 0.01)
    assert found.remarks == ["unclear who is winning"]
    assert found.report()[-1] == "No mistakes were found, but for some positions it is not known who was winning."
    assert "url(#open)" in found.svg()
    assert "Hatched: unknown." in found.svg()


def test_nothing_is_called_decided_that_may_have_changed_again():
    game = a_game("chain", "3x3", "1,2 1,1 2,1")
    lost, unclear, clear = Step(1, 1, 1, 1, 1, 2), Step(2, 2, 2, 0, 2, None), Step(2, 2, 2, 0, 2, 2)
    assert Review(game, [lost, clear]).summary == "Decided at move 1, Player 1 (X) 1,2."
    assert Review(game, [lost, unclear]).summary == (
        "Last mistake found: at move 1, Player 1 (X) 1,2. For some later positions, it is not known who was winning."
    )
    assert Review(game, [clear, unclear]).summary.startswith("No mistakes were found, but")


# -- the picture --------------------------------------------------------------------------------------------------


def drawn(game):
    """Return a game's review, and what its chart shows: the side ahead in each column, the mistakes, and the labels."""
    found = review_game(game, 10.0)
    root = ElementTree.fromstring(found.svg())
    bars = [box for box in root.findall(f"{SVG}rect") if box.get("x")]
    upper = min((float(bar.get("y")) for bar in bars), default=0)
    texts = {text.text: text for text in root.findall(f"{SVG}text")}
    middles = [float(bar.get("x")) + float(bar.get("width")) / 2 for bar in bars]
    marks = [float(text.get("x")) for text in root.findall(f"{SVG}text") if text.text == "!"]
    mistakes = {middles.index(x) for x in marks}
    return found, [float(bar.get("y")) == upper for bar in bars], mistakes, texts


@pytest.mark.parametrize("seed", range(12))
def test_the_picture_agrees_with_the_text(seed):
    game = random_game(variant("showdown", "4x4"), Random(seed), plies=seed + 1, swap=seed % 3 > 0, resigns=0.1)
    found, ups, mistakes, texts = drawn(game)
    assert len(ups) == len(found.winners)
    if len(set(found.winners)) == 2:
        assert ups == [winner == 1 for winner in found.winners]
    lines = found.report()
    assert mistakes == set(found.mistakes)
    assert mistakes - {len(game.moves) + 1} == {
        int(line.partition(".")[0]) for line in lines if re.match(r" *\d+\. .*gives away the win", line)
    }
    assert set(lines[-2:]) <= set(texts)
    assert ("swap" in texts, "resigns" in texts) == (game.swapped, game.resigned is not None)
    sides = ("X, then O", "O, then X") if game.swapped else ("X", "O")
    assert {f"Player 1 ({sides[0]})", f"Player 2 ({sides[1]})"} <= set(texts)


def test_the_picture_of_a_game_without_moves_says_so():
    _, ups, _, texts = drawn(Game(variant("showdown", "4x4")))
    assert ups == []
    assert "No moves were made." in texts


def test_names_in_the_picture_are_text():
    _, _, _, texts = drawn(a_game("chain", "3x3", "1,2", names=("<script>", "a & b")))
    assert {"<script> (X)", "a & b (O)"} <= set(texts)
