"""A game on the server: its settings, its events, and who may play or watch."""

from copy import copy
from enum import IntEnum
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder
from msgspec.structs import replace

from gridlock.core.game import SWAP, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.names import clean_name
from gridlock.web.wire import tokens
from gridlock.web.wire.messages import OTHERS, Level, Opponent, TimeControl, What
from gridlock.web.wire.setups import book_of, new_game, variant_of

# The number of events after which moves in a game can no longer be taken back. Once takebacks are no longer possible,
# a game can have at most 1,000 more events: a swap, up to 900 moves (one for each cell of the largest board), a
# result, and requests for a rematch.
MOST_WITH_TAKEBACKS = 4000


class Settings(Struct, frozen=True, kw_only=True):
    """A game's settings, which never change once the game has been created."""

    game: str
    board: str
    adjacency: str
    starts: Player
    swap: bool
    opponent: Opponent
    seat: Player  # the creator's seat
    names: tuple[str, str]
    seats: tuple[str | None, str | None]  # hashes of tokens; None for a seat that is open, or not a person's
    watch: tuple[str | None, str | None]
    invitation: str | None
    round: int = 1
    score: tuple[int, int] = (0, 0)  # after the rounds before this one
    definition: dict[str, Any] | UnsetType = UNSET  # stored if the game is not built in, so that its file is not needed
    position: str | UnsetType = UNSET  # before the first move, if not the usual start
    clock: TimeControl | UnsetType = UNSET
    public: bool | UnsetType = UNSET  # whether anyone may take the open seat, and watch
    levels: tuple[Level, Level] | UnsetType = UNSET  # of two computer players


class GameEvent(Struct, tag_field="kind"):
    """An event in a game."""


class Timed(GameEvent, kw_only=True):
    """An event that stops one player's clock and starts the other's."""

    at: int | UnsetType = UNSET  # in ticks, if the game has a clock
    spared: int | UnsetType = UNSET  # milliseconds of the turn for which the server was to blame, if any


class Moved(Timed, tag="move"):
    """A cell was played."""

    cell: Cell


class Swapped(Timed, tag="swap"):
    """The second player took over the first player's side."""


class Resigned(GameEvent, tag="resign"):
    """A player resigned."""

    player: Player


class Flagged(GameEvent, tag="time"):
    """A player ran out of time."""

    player: Player


class Left(GameEvent, tag="left"):
    """A player left, and the other player claimed the win."""

    player: Player


class Cancelled(GameEvent, tag="cancel"):
    """The game ended without a winner: one player did not make the first move, so the other cancelled the game."""

    player: Player  # the player who did not move


class TookBack(GameEvent, tag="takeback"):
    """The game went back to an earlier ply."""

    ply: int


class Asked(GameEvent, tag="ask"):
    """A player requested a takeback or a rematch."""

    player: Player
    what: What


class Settled(GameEvent, tag="settle", omit_defaults=True):
    """A request was declined or withdrawn."""

    player: Player = 0  # the player who declined or withdrew the request; 0 in old databases


class Joined(GameEvent, tag="join"):
    """A player took the open seat."""

    player: Player
    name: str
    seat: str  # hashes of tokens
    watch: str


class Rematched(GameEvent, tag="rematch"):
    """The next round has begun."""

    game: str


def played(move: Cell | None) -> Moved | Swapped:
    """Return the event for a move, or for a swap if the move is None or SWAP."""
    return Swapped() if move is None or move == SWAP else Moved(move)


read_event = Decoder(
    Moved | Swapped | Resigned | Flagged | Left | Cancelled | TookBack | Asked | Settled | Joined | Rematched
).decode
read_settings = Decoder(Settings).decode


class Stage(IntEnum):
    """The progress of a game, which determines how long it is kept."""

    UNTOUCHED = 0  # without a move
    BEGUN = 1
    FINISHED = 2


class Access(NamedTuple):
    """The role and the seats that a token grants."""

    role: Literal["player", "invited", "watching"]
    seats: tuple[Player, ...] = ()


class Table:
    """The current state of a game, computed from its events."""

    def __init__(self, id: str, settings: Settings) -> None:
        self.id = id
        self.settings = settings
        book = book_of(settings.game, settings.definition)
        self.game = new_game(
            variant_of(book, settings.board, settings.adjacency),
            settings.position,
            starts=settings.starts,
            swap=settings.swap,
            names=settings.names,
        )
        self.seats = list(settings.seats)
        self.watch = list(settings.watch)
        self.newcomer: Player | None = None  # the player who has joined and not moved yet
        self.replaced: list[str | None] = []  # former seats of players who lost them to others by not moving
        self.sequence = 0  # events so far
        self.line = 0  # takebacks so far
        self.offer: Asked | None = None
        self.declined: list[Asked] = []  # requests declined since the last move, which may not be repeated
        self.withdrawn: list[Asked] = []  # requests withdrawn since the last move, which may not be repeated either
        self.rematch: str | None = None
        self.cancelled: Player | None = None  # the player who did not make the first move
        time = 0 if settings.clock is UNSET else settings.clock.seconds * 1000
        self.left = [time, time]  # milliseconds for each player at the beginning of the current turn
        self.began: int | None = None  # when the current turn began, in ticks; no clock runs before the first move

    @property
    def ply(self) -> int:
        """The number of moves made and not taken back."""
        return len(self.game.moves)

    def level(self, player: Player) -> str | None:
        """Return the level of a computer player, or None for a person."""
        if self.settings.levels is not UNSET:
            return self.settings.levels[player - 1]
        computer = self.settings.opponent not in OTHERS and player != self.settings.seat
        return self.settings.opponent if computer else None

    @property
    def open_seat(self) -> Player | None:
        """The seat that is waiting for a player to join."""
        return 3 - self.settings.seat if self.settings.opponent == "link" and None in self.seats else None

    @property
    def alone(self) -> bool:
        """Whether the game needs no links, because two people share a screen or the computer plays one side or both."""
        return self.settings.opponent != "link"

    @property
    def over(self) -> bool:
        """Whether the game has ended, with or without a winner."""
        return self.game.outcome is not None or self.cancelled is not None

    @property
    def to_move(self) -> Player | None:
        """The player to move, or None if no move can be made."""
        return None if self.over or self.open_seat else self.game.turn

    @property
    def thinking(self) -> bool:
        """Whether the computer is to move."""
        return self.to_move is not None and self.level(self.to_move) is not None

    @property
    def score(self) -> tuple[int, int]:
        """The number of rounds won by each player, including this round."""
        first, second = self.settings.score
        winner = self.game.outcome.winner if self.game.outcome else None
        return first + (winner == 1), second + (winner == 2)

    @property
    def stage(self) -> Stage:
        """The progress of the game."""
        if self.over:
            return Stage.FINISHED
        return Stage.BEGUN if self.game.moves else Stage.UNTOUCHED

    def after(self, event: GameEvent) -> "Table":
        """Return a copy of this game with an event applied."""
        twin = copy(self)
        twin.game = self.game.copy()
        twin.seats, twin.watch, twin.left = self.seats[:], self.watch[:], self.left[:]
        twin.declined, twin.withdrawn, twin.replaced = self.declined[:], self.withdrawn[:], self.replaced[:]
        twin.apply(event)
        return twin

    @property
    def ticking(self) -> Player | None:
        """The player whose clock is running; None before the first move, and when the computer is to move."""
        player = self.to_move
        runs = self.began is not None and player is not None and self.level(player) is None
        return player if runs and self.settings.clock is not UNSET else None

    @property
    def deadline(self) -> int | None:
        """The time, in ticks, at which the player to move loses on time; None if no clock is running."""
        player = self.ticking
        return None if player is None or self.began is None else self.began + self.left[player - 1]

    def left_at(self, now: int) -> tuple[int, int]:
        """Return how many milliseconds each player has left at the given time."""
        first, second = self.left
        gone = max(0, now - (self.began or 0))
        player = self.ticking
        return max(0, first - gone * (player == 1)), max(0, second - gone * (player == 2))

    @property
    def too_long(self) -> bool:
        """Whether the game has so many events that moves can no longer be taken back."""
        return self.sequence >= MOST_WITH_TAKEBACKS

    def takeback(self, player: Player) -> int | None:
        """Return the ply of the game after a takeback by a player, or None if the player cannot take back a move."""
        if self.game.resigned or self.rematch or self.settings.clock is not UNSET:
            return None  # with a clock, the time used could not be given back
        if self.settings.opponent == "screen":
            return self.ply - 1 if self.ply else None
        if self.game.outcome and not self.alone:
            return None
        trial = self.game.copy()
        while trial.moves:
            trial.pop()
            if trial.turn == player:
                return len(trial.moves)
        return None

    def access(self, token: str) -> Access | None:
        """Return the role and the seats that a token grants, or None if the token is not valid for this game.

        The token is always compared with all stored tokens, so that the timing reveals nothing.
        """
        seats = tuple(player for player in (1, 2) if tokens.opens(token, self.seats[player - 1]))
        watching = [tokens.opens(token, stored) for stored in (*self.watch, *self.replaced)]
        invited = tokens.opens(token, self.settings.invitation)
        if seats:
            return Access("player", seats)
        if invited and self.open_seat:
            return Access("invited")
        return Access("watching") if invited or any(watching) else None

    def next_round(self) -> Settings:
        """Return the settings of a rematch, in which the players swap sides."""
        old = self.settings
        first, second = self.score
        return replace(
            old,
            seat=3 - old.seat,
            names=(self.game.player_name(2), self.game.player_name(1)),  # including default names
            seats=(self.seats[1], self.seats[0]),
            watch=(self.watch[1], self.watch[0]),
            round=old.round + 1,
            score=(second, first),
        )

    def apply(self, event: GameEvent) -> None:
        """Apply an event that was checked before it was stored."""
        self.sequence += 1
        if isinstance(event, Settled) and self.offer and event.player:
            (self.withdrawn if event.player == self.offer.player else self.declined).append(self.offer)
        elif isinstance(event, Moved | Swapped | TookBack):
            self.declined, self.withdrawn = [], []
        self.offer = event if isinstance(event, Asked) else None  # any other event cancels a request
        if isinstance(event, Timed) and event.at is not UNSET:  # stop the player's clock, and add the increment
            player, clock = self.ticking, self.settings.clock
            if player is not None and clock is not UNSET:
                spared = 0 if event.spared is UNSET else event.spared
                self.left[player - 1] = self.left_at(event.at - spared)[player - 1] + 1000 * clock.increment
            self.began = max(event.at, self.began or 0)
        if isinstance(event, Moved | Swapped) and self.game.turn == self.newcomer:
            self.newcomer = None
        match event:
            case Moved(cell):
                self.game.push(cell)
            case Swapped():
                self.game.push(SWAP)
            case Resigned(player):
                self.game.resign(player)
            case Flagged(player):
                self.left[player - 1] = 0
                self.game.resign(player, Termination.TIME)
            case Left(player):
                self.game.resign(player, Termination.LEFT)
            case Cancelled(player):
                self.cancelled = player
            case TookBack(ply):
                self.game = self.game.at(ply)
                self.line += 1
            case Joined(player, name, seat, watch):
                self.newcomer = player
                if self.seats[player - 1]:
                    self.replaced.append(self.seats[player - 1])
                self.seats[player - 1], self.watch[player - 1] = seat, watch
                one, other = clean_name(name), self.game.names[2 - player]
                self.game.names = (one, other) if player == 1 else (other, one)
            case Rematched(game):
                self.rematch = game
