"""Results for each opening: which agent should have won, and which agent did."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gridlock.arena.results import SIDES, Result

COLUMNS = ("game", "board", "adjacency", "opening", "winner", "agent", "chances", "won", "kept", "blunders")


@dataclass
class OpeningLine:
    """One agent's results from one opening."""

    chances: int = 0  # games that the agent would have won with perfect play
    won: int = 0  # how many of these games the agent won
    kept: int = 0  # moves that kept a win, in all games from this opening
    blunders: int = 0  # moves that gave a win away


def by_opening(games: Iterable[Result]) -> dict[tuple[str, ...], OpeningLine]:
    """Count results by game, board, adjacency, opening, the opening's winner (first, second, unknown) and agent."""
    found: dict[tuple[str, ...], OpeningLine] = {}
    for game in games:
        theory = game["theory"]
        winner = "unknown" if theory is None else "first" if theory == game["first"] else "second"
        opening = game["game"], game["board"], game["adjacency"], " ".join(game["opening"]), winner
        for number, side in enumerate(SIDES):
            line = found.setdefault((*opening, game[side]), OpeningLine())
            line.chances += theory == side
            line.won += theory == side == game["winner"]
            line.kept += game["kept"][number] if game["kept"] else 0
            line.blunders += game["blunders"][number] if game["blunders"] else 0
    return found


def opening_lines(games: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of a tab-separated table, beginning with the heading."""
    yield "\t".join(COLUMNS)
    for key, line in by_opening(games).items():
        yield "\t".join([*key, *map(str, (line.chances, line.won, line.kept, line.blunders))])
