"""What clients are told of games and positions, field by field (see docs/protocol.md).

The description of the HTTP API follows from these structures; what their fields mean is said in the protocol.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from gridlock.core.game import Termination
from gridlock.core.grid import Adjacency
from gridlock.web.wire.messages import Id, Opponent, Player, Reaction, Setup, What

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

    cell: Cell | None  # where it is outside the grid, as only what was typed can be
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
    rule: str  # of the game, in one sentence


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


class Notice(Message):
    """Something that players should know, in a sentence."""

    words: str


class Pong(Reply):
    """Somebody is there."""
