"""A host that answers UGI commands by calling a Python function, so that the function can run in its own process.

The function's output goes to standard error. An exception in the function ends the process, and the last line of the
traceback says why.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

from gridlock.core.definition import book_from
from gridlock.core.errors import AgentFailed
from gridlock.core.game import Game
from gridlock.core.names import clean_name
from gridlock.core.notation import push_stored, write_move
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import FIRST
from gridlock.players.conversations import RULES, SEED
from gridlock.players.player import Agent, legal_move

NO_FUNCTION = 127  # the exit code if the file has no such function, as in shells if there is no such command
THINK = 2.0  # seconds to think, if the command does not say how long


class NoFunction(AgentFailed):
    """An error raised if a Python file has no function with the given name."""


def no_function(file: str, function: str) -> str:
    """Return the sentence that says that a Python file has no such function."""
    return f"There is no function '{clean_name(function, 80)}' in '{clean_name(file, 80)}'."


def load_function(file: str, function: str) -> Agent:
    """Return a function from a Python file, which may import other files in its folder."""
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise AgentFailed(f"There is no Python file {file}.")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    agent: Agent | None = getattr(module, function, None)
    if not callable(agent):
        raise NoFunction(no_function(file, function))
    return agent


class Host:
    """A host that answers UGI commands with an agent's moves."""

    def __init__(self, agent: Agent, known: RuleBook | None = None) -> None:
        """Create a host for an agent; if the game is not registered, pass its rule book as `known`."""
        self.agent = agent
        self.known = known
        self.rng = Random()
        self.game = Game(FIRST)

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines that answer a command; ignore unknown commands."""
        command, _, rest = line.strip().partition(" ")
        match command:
            case "ugi":
                yield "id name GridLock host"
                yield from (f"option name {name} type string" for name in (SEED, RULES))
                yield "ugiok"
            case "isready":
                yield "readyok"
            case "setoption":
                self._set(*rest.removeprefix("name ").split(" value ", 1))
            case "position":
                self.game = self._position(rest.split())
            case "go":
                yield f"bestmove {self._choose(rest.split())}"

    def _set(self, name: str, value: str) -> None:
        if name == SEED:
            self.rng = Random(int(value))
        elif name == RULES:
            definition = json.loads(value)
            self.known = book_from(definition, definition["name"])

    def _position(self, words: list[str]) -> Game:
        """Read `fen POSITION moves M1 M2 …`, in which the moves may include passes."""
        game = Game.from_text(words[1], self.known)
        for move in words[3:]:
            if move != "pass":
                push_stored(game, move)
        return game

    def _choose(self, words: list[str]) -> str:
        limits = dict(zip(words[::2], words[1::2], strict=False))
        seconds = int(limits["movetime"]) / 1000 if "movetime" in limits else THINK
        move = legal_move(self.game, self.agent(self.game.copy(), self.rng, seconds))
        return write_move(self.game.variant, move)


def serve(agent: Agent, known: RuleBook | None = None) -> None:
    """Answer the commands on standard input until the input ends or the command is `quit`."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers, os.fdopen(os.dup(0), encoding="utf-8") as commands:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # nothing that the agent prints is an answer
        host = Host(agent, known)
        for line in commands:
            if line.strip() == "quit":
                return
            for words in host.answer(line):
                print(words, file=answers, flush=True)


def serve_in_fork(load: Callable[[], Agent], known: RuleBook | None = None) -> None:
    """Serve an agent in a forked process; print errors to standard error, and then end the process at once."""
    code = 1
    try:
        sys.stderr = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="replace")
        serve(load(), known)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
