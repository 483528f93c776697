"""The cross-table of a tournament: ratings, results by opponent, and the engine's exact verdicts on the moves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from gridlock.arena.ratings import Group, Rating, rate, separation
from gridlock.arena.tally import FinishedGame, winner_and_loser
from gridlock.core.names import clean_name

PLAYED_OUT = frozenset({"stuck", "adjudicated", "resigned"})  # any other reason is a forfeit by the loser
_REASONS = {"time": "out of time", "left": "left the game"}  # in words, unless the reason is already readable
LEGEND = (
    "Elo: relative to the average player; +/-: half-width of the 95% interval.",
    "Each numbered column: games won and lost against the player with that number.",
)
DETAILS = {
    "LOS": "likelihood of superiority over the next player",
    "Wins kept": "moves that kept a win, of all moves in won positions",
    "Blunders": "moves that gave a win away",
    "Regret": "won openings that were lost, per game",
    "Forfeits": "games lost by a fault",
    "First, Second": "games won when moving first and second",
}
_LONGEST_REASON = 80
_MOST_FAULTY = 10  # players whose forfeits are listed


class Record(NamedTuple):
    """Games won and lost."""

    won: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return f"{self.won}-{self.lost}"

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.lost

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.won / self.games

    @property
    def shade(self) -> str:
        """The name of a cell's colour, from `least` (few games won) through `even` to `most`."""
        return ("least", "lost", "even", "won", "most")[min(4, int(self.share * 5))]


@dataclass(frozen=True)
class Line:
    """A player's row in the table."""

    name: str  # safe to show, and different from every other row's name
    rating: Rating
    begins_group: bool  # whether no game connects this player to the player above
    superiority: float | None  # the likelihood of being stronger than the player below; None for a group's last player
    total: Record
    against: tuple[Record | None, ...]  # in the order of the rows; None if the two players have not met
    first: Record  # the games in which the player moved first
    second: Record
    kept: int | None  # moves that kept a win, as far as the engine could prove it
    blunders: int | None  # moves that lost a win
    regret: float | None  # the share of games lost from an opening that theory says is won; None if unknown
    forfeits: Mapping[str, int]  # the number of forfeits for each reason


@dataclass(frozen=True)
class Crosstable:
    """A table to be drawn as text, HTML or SVG."""

    title: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...]  # sentences to show below the table


def crosstable(games: Iterable[FinishedGame], title: str = "Cross-table") -> Crosstable:
    """Return the cross-table of finished games."""
    played = list(games)
    groups = rate(played)
    order = [name for group in groups for name in group.ratings]
    shown = _shown(order)
    after = {one: other for group in groups for one, other in pairwise(group.ratings)}
    firsts = {next(iter(group.ratings)) for group in groups[1:]}
    counts = _Counts(played)
    lines = tuple(
        Line(
            name=shown[name],
            rating=rating,
            begins_group=name in firsts,
            superiority=group.difference(name, after[name]).superiority if name in after else None,
            total=counts.record("all", name) or Record(),
            against=tuple(counts.record("met", name, other) for other in order),
            first=counts.record("first", name) or Record(),
            second=counts.record("second", name) or Record(),
            kept=counts.known("kept", name),
            blunders=counts.known("blunders", name),
            regret=counts.mean("regret", name),
            forfeits={reason: count for (who, reason), count in sorted(counts.forfeits.items()) if who == name},
        )
        for group in groups
        for name, rating in group.ratings.items()
    )
    return Crosstable(_line(title), lines, tuple(_notes(played, groups, lines)))


def details(table: Crosstable) -> dict[str, list[str]]:
    """Return the non-empty columns of the details table."""
    names = ", ".join(DETAILS).split(", ")
    columns = {name: [_detail(name, line) for line in table.lines] for name in names}
    return {name: cells for name, cells in columns.items() if any(cells)}


def _detail(name: str, line: Line) -> str:
    """Return the text of a cell in the details table, or an empty string if the value is unknown."""
    match name:
        case "LOS":
            return "" if line.superiority is None else f"{line.superiority:.1%}"
        case "Wins kept":
            return _percent(Record(line.kept or 0, line.blunders or 0))
        case "Blunders":
            return "" if line.blunders is None else str(line.blunders)
        case "Regret":
            return "" if line.regret is None else f"{line.regret:.2f}"
        case "Forfeits":
            return str(sum(line.forfeits.values()))
        case "First":
            return _percent(line.first)
        case _:
            return _percent(line.second)


def _percent(record: Record) -> str:
    """Return the share of wins as a percentage, or an empty string if there were no games."""
    return f"{record.share:.1%}" if record.games else ""


def legend(table: Crosstable) -> list[str]:
    """Return the sentences that explain the table's columns."""
    known = details(table)
    words = [f"{names}: {meaning}" for names, meaning in DETAILS.items() if names.split(", ")[0] in known]
    return [*LEGEND, f"{'; '.join(words)}."] if table.lines else []


class _Counts:
    """Each player's results, counted in one pass over the games."""

    def __init__(self, games: Iterable[FinishedGame]) -> None:
        self._won: Counter[tuple[str, ...]] = Counter()
        self._lost: Counter[tuple[str, ...]] = Counter()
        self._sums: Counter[tuple[str, str]] = Counter()
        self._known: Counter[tuple[str, str]] = Counter()  # the games in which a quantity is known
        self.forfeits: Counter[tuple[str, str]] = Counter()
        for game in games:
            winner, loser = winner_and_loser(game)
            leads = game[game["first"]] == winner
            self._won.update([("all", winner), ("met", winner, loser), ("first" if leads else "second", winner)])
            self._lost.update([("all", loser), ("met", loser, winner), ("second" if leads else "first", loser)])
            for what in ("kept", "blunders", "regret"):
                for side, value in zip("ab", game.get(what) or (), strict=False):
                    self._sums[what, game[side]] += value
                    self._known[what, game[side]] += 1
            if game["reason"] not in PLAYED_OUT:
                self.forfeits[loser, _line(_REASONS.get(game["reason"], game["reason"]))] += 1

    def record(self, *key: str) -> Record | None:
        """Return the numbers of wins and losses for a key such as ("first", name), or None if there are no games."""
        found = Record(self._won[key], self._lost[key])
        return found if found.games else None

    def known(self, what: str, name: str) -> int | None:
        """Return the sum of a quantity's known values in a player's games, or None if no value is known."""
        return self._sums[what, name] if self._known[what, name] else None

    def mean(self, what: str, name: str) -> float | None:
        """Return the mean of a quantity over a player's games, leaving out games for which it is unknown."""
        return self._sums[what, name] / self._known[what, name] if self._known[what, name] else None


def _shown(names: Iterable[str]) -> dict[str, str]:
    """Map each name to a form that is safe to display; names that would look alike are numbered."""
    shown: dict[str, str] = {}
    for name in names:
        clean = clean_name(name) or "(no name)"
        number, numbered = 1, clean
        while numbered in shown.values():
            number += 1
            numbered = f"{clean} ({number})"
        shown[name] = numbered
    return shown


def _line(text: object) -> str:
    """Return text as one line that is safe to show."""
    return clean_name(str(text), _LONGEST_REASON)


def _notes(games: list[FinishedGame], groups: list[Group], lines: Iterable[Line]) -> Iterator[str]:
    """Yield the notes to show below the table."""
    if apart := separation(groups):
        yield apart
    if not games:
        yield "No game has been finished yet."
        return
    firsts: dict[str, list[bool]] = {}
    for game in games:
        firsts.setdefault(_line(f"{game['game']} {game['board']}"), []).append(game["first"] == game["winner"])
    everywhere = [won for some in firsts.values() for won in some]
    yield f"The player who moved first won {_of(everywhere)}."
    if len(firsts) > 1:
        yield f"By game and board: {'; '.join(f'{where} {_of(some)}' for where, some in sorted(firsts.items()))}."
    faulty = [line for line in lines if line.forfeits]
    for line in faulty[:_MOST_FAULTY]:
        reasons = ", ".join(f"{reason} ({times})" for reason, times in line.forfeits.items())
        yield f"{line.name} forfeited {_games(sum(line.forfeits.values()))}: {reasons}."
    if others := faulty[_MOST_FAULTY:]:
        yield f"{len(others)} more players forfeited {_games(sum(sum(line.forfeits.values()) for line in others))}."


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _of(won: list[bool]) -> str:
    """Return the wins as text, such as "3 of 4 games (75%)"."""
    return f"{sum(won)} of {_games(len(won))} ({sum(won) / len(won):.0%})"
