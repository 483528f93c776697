"""Answers from the engine: analyses, hints, reviews, puzzles, lessons and the atlas."""

from typing import Annotated, Literal

from msgspec import Meta

from gridlock.core.grid import Adjacency
from gridlock.engine.evidence import Method, Verdict
from gridlock.web.wire.answers import Cell, Count, Part, Position
from gridlock.web.wire.messages import Difficulty, Player, PuzzleKind


class MoveValue(Part):
    """The value of a move."""

    cell: Cell
    verdict: Verdict
    distance: Count | None


class Findings(Part):
    """The winner of a position, the winning moves, and the evidence."""

    verdict: Verdict
    words: str
    explanation: str
    method: Method
    winning: list[Cell]
    moves: list[MoveValue]
    distance: Count | None
    swap: Verdict | None
    swap_words: str
    countable: bool
    pairing: list[tuple[Cell, Cell]]
    mirror: list[tuple[Cell, Cell]]
    line: list[Cell]
    positions: Count
    seconds: float


class Analysis(Part):
    """A position and its analysis."""

    position: Position
    analysis: Findings


class Hint(Part):
    """A hint in steps: whether the position is won, where to play, which move, and why."""

    verdict: Verdict
    opinion: str
    where: str
    region: list[Cell]
    naming: str
    move: Cell | None
    swap: bool
    reason: str
    pairing: list[tuple[Cell, Cell]]
    mirror: list[tuple[Cell, Cell]]
    all_win: bool  # whether every move wins, so that there is nothing to choose
    line: list[Cell]  # the moves that the reason names as an example, if there are any
    brief: str  # the reason without them; empty if there are none


class Region(Part):
    """A part of the board that the rest of the board does not affect."""

    letter: str
    cells: list[Cell]
    words: str
    heat: Annotated[int, Meta(ge=0, le=3)] | None  # null: unknown
    best: Cell | None  # for the player to move
    name: str  # of its value, if that is short; empty otherwise
    thermograph: str  # as SVG; empty if its value is unknown, a number, or too large to draw


class Regions(Part):
    """The regions of a position, the hottest first, after the verdict on it."""

    verdict: str
    regions: list[Region]
    closing: list[str]  # sentences about the whole position
    free: tuple[list[Cell], list[Cell]]  # the cells that only side 1, or only side 2, can ever take


class RegionMove(Part):
    """A move in an open region, and what remains of the region after it."""

    cell: Cell
    text: str  # the cell as players type it
    drawn: list[str]  # as in OpenRegion, after the move
    words: str  # the value that is left


class OpenRegion(Part):
    """A region after some moves in it, with both sides' best moves."""

    drawn: list[
        str
    ]  # the rectangle around it: L and R markers of the path, 1 and 2 open to one side, . to both, # to none
    words: str  # its value
    thermograph: str  # as SVG; empty if its value is unknown, a number, or too large to draw
    left: list[RegionMove]  # of side 1
    right: list[RegionMove]  # of side 2
    note: str  # about options that cannot be shown, or that no single move leaves; empty if there are none


class Reviewed(Part):
    """A player of a reviewed game."""

    name: str
    mark: str


class Step(Part):
    """A player's action, and who was winning before and after it."""

    ply: Count
    kind: Annotated[str, Meta(pattern="^(move|swap|resign|time|left)$")]
    player: Player
    mark: str
    who: str
    cell: Cell | None
    text: str
    before: Player | None
    after: Player | None
    mistake: bool
    better: list[Cell]
    better_swap: bool
    words: str
    holds: str  # what would have kept the win, and a hot region that was left; empty unless the step was a mistake


class Review(Part):
    """The review of a game: where it was won and lost."""

    players: tuple[Reviewed, Reviewed]
    start: Player | None
    steps: list[Step]
    summary: str
    heats: list[float | None]  # the temperature at the start and after each move; empty if none is known


class Puzzle(Part):
    """A position with a question; no solution."""

    kind: PuzzleKind
    day: str | None  # the date of a daily puzzle
    difficulty: Difficulty
    rule: str
    words: str
    position: Position  # its setup is the puzzle's address
    choices: Count  # legal moves


class Tried(Part):
    """The judgement on a move in a puzzle."""

    right: bool
    done: bool
    words: str
    position: Position  # after the reply, after a wrong move and its refutation, or after the solution
    reply: Cell | None  # the opponent's
    refutation: list[Cell]  # of a wrong move, from the opponent's answer on
    winning: list[Cell]  # the moves that win at this step; empty until it is done
    line: list[Cell]  # the solution, for a player who gives up


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
    solution: str  # the answer in words, for a pupil who wants to see it


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
    seconds: Count  # of processor time that a search took, rounded


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
