"""Exact values of games in which the player who cannot move loses, with their arithmetic, order and temperature."""

from gridlock.values.evaluation import value_of
from gridlock.values.functions import (
    clear_memory,
    down,
    miny,
    nimber,
    star,
    switch,
    thermograph_svg,
    tiny,
    up,
)
from gridlock.values.parser import ParseError
from gridlock.values.thermograph import Thermograph
from gridlock.values.value import Value

__all__ = [
    "ParseError",
    "Thermograph",
    "Value",
    "clear_memory",
    "down",
    "miny",
    "nimber",
    "star",
    "switch",
    "thermograph_svg",
    "tiny",
    "up",
    "value_of",
]
