"""HTTP responses: errors, the server's health, its games and levels, the lobby, and new games and seats."""

from typing import Literal

from gridlock.core.grid import Adjacency
from gridlock.web.wire.answers import Count, Pair, Part
from gridlock.web.wire.messages import Player


class Error(Part):
    """Why a request was rejected."""

    error: str
    words: str


class Health(Part):
    """The health of the server."""

    status: Literal["ok", "stopping", "failing"]
    words: str
    version: str
    database: str
    games: Count
    connections: Count
    process: Count


class Ready(Part):
    """Whether this server should receive new players."""

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
    """The maximum sizes and lengths that the server allows."""

    side: Count
    name: Count
    message: Count
    body: Count


class Catalogue(Part):
    """The games and levels that this server offers."""

    games: list[Book]
    first: str
    adjacencies: list[Adjacency]
    levels: list[Level]
    limits: Bounds
    address: str


class Timing(Part):
    """A time control."""

    seconds: Count
    increment: Count


class Listed(Part):
    """A public game."""

    game: str
    title: str
    own_rule: str | None  # as in Board
    board: str
    adjacency: Adjacency
    swap: bool
    clock: Timing | None


class Challenge(Listed):
    """A public game that is waiting for an opponent."""

    name: str
    invitation: str


class Watched(Listed):
    """A public game in progress."""

    names: Pair
    ply: Count
    watch: str


class Lobby(Part):
    """All public games."""

    challenges: list[Challenge]
    games: list[Watched]


class Created(Part):
    """A new game and its tokens."""

    id: str
    token: str
    watch: str
    invitation: str | None


class Seat(Part):
    """The seat that a player receives in exchange for an invitation."""

    id: str
    seat: Player
    token: str
    watch: str
