"""Results between two players, counted in pairs: two games from one opening with the sides exchanged."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from gridlock.core.errors import BadRecord

FinishedGame = Mapping[str, Any]  # a line of a tournament's results (docs/tournaments.md)


class Tally(NamedTuple):
    """A player's results: the numbers of pairs lost, split and won, or of single games lost and won."""

    lost: int
    split: int
    won: int
    games_each: int = 2  # games per pair; 1 for single games, which are never split

    @classmethod
    def of_games(cls, won: int, lost: int) -> Self:
        """Return the tally of games that were not played in pairs."""
        return cls(lost, 0, won, 1)

    @property
    def units(self) -> int:
        """The number of pairs, or of games if they were not played in pairs."""
        return self.lost + self.split + self.won

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self.games_each * self.won + self.split

    @property
    def losses(self) -> int:
        """The number of games lost."""
        return self.games_each * self.lost + self.split


class Unit(NamedTuple):
    """A single game, or a pair of games that share an opening and are therefore not independent."""

    players: tuple[str, str]  # in alphabetical order
    wins: int  # the first player's wins
    games: int


def units(games: Iterable[FinishedGame]) -> list[Unit]:
    """Group games into pairs; a game that belongs to no pair is left on its own."""
    found: dict[object, Unit] = {}
    for number, game in enumerate(games):
        winner, loser = winner_and_loser(game)
        players = (min(winner, loser), max(winner, loser))
        pair = game.get("pair")
        key = (players, *(game.get(name) for name in ("game", "board", "adjacency")), pair)
        unit = found.setdefault(number if pair is None else key, Unit(players, 0, 0))
        found[number if pair is None else key] = Unit(players, unit.wins + (winner == players[0]), unit.games + 1)
    return list(found.values())


def winner_and_loser(game: FinishedGame) -> tuple[str, str]:
    """Return the names of a finished game's winner and loser."""
    names = {side: game.get(side) for side in ("a", "b")}
    winner, loser = (names["a"], names["b"]) if game.get("winner") == "a" else (names["b"], names["a"])
    if not (isinstance(winner, str) and isinstance(loser, str) and game.get("winner") in names):
        raise BadRecord("A result needs 'a' and 'b' (the players' names) and 'winner' ('a' or 'b').")
    if winner == loser:
        raise BadRecord(f"A game that {winner[:40]!r} plays against itself says nothing about strength. Leave it out.")
    return winner, loser


def tally(games: Iterable[FinishedGame], player: str, opponent: str) -> Tally:
    """Count a player's results against a single opponent.

    A pair counts only when both of its games are finished, because the result of a single game may be due to an
    opening that favours one side. Games are counted individually if none of them belongs to a pair.
    """
    between = [game for game in games if {game.get("a"), game.get("b")} == {player, opponent}]
    paired = any(game.get("pair") is not None for game in between)
    found = [unit for unit in units(between) if unit.games == 2 or not paired]
    wins = [unit.wins if player == unit.players[0] else unit.games - unit.wins for unit in found]
    return (
        Tally(wins.count(0), wins.count(1), wins.count(2)) if paired else Tally.of_games(wins.count(1), wins.count(0))
    )
