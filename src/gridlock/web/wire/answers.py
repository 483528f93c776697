"""Messages to clients about games and positions (see docs/protocol.md).

The OpenAPI description is generated from the structures in this module, and docs/protocol.md explains their fields.
"""

from typing import Annotated, Any, Literal, Self

from msgspec import UNSET, Meta, Struct, UnsetType, field

from gridlock.core.game import Termination
from gridlock.core.grid import Adjacency
from gridlock.web.wire.messages import Id, Opponent, Player, Reaction, Setup, What

Cell = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Pair = tuple[str, str]  # for the first and the second side or player
Status = Literal["here", "away", "gone"]
Role = Literal["player", "invited", "watching"]
Reason = Literal["illegal", "turn", "stale", "over", "waiting", "watching", "offer", "storage", "pace", "limit"]
MALFORMED, BAD_TOKEN, UNKNOWN_GAME = 4400, 4401, 4422  # why a connection is closed
Ability = Literal["move", "swap", "resign", "takeback", "rematch", "answer", "withdraw", "join"]


class Part(Struct):
    """Any structure that the server sends."""

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """Return a structure with the given fields; copy all others from the source's attributes of the same names."""
        return cls(**{name: getattr(source, name) for name in cls.__struct_fields__ if name not in others}, **others)


class Message(Part, tag_field="type", tag=str.lower):
    """Any message that the server sends over the WebSocket."""


class Reply(Message, kw_only=True):
    """A message to a client; if it answers one of the client's messages, `re` is the id of the message answered."""

    re: Id | UnsetType = UNSET


class WholeSetup(Setup, kw_only=True):
    """A setup that states the board, adjacency, first player, swap rule and moves, instead of relying on defaults."""

    board: str
    adjacency: Adjacency
    starts: Player
    swap: bool
    moves: list[str]


class Board(Part):
    """The board and the markers on it."""

    title: str
    own_rule: str | None  # the rule of a game that the server does not offer, in a sentence derived from its rules
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
    """One entry in a game's history."""

    kind: Literal["move", "swap", "pass"]
    ply: Count
    player: Player
    mark: str
    cell: Cell | None
    text: str | None
    words: str


class Pass(Part):
    """A pass that a player has just made because they had no legal move."""

    player: Player
    mark: str
    words: str


class Outcome(Part):
    """The result of a game."""

    winner: Player
    loser: Player
    termination: Termination
    words: str
    both: bool  # whether neither player has a move left, in a game with passes


class Position(Reply):
    """A position that was reached in a game, or that a user set up."""

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


class SetUp(Part):
    """A position that was set up, or the reason why no game leads to it."""

    position: Position | None
    words: str  # what is wrong; empty if the position is valid
    cells: list[Cell]  # the cells that the words are about
    pawns: bool  # whether each side has one pawn, which leaves a trail
    follows: bool  # whether the last marker decides where the next one may go


class Why(Reply):
    """Why a cell can or cannot be played."""

    cell: Cell | None  # null if typed coordinates are outside the grid
    legal: bool
    reason: Literal["outside", "taken", "adjacency", "over"] | None
    words: str
    causes: list[Cell]


class Seated(Part):
    """A player in a game."""

    player: Player
    name: str
    mark: str
    kind: str  # "person", or a level
    joined: bool


class Offer(Part):
    """A request for a takeback or a rematch, pending or declined."""

    what: What
    player: Player
    words: str


class Clock(Part):
    """The time control in seconds, and the time left in milliseconds."""

    seconds: Count
    increment: Count
    left: tuple[Count | None, Count | None]  # null for the computer, which has no clock
    runs: Player | None
    wait: Count  # milliseconds until time passes after a restart of the server


class You(Part):
    """This client's role, seats and permissions."""

    role: Role
    seats: tuple[Player, ...]
    may: list[Ability]


class State(Message):
    """Everything that a client needs to show a game."""

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
    cancelled: bool  # whether the game ended without a winner
    offer: Offer | None
    declined: Offer | None
    round: Count
    score: tuple[Count, Count]
    rematch: str | None
    clock: Clock | None
    you: You


class Welcome(Reply):
    """The answer to a hello message."""

    game: str
    role: Role
    seats: tuple[Player, ...]
    watch: str | None
    invitation: str | None
    public: bool  # whether the lobby lists the game
    rule: str  # the game's rule, in one sentence
    back: str | None  # a token for the next connection's URL, so that a player is always admitted


class Accepted(Reply):
    """The confirmation that an action has been stored."""

    ply: Count
    line: Count


class Refused(Reply):
    """The rejection of an action, with the reason."""

    reason: Reason
    words: str
    causes: list[Cell]


class Presence(Message):
    """Both players' presence, and whether this client may claim a win or cancel the game, now or later."""

    seats: tuple[Status, Status]
    claim: Count | None  # in how many milliseconds the client may claim the prize; None if there is nothing to claim
    prize: Literal["win", "cancel"] | None  # what the client gets by claiming


class Said(Message, tag="reaction"):
    """A player's reaction."""

    player: Player
    what: Reaction
    words: str


class Notice(Message):
    """An announcement for players, in one sentence."""

    words: str


class Pong(Reply):
    """The answer to a ping message."""
