"""Tests that games played through UGI follow the rules at every step, and that no input line confuses the engine."""

import random
from pathlib import Path

import pytest
from ugi_talk import ask, talk

from gridlock import RULE_BOOKS, Game, variant
from gridlock.core.notation import with_passes, written
from gridlock.core.perft import parts

QUERIES = ("query p1turn", "query gameover", "query result")
TABLES = Path(__file__).parents[1] / "perft"


def start(game: Game) -> list[str]:
    """Return the commands that set up a game's usual starting position."""
    grid = game.variant.grid
    options = {
        "board": grid,
        "game": game.variant.book.name,
        "adjacency": grid.adjacency,
        "swap": str(game.swap).lower(),
    }
    return [f"setoption name {name} value {value}" for name, value in options.items()]


def expected(game: Game, passed: bool) -> list[str]:
    """Return the expected answers to the queries, derived from the rules alone."""
    over = not game.legal and not game.can_swap
    turn = 3 - game.turn if game.passing and not passed else game.turn
    result = f"p{game.winner}win" if over else "none"
    return [f"response {word}" for word in (str(turn == 1).lower(), str(over).lower(), result)]


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_random_games_agree_with_the_rules_at_every_step(name: str, rng: random.Random) -> None:
    for _ in range(3):
        game = Game(
            name,
            f"{rng.randint(1, 5)}x{rng.randint(2, 5)}",
            rng.choice(["king", "orthogonal"]),
            swap=rng.random() < 0.5,
        )
        with talk() as conversation:
            conversation.send(*start(game))
            first = rng.choice(["startpos", f"fen {game.position_word()}", f"fen {game.position_text()}"])
            while True:
                passed = rng.random() < 0.5
                moves = with_passes(game) if passed else written(game)
                line = " ".join(["position", first, "moves", *moves])
                assert conversation.ask(line, *QUERIES) == expected(game, passed), line
                drawn = conversation.ask("d")
                assert f"fen {game.position_word()}" in drawn
                spoken = with_passes(game)[:-1] if game.passing and not passed else with_passes(game)
                assert " ".join(["moves", *spoken]) in drawn
                if game.is_over:
                    assert conversation.ask("go nodes 1")[-1] == "bestmove none"
                    break
                legal = [game.variant.name(cell) for cell in game.variant.legal_cells(game.positions[-1])]
                legal += ["swap"] * game.can_swap
                if game.passing and not passed:
                    assert conversation.ask("go nodes 1") == ["bestmove pass"]
                    legal = ["pass"]
                elif game.passing:
                    legal = [game.variant.name(cell) for cell in game.variant.legal_cells(game.position)]
                assert drawn[-1].split() == ["legal", *legal]
                for cell in range(game.variant.grid.size):
                    word = game.variant.name(cell)
                    answers = conversation.ask(f"{line} {word}")
                    assert (answers == []) == (not game.why_not(word)), f"{line} {word}: {answers}"
                move = conversation.ask(line, "go nodes 1")[-1].removeprefix("bestmove ")
                assert move in legal
                game.push(rng.choice([word for word in legal if word != "pass"] or list(game.legal_moves)))


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.perft")), ids=lambda path: path.stem)
def test_perft_agrees_with_the_tables(path: Path) -> None:
    board = adjacency = ""
    for line in path.read_text().splitlines():
        key, _, value = line.partition(" ")
        if key == "board":
            board = value
        elif key == "adjacency":
            adjacency = value
        elif key == "perft":
            options = start(Game(path.stem, board, adjacency))
            for depth, count in enumerate(value.split()[:3], 1):
                lines = ask(*options, f"perft {depth}")
                assert lines[-1] == f"total {count}"
                played = variant(path.stem, board, adjacency)
                assert lines[:-1] == [f"{played.name(cell)} {part}" for cell, part in parts(played, depth)]


def test_perft_counts_from_the_position_after_a_pass() -> None:
    options = start(Game("scatter", "3x3"))
    for moves in ("2,2 1,1", "2,2 1,1 pass"):
        assert ask(*options, f"position startpos moves {moves}", "perft 1")[-1] == "total 5"


# -- fuzz -------------------------------------------------------------------------------------------------------------

WORDS = """
ugi isready setoption uginewgame position go stop query d perft help name value moves fen startpos movetime p1time
p2time p1inc p2inc depth nodes infinite gameover p1turn result game board adjacency swap agent memory pass none true
false king orthogonal random easy perfect keepaway chain scatter trails showdown 1,1 2,2 3,3 0,0 1 2 3 0 -1 3x3 2x5 1x1
1e9 : :: / 5 99999999999999999999 X O - swapped showdown:king:5/2X2/5/5/O4:X:3,3:5,1:- trails:king:aA1/3/2B:B:0,1:2,2:-
"""


def line(rng: random.Random) -> str:
    """Return a random line that may be a command, nearly a command, or empty."""
    words = [rng.choice(WORDS.split()) for _ in range(rng.randrange(8))]
    if rng.random() < 0.7:
        words.insert(
            0, rng.choice(["position startpos moves", "position fen", "setoption name", "go", "query", "perft", "d"])
        )
    text = " ".join(words)
    if rng.random() < 0.2:
        at = rng.randrange(len(text) + 1)
        text = (
            text[:at]
            + chr(rng.choice([0, 7, 9, 0x1B, 0x85, 0x202E, 0xFFFD, 0x1F600, rng.randrange(1, 0xD800)]))
            + text[at:]
        )
    return text


def test_no_line_ends_the_conversation_or_breaks_the_engine(rng: random.Random) -> None:
    with talk() as conversation:
        for number in range(300):
            sent = line(rng)
            if sent.split()[:1] == ["quit"]:
                continue
            conversation.send(sent, "stop", f"marker{number}")
            answers = conversation.until(f"info string There is no command 'marker{number}'.")
            for answer in answers:
                assert answer, sent
                assert answer.isprintable(), sent
                assert "The engine failed" not in answer, sent
                assert "Traceback" not in answer, sent
            if sent.startswith("go "):
                moves = [answer for answer in answers if answer.startswith("bestmove ")]
                assert len(moves) <= 1, sent
                assert all(len(move.split()) == 2 for move in moves), sent
