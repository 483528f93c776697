"""What clients are told, field by field, over the WebSocket and over HTTP (see docs/protocol.md).

The description of the HTTP API follows from these structures; what their fields mean is said in the protocol.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from gridlock.engine.evidence import Method, Verdict
from gridlock.game import Termination
from gridlock.grid import Adjacency
from gridlock.web.messages import Id, Opponent, Player, Reaction, Setup, What

Cell = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Pair = tuple[str, str]  # for the first and the second side, or player
Status = Literal["here", "away", "gone"]
Role = Literal["player", "invited", "watching"]
Reason = Literal["illegal", "turn", "stale", "over", "waiting", "watching", "offer", "storage", "pace", "limit"]
Ability = Literal["move", "swap", "resign", "takeback", "rematch", "answer", "withdraw", "join"]


class Part(Struct):
    """Anything that is told, whole or in part."""


class Message(Part, tag_field="type", tag=str.lower):
    """Anything that goes out over the WebSocket."""


class Reply(Message, kw_only=True):
    """A message that may answer one from the client; it then carries that one's number."""

    re: Id | UnsetType = UNSET


# -- positions ----------------------------------------------------------------------------------------------------


class WholeSetup(Setup, kw_only=True):
    """A setup that leaves nothing to be guessed."""

    board: str
    adjacency: Adjacency
    starts: Player
    swap: bool
    moves: list[str]


class Board(Part):
    """The board and what stands on it."""

    title: str
    rows: Count
    cols: Count
    adjacency: Adjacency
    origin: Count
    marks: Pair
    cells: str
    trails: tuple[list[Cell], list[Cell]]
    legal: list[Cell]
    last: Cell | None
    causes: list[Cell]


class Entry(Part):
    """One line of the history."""

    kind: Literal["move", "swap", "pass"]
    ply: Count
    player: Player
    mark: str
    cell: Cell | None
    text: str | None
    words: str


class Pass(Part):
    """A pass that has just been made for somebody."""

    player: Player
    mark: str
    words: str


class Outcome(Part):
    """How a game ended."""

    winner: Player
    loser: Player
    termination: Termination
    words: str


class Position(Reply):
    """A position of a game, or one that was set up."""

    ply: Count
    setup: WholeSetup
    board: Board
    to_move: Player | None
    mark: str | None
    words: str
    passed: Pass | None = field(name="pass")
    moves: list[Entry]
    outcome: Outcome | None
    can_swap: bool


class Why(Reply):
    """Why a cell can or cannot be played."""

    cell: Cell
    legal: bool
    reason: Literal["outside", "taken", "adjacency", "over"] | None
    words: str
    causes: list[Cell]


# -- a game being played ------------------------------------------------------------------------------------------


class Seated(Part):
    """A player of a game."""

    player: Player
    name: str
    mark: str
    kind: str  # "person", or a level
    joined: bool


class Offer(Part):
    """A question that is open, or was declined."""

    what: What
    player: Player
    words: str


class Clock(Part):
    """How much time there is: at first, with each move, and now, in milliseconds."""

    seconds: Count
    increment: Count
    left: tuple[Count | None, Count | None]  # the computer has no clock
    runs: Player | None
    wait: Count  # until it runs, after a restart of the server


class You(Part):
    """What the client itself may do."""

    role: Role
    seats: tuple[Player, ...]
    may: list[Ability]


class State(Message):
    """Everything that one client needs to show a game."""

    game: str
    sequence: Count
    ply: Count
    line: Count
    setup: WholeSetup
    opponent: Opponent
    board: Board
    players: tuple[Seated, Seated]
    to_move: Player | None
    thinking: bool
    words: str
    passed: Pass | None = field(name="pass")
    moves: list[Entry]
    outcome: Outcome | None
    offer: Offer | None
    declined: Offer | None
    round: Count
    score: tuple[Count, Count]
    rematch: str | None
    clock: Clock | None
    you: You


class Welcome(Reply):
    """The answer to hello."""

    game: str
    role: Role
    seats: tuple[Player, ...]
    watch: str | None
    invitation: str | None


class Accepted(Reply):
    """An action has been stored."""

    ply: Count
    line: Count


class Refused(Reply):
    """Nothing has changed, and why."""

    reason: Reason
    words: str
    causes: list[Cell]


class Presence(Message):
    """Who is there, and in how many milliseconds this client may claim the win; null while it may not at all."""

    seats: tuple[Status, Status]
    claim: Count | None


class Said(Message, tag="reaction"):
    """A player said one of a few words."""

    player: Player
    what: Reaction
    words: str


class Pong(Reply):
    """Somebody is there."""


# -- over HTTP ----------------------------------------------------------------------------------------------------


class Error(Part):
    """Why something was refused."""

    error: str
    words: str


class Health(Part):
    """Whether everything works."""

    status: Literal["ok", "stopping", "failing"]
    words: str
    version: str
    database: str
    games: Count
    connections: Count
    process: Count


class Ready(Part):
    """Whether players should be sent here."""

    ready: bool
    words: str


class Book(Part):
    """A game that can be played."""

    name: str
    title: str
    summary: str
    rules: str
    board: str
    adjacency: Adjacency
    origin: Count
    smallest: Count
    marks: Pair
    players: Pair


class Bounds(Part):
    """What is too much."""

    side: Count
    name: Count
    message: Count
    body: Count


class Catalogue(Part):
    """What can be played."""

    games: list[Book]
    first: str
    adjacencies: list[Adjacency]
    levels: list[str]
    limits: Bounds


class Timing(Part):
    """How a clock is set."""

    seconds: Count
    increment: Count


class Listed(Part):
    """A game that anybody may see."""

    game: str
    title: str
    board: str
    adjacency: Adjacency
    swap: bool
    clock: Timing | None


class Challenge(Listed):
    """A game that waits for an opponent."""

    name: str
    invitation: str


class Watched(Listed):
    """A game that is being played."""

    names: Pair
    ply: Count
    watch: str


class Lobby(Part):
    """The games that anybody may see."""

    challenges: list[Challenge]
    games: list[Watched]


class Created(Part):
    """A new game and what opens it."""

    id: str
    token: str
    watch: str
    invitation: str | None


class Seat(Part):
    """The seat that an invitation was exchanged for."""

    id: str
    seat: Player
    token: str
    watch: str


# -- what the engine says -----------------------------------------------------------------------------------------


class MoveValue(Part):
    """What a move is worth."""

    cell: Cell
    verdict: Verdict
    distance: Count | None


class Findings(Part):
    """Who wins, by which moves, and why."""

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
    """A position and what was found out about it."""

    position: Position
    analysis: Findings


class Hint(Part):
    """What to play, a step at a time: whether it is won, where, which move, and why."""

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


class Reviewed(Part):
    """A player of a game that was looked through."""

    name: str
    mark: str


class Step(Part):
    """What a player did, and who was winning before and after."""

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


class Review(Part):
    """Where a game was won and lost."""

    players: tuple[Reviewed, Reviewed]
    start: Player | None
    steps: list[Step]
    summary: str


# -- puzzles, lessons and the atlas -------------------------------------------------------------------------------


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
