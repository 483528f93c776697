"""Games that are played in one browser: person against person, person against computer, or computer against computer.

The page sends and receives the same messages as it would over a WebSocket (see docs/protocol.md).
"""

import heapq
import logging
import time
from collections.abc import Callable, Iterable
from itertools import count
from random import Random

import msgspec
from msgspec import UNSET

from gridlock.core.errors import GridLockError
from gridlock.core.grid import Cell
from gridlock.players import agents
from gridlock.players.player import chance
from gridlock.web.offline.saves import Held, Page, SavedGames
from gridlock.web.operations.games import SHOWN, THINK, WATCHED, failure_of
from gridlock.web.referee import views
from gridlock.web.referee.decide import NO_REACTION, TOO_LONG, Decision, Rejection, decide, fallen
from gridlock.web.referee.table import Access, Rematched, Table, Timed, played
from gridlock.web.thinking import questions
from gridlock.web.wire import answers, messages
from gridlock.web.wire.answers import BAD_TOKEN, MALFORMED, UNKNOWN_GAME
from gridlock.web.wire.setups import setup_of

log = logging.getLogger("gridlock.web")
TAKE_OVER = 10.0  # seconds that another window has to make the computer's move before this window makes it


class Games(SavedGames):
    """The games that are stored in a browser, and the connections between a page and these games."""

    def __init__(self, page: Page, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(page, clock)
        self._visits: dict[int, Held] = {}  # by connection
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()

    def restore(self, text: str) -> None:
        """Load the games saved in this browser, and show changes made in other windows."""
        for held in self.take_back(text):
            self._show(held)
            self._watch_clock(held)
            self._take_over(held)

    # -- connections -------------------------------------------------------------------------------------------------

    def open(self, connection: int, text: str) -> None:
        """Open a connection to the game named in the first message."""
        try:
            hello = messages.read_message(text)
            if not isinstance(hello, messages.Hello):
                self.page.closed(connection, MALFORMED, "the first message must be hello")
                return
            held = self.find(hello.game)
        except msgspec.DecodeError as error:
            self.page.closed(connection, MALFORMED, str(error))
            return
        except GridLockError as error:
            self.page.closed(connection, UNKNOWN_GAME, str(error))
            return
        access = held.table.access(hello.token) if held else None
        if held is None or access is None:
            self.page.closed(connection, BAD_TOKEN, "this link does not open a game")
            return
        self._visits[connection] = held
        held.viewers[connection] = access
        self._reply(connection, views.welcome(held.table, access, hello.token), hello)
        self._show(held, [connection])
        if held.table.too_long and not held.table.game.outcome:
            self._tell(connection, answers.Notice(TOO_LONG.words))
        self._watch_clock(held)
        self._take_turn(held)

    def shut(self, connection: int) -> None:
        """Handle a connection that the page has closed."""
        if held := self._visits.pop(connection, None):
            held.viewers.pop(connection, None)

    def send(self, connection: int, text: str) -> None:
        """Handle a message from the page."""
        if (held := self._visits.get(connection)) is None:
            return
        try:
            message: messages.ClientMessage = messages.read_message(text)
        except msgspec.DecodeError as error:
            self.shut(connection)
            self.page.closed(connection, MALFORMED, str(error))
            return
        table, access = held.table, held.viewers[connection]
        match message:
            case messages.Ping():
                self._reply(connection, answers.Pong(), message)
            case messages.AskWhy(cell=cell):
                self._reply(connection, views.why(table.game, cell), message)
            case messages.LookBack(ply=ply):
                self._reply(connection, views.position(table.game.at(ply)), message)
            case messages.React():
                self._reply(connection, views.refused(NO_REACTION), message)
            case messages.Resign() | messages.ClaimWin() | messages.OnBoard():
                assert isinstance(message, messages.Action)
                self._act(held, connection, access, message)

    def _act(self, held: Held, connection: int, access: Access, action: messages.Action) -> None:
        refusal = self._decide(held, lambda table: decide(table, access, action))
        if refusal:
            self._reply(connection, views.refused(refusal), action)
            if refusal.reason == "stale":
                self._show(held, [connection])
            return
        at = action if isinstance(action, messages.OnBoard) else held.table
        self._reply(connection, answers.Accepted(at.ply, at.line), action)
        self._show(held)
        self._take_turn(held)

    def _decide(self, held: Held, decide: Callable[[Table], Decision]) -> Rejection | None:
        """Apply and save the event that an action causes, or return why the action is rejected.

        If a player has run out of time, end the game before considering the action.
        """
        now = self.now(held)
        if flag := fallen(held.table, now):
            self.apply(held, flag)
            self.save(held)
            self._show(held)
        decision = decide(held.table)
        if decision is None or isinstance(decision, Rejection):
            return decision
        if isinstance(decision, Timed) and held.table.settings.clock is not UNSET:
            decision.at = now
        if isinstance(decision, Rematched):
            self.create(decision.game, held.table.next_round(), ())
        self.apply(held, decision)
        self.save(held)
        self._watch_clock(held)
        return None

    def _reply(self, connection: int, reply: answers.Reply, to: messages.ClientMessage) -> None:
        if to.id is not None:
            reply.re = to.id
        self._tell(connection, reply)

    def _tell(self, connection: int, message: answers.Message) -> None:
        self.page.message(connection, msgspec.json.encode(message).decode())

    def _show(self, held: Held, connections: Iterable[int] | None = None) -> None:
        """Send a game's state to the given connections, or to all of the game's connections."""
        for one in list(held.viewers) if connections is None else connections:
            self._tell(one, views.state(held.table, held.viewers[one], self.now(held), 0))

    # -- what happens later ------------------------------------------------------------------------------------------

    def run_due(self) -> None:
        """Do everything that is due: make the computer's moves, and end games in which a player's time is up.

        Browsers drop fractions of a millisecond, so a timer may fire early. This method therefore sets the timer
        again if anything remains to be done.
        """
        try:
            while self._due and self._due[0][0] <= self.clock():
                heapq.heappop(self._due)[2]()
        finally:
            self._wake()

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        heapq.heappush(self._due, (self.clock() + seconds, next(self._number), work))
        self._wake()

    def _wake(self) -> None:
        if self._due:
            self.page.wake(max(0.0, self._due[0][0] - self.clock()))

    def _watch_clock(self, held: Held) -> None:
        """Set a timer to check whether a player's time is up."""
        if (deadline := held.table.deadline) is not None and held.viewers:
            self._later(max(0, deadline - self.now(held)) / 1000, lambda: self._check_clock(held, deadline))

    def _check_clock(self, held: Held, deadline: int) -> None:
        if held.table.deadline == deadline:
            self._decide(held, lambda _: None)

    def _take_turn(self, held: Held) -> None:
        """If it is the computer's turn, let it think as soon as the page's other messages have been answered."""
        unseen = held.table.settings.levels is not UNSET and not held.viewers
        if held.table.thinking and not held.thinking and not unseen:
            held.thinking = True
            self._later(0, lambda: self._think(held))

    def _take_over(self, held: Held) -> None:
        """If the window that should make the computer's move has been closed, make the move in this window."""
        at = held.table.ply, held.table.line

        def check() -> None:
            if at == (held.table.ply, held.table.line) and held.viewers:
                self._take_turn(held)

        if held.table.thinking:
            self._later(TAKE_OVER, check)

    def _think(self, held: Held) -> None:
        table, began = held.table, self.clock()
        level = table.level(table.game.turn) if table.thinking else None
        if level is None:  # the game has changed in the meantime
            held.thinking = False
            return
        shown = table.settings.levels is not UNSET
        setup, seconds = setup_of(table.game, keep=True), WATCHED if shown else THINK
        try:
            move, failed = questions.answer(agents.allowed, questions.choose, setup, seconds, (level,)), False
        except Exception:  # after any error, a weak move is better than a stalled game
            log.exception("the computer failed")
            move, failed = chance(table.game.copy(), Random(), 0), True
        rest = max(0.0, SHOWN - (self.clock() - began)) if shown else 0.0
        at = table.ply, table.line
        self._later(rest, lambda: self._play(held, move, at, level if failed else None))

    def _play(self, held: Held, move: Cell, at: tuple[int, int], failed: str | None) -> None:
        """Play the computer's move unless the game has changed; `failed` is the level that failed, or None."""
        held.thinking = False
        table = held.table
        if (table.ply, table.line) == at and table.thinking:
            self._decide(held, lambda _: played(move))
            self._show(held)
            if failed:
                for one in held.viewers:
                    self._tell(one, failure_of(failed))
        self._take_turn(held)
