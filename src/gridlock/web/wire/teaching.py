"""Answers about puzzles, lessons and the atlas."""

from typing import Literal

from gridlock.core.grid import Adjacency
from gridlock.web.wire.answers import Cell, Count, Part, Position
from gridlock.web.wire.findings import Findings
from gridlock.web.wire.messages import Player


class Puzzle(Part):
    """A position with exactly one winning move, and the answer."""

    day: str | None  # the date of a daily puzzle
    hard: bool
    rule: str
    words: str
    position: Position
    analysis: Findings


class Course(Part):
    """A game that has lessons."""

    game: str
    title: str
    summary: str
    lessons: list[str]  # their titles


class Courses(Part):
    """All games that have lessons."""

    courses: list[Course]


class Lesson(Part):
    """A position with a task."""

    number: Count  # from 1
    title: str
    text: str
    task: str
    position: Position
    answers: list[Cell]  # all correct first moves
    after: str  # what the lesson teaches


class Lessons(Part):
    """A game's lessons, in order."""

    game: str
    title: str
    lessons: list[Lesson]


class Taught(Part):
    """The result of a move in a lesson, including the opponent's reply."""

    right: bool
    done: bool
    words: str
    position: Position


class AtlasBoard(Part):
    """A board and its winner."""

    rows: Count
    cols: Count
    winner: Player | None  # 1 is the player who moves first
    evidence: Literal["theorem", "mirror", "search", "open"]


class AtlasTable(Part):
    """All boards of a game with one adjacency; a board and its 90-degree rotation count as one."""

    game: str
    title: str
    adjacency: Adjacency
    own: bool  # whether this is the game's default adjacency
    boards: list[AtlasBoard]


class Atlas(Part):
    """The winner on every board, as far as it is known."""

    side: Count  # the longest side of a board in it
    tables: list[AtlasTable]
