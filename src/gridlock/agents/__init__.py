"""Players that are programs: one function each, and one line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gridlock.agents.chance import chance
from gridlock.game import Game

if TYPE_CHECKING:
    from random import Random

# An agent gets a game in which it is to move and its own source of chance, and answers with a cell or SWAP.
Agent = Callable[[Game, "Random"], int]

AGENTS: dict[str, Agent] = {"random": chance}
