"""Players that are external programs: each is started when needed, and all of its answers are checked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_stored
from gridlock.core.outcome import Player
from gridlock.players.conversations import Conversation, Lines, Ugi
from gridlock.players.player import MoveClock, legal_move
from gridlock.players.program import Late, Misbehaviour, Program, quoted

if TYPE_CHECKING:
    from random import Random

MARGIN = 0.5  # seconds that an answer may be late, because the machine may be slow
EASY = 5.0  # seconds to say who wins an easy game
Result = TypeVar("Result")


class ProgramPlayer:
    """A player that gets its moves from a program, which is started when it is first needed.

    A program that fails is stopped, and is started again when it is next needed.
    """

    def __init__(self, name: str, start: Callable[[], Program], conversation: Conversation | None = None) -> None:
        """Create a player; without a protocol handler (`conversation`), the player detects the program's protocol."""
        self.name = name
        self.report = ""
        self.conversation = conversation
        self._start = start
        self._program: Program | None = None

    def prepare(self) -> None:
        """Start the program."""
        self._do(self._running)

    def choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None = None) -> Cell:
        """Return the program's move, or raise AgentFailed with a sentence that says what the program did instead."""
        return self._do(lambda: self._choose(game, rng, seconds, clock))

    def judges(self, game: Game) -> bool:
        """Ask the program about a game that is easy to decide, and return whether it can say who wins."""
        try:
            return self._do(lambda: self._winner(game, EASY)) is not None
        except AgentFailed:
            return False

    def winner(self, game: Game, seconds: float) -> Player | None:
        """Return who wins according to the program, or None if it does not know; raise AgentFailed if it fails."""
        return self._do(lambda: self._winner(game, seconds))

    def close(self) -> None:
        """End the program and everything it has started."""
        program, self._program = self._program, None
        if program is not None:
            program.close(self.conversation.farewell if self.conversation else "")

    def _do(self, what: Callable[[], Result]) -> Result:
        """Run a step of the conversation, and kill the program if the step fails."""
        try:
            return what()
        except Misbehaviour as failure:
            self._kill()
            self.report = f"The computer ({self.name}) failed: it {failure}."
            raise AgentFailed(self.report) from None
        except BaseException:  # for example, the user pressed Ctrl-C, or the question was cancelled
            self._kill()
            raise

    def _kill(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.kill()

    def _running(self) -> tuple[Program, Conversation]:
        """Return the running program and its protocol handler, starting the program first if necessary."""
        if self._program is not None and self.conversation is not None:
            return self._program, self.conversation
        self._program = self._start()
        if self.conversation is None:
            self.conversation = self._detect(self._program)
        else:
            self.conversation.greet(self._program)
        return self._program, self.conversation

    def _detect(self, program: Program) -> Conversation:
        """Ask whether a program speaks UGI; one that does not may exit, stay silent or answer with a move."""
        ugi, lines = Ugi(), Lines()
        try:
            ugi.greet(program)
        except Late:
            lines.start_was_seen()
            return lines
        except Misbehaviour:
            program.kill()
            self._program = self._start()
            return lines
        return ugi

    def _winner(self, game: Game, seconds: float) -> Player | None:
        program, conversation = self._running()
        if not isinstance(conversation, Ugi):
            return None
        program.unread()
        conversation.ask_winner(program, game, seconds)
        try:
            return conversation.winner(program, time.monotonic() + seconds + MARGIN)
        except Late:
            raise Misbehaviour(f"did not say who wins within {_shown(seconds)}") from None

    def _choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> Cell:
        program, conversation = self._running()
        for line in program.unread():
            if conversation.is_answer(line):
                raise Misbehaviour(f"sent {quoted(line)} while it was not its turn")
        limit = clock.left[game.turn - 1] if clock else seconds
        conversation.ask(program, game, rng, seconds, clock)
        try:
            move = conversation.answer(program, time.monotonic() + limit + MARGIN)
        except Late:
            raise Misbehaviour(f"did not move within {_shown(limit)}") from None
        for line in program.unread():
            if conversation.is_answer(line):
                raise Misbehaviour(f"answered twice: {quoted(move)}, and then {quoted(line)}")
        return _legal(game, move)


def _shown(seconds: float) -> str:
    return f"{seconds:g} second{'s' * (seconds != 1)}"


def _legal(game: Game, text: str) -> Cell:
    """Return the move that a program has sent, or raise Misbehaviour if the move is not legal."""
    try:
        return legal_move(game, read_stored(game.variant, text))
    except GridLockError as error:
        raise Misbehaviour(f"played {quoted(text)}, which is not possible: {error.why}") from None
