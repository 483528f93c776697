"""The engine's options, which a runner sets with `setoption`."""

from collections.abc import Callable, Sequence
from random import Random

from gridlock.core import rules
from gridlock.core.errors import BadGame, GridLockError
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.text import visible
from gridlock.engine import engine
from gridlock.engine.clock import MEBIBYTE
from gridlock.players import agents
from gridlock.userdata.library import own_books

OWN = "default"  # means the game's own board or adjacency
MOST_MEMORY = 1 << 20  # MiB
LARGEST_SEED = (1 << 63) - 1


def find_book(name: str) -> RuleBook:
    """Return a game by its name: a registered game, a game from an installed package, or one of your own games."""
    try:
        return rules.named(name)
    except BadGame:
        own = {book.name: book for book in own_books()}
        if name not in own:
            raise
        return own[name]


class Options:
    """The options and their values. A board is checked against the game's rules only when a game begins."""

    def __init__(self) -> None:
        self.game = rules.FIRST
        self.board = self.adjacency = OWN
        self.swap = False
        self.agent = "perfect"
        self.memory = engine.TABLES // MEBIBYTE
        self.rng = Random()

    def lines(self) -> list[str]:
        """Return the lines that describe the options in the answer to `ugi`."""
        rules.load_packages()
        games = [*rules.RULE_BOOKS, *(book.name for book in own_books())]
        return [
            _choice("game", self.game, games),
            f"option name board type string default {self.board}",
            _choice("adjacency", self.adjacency, [OWN, *map(str, Adjacency)]),
            f"option name swap type check default {str(self.swap).lower()}",
            _choice("agent", self.agent, list(agents)),
            f"option name memory type spin default {self.memory} min 1 max {MOST_MEMORY}",
            f"option name Seed type spin default 0 min 0 max {LARGEST_SEED}",
        ]

    def set(self, words: Sequence[str]) -> bool:
        """Set an option, given the words `name NAME value VALUE`; return whether the option changes the game."""
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise GridLockError("An option is set with: setoption name NAME value VALUE")
        name, value = words[1].lower(), " ".join(words[3:])
        setters: dict[str, Callable[[str], None]] = {
            "game": self._set_game,
            "board": self._set_board,
            "adjacency": self._set_adjacency,
            "swap": self._set_swap,
            "agent": self._set_agent,
            "memory": self._set_memory,
            "seed": self._set_seed,
        }
        if name not in setters:
            raise GridLockError(f"There is no option '{visible(name, 40)}'. The options are {', '.join(setters)}.")
        setters[name](value)
        return name not in ("agent", "memory", "seed")

    def new_game(self) -> Game:
        """Return a new game from the usual start position."""
        board, adjacency = (None if value == OWN else value for value in (self.board, self.adjacency))
        return Game(rules.variant(find_book(self.game), board, adjacency), swap=self.swap)

    def _set_game(self, value: str) -> None:
        self.game = find_book(value.lower()).name

    def _set_board(self, value: str) -> None:
        self.board = OWN if value == OWN else str(Grid(*board_size(value), Adjacency.KING))

    def _set_adjacency(self, value: str) -> None:
        self.adjacency = OWN if value == OWN else str(Adjacency(value))

    def _set_swap(self, value: str) -> None:
        if value not in ("true", "false"):
            raise GridLockError(f"The option 'swap' must be true or false, not '{visible(value, 40)}'.")
        self.swap = value == "true"

    def _set_agent(self, value: str) -> None:
        agents.check(value)
        self.agent = value

    def _set_memory(self, value: str) -> None:
        self.memory = _number("memory", value, 1, MOST_MEMORY)
        engine.TABLES = self.memory * MEBIBYTE
        engine.engine_for.cache_clear()

    def _set_seed(self, value: str) -> None:
        seed = _number("Seed", value, 0, LARGEST_SEED)
        self.rng = Random(seed) if seed else Random()


def _number(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise GridLockError(f"The option '{name}' must be a number from {least} to {most}, not '{visible(text, 40)}'.")
    return int(text)


def _choice(name: str, default: str, values: Sequence[str]) -> str:
    return f"option name {name} type combo default {default} {' '.join(f'var {value}' for value in values)}"
