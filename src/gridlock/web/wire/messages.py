"""Messages and requests from clients; anything else is rejected when it is decoded (see docs/protocol.md)."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder

Id = Annotated[int, Meta(ge=0, lt=2**31)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{32}\Z")]
GameId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]
Name = Annotated[str, Meta(max_length=200)]
Player = Annotated[int, Meta(ge=1, le=2)]
Difficulty = Annotated[int, Meta(ge=1, le=5)]
PuzzleKind = Literal["win", "hottest", "trap"]  # as in play/puzzles.py
What = Literal["takeback", "rematch"]
Reaction = Literal["hello", "luck", "nice", "wow", "oops", "thanks"]
Level = Annotated[str, Meta(max_length=40)]  # an agent's name; checked against the agents that the server offers
Opponent = Level  # or one of OTHERS
OTHERS = ("levels", "screen", "link")


class ClientMessage(Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """Any message that a client sends over the WebSocket."""

    id: Id | None = None


class Hello(ClientMessage, tag="hello"):
    """Open a game."""

    game: GameId
    token: Token


class OnBoard(ClientMessage):
    """An action, together with the position that its sender saw."""

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


class Respond(OnBoard, tag="answer"):
    """Accept or decline the opponent's request, or withdraw your own request."""

    accept: bool


class Resign(ClientMessage, tag="resign"):
    """Resign the game."""


class ClaimWin(ClientMessage, tag="claim"):
    """Claim the win because the opponent has left."""


class React(ClientMessage, tag="react"):
    """Send a reaction to everyone in the game."""

    what: Reaction


class Away(ClientMessage, tag="away"):
    """Report whether the page is visible."""

    away: bool


class LookBack(ClientMessage, tag="look"):
    """Show an earlier position."""

    ply: Count


class AskWhy(ClientMessage, tag="why"):
    """Ask why a cell cannot be played."""

    cell: Count


class Ping(ClientMessage, tag="ping"):
    """Check that the server responds."""


Action = Move | Swap | Ask | Respond | Resign | ClaimWin
read_message = Decoder(Hello | Action | React | Away | LookBack | AskWhy | Ping).decode


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """The base class for request bodies and their parts."""


class Setup(Body):
    """A game and its moves; a definition is needed for a game that the server does not offer."""

    game: Annotated[str, Meta(max_length=40)]
    definition: dict[str, Any] | UnsetType = UNSET
    position: Annotated[str, Meta(max_length=2000)] | UnsetType = UNSET  # before the first move, if not the usual start
    board: Annotated[str, Meta(max_length=20)] | None = None
    adjacency: Annotated[str, Meta(max_length=20)] | None = None
    starts: Player = 1
    swap: bool = False
    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(max_length=1000)] = []


class TimeControl(Body):
    """A time control: the seconds that each player has at the start, and the seconds added with each move."""

    seconds: Annotated[int, Meta(ge=5, le=36_000)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0


class Create(Body):
    """A request for a new game."""

    setup: Setup
    opponent: Opponent
    seat: Player = 1
    starts: Literal[1, 2, "random"] | None = None
    name: Name = ""
    other_name: Name = ""
    clock: TimeControl | None = None
    public: bool = False  # whether anyone may take the open seat, and watch
    levels: tuple[Level, Level] | None = None  # the levels of two computer players


class Join(Body):
    """A request to take the open seat."""

    nonce: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22,64}\Z")]
    name: Name = ""


class Source(Body):
    """A position given as a setup, as a setup with pasted moves, or as a pasted record."""

    setup: Setup | None = None
    text: str | None = None
    record: str | None = None


class SetUpRequest(Body):
    """A position to set up, as one line of text; a definition is needed for a game that the server does not offer."""

    line: Annotated[str, Meta(max_length=2000)]
    definition: dict[str, Any] | UnsetType = UNSET


class AnalysisRequest(Source):
    """A request to analyse a position."""

    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 3.0
    distances: bool = False  # whether to use any time left after the verdicts to count distances


class HintRequest(Body):
    """A request to give a hint to the player whose turn it is."""

    setup: Setup
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 3.0


class RegionsRequest(Body):
    """A request to evaluate a position's regions."""

    setup: Setup
    seconds: Annotated[float, Meta(ge=0.1, le=5)] = 2.0


class RegionRequest(Body):
    """A request to show a cell's region after some moves in that region; each move has a side (1 or 2) and a cell."""

    setup: Setup
    cell: Count
    path: Annotated[list[tuple[Player, Count]], Meta(max_length=100)] = []
    seconds: Annotated[float, Meta(ge=0.1, le=5)] = 2.0


class WhyNot(Body):
    """A request to explain why a player cannot move to a cell, which is given as a number or as typed text."""

    setup: Setup
    cell: Count | None = None
    text: str | None = None


class Try(Body):
    """A lesson, and the moves made in it so far; the last move is the student's."""

    game: Annotated[str, Meta(max_length=40)]
    lesson: Annotated[int, Meta(ge=1, le=100)]
    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(min_length=1, max_length=1000)]


class PuzzleRequest(Body):
    """A request to open a position as a puzzle."""

    setup: Setup
    kind: PuzzleKind = "win"


class Attempt(Body):
    """A puzzle and the moves made in it so far; unless the player gives up, the last move is the one to judge."""

    setup: Setup
    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(max_length=1000)]
    give_up: bool = False
    kind: PuzzleKind = "win"
