"""Programs that play: the list of agents, and the players created from it."""

from gridlock.core.errors import AgentFailed
from gridlock.players.player import Agent, FunctionPlayer, MoveClock, Player
from gridlock.players.registry import AGENTS, HUMAN, AgentEntry, Agents, NoAgent, agents, built_in
from gridlock.players.specs import is_spec, read_spec, short_name

__all__ = [
    "AGENTS",
    "HUMAN",
    "Agent",
    "AgentEntry",
    "AgentFailed",
    "Agents",
    "FunctionPlayer",
    "MoveClock",
    "NoAgent",
    "Player",
    "agents",
    "built_in",
    "is_spec",
    "read_spec",
    "short_name",
]
