"""A match: several rounds of one game between the same two players."""

import os
from dataclasses import dataclass, field, replace

from gridlock.core.game import Game, Player
from gridlock.core.rulebook import Variant

LONGEST_MATCH = 999  # rounds
EXCHANGED = "The players change sides."


def new_seed() -> int:
    """Return a random seed for a new match or a new series of puzzles."""
    return int.from_bytes(os.urandom(6))


@dataclass
class Match:
    """The rounds of a match: each win scores one point, and the players take turns to start."""

    variant: Variant
    rounds: int = 1
    starts: Player = 1  # the player who starts the first round
    swap: bool = False
    names: tuple[str, str] = ("", "")
    kinds: tuple[str, str] = ("human", "human")  # what each player is: "human", or an agent's name
    seed: int = 0  # determines every random decision
    think: float = 2.0  # seconds a program may think about a move that it cannot prove
    games: list[Game] = field(default_factory=list)
    clock: tuple[int, int] | None = None  # seconds that each player has for a round, and seconds added after a move
    times: tuple[float, float] | None = None  # seconds left to each player in the current round
    practice: bool = False  # a person has played both sides, so the result does not count
    hints: list[int | None] = field(default_factory=list)  # hints used in each round; None if not counted

    def __post_init__(self) -> None:
        self.hints += [None] * (len(self.games) - len(self.hints))

    @property
    def finished(self) -> bool:
        """Whether all rounds have been played."""
        return len(self.games) == self.rounds and self.games[-1].outcome is not None

    @property
    def begun(self) -> bool:
        """Whether the match is worth saving.

        A match is worth saving once a move has been made or a game has ended.
        """
        return any(game.moves or game.outcome for game in self.games)

    def current(self) -> Game:
        """Return the current game; if it has ended and the match has another round, start that round first."""
        if not self.games or (self.games[-1].outcome and len(self.games) < self.rounds):
            starter = self.starts if len(self.games) % 2 == 0 else 3 - self.starts
            self.games.append(Game(self.variant, starts=starter, swap=self.swap, names=self.names))
            self.hints.append(0)
            self.times = (float(self.clock[0]),) * 2 if self.clock else None
        return self.games[-1]

    @property
    def can_exchange(self) -> bool:
        """Whether the person and the program can exchange sides, which is possible only before the first round ends."""
        return self.kinds.count("human") == 1 and len(self.games) == 1 and self.games[0].outcome is None

    def exchange(self) -> None:
        """Exchange the sides and names of the person and the program during the first game."""
        game = self.current()
        self.kinds = self.kinds[::-1]
        self.names = game.names = self.names[::-1]
        self.times = self.times and self.times[::-1]
        if game.moves:
            self.practice = True
            game.comments[len(game.moves)] = EXCHANGED

    def again(self, exchanged: bool = False) -> "Match":
        """Return a new match with the same settings; if `exchanged` is true, the players exchange sides."""
        names, kinds = self.names, self.kinds
        if exchanged:
            names, kinds = names[::-1], kinds[::-1]
        return replace(self, names=names, kinds=kinds, seed=new_seed(), games=[], times=None, practice=False, hints=[])

    def count_hint(self) -> None:
        """Add one to the number of hints used in the current round."""
        self.hints[len(self.games) - 1] = (self.hints[len(self.games) - 1] or 0) + 1

    def score(self) -> tuple[int, int]:
        """Return how many rounds each player has won, player 1 first."""
        winners = [game.outcome.winner for game in self.games if game.outcome]
        return winners.count(1), winners.count(2)

    def winner(self) -> Player | None:
        """Return the player who won more rounds, or None for a tie."""
        first, second = self.score()
        return None if first == second else 1 if first > second else 2
