"""Programs that play: the list of agents, and players started from it."""

from gridlock.core.errors import AgentFailed
from gridlock.players.player import Agent, FunctionPlayer, Player
from gridlock.players.registry import AGENTS, HUMAN, AgentEntry, Agents, NoAgent, agents, built_in

__all__ = [
    "AGENTS",
    "HUMAN",
    "Agent",
    "AgentEntry",
    "AgentFailed",
    "Agents",
    "FunctionPlayer",
    "NoAgent",
    "Player",
    "agents",
    "built_in",
]
