"""Players that are programs: those that speak UGI, and those that answer a line of moves with a move."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from gridlock.core.definition import definition_of
from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_stored, write_move, written
from gridlock.core.rules import BUILT_IN
from gridlock.players.player import MoveClock, legal_move
from gridlock.players.program import Late, Misbehaviour, Program, quoted

if TYPE_CHECKING:
    from random import Random

STARTING = 15.0  # seconds that a program may take to start
MARGIN = 0.5  # seconds that an answer may be late, because of the machine and not of the program
SEED, RULES = "Seed", "Rules"  # options of a program that it may have: see docs/engines.md


Result = TypeVar("Result")


class ProgramPlayer:
    """A player that asks a program, which starts with the first question, and adjudicates what it does.

    After a failure the program is dead; the next question starts it again.
    """

    def __init__(self, name: str, start: Callable[[], Program]) -> None:
        self.name = name
        self.report = ""
        self._start = start
        self._program: Program | None = None

    def prepare(self) -> None:
        """Start the program."""
        self._do(self._running)

    def choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None = None) -> Cell:
        """Return the program's move, or report in one sentence what it did instead."""
        return self._do(lambda: self._choose(game, rng, seconds, clock))

    def close(self) -> None:
        """End the program and everything it has started."""
        program, self._program = self._program, None
        if program is not None:
            program.close(self.farewell)

    farewell = ""  # asks the program to end, besides the end of its input

    def greet(self, program: Program) -> None:
        """Begin the conversation."""

    def ask(self, program: Program, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> None:
        """Ask for a move."""
        raise NotImplementedError

    def answer(self, program: Program, deadline: float) -> str:
        """Return the move that the program answers with."""
        raise NotImplementedError

    def out_of_turn(self, line: str) -> bool:
        """Return whether a line may only come in answer to a question."""
        raise NotImplementedError

    def _do(self, what: Callable[[], Result]) -> Result:
        """Do something with the program, and kill it if that fails."""
        try:
            return what()
        except Misbehaviour as failure:
            self._kill()
            self.report = f"The computer ({self.name}) failed: it {failure}."
            raise AgentFailed(self.report) from None
        except BaseException:  # Ctrl-C, or the question was cancelled
            self._kill()
            raise

    def _kill(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.kill()

    def _running(self) -> Program:
        """Return the program, which is started if it does not run yet."""
        if self._program is None:
            self._program = self._start()
            self.greet(self._program)
        return self._program

    def _choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> Cell:
        program = self._running()
        for line in program.unread():
            if self.out_of_turn(line):
                raise Misbehaviour(f"sent {quoted(line)} while it was not its turn")
        limit = clock.left[game.turn - 1] if clock else seconds
        self.ask(program, game, rng, seconds, clock)
        try:
            move = self.answer(program, time.monotonic() + limit + MARGIN)
        except Late:
            raise Misbehaviour(f"did not move within {limit:g} second{'s' * (limit != 1)}") from None
        for line in program.unread():
            if self.out_of_turn(line):
                raise Misbehaviour(f"answered twice: {quoted(move)}, and then {quoted(line)}")
        return _legal(game, move)


class UgiPlayer(ProgramPlayer):
    """A program that speaks UGI, the Universal Game Interface."""

    farewell = "quit"

    def __init__(self, name: str, start: Callable[[], Program], has_clocks: bool = True) -> None:
        """Without clocks, the program is told how long to think and nothing of the clocks."""
        super().__init__(name, start)
        self._has_clocks = has_clocks
        self._options: set[str] = set()
        self._latest: Game | None = None  # the game of the latest question

    def greet(self, program: Program) -> None:
        """Learn the program's options, and wait until it is ready."""
        deadline = time.monotonic() + STARTING
        self._options, self._latest = set(), None
        for question, expected in (("ugi", "ugiok"), ("isready", "readyok")):
            program.send(question)
            try:
                while (line := program.read(deadline)).strip() != expected:
                    self._options.update(option_names(line))
            except Late:
                raise Misbehaviour(
                    f"did not answer '{question}' with '{expected}' within {STARTING:g} seconds. If it reads moves and "
                    "answers with a move, start it with 'line:' instead of 'process:'"
                ) from None

    def ask(self, program: Program, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> None:
        """Send the position and the time."""
        latest, self._latest = self._latest, game.copy()
        if latest is None or not _continues(game, latest):
            program.send("uginewgame")
            if RULES in self._options and (rules := _rules(game)):
                program.send(f"setoption name {RULES} value {rules}")
        if SEED in self._options:
            program.send(f"setoption name {SEED} value {rng.getrandbits(63)}")
        program.send(position_command(game))
        program.send(go_command(seconds, clock if self._has_clocks else None))

    def answer(self, program: Program, deadline: float) -> str:
        """Wait for `bestmove`; other lines are information."""
        while not self.out_of_turn(line := program.read(deadline)):
            pass
        words = line.split()
        if len(words) < 2:
            raise Misbehaviour("sent 'bestmove' without a move")
        return words[1]

    def out_of_turn(self, line: str) -> bool:
        """Return whether a line is a move."""
        return line.split()[:1] == ["bestmove"]


class LinePlayer(ProgramPlayer):
    """A program that reads a line for every turn, and answers each with a line: its move."""

    _first = True

    def greet(self, _program: Program) -> None:
        """Leave time for the program to start, since there is no other sign that it has."""
        self._first = True

    def ask(self, program: Program, game: Game, _rng: Random, _seconds: float, _clock: MoveClock | None) -> None:
        """Send the game and its moves."""
        program.send(turn_line(game))

    def answer(self, program: Program, deadline: float) -> str:
        """Wait for the move."""
        deadline += STARTING if self._first else 0.0
        move = program.read(deadline).strip()
        self._first = False
        if not move:
            raise Misbehaviour("sent an empty line")
        return move

    def out_of_turn(self, _line: str) -> bool:
        """Return whether a line is a move, as all of them are."""
        return True


# -- what is sent -----------------------------------------------------------------------------------------------------


def position_command(game: Game) -> str:
    """Return UGI's command for a position: where the game began, and its moves."""
    moves = "".join(f" {word}" for word in ["moves", *_with_passes(game)]) if game.moves else ""
    return f"position fen {game.at(0).position_text().replace(' ', ':')}{moves}"


def go_command(seconds: float, clock: MoveClock | None = None) -> str:
    """Return UGI's command to think."""
    if clock is None:
        return f"go movetime {_milliseconds(seconds)}"
    first, second, added = map(_milliseconds, (*clock.left, clock.increment))
    return f"go p1time {first} p2time {second} p1inc {added} p2inc {added}"


def turn_line(game: Game) -> str:
    """Return the line for a program without UGI: the game, its board and adjacency, and the moves so far."""
    variant = game.variant
    if game.set_up:
        raise Misbehaviour("can play only games from their usual start, unless it speaks UGI")
    words = [variant.book.name, str(variant.grid), str(variant.grid.adjacency)]
    if game.starts == 2 and variant.book.pawns:
        words += ["starts", "2"]  # where nothing else shows it
    return " ".join([*words, *(["moves", *written(game)] if game.moves else [])])


def option_names(line: str) -> list[str]:
    """Return the name of the option that a line announces, if it does."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return []
    return [" ".join(words[2 : words.index("type")])]


def _with_passes(game: Game) -> Iterator[str]:
    """Yield the moves with the passes between them, so that the players take turns."""
    for event in game.history():
        move = SWAP if event.swap else event.cell
        yield "pass" if move is None else write_move(game.variant, move)


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))


def _rules(game: Game) -> str:
    """Return the definition of a game that is not built in, if it has one."""
    book = game.variant.book
    definition = None if book.name in BUILT_IN else definition_of(book)
    return json.dumps(definition) if definition else ""


def _continues(game: Game, earlier: Game) -> bool:
    """Return whether a game is an earlier one after further moves."""
    same = game.variant == earlier.variant and game.positions[0] == earlier.positions[0] and game.swap == earlier.swap
    return same and game.moves[: len(earlier.moves)] == earlier.moves


def _legal(game: Game, text: str) -> Cell:
    """Return the move that a program has sent, if it is legal."""
    try:
        return legal_move(game, read_stored(game.variant, text))
    except GridLockError as error:
        raise Misbehaviour(f"played {quoted(text)}, which is not possible: {error.why}") from None
