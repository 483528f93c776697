"""What is told of the server and its games over HTTP: its health, what can be played, who waits, and refusals."""

from typing import Literal

from gridlock.core.grid import Adjacency
from gridlock.web.wire.answers import Count, Pair, Part
from gridlock.web.wire.messages import Player


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


class Level(Part):
    """An agent to play against."""

    name: str
    summary: str


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
    levels: list[Level]
    limits: Bounds
    address: str


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
