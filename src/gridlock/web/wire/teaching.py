"""What is told of puzzles, lessons and the atlas, field by field."""

from typing import Literal

from gridlock.core.grid import Adjacency
from gridlock.web.wire.answers import Cell, Count, Part, Position
from gridlock.web.wire.findings import Findings
from gridlock.web.wire.messages import Player


class Puzzle(Part):
    """A position with exactly one winning move, and the answer."""

    day: str | None  # of which it is the puzzle, if of any
    hard: bool
    rule: str
    words: str
    position: Position
    analysis: Findings


class Course(Part):
    """A game that there are lessons of."""

    game: str
    title: str
    summary: str
    lessons: list[str]  # their titles


class Courses(Part):
    """All games that there are lessons of."""

    courses: list[Course]


class Lesson(Part):
    """A position with a task."""

    number: Count  # from 1
    title: str
    text: str
    task: str
    position: Position
    answers: list[Cell]  # all first moves that are right
    after: str  # what is to be learned


class Lessons(Part):
    """The lessons of a game, in order."""

    game: str
    title: str
    lessons: list[Lesson]


class Taught(Part):
    """What a move in a lesson comes to, the opponent's answer included."""

    right: bool
    done: bool
    words: str
    position: Position


class AtlasBoard(Part):
    """A board, and who wins on it."""

    rows: Count
    cols: Count
    winner: Player | None  # the player who begins is 1
    evidence: Literal["theorem", "mirror", "search", "open"]


class AtlasTable(Part):
    """Every board of a game with one kind of neighbours; a board and its turned twin are one."""

    game: str
    title: str
    adjacency: Adjacency
    own: bool  # whether these are the neighbours that the game usually has
    boards: list[AtlasBoard]


class Atlas(Part):
    """Who wins on every board, as far as it is known."""

    side: Count  # the longest side of a board in it
    tables: list[AtlasTable]
