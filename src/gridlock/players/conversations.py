"""The two protocols between GridLock and a program: UGI, and one in which each line is answered with a move."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Protocol

from gridlock.core.definition import definition_of
from gridlock.core.game import Game
from gridlock.core.notation import PLACE, SWAP_WORD, with_passes
from gridlock.core.outcome import Player
from gridlock.core.rules import BUILT_IN
from gridlock.players.player import MoveClock
from gridlock.players.program import Late, Misbehaviour, Program

if TYPE_CHECKING:
    from random import Random

STARTING = 15.0  # seconds that a program may take to start
SEED, RULES = "Seed", "Rules"  # options that a program may have: see docs/engines.md


class Conversation(Protocol):
    """A conversation with one program, in one of the protocols."""

    farewell: str  # a line that asks the program to end, before its input is closed

    def greet(self, program: Program) -> None:
        """Begin the conversation once the program has started."""

    def ask(self, program: Program, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> None:
        """Ask for a move."""

    def answer(self, program: Program, deadline: float) -> str:
        """Return the move that the program answers with."""

    def is_answer(self, line: str) -> bool:
        """Return whether a line is allowed only as the answer to a question."""


class NotUgi(Misbehaviour):
    """An error raised if a program answers `ugi` with a line that no UGI program would send."""


class Ugi:
    """The Universal Game Interface."""

    farewell = "quit"

    def __init__(self, has_clocks: bool = True) -> None:
        """Create a conversation; if `has_clocks` is false, send the time for each move instead of the clocks."""
        self._has_clocks = has_clocks
        self._options: set[str] = set()
        self._latest: Game | None = None  # the game of the latest question

    def greet(self, program: Program) -> None:
        """Collect the program's option names, and wait until the program is ready."""
        deadline = time.monotonic() + STARTING
        self._options, self._latest = set(), None
        for question, expected in (("ugi", "ugiok"), ("isready", "readyok")):
            program.send(question)
            try:
                while (line := program.read(deadline).strip()) != expected:
                    self._options.update(option_names(line))
                    if PLACE.fullmatch(line) or line == SWAP_WORD:
                        raise NotUgi(f"answered '{question}' with a move")
            except Late:
                raise Late(f"did not answer '{question}' with '{expected}' within {STARTING:g} seconds") from None

    def ask(self, program: Program, game: Game, rng: Random, seconds: float, clock: MoveClock | None) -> None:
        """Send the position and the time."""
        self._follow(program, game)
        if SEED in self._options:
            program.send(f"setoption name {SEED} value {rng.getrandbits(63)}")
        program.send(position_command(game))
        program.send(go_command(seconds, clock if self._has_clocks else None))

    def ask_winner(self, program: Program, game: Game, seconds: float) -> None:
        """Ask who wins with perfect play; not every program can answer this question."""
        self._follow(program, game)
        program.send(position_command(game))
        program.send(f"query value movetime {_milliseconds(seconds)}")

    def winner(self, program: Program, deadline: float) -> Player | None:
        """Wait for the answer and return the winner, or None if the program does not know who wins."""
        while (words := program.read(deadline).split())[:1] != ["response"]:
            pass
        return {"p1win": 1, "p2win": 2}.get(" ".join(words[1:]))

    def _follow(self, program: Program, game: Game) -> None:
        """Tell the program that a new game is starting, unless the given game continues the previous one."""
        latest, self._latest = self._latest, game.copy()
        if latest is None or not _continues(game, latest):
            program.send("uginewgame")
            if RULES in self._options and (rules := _rules(game)):
                program.send(f"setoption name {RULES} value {rules}")

    def answer(self, program: Program, deadline: float) -> str:
        """Wait for `bestmove`, and ignore other lines, which are only information."""
        while not self.is_answer(line := program.read(deadline)):
            pass
        words = line.split()
        if len(words) < 2:
            raise Misbehaviour("sent 'bestmove' without a move")
        return words[1]

    def is_answer(self, line: str) -> bool:
        """Return whether a line is a move."""
        return line.split()[:1] == ["bestmove"]


class Lines:
    """The simplest protocol: GridLock sends a line for every turn, and the program answers with a move."""

    farewell = ""

    def __init__(self) -> None:
        self._is_new = True  # until its first answer, the program may still be starting

    def greet(self, _program: Program) -> None:
        """Say nothing."""
        self._is_new = True

    def start_was_seen(self) -> None:
        """Record that the program has already had enough time to start."""
        self._is_new = False

    def ask(self, program: Program, game: Game, _rng: Random, _seconds: float, _clock: MoveClock | None) -> None:
        """Send the game and its moves."""
        program.send(turn_line(game))

    def answer(self, program: Program, deadline: float) -> str:
        """Wait for the move."""
        move = program.read(deadline + (STARTING if self._is_new else 0.0)).strip()
        self._is_new = False
        if not move:
            raise Misbehaviour("sent an empty line")
        return move

    def is_answer(self, _line: str) -> bool:
        """Return True, because in this protocol every line is a move."""
        return True


# -- what is sent -----------------------------------------------------------------------------------------------------


def position_command(game: Game) -> str:
    """Return the UGI command that sends a game's starting position and its moves."""
    moves = "".join(f" {word}" for word in ["moves", *with_passes(game)]) if game.moves else ""
    return f"position fen {game.at(0).position_word()}{moves}"


def go_command(seconds: float, clock: MoveClock | None = None) -> str:
    """Return the UGI command that tells the program to think."""
    if clock is None:
        return f"go movetime {_milliseconds(seconds)}"
    first, second, added = map(_milliseconds, (*clock.left, clock.increment))
    return f"go p1time {first} p2time {second} p1inc {added} p2inc {added}"


def turn_line(game: Game) -> str:
    """Return the line sent to a program that does not use UGI: the game, board, adjacency and moves so far."""
    variant = game.variant
    words = [variant.book.name, str(variant.grid), str(variant.grid.adjacency)]
    words += ["swap"] if game.swap else []
    words += ["from", game.at(0).position_word()] if game.set_up or game.starts == 2 else []
    return " ".join([*words, "moves", *with_passes(game)])


def option_names(line: str) -> list[str]:
    """Return a list of the option names in a UGI line: one for an `option` line, none for any other line."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return []
    return [" ".join(words[2 : words.index("type")])]


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))


def _rules(game: Game) -> str:
    """Return the definition of a game as JSON, or an empty string if the game is built in or has no definition."""
    book = game.variant.book
    definition = None if book.name in BUILT_IN else definition_of(book)
    return json.dumps(definition) if definition else ""


def _continues(game: Game, earlier: Game) -> bool:
    """Return whether a game continues an earlier game."""
    same = game.variant == earlier.variant and game.positions[0] == earlier.positions[0] and game.swap == earlier.swap
    return same and game.moves[: len(earlier.moves)] == earlier.moves
