"""Tests of docs/engines.md, which replay its example sessions and run the bot at the top of the page."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ugi_talk import Talk, talk

from gridlock import RULE_BOOKS, Game
from gridlock.arena.ugi.commands import HELP
from gridlock.core.notation import push_stored, with_passes

PAGE = (Path(__file__).parents[2] / "docs" / "engines.md").read_text()
CONVERSATIONS = re.findall(r"```ugi\n(.*?)```", PAGE, re.S)


def expect(conversation: Talk, expected: str) -> None:
    """Read lines up to the expected answer; only `info` lines may precede it."""
    pattern = ".+".join(map(re.escape, expected.split("...")))
    while not re.fullmatch(pattern, answer := conversation.read()):
        is_extra = answer.startswith("info ") and not expected.startswith("info string")
        assert is_extra, f"{answer!r}, not {expected!r}"


@pytest.mark.parametrize("text", CONVERSATIONS, ids=[text.splitlines()[0] for text in CONVERSATIONS])
def test_a_conversation(text: str) -> None:
    with talk() as conversation:
        for line in text.splitlines():
            if line == "> quit":
                assert conversation.quit() == []
                return
            if line.startswith("> "):
                conversation.send(line.removeprefix("> "))
            else:
                expect(conversation, line)
        assert conversation.ask() == []


def test_every_command_is_explained_and_has_a_conversation() -> None:
    commands = {line.split()[0] for line in HELP.splitlines()} | {"help"}
    sent = {line.split()[1] for text in CONVERSATIONS for line in text.splitlines() if line.startswith("> ")}
    assert commands - {"help"} == sent - {"castle"}
    assert all(re.search(rf"`{name}\b", PAGE) for name in commands)


@pytest.mark.slow
def test_the_first_bot_plays_every_game(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.S)
    assert code
    (tmp_path / "my-bot.py").write_text(code[1])
    with subprocess.Popen(
        [sys.executable, "my-bot.py"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as bot:
        assert bot.stdin
        assert bot.stdout
        for name in RULE_BOOKS:
            game = Game(name, "4x4", swap=name == "chain")
            setup = [name, "4x4", game.variant.grid.adjacency, *["swap"] * game.swap]
            while not game.is_over:
                print(*setup, "moves", *with_passes(game), file=bot.stdin, flush=True)
                push_stored(game, bot.stdout.readline().strip())
        bot.stdin.close()
        assert bot.wait(60) == 0
