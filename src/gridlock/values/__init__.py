"""Exact values of games in which the player who cannot move loses: arithmetic, order, temperature."""

from gridlock.values.parser import ParseError
from gridlock.values.value import Value

__all__ = ["ParseError", "Value"]
