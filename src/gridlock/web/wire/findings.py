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
    """A hint in steps: who wins, roughly where to play, which move to make, and why."""

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
    line: list[Cell]  # the example moves that the reason names; empty if it names no moves
    brief: str  # the reason without the example moves; empty if it names no moves


class Region(Part):
    """A part of the board that the rest of the board does not affect."""

    letter: str
    cells: list[Cell]
    words: str
    heat: Annotated[int, Meta(ge=0, le=3)] | None  # null if unknown
    best: Cell | None  # the best move for the player to move
    name: str  # the name of the region's value, if it has a short name; empty otherwise
    thermograph: str  # as SVG; empty if its value is unknown, a number, or too large to draw


class Regions(Part):
    """The verdict on a position, and a list of the position's regions, hottest first."""

    verdict: str
    regions: list[Region]
    closing: list[str]  # sentences about the whole position
    free: tuple[list[Cell], list[Cell]]  # the cells that only side 1, or only side 2, can ever take


class RegionMove(Part):
    """A move in an open region, and what remains of the region after it."""

    cell: Cell
    text: str  # the cell as players type it
    drawn: list[str]  # the region after the move, as in OpenRegion
    words: str  # the value of the remaining region


class OpenRegion(Part):
    """A region after a sequence of moves in it, with the best next moves of each side."""

    drawn: list[
        str
    ]  # the rectangle around the region: L and R are markers of the path; 1, 2, . and # are open to 1, 2, both, neither
    words: str  # the region's value
    thermograph: str  # as SVG; empty if its value is unknown, a number, or too large to draw
    left: list[RegionMove]  # moves of side 1
    right: list[RegionMove]  # moves of side 2
    note: str  # about options that cannot be shown, or that no single move leaves; empty if there are none


class Reviewed(Part):
    """A player in a reviewed game."""

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
    """A position with a question, but without the solution."""

    kind: PuzzleKind
    day: str | None  # the date of a daily puzzle
    difficulty: Difficulty
    rule: str
    words: str
    position: Position  # its setup is the puzzle's address
    choices: Count  # the number of legal moves


class Tried(Part):
    """The judgement on a move in a puzzle."""

    right: bool
    done: bool
    words: str
    position: Position  # after the reply, after a wrong move and its refutation, or after the solution
    reply: Cell | None  # the opponent's reply
    refutation: list[Cell]  # the refutation of a wrong move, starting with the opponent's reply
    winning: list[Cell]  # the moves that win at this step; empty until the step is done
    line: list[Cell]  # the solution, for a player who gives up


class Course(Part):
    """A game that has lessons."""

    game: str
    title: str
    summary: str
    lessons: list[str]  # the lessons' titles


class Courses(Part):
    """All games that have lessons."""

    courses: list[Course]


class Lesson(Part):
    """A lesson: a position, and a task for the pupil to solve in it."""

    number: Count  # starting from 1
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
    seconds: Count  # the search's processor time, rounded


class AtlasTable(Part):
    """All boards of a game for one type of adjacency; a board and its 90-degree rotation count as one."""

    game: str
    title: str
    adjacency: Adjacency
    own: bool  # whether this is the game's default adjacency
    boards: list[AtlasBoard]


class Atlas(Part):
    """The winner on each board, where known."""

    side: Count  # the longest side of any board in the atlas
    tables: list[AtlasTable]
