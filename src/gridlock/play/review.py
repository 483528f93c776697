"""Finished games, for every surface: reviews, with a remark on each step, and the statistics of all games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from gridlock.core.game import Game, Player
from gridlock.drawing.swing import swing_svg
from gridlock.drawing.text import printed_width
from gridlock.engine.clock import MEBIBYTE, Progress
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.review import Step, remarks, review, summary, what, what_holds, who
from gridlock.play.match_text import heading, label, result
from gridlock.players import AGENTS
from gridlock.userdata.diary import Diary
from gridlock.userdata.saves import Entry


class Review(NamedTuple):
    """A game and its steps, each with the player who was winning."""

    game: Game
    steps: Sequence[Step]

    @property
    def winners(self) -> list[Player | None]:
        """The player who was winning at the start and after every step."""
        return [step.before for step in self.steps[:1]] + [step.after for step in self.steps]

    @property
    def mistakes(self) -> list[int]:
        """The numbers of the steps that lost a win, from 1."""
        return [number for number, step in enumerate(self.steps, 1) if step.mistake]

    @property
    def remarks(self) -> list[str]:
        """A remark on every step."""
        return [words for _, words in remarks(self.game, list(self.steps))]

    @property
    def summary(self) -> str:
        """A sentence that says where the game was decided."""
        return summary(self.game, list(self.steps))

    def step_words(self, number: int) -> list[str]:
        """Return a sentence about a step (0 is the start) and, after a mistake, one about the better move."""
        if not number:
            return ["The starting position."]
        step = self.steps[number - 1]
        said = f"{step.ply}. {who(self.game, step)} {what(self.game, step)}: {self.remarks[number - 1]}."
        return [said, self.holds(step)] if step.mistake else [said]

    def holds(self, step: Step) -> str:
        """Return a sentence about the move that would have kept the win, if the step was a mistake."""
        return f"{what_holds(self.game, step).removesuffix('.')}." if step.mistake else ""

    def report(self) -> list[str]:
        """Return the lines of the whole review."""
        game, lines = self.game, heading(self.game)
        done = [f"{who(game, step)} {what(game, step)}" for step in self.steps]
        wide = max(map(printed_width, done), default=0)
        for step, did, words in zip(self.steps, done, self.remarks, strict=True):
            if step.passed:
                lines.append(_passes(game, game.positions[step.ply - 1].turn))
            number = f"{step.ply:>3}." if step.move is not None else "    "
            advice = f". {what_holds(game, step)}" if step.mistake else ""
            lines.append(f"{number} {did}{' ' * (wide - printed_width(did))}  {words}{advice}")
        if game.passing and not game.resigned:
            lines.append(_passes(game, game.positions[-1].turn))
        return [*lines, *([""] if self.steps else []), result(game), self.summary]

    def svg(self) -> str:
        """Return a chart of the players' winning and losing phases."""
        game, marks = self.game, self.game.variant.book.marks
        later = [f", then {marks[2 - player]}" if game.swapped else "" for player in (1, 2)]
        return swing_svg(
            self.winners,
            {step.ply for step in self.steps if step.mistake},
            {step.ply: what(game, step) for step in self.steps if step.kind != "move"},
            (f"{game.player_name(1)} ({marks[0]}{later[0]})", f"{game.player_name(2)} ({marks[1]}{later[1]})"),
            f"{game.variant.book.title} on {game.variant.grid}",
            [result(game), self.summary],
        )


def review_game(game: Game, seconds: float, memory: int = 256 * MEBIBYTE, progress: Progress | None = None) -> Review:
    """Review a game, spending these seconds on each position."""
    return Review(game, list(review(Engine(game.variant, memory), game, seconds, progress)))


def _passes(game: Game, side: int) -> str:
    """Return the line for a pass."""
    return f"     {label(game, game.player(side), side)} has no cell and passes"


# -- statistics --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """One finished game of a person against a program."""

    game: Game
    level: str  # the name of the program
    player: Player  # the person

    @property
    def won(self) -> bool:
        """Whether the person won the game."""
        assert self.game.outcome is not None  # it is finished
        return self.game.outcome.winner == self.player


@dataclass
class Tally:
    """A number of games, and how many of them were won."""

    won: int = 0
    played: int = 0

    def add(self, won: bool | None) -> None:
        """Count one more game, unless it is None."""
        if won is not None:
            self.played += 1
            self.won += won


@dataclass
class Statistics:
    """Results of a person's games against programs, and the number of other games."""

    total: Tally = field(default_factory=Tally)
    by_game: dict[str, Tally] = field(default_factory=dict)
    by_level: dict[str, Tally] = field(default_factory=dict)
    by_side: dict[str, Tally] = field(default_factory=dict)  # whether the person moved first or second
    streak: int = 0  # games won in a row, up to the last one
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
            self.by_game.setdefault(one.game.variant.book.name, Tally()),
            self.by_level.setdefault(one.level, Tally()),
            self.by_side.setdefault("first" if one.game.starts == one.player else "second", Tally()),
        )
        for tally in tallies:
            tally.add(one.won)
        self.streak = self.streak + 1 if one.won else 0
        self.best_streak = max(self.best_streak, self.streak)


def collect(entries: Iterable[Entry]) -> Statistics:
    """Count saved games in the order of their last change."""
    found = Statistics()
    for entry in sorted(entries, key=lambda entry: entry.changed):
        if entry.saved is None:
            found.damaged += 1
            continue
        match = entry.saved.match
        people = match.kinds.count("human")
        for game in match.games:
            if game.outcome is None:
                found.unfinished += bool(people)
            elif people == 2:
                found.among_friends += 1
            elif match.practice:
                found.practice += 1
            elif people == 1:
                player = match.kinds.index("human") + 1
                found.add(Played(game, match.kinds[2 - player], player))
    return found


def win_converted(one: Played, seconds: float) -> bool | None:
    """Return whether the person won a game in which they had a winning position; None if they never had one.

    The engine spends these seconds on each position; those that it cannot solve do not count as winning.
    """
    steps = review(engine_for(one.game.variant), one.game, seconds)
    return one.won if any(step.player == step.before == one.player for step in steps) else None


def report(found: Statistics, conversions: Tally | None) -> list[str]:
    """Return the tables and, if the wins that were converted have been counted, a line about them."""
    if not found.games:
        return ["You have not finished a game against the computer yet."]
    levels = [level for level in AGENTS if level in found.by_level]
    levels += [level for level in found.by_level if level not in levels]
    rows = [("all games", found.total), ("", None)]
    rows += [*found.by_game.items(), ("", None)]
    rows += [*((f"against {level}", found.by_level[level]) for level in levels), ("", None)]
    rows += [(f"moving {side}", found.by_side[side]) for side in ("first", "second") if side in found.by_side]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{'':{wide}}{'won':>6}{'of':>6}{'%':>6}"]
    lines += [
        f"{name:{wide}}{tally.won:>6}{tally.played:>6}{100 * tally.won / tally.played:>6.0f}" if tally else ""
        for name, tally in rows
    ]
    if conversions is not None:
        lines += ["", f"Winning positions reached: {conversions.played}, converted: {conversions.won}."]
    return [*lines, "", f"Winning streak: {found.streak} (best: {found.best_streak})."]


def other_lines(found: Statistics, pages: Diary) -> list[str]:
    """Return a line each about other games, puzzles and lessons, if there are any."""
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
        lines.append(f"Daily puzzles: {solved} of {len(pages.days)} solved, {days} day{'s' * (days != 1)} in a row.")
    if pages.lessons:
        done = ", ".join(f"{game} {len(numbers)}" for game, numbers in pages.lessons.items())
        lines.append(f"Lessons finished: {done}.")
    return lines
