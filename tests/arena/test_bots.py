"""Tests that each example bot is short, plays legal moves on every board, and follows its protocol."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ugi_runner import Engine, play

from gridlock import Game
from gridlock.core.notation import push_stored, written

BOTS = Path(__file__).parents[2] / "examples" / "bots"
ENGINE = [sys.executable, "-m", "gridlock", "engine"]
LANGUAGES = ("py", "c", "mjs")
SOLVER = "solver.py"  # this bot searches, for use with the suite


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, list[str]]:
    """Return the command for each bot, keyed by file name, omitting bots whose compiler or interpreter is missing."""
    known = {name: [sys.executable, str(BOTS / name)] for name in ("simple.py", "ugi.py")}
    if node := shutil.which("node"):
        known |= {name: [node, str(BOTS / name)] for name in ("simple.mjs", "ugi.mjs")}
    if compiler := shutil.which("cc"):
        for name in ("simple.c", "ugi.c"):
            program = tmp_path / name.removesuffix(".c")
            subprocess.run(
                [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", program, BOTS / name], check=True
            )
            known[name] = [str(program)]
    return known


def test_every_bot_is_short() -> None:
    bots = [path for path in BOTS.iterdir() if path.suffix != ".pyc" and path.is_file()]
    assert {path.name for path in bots} == {f"{kind}.{end}" for kind in ("simple", "ugi") for end in LANGUAGES} | {
        SOLVER
    }
    for path in bots:
        assert len(path.read_text().splitlines()) < (80 if path.name == SOLVER else 60), path.name


def command_of(kind: str, language: str, commands: dict[str, list[str]]) -> list[str]:
    """Return the command that starts a bot."""
    if f"{kind}.{language}" not in commands:
        pytest.skip("its compiler or interpreter is missing")
    return commands[f"{kind}.{language}"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_simple_bot_plays_whole_games(language: str, commands: dict[str, list[str]], rng: random.Random) -> None:
    command = command_of("simple", language, commands)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdin
        assert bot.stdout
        for board, adjacency, swap in [("5x5", "king", False), ("3x12", "orthogonal", True), ("1x2", "king", False)]:
            game = Game("showdown", board, adjacency, swap=swap)
            while not game.is_over:
                if rng.random() < 0.5:
                    line = " ".join(["showdown", board, adjacency, *["swap"] * swap, "moves", *written(game)])
                    print(line, file=bot.stdin, flush=True)
                    push_stored(game, bot.stdout.readline().strip())
                else:
                    game.push("swap" if game.can_swap else rng.choice(list(game.legal_moves)))
        bot.stdin.close()
        assert bot.wait(60) == 0


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ugi_bot_plays_the_engine(language: str, commands: dict[str, list[str]], rng: random.Random) -> None:
    command = command_of("ugi", language, commands)
    with Engine(command) as bot, Engine(ENGINE, {"agent": "easy"}) as engine:
        for number, (board, adjacency) in enumerate(
            [("5x5", "king"), ("2x11", "orthogonal"), ("12x3", "king"), ("5x5", "king")]
        ):
            game = Game("showdown", board, adjacency)
            game.push(rng.choice(list(game.legal_moves)))
            opening = "startpos" if number == 3 else game.position_word() if number else game.position_text()
            players = (bot, engine) if number % 2 else (engine, bot)
            moves, result = play(*players, opening, "movetime 20")
            again = Game("showdown") if opening == "startpos" else Game.from_text(opening)
            for move in moves:
                push_stored(again, move)
            assert result == f"p{again.winner}win"
