"""Startup checks of the engines that an operator makes available to web players."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from random import Random

from gridlock.core.game import Game
from gridlock.core.rules import FIRST
from gridlock.players import AgentFailed, agents, read_spec

SECONDS = 1.0  # seconds that an engine has for its first move


def engine_failures(names: Iterable[str]) -> Iterator[str]:
    """Start every engine, ask it for a move, and yield a message for each engine that fails."""
    for name in names:
        with closing(agents.entry_online(name).start()) as player:
            try:
                player.choose(Game(FIRST), Random(), SECONDS)
            except AgentFailed:
                yield f"--engine {name}: {player.report}"


def unprotected(engines: Mapping[str, str]) -> Iterator[str]:
    """Yield a warning for every engine that runs outside a sandbox."""
    for name, spec in engines.items():
        if not read_spec(spec).is_sandboxed:
            yield (
                f"--engine {name} can read and change what the server can, and use the network. "
                f"To prevent that, use --engine {name}=sandbox:process:COMMAND."
            )
