"""What clients may send, field by field: anything else is refused before it is looked at (see docs/protocol.md)."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder

Id = Annotated[int, Meta(ge=0, lt=2**31)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{32}\Z")]
GameId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]
Name = Annotated[str, Meta(max_length=200)]
Player = Annotated[int, Meta(ge=1, le=2)]
What = Literal["takeback", "rematch"]
Reaction = Literal["hello", "luck", "nice", "wow", "oops", "thanks"]
Level = Annotated[str, Meta(max_length=40)]  # an agent that the server offers: the list is asked, not the type
Opponent = Level  # or one of OTHERS
OTHERS = ("levels", "screen", "link")


# -- over the WebSocket -------------------------------------------------------------------------------------------


class Message(Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """Anything that comes over the WebSocket."""

    id: Id | None = None


class Hello(Message, tag="hello"):
    """Open a game."""

    game: GameId
    token: Token


class OnBoard(Message):
    """Something done to the game as the sender saw it."""

    ply: Count
    line: Count


class Move(OnBoard, tag="move"):
    """Play a cell."""

    cell: Count


class Swap(OnBoard, tag="swap"):
    """Take over the other side."""


class Ask(OnBoard, tag="ask"):
    """Ask for a takeback or a rematch."""

    what: What


class Answer(OnBoard, tag="answer"):
    """Agree to what was asked, or not."""

    accept: bool


class Resign(Message, tag="resign"):
    """Give up."""


class Claim(Message, tag="claim"):
    """Take the win, since the opponent has left."""


class React(Message, tag="react"):
    """Say one of a few words to the others."""

    what: Reaction


class Away(Message, tag="away"):
    """Tell whether anybody looks at this page."""

    away: bool


class Look(Message, tag="look"):
    """Show an earlier position."""

    ply: Count


class Why(Message, tag="why"):
    """Say why a cell cannot be played."""

    cell: Count


class Ping(Message, tag="ping"):
    """Is anybody there?"""


Action = Move | Swap | Ask | Answer | Resign | Claim
read_message = Decoder(Hello | Move | Swap | Ask | Answer | Resign | Claim | React | Away | Look | Why | Ping).decode


# -- over HTTP ----------------------------------------------------------------------------------------------------


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """Anything that comes in the body of a request."""


class Setup(Body):
    """A game and its moves; a game that the server may not know brings its definition, and is never looked for."""

    game: Annotated[str, Meta(max_length=40)]
    definition: dict[str, Any] | UnsetType = UNSET
    position: Annotated[str, Meta(max_length=2000)] | UnsetType = UNSET  # before the moves, if not the usual start
    board: Annotated[str, Meta(max_length=20)] | None = None
    adjacency: Annotated[str, Meta(max_length=20)] | None = None
    starts: Player = 1
    swap: bool = False
    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(max_length=1000)] = []


class TimeControl(Body):
    """How long each player may think: at first, and more with each move."""

    seconds: Annotated[int, Meta(ge=5, le=36_000)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0


class Create(Body):
    """A new game."""

    setup: Setup
    opponent: Opponent
    seat: Player = 1
    starts: Literal[1, 2, "random"] | None = None
    name: Name = ""
    other_name: Name = ""
    clock: TimeControl | None = None
    public: bool = False  # whether anybody may take the open seat, and watch
    levels: tuple[Level, Level] | None = None  # that play each other


class Join(Body):
    """Take the open seat."""

    nonce: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22,64}\Z")]
    name: Name = ""


class Source(Body):
    """Where a position comes from: a setup, a setup and pasted moves, or a pasted record."""

    setup: Setup | None = None
    text: str | None = None
    record: str | None = None


class AnalysisRequest(Source):
    """A position to be analysed."""

    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 3.0
    distances: bool = False  # whether to count them for all that time, once the verdicts are there


class HintRequest(Body):
    """A game whose player to move wants a hint."""

    setup: Setup
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 3.0


class WhyNot(Body):
    """A cell to be explained, by its number or as players type it."""

    setup: Setup
    cell: Count | None = None
    text: str | None = None


class Try(Body):
    """A lesson, and the moves made in it so far; the last one is the pupil's."""

    game: Annotated[str, Meta(max_length=40)]
    lesson: Annotated[int, Meta(ge=1, le=100)]
    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(min_length=1, max_length=1000)]
