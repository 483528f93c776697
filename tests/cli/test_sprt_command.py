"""Tests of the `gridlock sprt` calculator."""

import json

import pytest

from gridlock.command import run

Captured = pytest.CaptureFixture[str]


def ask(arguments: str) -> int:
    return run(["sprt", *arguments.split()])


def test_games_in_words(capsys: Captured) -> None:
    assert ask("60 40") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Won 60, lost 40.",
        "LLR 1.84 (-2.94 to 2.94), 63% of the way to H1.",
        "H0: normalised Elo 0 or less (error rate about 5%). H1: normalised Elo 50 or more (error rate about 5%).",
        "Elo +69.7, 95% interval +0.6 to +138.8; normalised Elo +70.2; likelihood of superiority 97.6%.",
    ]


def test_pairs_with_other_bounds(capsys: Captured) -> None:
    assert ask("--pairs 10 30 60 --elo0 -5 --elo1 20 --alpha 0.01 --beta 0.1 --model logistic") == 0
    words = capsys.readouterr().out
    assert "Won 150, lost 50; pairs won 60, split 30, lost 10.\n" in words
    assert "(-2.29 to 4.50), H1 accepted.\n" in words
    assert (
        "H0: logistic Elo -5 or less (error rate about 10%). H1: logistic Elo 20 or more (error rate about 1%" in words
    )


def test_json_says_the_same(capsys: Captured) -> None:
    assert ask("70 50 --pairs 10 30 20 --json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["won"], found["lost"]) == (70, 50)
    assert (found["pairs_lost"], found["pairs_split"], found["pairs_won"]) == (10, 30, 20)
    assert found["lower"] < found["llr"] < found["upper"]
    assert found["decision"] is None
    assert found["elo_low"] < found["elo"] < found["elo_high"]
    assert ask("0 50 --json") == 0
    assert json.loads(capsys.readouterr().out)["decision"] == "H0"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "give the games won and lost, or --pairs"),
        ("5", "give the games won and lost, or --pairs"),
        ("5 x", "'x' is not a whole number"),
        ("5 3.5", "'3.5' is not a whole number"),
        ("-- -5 3", "-5 is not between 0 and 1000000000."),
        ("5 3 1", "unexpected extra argument (1)."),
        ("5 3 --elo0 nan", "'nan' is not a number (-2000 to 2000)."),
        ("5 3 --elo1 inf", "inf is not between -2000 and 2000."),
        ("5 3 --elo1 many", "'many' is not a number"),
        ("5 3 --elo0 5 --elo1 5", "--elo0 5 must be below --elo1 5."),
        ("5 3 --alpha 0.5", "0.5 is not between 0.0001 and 0.4."),
        ("5 3 --beta 0", "0 is not between 0.0001 and 0.4."),
        ("5 3 --model bayes", "'bayes' is not one of 'normalised', 'logistic'."),
        ("71 50 --pairs 10 30 20", "these pairs have 70 games won and 50 lost"),
        ("--pairs 10 30 -2", "-2 is not between 0 and 1000000000."),
    ],
)
def test_nonsense_is_answered_with_a_sentence(arguments: str, words: str, capsys: Captured) -> None:
    assert ask(arguments) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert words in answer.err
    assert answer.err.endswith("Try 'gridlock sprt --help'.\n")
