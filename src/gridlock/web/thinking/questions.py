"""What the server asks its workers, in JSON: what a client says is only ever read as that, and checked.

A question passes to a worker as the bytes of its JSON, beside the name of the function that answers it
(`answers.answer`); so nothing that comes from a client is part of what a worker unpickles.
"""

from datetime import date

from msgspec import Struct
from msgspec.json import Decoder

from gridlock.core.game import Termination
from gridlock.core.grid import Cell
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.findings import Findings
from gridlock.web.wire.messages import Player


class Question(Struct, tag_field="task", tag=str.lower):
    """A game, and the seconds that an answer may take."""

    setup: WholeSetup
    seconds: float


class Move(Question):
    """Which move does the computer make at a level? Answered by a Choice."""

    level: str


class Analyse(Question):
    """Who wins, by which moves, and why? Answered by Findings."""

    distances: bool = False  # whether to count them for all that time


class Advise(Question):
    """What is there to say to the player to move, a step at a time? Answered by a Hint."""


class LookThrough(Question):
    """Where was the game won and lost? Answered by a Review."""

    names: tuple[str, str]
    resigned: Player | None
    forfeit: Termination


class Compose(Question):
    """A puzzle on the board of the setup, if one is found in time. Answered by a Composed."""

    hard: bool
    seed: str


class OfTheDay(Question):
    """The puzzle of a day, on the board of the setup. Answered by a Composed."""

    day: date


class Draw(Question):
    """What does the game look like? Answered by a Picture."""


class Teach(Question):
    """What does a pupil's move come to, in a lesson of the setup's game? Answered by an Attempt."""

    lesson: int
    cell: Cell


class Composed(Struct):
    """A position with exactly one winning move, and what every move is worth; or nothing."""

    setup: WholeSetup | None = None
    findings: Findings | None = None


class Choice(Struct):
    """The computer's move: a cell, or SWAP."""

    move: Cell


class Picture(Struct):
    """A board as a PNG."""

    png: bytes


read_question = Decoder(Move | Analyse | Advise | LookThrough | Compose | OfTheDay | Draw | Teach).decode
