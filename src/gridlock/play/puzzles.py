"""Puzzles: positions in which the player must find a winning move at every step.

The engine judges each move, and any winning move counts as correct. The opponent holds out as long as possible. A
puzzle ends when the opponent has no move left, or as soon as the player can no longer make a losing move.
"""

from __future__ import annotations

from bisect import bisect
from enum import StrEnum
from math import log2
from typing import NamedTuple

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis, reason
from gridlock.engine.clock import Clock, cancellation
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels.interface import Tick

JUDGING = 2.0  # seconds to judge a move and reply to it
FEWEST = 3  # the fewest legal moves for a position from a game to make a puzzle
SHOWN = 5  # the most moves of a refutation to show
CERTAIN = 1_000  # the most positions to search for a way in which the player could still go wrong
GRADES = (7.5, 9.0, 10.5, 12.5)  # the scores at which difficulties 2 to 5 begin
HARDEST = len(GRADES) + 1
MISTAKES = 2  # the most wrong moves allowed in a solved puzzle
MISSED = "x"  # marks a step whose winning move was not found
HOTTEST = "Where does moving first gain the most? Choose a move in the hottest region."
TRAP = "Careful: the hottest region is a trap."


class NoPuzzle(GridLockError):
    """A position that is not a puzzle."""


class Undecided(GridLockError):
    """A move that could not be judged in time."""


class Kind(StrEnum):
    """The task that a puzzle sets."""

    WIN = "win"  # find a winning move at every step, to the end
    HOTTEST = "hottest"  # name any cell of the hottest region
    TRAP = "trap"  # find the winning moves, none of which is in the hottest region


class Step(NamedTuple):
    """A decision in a puzzle: how many moves are legal, how many of them win, and how many plies remain."""

    choices: int
    winning: int
    distance: int

    @property
    def real(self) -> bool:
        """Whether the player can make a mistake, that is, whether at least one legal move does not win."""
        return self.winning < self.choices


class Solution(NamedTuple):
    """The quickest win against the best defence.

    `line` contains both players' moves, starting with a move by the player who solves the puzzle. `steps` contains the
    decisions of the player who solves the puzzle.
    """

    line: tuple[Cell, ...]
    steps: tuple[Step, ...]

    @property
    def score(self) -> float:
        """The difficulty in bits, based on the number of decisions, the luck needed to guess right, and the plies left.

        Each decision that can go wrong adds one bit to the difficulty, plus log2(legal moves / winning moves) bits for
        the luck needed to guess right. Each ply left in the game adds 0.25 bits to the difficulty.
        """
        luck = sum(1 + log2(step.choices / step.winning) for step in self.steps if step.real)
        return luck + self.steps[0].distance / 4

    @property
    def difficulty(self) -> int:
        """The difficulty from 1 to 5."""
        return 1 + bisect(GRADES, self.score)


class Puzzle(NamedTuple):
    """A position and a question about it; the right answers are the winning moves or the hottest region's cells."""

    game: Game
    winning: tuple[Cell, ...]
    difficulty: int
    kind: Kind = Kind.WIN

    @property
    def choices(self) -> int:
        """The number of legal moves."""
        return self.game.legal.bit_count()

    @property
    def question(self) -> str:
        """The question for the player."""
        game, wins = self.game, len(self.winning)
        mark, turn = game.variant.book.mark, game.position.turn
        last = f" {mark(3 - turn)}'s last move: {game.variant.name(game.moves[-1])}." if game.moves else ""
        if self.kind is Kind.HOTTEST:
            return f"{mark(turn)} is to move.{last} {HOTTEST}"
        trap = f" {TRAP}" if self.kind is Kind.TRAP else ""
        one = "Only one" if wins == 1 else str(wins)
        return f"{mark(turn)} is to move.{last} {one} of {self.choices} moves win{'s' * (wins == 1)}.{trap}"

    @property
    def rule(self) -> str:
        """The game's rule, in a sentence or two."""
        book, adjacency = self.game.variant.book, self.game.variant.grid.adjacency
        count = "Diagonals count." if adjacency.value == "king" else "Diagonals do not count."
        return book.summary if adjacency == book.adjacency else f"{book.summary} {count}"

    @property
    def grade(self) -> str:
        """The difficulty in words."""
        return f"Difficulty {self.difficulty} of {HARDEST}"


class Trial(NamedTuple):
    """The verdict on a player's answer to a puzzle."""

    right: bool
    words: str
    done: bool = False
    reply: Cell | None = None  # the opponent's reply, if the puzzle continues
    refutation: tuple[Cell, ...] = ()  # the line that refutes a wrong move, starting with the opponent's reply
    winning: tuple[Cell, ...] = ()  # the moves that would have won, once the puzzle is over
    line: tuple[Cell, ...] = ()  # the solution, for a player who gives up
    played: bool = True  # whether the answer is a move rather than a region

    def moves(self, cell: Cell | None) -> list[Cell]:
        """Return the moves to show: either the player's move and the moves that answer it, or the whole solution."""
        asked = (cell,) if self.played else ()
        return [move for move in (*asked, self.reply, *self.refutation, *self.line) if move is not None]


class Solving:
    """A player's progress through a puzzle: the board, and how well the player did at each step.

    The mark for a step is 1 if the player found a correct move on the first try, and 2 if the player found one later.
    The mark is x for the step at which the player gave up or exceeded the number of mistakes allowed in the puzzle.
    After a failed step, further moves are only for practice and get no marks.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game = puzzle.game.copy()
        self.marks = ""
        self.over = False
        self._wrong = [0]  # wrong moves, by step

    @property
    def solved(self) -> bool | None:
        """Whether the player has solved the puzzle (True) or failed (False), or None if neither has happened yet."""
        return False if self.marks.endswith(MISSED) else True if self.over else None

    def note(self, cell: Cell | None, judged: Trial) -> None:
        """Record the judgement on a move, and make the move if it is right; a `cell` of None means giving up."""
        counts = self.solved is None
        if cell is None:
            self.over = True
            self.marks += MISSED if counts else ""
        elif judged.right:
            self.marks += ("2" if self._wrong[-1] else "1") if counts else ""
            for move in judged.moves(cell):
                self.game.push(move)
            self._wrong.append(0)
            self.over = judged.done
        else:
            self._wrong[-1] += 1
            self.marks += MISSED if counts and sum(self._wrong) > MISTAKES else ""


# -- best play -------------------------------------------------------------------------------------------------------


def solution(engine: Engine, position: Position, tick: Tick) -> Solution | None:
    """Return the solution of a won position, or None if the search for the quickest win is stopped."""
    line: list[Cell] = []
    steps: list[Step] = []
    while True:
        distances = engine.distances.of_moves(position, tick)
        winning = [distance for distance in distances.values() if distance > 0]
        if not winning:
            return None
        steps.append(Step(len(distances), len(winning), min(winning)))
        line.append(_quickest(distances))
        position = position.after(line[-1])
        if is_settled(engine.variant, position):
            return Solution(tuple(line), tuple(steps))
        reply = best_move(engine, position, tick)
        if reply is None:
            return None
        line.append(reply)
        position = position.after(reply)


def best_move(engine: Engine, position: Position, tick: Tick) -> Cell | None:
    """Return the move that wins most quickly or loses most slowly, or None if the search is stopped.

    If several moves lose equally slowly, return the one that leaves the winner the fewest winning answers; any
    remaining tie goes to the first move in row order. The search is exact, so the move is the same on every machine.
    """
    distances = engine.distances.of_moves(position, tick)
    if not distances:
        return None
    if max(distances.values()) > 0:
        return _quickest(distances)
    longest = [cell for cell in distances if distances[cell] == min(distances.values())]
    answers = {cell: engine.distances.of_moves(position.after(cell), tick) for cell in longest[1:] and longest}
    return min(longest, key=lambda cell: sum(distance > 0 for distance in answers.get(cell, {}).values()))


def _quickest(distances: dict[Cell, int]) -> Cell:
    return min((cell for cell in distances if distances[cell] > 0), key=lambda cell: distances[cell])


def is_settled(variant: Variant, position: Position) -> bool:
    """Return whether the player to move loses no matter how either side plays.

    If checking takes too long, return False.
    """
    left = CERTAIN

    def loses(position: Position) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            return False
        for reply in variant.legal_cells(position):
            after = position.after(reply)
            cells = variant.legal_cells(after)
            if not cells or not all(loses(after.after(cell)) for cell in cells):
                return False
        return True

    return loses(position)


def _line(engine: Engine, position: Position, tick: Tick, most: int) -> list[Cell]:
    """Return up to `most` moves of best play from this position."""
    line: list[Cell] = []
    while len(line) < most and engine.variant.legal(position):
        cell = best_move(engine, position, tick)
        if cell is None:
            break
        line.append(cell)
        position = position.after(cell)
    return line


# -- judging ---------------------------------------------------------------------------------------------------------


def open_puzzle(game: Game, seconds: float | None = JUDGING) -> Puzzle:
    """Return a puzzle made from a position; if the position is not a puzzle, raise NoPuzzle with the reason."""
    check_open(game)
    engine, clock = engine_for(game.variant), Clock(seconds)
    with clock.at_most_share(0.5):
        found = engine.weigh(game.position, clock)
    if found.verdict is Verdict.LOSS:
        raise NoPuzzle("This position is lost for the player to move, so it is not a puzzle.")
    if any(move.verdict is Verdict.UNKNOWN for move in found.values):
        raise NoPuzzle("The engine could not evaluate every move here in time, so this position is not a puzzle.")
    if len(found.winning) == len(found.values):
        raise NoPuzzle("Every move wins here, so this position is not a puzzle.")
    solved = solution(engine, game.position, clock)
    return Puzzle(game, tuple(found.winning), solved.difficulty if solved else HARDEST)


def check_open(game: Game) -> None:
    """Raise NoPuzzle if the game is over, or if its players can still swap sides."""
    if game.outcome:
        raise NoPuzzle("This game is over, so it is not a puzzle.")
    if game.can_swap or game.swap_ahead:
        raise NoPuzzle("Sides can still be swapped here, so this position is not a puzzle.")


def judge(game: Game, cell: Cell, seconds: float = JUDGING) -> Trial:
    """Judge the player's legal move in a won position, and reply to it."""
    engine, clock = engine_for(game.variant), Clock(seconds)
    variant, after = game.variant, game.position.after(cell)
    name, mark = variant.name, variant.book.mark
    verdict = engine.verdict(after, clock)
    if verdict is Verdict.UNKNOWN:
        raise Undecided("The engine could not judge this move in time. Try again.")
    if verdict is Verdict.WIN:
        line = _refutation(engine, after, clock)
        return Trial(False, _refuted(variant, after, cell, line), refutation=line)
    if is_settled(variant, after):
        stuck = not variant.legal(after)
        why = f"{mark(after.turn)} has no move left." if stuck else "Every move wins from here on."
        winning = tuple(engine.weigh(game.position, clock).winning)
        return Trial(True, f"Solved! {why}", done=True, winning=winning)
    reply = best_move(engine, after, clock)
    if reply is None:
        reply = _stubborn(variant, after)
    return Trial(True, f"Right. {mark(after.turn)} plays {name(reply)}.", reply=reply)


def give_up(game: Game, seconds: float = JUDGING) -> Trial:
    """Return the solution to show to a player who does not find a winning move."""
    engine, clock = engine_for(game.variant), Clock(seconds)
    with clock.at_most_share(0.5):
        found = engine.weigh(game.position, clock)
    if found.verdict is Verdict.LOSS:
        raise NoPuzzle("This position is lost for the player to move, so there is no solution.")
    winning = tuple(found.winning)
    if not winning:
        raise Undecided("The engine could not find a winning move in time. Try again.")
    solved = solution(engine, game.position, clock)
    names = " and ".join(map(game.variant.name, winning))
    words = f"The winning move is {names}." if len(winning) == 1 else f"The winning moves are {names}."
    return Trial(False, words, done=True, winning=winning, line=solved.line if solved else winning[:1])


def explanation(game: Game, seconds: float = JUDGING) -> Analysis:
    """Return the values of all moves, with the reason for the best move."""
    return engine_for(game.variant).analyse(game, Clock(seconds))


def proof_words(found: Analysis) -> str:
    """Return the reason for a win if people can follow it (a pairing or a mirror), and otherwise an empty string."""
    return reason(found) if found.method is Method.MATCHING or found.method.mirrors else ""


def _refutation(engine: Engine, after: Position, clock: Clock) -> tuple[Cell, ...]:
    """Return a short line of moves that refutes a wrong move; the opponent makes the first and the last move."""
    line = _line(engine, after, clock, SHOWN)
    if line:
        return tuple(line[: len(line) - 1 + len(line) % 2])
    best = engine.weigh(after, clock).best
    return () if best is None else (best,)


def _refuted(variant: Variant, after: Position, cell: Cell, line: tuple[Cell, ...]) -> str:
    """Return a sentence that explains why a wrong move loses."""
    name, mark = variant.name, variant.book.mark(3 - after.turn)
    if not line:
        return f"{name(cell)} loses."
    for move in line:
        after = after.after(move)
    if variant.legal(after):
        return f"{name(cell)} loses to {name(line[0])}."
    moves = "at once" if len(line) == 1 else f"in {len(line)} moves"
    return f"{name(cell)} loses to {name(line[0])}: {mark} is stuck {moves}."


def _stubborn(variant: Variant, position: Position) -> Cell:
    """Return a reply that leaves the opponent little room, for use if finding the best defence takes too long."""

    def room(cell: Cell) -> int:
        after = position.after(cell)
        return variant.legal(after).bit_count() - variant.legal(after.passed()).bit_count()

    return min(variant.legal_cells(position), key=room)


def puzzles_from(game: Game, seconds: float) -> list[Puzzle]:
    """Return the positions of a game that are suitable as puzzles; `seconds` limits the time for each position.

    A position is suitable if the player missed a win in it, or if only one of at least three legal moves wins. A player
    who resigns in a won position misses a win, too, but that position is suitable only if some legal move does not win.
    """
    engine, found = engine_for(game.variant), []
    for ply in range(len(game.moves) + (game.resigned == game.turn)):
        cancellation.check()
        then = game.at(ply)
        then.resigned = None  # the player could still move
        if then.passing or then.can_swap or then.swap_ahead or then.legal.bit_count() < 2:
            continue
        analysis = engine.weigh(then.position, Clock(seconds))
        winning = analysis.winning
        if not winning or any(move.verdict is Verdict.UNKNOWN for move in analysis.values):
            continue
        mistake = len(winning) < len(analysis.values) if ply == len(game.moves) else game.moves[ply] not in winning
        if mistake or (len(winning) == 1 and len(analysis.values) >= FEWEST):
            solved = solution(engine, then.position, Clock(seconds))
            found.append(Puzzle(then, tuple(winning), solved.difficulty if solved else HARDEST))
    return found
