"""Players that are programs: one function each, and one line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from gridlock.game import Game

if TYPE_CHECKING:
    from random import Random

# An agent gets a game in which it is to move, its own source of chance, and the seconds it may think about a move
# that it cannot prove; it answers with a cell or SWAP.
Agent = Callable[[Game, "Random", float], int]

# Where each agent is found: loaded only when it plays.
AGENTS = {
    "random": "chance:chance",
    "easy": "levels:easy",
    "medium": "levels:medium",
    "hard": "levels:hard",
    "perfect": "levels:perfect",
}


def agent(name: str) -> Agent:
    """The agent of that name."""
    module, _, function = AGENTS[name].partition(":")
    found: Agent = getattr(import_module(f"gridlock.agents.{module}"), function)
    return found
