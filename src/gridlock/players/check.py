"""Test whether a program follows its protocol, and list what is right and what is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from gridlock.core.errors import AgentFailed
from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS
from gridlock.players.conversations import Ugi, position_command
from gridlock.players.program import Late, Misbehaviour, Program, quoted
from gridlock.players.program_players import MARGIN
from gridlock.players.specs import read_spec

SECONDS = 0.2  # the thinking time for a move
PATIENCE = 2.0  # seconds that a program may take to end
WAIT = 0.2  # seconds in which a program could say something unasked
SEED = 1  # determines the games that are played
MOST_SHOWN = 8  # the most lines of a conversation to show


@dataclass(frozen=True)
class Finding:
    """The result of testing one requirement."""

    what: str  # what the program should do, such as "answers 'ugi' with 'ugiok'"
    wrong: str = ""  # what it did instead, as a sentence; empty if nothing is wrong
    talk: tuple[tuple[bool, str], ...] = ()  # the last lines, each with whether it was sent to the program


class Recorded(Program):
    """A program whose conversation is recorded."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self.talk: list[tuple[bool, str]] = []

    def send(self, line: str) -> None:
        """Send a line."""
        self.talk.append((True, line))
        super().send(line)

    def read(self, deadline: float) -> str:
        """Return the next line."""
        line = super().read(deadline)
        self.talk.append((False, line))
        return line

    def unread(self) -> list[str]:
        """Return the lines that have already arrived."""
        lines = super().unread()
        self.talk += ((False, line) for line in lines)
        return lines


def check(command: str, games: Sequence[str] = tuple(RULE_BOOKS)) -> list[Finding]:
    """Test a program, given as a command or as a specification, in these games.

    If neither `ugi:` nor `line:` is given, the program may use either protocol, and is tested with the one it uses.

    After a fault, the program is restarted and the test continues; if the program cannot be started at all, the test
    ends.
    """
    return list(_Check(command).findings(games))


class _Check:
    """A test in progress."""

    def __init__(self, command: str) -> None:
        self.spec = read_spec(command)
        self.spec.check()
        self.programs: list[Recorded] = []  # all programs that were started
        self.player = self.spec.start(program=self._start)

    def _start(self, command: Sequence[str]) -> Recorded:
        self.programs.append(Recorded(command))
        return self.programs[-1]

    def findings(self, games: Sequence[str]) -> Iterator[Finding]:
        """Yield the findings in order."""
        try:
            first = self._try("starts", self.player.prepare)
            ugi = isinstance(self.player.conversation, Ugi)
            yield replace(first, what="starts and speaks UGI") if ugi else first
            if first.wrong:
                return
            for name in games:
                yield self._try(f"plays a game of {name} with legal moves, one for each turn", self._play(name))
            if ugi:
                yield self._try("ignores a command that it does not know", self._ask_nonsense)
            if ugi and self.spec.scheme:
                yield self._try("answers 'stop' with a move", self._stop)
            yield self._try("says nothing unasked", self._listen)
            yield self._try("ends after 'quit'" if ugi else "ends when its input ends", self._quit)
        finally:
            self.player.close()

    def _try(self, what: str, test: Callable[[], None]) -> Finding:
        """Run a test, and return its result with the last lines of the conversation."""
        for program in self.programs:
            program.talk.clear()
        try:
            test()
        except (AgentFailed, Misbehaviour) as failure:
            for program in self.programs:
                program.kill()
            self.player.close()  # so that the next test starts it again
            words = f"It {failure}." if isinstance(failure, Misbehaviour) else str(failure)
            return Finding(what, words, tuple(self.programs[-1].talk[-MOST_SHOWN:]) if self.programs else ())
        return Finding(what)

    def _play(self, name: str) -> Callable[[], None]:
        """Return a test in which the program plays both sides of a game."""

        def play() -> None:
            game, rng = Game(name), Random(SEED)
            while not game.outcome:
                game.push(self.player.choose(game, rng, SECONDS))

        return play

    def _running(self) -> Recorded:
        self.player.prepare()
        return self.programs[-1]

    def _ask_nonsense(self) -> None:
        program = self._running()
        program.send("xyzzy")
        program.send("isready")
        self._until(program, "readyok")

    def _stop(self) -> None:
        program, game = self._running(), Game(next(iter(RULE_BOOKS)))
        program.send(position_command(game))
        program.send("go infinite")
        time.sleep(WAIT)
        program.send("stop")
        self._until(program, "bestmove")

    def _listen(self) -> None:
        program = self._running()
        time.sleep(WAIT)
        for line in program.unread():
            if self.player.conversation and self.player.conversation.is_answer(line):
                raise Misbehaviour(f"sent {quoted(line)} although nothing was asked")

    def _quit(self) -> None:
        program = self._running()
        if not program.close(self.player.conversation.farewell if self.player.conversation else "", PATIENCE):
            raise Misbehaviour("had to be killed")

    @staticmethod
    def _until(program: Program, word: str) -> None:
        """Wait for a line that begins with a given word."""
        try:
            while program.read(time.monotonic() + SECONDS + MARGIN).split()[:1] != [word]:
                pass
        except Late:
            raise Misbehaviour(f"did not answer with '{word}'") from None
