"""The questions that the server asks its workers, in JSON.

A question passes to a worker as JSON bytes, together with the function that answers it (`answers.answer`), so a worker
never unpickles anything that comes from a client.
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
    """Which move does the computer play at a level? Answered by a Choice."""

    level: str


class Analyse(Question):
    """Who wins, by which moves, and why? Answered by Findings."""

    distances: bool = False  # whether to spend the time on counting distances


class Advise(Question):
    """What should the player to move consider, step by step? Answered by a Hint."""


class Review(Question):
    """Where was the game won and lost? Answered by a Review."""

    names: tuple[str, str]
    resigned: Player | None
    forfeit: Termination


class Compose(Question):
    """Is there a puzzle on the setup's board? Answered by a Composed."""

    hard: bool
    seed: str


class Daily(Question):
    """What is the daily puzzle, on the setup's board? Answered by a Composed."""

    day: date


class Draw(Question):
    """What does the game look like? Answered by a Picture."""


class Teach(Question):
    """Is a move right in a lesson of the setup's game? Answered by an Attempt."""

    lesson: int
    cell: Cell


class Composed(Struct):
    """A position with exactly one winning move, and the value of every move; empty if none was found in time."""

    setup: WholeSetup | None = None
    findings: Findings | None = None


class Choice(Struct):
    """The computer's move: a cell, or SWAP."""

    move: Cell


class Picture(Struct):
    """A board as a PNG."""

    png: bytes


read_question = Decoder(Move | Analyse | Advise | Review | Compose | Daily | Draw | Teach).decode
