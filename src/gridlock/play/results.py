"""Statistics about the user's games, such as how often the user won at each level, with and without hints."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from gridlock.core.game import Game, Player
from gridlock.engine.engine import engine_for
from gridlock.engine.review import review
from gridlock.players import AGENTS, short_name
from gridlock.userdata.diary import Diary
from gridlock.userdata.saves import Entry


@dataclass(frozen=True)
class Played:
    """One finished game between a human player and a program."""

    game: Game
    level: str  # the name of the program
    player: Player  # the human player
    hints: int | None = None  # how many hints the player used; None if the game was saved by an older version

    @property
    def won(self) -> bool:
        """Whether the human player won the game."""
        assert self.game.outcome is not None  # it is finished
        return self.game.outcome.winner == self.player


@dataclass
class Tally:
    """How many games were played, and how many of them were won."""

    won: int = 0
    played: int = 0

    def add(self, won: bool | None) -> None:
        """Count a game as won or lost; do nothing if the result is None."""
        if won is not None:
            self.played += 1
            self.won += won


@dataclass
class Results(Tally):
    """Numbers of games against programs: played, won and, if known, won with hints and won without hints."""

    won_without_hints: int = 0
    won_with_hints: int = 0

    def count(self, one: Played) -> None:
        """Count one more game."""
        self.add(one.won)
        self.won_without_hints += one.won and one.hints == 0
        self.won_with_hints += one.won and bool(one.hints)

    @property
    def won_by_unknown(self) -> int:
        """The number of games won before GridLock began to count hints."""
        return self.won - self.won_without_hints - self.won_with_hints


@dataclass
class Statistics:
    """The results of a person's games against programs, and the number of other games."""

    total: Results = field(default_factory=Results)
    by_game: dict[str, Results] = field(default_factory=dict)
    by_level: dict[str, Results] = field(default_factory=dict)
    by_side: dict[str, Results] = field(default_factory=dict)  # keyed by whether the person moved first or second
    streak: int = 0  # the current winning streak, up to the last game
    best_streak: int = 0
    among_friends: int = 0
    practice: int = 0  # games in which the person exchanged sides
    unfinished: int = 0
    damaged: int = 0
    games: list[Played] = field(default_factory=list)  # in the order they were played

    def add(self, one: Played) -> None:
        """Count one more game."""
        self.games.append(one)
        tallies = (
            self.total,
            self.by_game.setdefault(one.game.variant.book.name, Results()),
            self.by_level.setdefault(one.level, Results()),
            self.by_side.setdefault("first" if one.game.starts == one.player else "second", Results()),
        )
        for tally in tallies:
            tally.count(one)
        self.streak = self.streak + 1 if one.won else 0
        self.best_streak = max(self.best_streak, self.streak)


def collect(entries: Iterable[Entry]) -> Statistics:
    """Compute statistics from saved games, in the order in which the games were last changed."""
    found = Statistics()
    for entry in sorted(entries, key=lambda entry: entry.changed):
        if entry.saved is None:
            found.damaged += 1
            continue
        match = entry.saved.match
        people = match.kinds.count("human")
        for game, hints in zip(match.games, match.hints, strict=True):
            if game.outcome is None:
                found.unfinished += bool(people) and match.begun
            elif people == 2:
                found.among_friends += 1
            elif match.practice:
                found.practice += 1
            elif people == 1:
                player = match.kinds.index("human") + 1
                found.add(Played(game, short_name(match.kinds[2 - player]), player, hints))
    return found


def win_converted(one: Played, seconds: float) -> bool | None:
    """Return whether the person won a game in which they had a winning position, or None if they never had one.

    `seconds` limits the time for each position; unsolved positions do not count as winning.
    """
    steps = review(engine_for(one.game.variant), one.game, seconds)
    return one.won if any(step.player == step.before == one.player for step in steps) else None


def report(found: Statistics, conversions: Tally | None) -> list[str]:
    """Return the tables of results, with a line about winning positions if `conversions` is given."""
    if not found.games:
        return ["You have not finished a game against the computer yet."]
    levels = [level for level in AGENTS if level in found.by_level]
    levels += [level for level in found.by_level if level not in levels]
    rows = [("all games", found.total), ("", None)]
    rows += [*found.by_game.items(), ("", None)]
    rows += [*((f"against {level}", found.by_level[level]) for level in levels), ("", None)]
    rows += [(f"moving {side}", found.by_side[side]) for side in ("first", "second") if side in found.by_side]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{'':{wide}}{'won':>5}{'of':>5}{'%':>5}{'unaided':>8}"]
    lines += [_row(f"{name:{wide}}", tally) if tally else "" for name, tally in rows]
    lines += ["", _about_hints(found.total)]
    if conversions is not None:
        lines.append(f"Winning positions reached: {conversions.played}, converted: {conversions.won}.")
    return [*lines, f"Winning streak: {found.streak} (best: {found.best_streak})."]


def _row(name: str, tally: Results) -> str:
    percent = 100 * tally.won / tally.played
    return f"{name}{tally.won:>5}{tally.played:>5}{percent:>5.0f}{tally.won_without_hints:>8}"


def _about_hints(total: Results) -> str:
    """Say how many games were won with and without hints; looking at values or reasons counts as using a hint."""
    older = f", unknown (older games): {total.won_by_unknown}" if total.won_by_unknown else ""
    return f"Won without hints (unaided): {total.won_without_hints}, with hints: {total.won_with_hints}{older}."


def other_lines(found: Statistics, pages: Diary) -> list[str]:
    """Return a few lines of text about the user's other games, puzzles and lessons."""
    lines = []
    if found.among_friends or found.practice or found.unfinished or found.damaged:
        practice = f" With sides changed: {found.practice}." * bool(found.practice)
        damaged = f" Damaged: {found.damaged}." * bool(found.damaged)
        lines.append(f"Two-player games: {found.among_friends}.{practice} Unfinished: {found.unfinished}.{damaged}")
    if pages.asked:
        lines.append(f"Puzzles: {pages.solved} of {pages.asked} solved. {pages.streak_words}")
    if pages.days:
        solved = sum(pages.days.values())
        days = pages.days_in_a_row(date.today())
        row = f"{days} day{'s' * (days != 1)} in a row (best: {pages.best_days})"
        lines.append(f"Daily puzzles: {solved} of {len(pages.days)} solved, {row}.")
    if pages.games:
        games = [f"{game} {won} of {tried}" for game, (won, tried) in sorted(pages.games.items())]
        lines.append(f"Puzzles solved by game: {', '.join(games)}.")
    if pages.lessons:
        done = ", ".join(f"{game} {len(numbers)}" for game, numbers in pages.lessons.items())
        lines.append(f"Lessons finished: {done}.")
    return lines
