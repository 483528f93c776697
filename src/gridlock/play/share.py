"""Shareable, spoiler-free results of daily puzzles and games, and the calendar of daily puzzles."""

from collections.abc import Sequence
from datetime import date, timedelta

from gridlock.core.game import Player
from gridlock.core.rulebook import Variant
from gridlock.play.match_text import count_of_moves
from gridlock.play.review import Review
from gridlock.players import short_name
from gridlock.userdata.diary import Diary

RIGHT, LATER, WRONG, NEUTRAL = "🟩", "🟨", "🟥", "⬜"
WEEK = 7  # days
MOST_SQUARES = 40  # the most squares to show for a long game
WEEKS = 6  # weeks shown in the calendar
LEGEND = "# solved  x missed  . untried"


def daily_result(day: date, variant: Variant, difficulty: int, pages: Diary) -> list[str]:
    """Return a daily puzzle's result, with a square for each step, or an empty list if it has no result yet."""
    written = day.isoformat()
    solved = pages.days.get(written)
    if solved is None:
        return []
    marks = pages.marks.get(written, "1" if solved else "x")  # older diaries have no marks
    lines = puzzle_lines(written, f"{variant.book.title} {variant.grid}", difficulty, marks, pages.days_in_a_row(day))
    return [*lines, f"gridlock puzzle --day {written}"]


def puzzle_lines(day: str, game: str, difficulty: int, marks: str, days: int) -> list[str]:
    """Return the two lines of a daily puzzle's result; web pages write the same lines (see docs/protocol.md)."""
    squares = marks.translate(str.maketrans("12x", f"{RIGHT}{LATER}{WRONG}"))
    streak = f", {days} days in a row" if days > 1 else ""
    done = "missed" if "x" in marks else "solved"
    return [f"GridLock daily {day}: {game}, difficulty {difficulty} of 5", f"{squares} {done}{streak}"]


def in_ascii(lines: list[str]) -> list[str]:
    """Return a result for terminals that cannot show squares: # for green, + for yellow, x for red, . for white."""
    return [line.translate(str.maketrans(f"{RIGHT}{LATER}{WRONG}{NEUTRAL}", "#+x.")) for line in lines]


def game_result(found: Review, kinds: Sequence[str] = ("human", "human"), hints: int | None = None) -> list[str]:
    """Return a game's result for sharing, with a coloured square for each move.

    In a game between a person and a program, only the person's moves are shown. A green square is a winning
    move, a red square is a move that gave away a win, and a white square is a move in a position that was already lost
    or has not been solved.
    """
    game = found.game
    title = f"GridLock: {game.variant.book.title} {game.variant.grid}"
    moves = f"in {count_of_moves(len(game.moves))}"
    if kinds.count("human") != 1:
        names = [game.player_name(player) for player in (1, 2)]
        who = f"{names[0]} against {names[1]}"
        ending = f"{names[game.outcome.winner - 1]} won {moves}" if game.outcome else f"unfinished, {moves[3:]}"
        wide = max(map(len, game.variant.book.marks))
        rows = [f"{game.variant.book.marks[player - 1]:{wide}} {_squares(found, player)}" for player in (1, 2)]
        return [f"{title}, {who}: {ending}", *rows]
    you = kinds.index("human") + 1
    won = "unfinished" if game.outcome is None else "won" if game.outcome.winner == you else "lost"
    helped = "" if hints is None else f", {hints} hint{'s' * (hints != 1)}" if hints else ", without hints"
    return [f"{title} against {short_name(kinds[2 - you])}: {won} {moves}{helped}", _squares(found, you)]


def _squares(found: Review, player: Player) -> str:
    """Return a coloured square for each move that a player made."""
    steps = [step for step in found.steps if step.player == player and step.move is not None]
    squares = [WRONG if step.mistake else RIGHT if step.after == player else NEUTRAL for step in steps]
    return "".join(squares[:MOST_SQUARES]) + "..." * (len(squares) > MOST_SQUARES)


def calendar(pages: Diary, today: date) -> list[str]:
    """Return a calendar of recent daily puzzles, one week per line, or an empty list if no puzzle was tried."""
    if not pages.days:
        return []
    monday = today - timedelta(today.weekday())
    lines = ["Daily puzzles", "      Mo Tu We Th Fr Sa Su"]
    for back in reversed(range(WEEKS)):
        first = monday - timedelta(WEEK * back)
        days = [first + timedelta(number) for number in range(WEEK)]
        lines.append(f"{first:%m-%d} {''.join(_day(pages, day, today) for day in days)}".rstrip())
    return [*lines, LEGEND]


def _day(pages: Diary, day: date, today: date) -> str:
    """Return the three characters that show a day in the calendar."""
    if day > today:
        return "   "
    solved = pages.days.get(day.isoformat())
    sign = "." if solved is None else "#" if solved else "x"
    return f"[{sign}]" if day == today else f" {sign} "
