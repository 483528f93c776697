"""The commands of UGI, the Universal Game Interface, and the engine's answers to them (see docs/engines.md)."""

import re
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from gridlock import __version__
from gridlock.arena.ugi.limits import INFINITE, NUMBERS, USUAL, Limits, read_limits
from gridlock.arena.ugi.options import Options, find_book
from gridlock.core.errors import BadPosition, GridLockError
from gridlock.core.game import Game, Player
from gridlock.core.grid import Cell, cells_of
from gridlock.core.notation import PASS_WORD, SWAP_WORD, push_with_passes, with_passes, write_move
from gridlock.core.perft import parts
from gridlock.core.snapshot import JOINT
from gridlock.drawing.text import numbered_board, visible
from gridlock.engine.analysis import reason
from gridlock.engine.clock import Clock, cancellation
from gridlock.engine.deepening import deepen
from gridlock.engine.engine import engine_for
from gridlock.players import AgentFailed, agents
from gridlock.players.levels import best_move

NO_MOVE = "none"
LONGEST_PROOF = 10.0  # seconds for `query value`
LONGEST_SENTENCE = 400  # characters

HELP = f"""\
ugi                                  name the engine and its options, then answer ugiok
isready                              answer readyok, also while a search is running
setoption name NAME value VALUE      set an option
uginewgame                           begin a new game
position startpos [moves MOVES]      set up the usual position, and play moves
position fen POSITION [moves MOVES]  set up a position, and play moves
go [LIMITS]                          choose a move; the limits are {", ".join(NUMBERS)}, {INFINITE}
stop                                 end the search, and answer with the best move so far
query gameover|p1turn|result         answer a question about the position
query value [movetime MS]            find out who wins with perfect play, and without a limit also why
d                                    draw the position
perft N                              count the sequences of N moves
quit                                 end"""


class Commands:
    """Stores the game and the options that a runner has set, and answers the runner's commands, line by line."""

    def __init__(self, report: Callable[[str], None], hold: Callable[[], None]) -> None:
        """`report` sends a line during a search, and `hold` waits until an infinite search is stopped."""
        self.options = Options()
        self._report = report
        self._hold = hold
        self._game: Game | None = None  # None means the usual start position
        self._reported = 0  # seconds of the search at the last report
        self._passed = False  # whether the runner has said that the player to move passed

    def answer(self, line: str) -> Iterator[str]:
        """Carry out a command, and yield its answer line by line; raise GridLockError if the command is invalid."""
        name, *words = line.split()
        commands: dict[str, Callable[[Sequence[str]], Iterator[str]]] = {
            "ugi": self._introduce,
            "isready": lambda _words: iter(["readyok"]),
            "setoption": self._set_option,
            "uginewgame": self._begin,
            "position": self._set_up,
            "go": self._go,
            "query": self._query,
            "d": self._draw,
            "perft": self._count,
            "help": lambda _words: iter(HELP.splitlines()),
        }
        if name not in commands:
            raise GridLockError(f"There is no command '{visible(name, 40)}'. Send 'help' for a list of commands.")
        yield from commands[name](words)

    # -- the game -----------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game as the runner has set it up."""
        if self._game is None:
            self._game, self._passed = self.options.new_game(), False
        return self._game

    @property
    def _must_pass(self) -> bool:
        """Whether the player to move must pass but has not passed yet."""
        return self.game.passing and not self._passed

    @property
    def _turn(self) -> Player:
        return 3 - self.game.turn if self._must_pass else self.game.turn

    def _introduce(self, _words: Sequence[str]) -> Iterator[str]:
        yield f"id name GridLock {__version__}"
        yield "id author The GridLock maintainers"
        yield from self.options.lines()
        yield "ugiok"

    def _set_option(self, words: Sequence[str]) -> Iterator[str]:
        if self.options.set(words):
            self._game = None
        yield from ()

    def _begin(self, _words: Sequence[str]) -> Iterator[str]:
        self._game = None
        yield from ()

    def _set_up(self, words: Sequence[str]) -> Iterator[str]:
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], words[at + 1 :]
        if start[:1] == ["fen"] and len(start) > 1:
            text = " ".join(start[1:])
            name = text.replace(JOINT, " ").split()[:1]
            game = Game.from_text(text, find_book(*name) if name else None)
        elif start == ["startpos"]:
            game = self.options.new_game()
        else:
            raise BadPosition("A position is set with: position startpos|fen POSITION [moves MOVES]")
        self._game, self._passed = game, push_with_passes(game, moves)
        yield from ()

    # -- questions ----------------------------------------------------------------------------------------------------

    def _query(self, words: Sequence[str]) -> Iterator[str]:
        match words:
            case ["gameover"]:
                yield f"response {str(self.game.is_over).lower()}"
            case ["p1turn"]:
                yield f"response {str(self._turn == 1).lower()}"
            case ["result"]:
                yield f"response {self._result()}"
            case ["value"]:
                analysis = engine_for(self.game.variant).analyse(self.game, Clock(LONGEST_PROOF))
                yield f"info string {' '.join(reason(analysis).split())}"
                winner = analysis.verdict.winner(self.game.turn)
                yield "response unknown" if winner is None else f"response p{winner}win"
            case ["value", "movetime", time]:
                winner = self._winner(read_limits(["movetime", time], self.game.turn, 0).time)
                yield "response unknown" if winner is None else f"response p{winner}win"
            case _:
                raise GridLockError("The valid queries are: query gameover, query p1turn, query result, query value.")

    def _winner(self, seconds: float | None) -> Player | None:
        """Return the player who wins with perfect play (or None if the winner is unknown), but not the reason."""
        engine, game, clock = engine_for(self.game.variant), self.game, Clock(seconds)
        swap = game.swap_ahead or game.can_swap
        verdict = engine.weigh_game(game, clock).verdict if swap else engine.verdict(game.position, clock)
        return verdict.winner(game.turn)

    def _result(self) -> str:
        return f"p{self.game.winner}win" if self.game.is_over else "none"

    def _draw(self, _words: Sequence[str]) -> Iterator[str]:
        game = self.game
        yield from numbered_board(game.variant, game.position, {}, ".")
        yield f"fen {game.position_word()}"
        moves = with_passes(game)
        yield " ".join(["moves", *(moves[:-1] if self._must_pass else moves)])
        if game.is_over:
            yield f"result {self._result()}"
        else:
            legal = [PASS_WORD] if self._must_pass else [game.variant.name(cell) for cell in cells_of(game.legal)]
            yield f"turn p{self._turn}"
            yield " ".join(["legal", *legal, *[SWAP_WORD] * game.can_swap])

    def _count(self, words: Sequence[str]) -> Iterator[str]:
        if len(words) != 1 or not re.fullmatch("[1-9][0-9]{0,3}", words[0]):
            raise GridLockError("Sequences are counted with: perft N, where N is from 1 to 9999.")
        game, total = self.game, 0
        for cell, count in parts(game.variant, int(words[0]), game.position, lambda _count: cancellation.check()):
            total += count
            yield f"{game.variant.name(cell)} {count}"
            cancellation.check()
        yield f"total {total}"

    # -- searching ----------------------------------------------------------------------------------------------------

    def _go(self, words: Sequence[str]) -> Iterator[str]:
        game = self.game
        empty = (game.variant.grid.cells & ~game.position.taken).bit_count()
        limits = read_limits(words, self._turn, empty)
        best = NO_MOVE
        try:
            if game.is_over:
                yield "info string The game is over, so there is no move."
            elif self._must_pass:
                best = PASS_WORD
            else:
                for line, cell in self._search(game, limits):
                    best = write_move(game.variant, cell)
                    yield line
        except AgentFailed as error:
            yield f"info string {visible(str(error), LONGEST_SENTENCE)}"
        except Exception as error:  # the runner waits for a move, whatever happens
            engine_for.cache_clear()  # memory may have run out
            yield f"info string {visible(f'The engine failed ({type(error).__name__}: {error}).', LONGEST_SENTENCE)}"
        if limits.infinite:
            self._hold()
        yield f"bestmove {best}"

    def _search(self, game: Game, limits: Limits) -> Iterator[tuple[str, Cell]]:
        """Yield lines that report on the search, each with the best move so far."""
        started, self._reported = monotonic(), 0
        if self.options.agent != "perfect":
            player = agents.start(self.options.agent)
            try:
                cell = player.choose(game, self.options.rng, USUAL if limits.time is None else limits.time)
            finally:
                player.close()
        elif limits.counted and not (game.swap_ahead or game.can_swap):
            for found in deepen(
                engine_for(game.variant), game.position, Clock(limits.seconds), limits.depth, limits.positions
            ):
                known = f"info depth {found.depth} nodes {found.positions} score {found.verdict}"
                yield f"{known} pv {game.variant.name(found.cell)}", found.cell
            return
        else:
            cell = best_move(game, self.options.rng, Clock(limits.time, self._progress))
        yield f"info time {round(1000 * (monotonic() - started))} pv {write_move(game.variant, cell)}", cell

    def _progress(self, positions: int, seconds: float) -> None:
        """Report once a second that the search is still running."""
        if int(seconds) > self._reported:
            self._reported = int(seconds)
            self._report(f"info time {round(1000 * seconds)} nodes {positions}")
