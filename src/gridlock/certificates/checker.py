"""Check a certificate line by line, using only the rules; docs/certificates.md describes the format."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gridlock.certificates.patterns import Refused, board_set, decimal
from gridlock.certificates.placing import Placing
from gridlock.certificates.walking import Walking
from gridlock.core.grid import LONGEST_SIDE, Adjacency, Cell, Grid
from gridlock.core.shape import Follow, Shape

TITLE = "gridlock certificate 1"
MOST_CELLS = 128
MOST_SLOTS = 1 << 26
LONGEST_LINE = 1 << 16  # characters
WORDS = ("own", "other", "near", "away", "pawn")  # the words that describe what a marker does, in this order


class Proved(NamedTuple):
    """The result that a certificate proves."""

    grid: Grid
    shape: Shape
    position: tuple[int, int, Cell | None, Cell | None]
    wins: Cell | None  # the winning move, or None if the player to move loses
    records: int
    slots: int


class BadCertificate(Refused):
    """A certificate that is not a valid proof."""


def shape_words(shape: Shape) -> str:
    """Return the keywords that describe a game's markers in a certificate."""
    said = (
        shape.closes_own,
        shape.closes_other,
        shape.follows is Follow.NEAR,
        shape.follows is Follow.AWAY,
        shape.pawn,
    )
    return " ".join(word for word, so in zip(WORDS, said, strict=True) if so) or "none"


def certifiable(shape: Shape | None) -> bool:
    """Return whether certificates can be written for games of this shape."""
    return shape is not None and (shape.placing or shape.geography or shape_words(shape) == "near pawn")


def shape_of(words: list[str]) -> Shape:
    """Return the `Shape` that a certificate's keywords describe."""
    said = [word in words for word in WORDS]
    follows = Follow.NEAR if said[2] else Follow.AWAY if said[3] else None
    shape = Shape(said[0], said[1], follows, said[4]) if follows or not said[4] else None
    if shape is None or shape_words(shape).split() != words or not certifiable(shape):
        raise Refused(f"there are no rules for games in which a marker does this: {' '.join(words)[:40]}")
    return shape


def check(lines: Iterable[str], progress: Callable[[int], None] = lambda _records: None) -> Proved:
    """Check a certificate; raise BadCertificate, naming the line, if a step is not justified."""
    at, records = [0], [0]
    try:
        return _check(_numbered(lines, at), records, progress)
    except BadCertificate:  # the file cannot be read
        raise
    except Refused as why:
        raise BadCertificate(f"Line {at[0]}, after {records[0]:,} good records: {why}.") from None


def _numbered(lines: Iterable[str], at: list[int]) -> Iterator[list[str]]:
    """Yield the words of each line that is not a comment; store the number of the current line in `at`."""
    for line in lines:
        at[0] += 1
        if not line.endswith("\n") or len(line) > LONGEST_LINE or "\0" in line:
            raise Refused("the line is cut off or too long")
        if not line.startswith("#"):
            words = line[:-1].split(" ")
            if not all(words):
                raise Refused("words are separated by single spaces")
            yield words
    at[0] += 1


def _check(lines: Iterator[list[str]], done: list[int], progress: Callable[[int], None]) -> Proved:
    _check_title(_next(lines))
    rows, cols, kind = _said(_next(lines), "board", 3)
    if kind not in list(Adjacency):
        raise Refused("cells touch by king or orthogonal adjacency")
    grid = Grid(_side(rows), _side(cols), Adjacency(kind))
    if grid.size > MOST_CELLS:
        raise Refused(f"a board has at most {MOST_CELLS} cells")
    shape = shape_of(_said(_next(lines), "marker"))
    one, two, *heads = _said(_next(lines), "position", 4)
    mine, theirs = board_set(one, grid), board_set(two, grid)
    my_head, their_head = (None if head == "-" else decimal(head, grid.size - 1, "a cell") for head in heads)
    if mine & theirs:
        raise Refused("a cell has two markers")
    slots = decimal(_said(_next(lines), "slots", 1)[0], MOST_SLOTS, "a number of slots")
    rules = Placing(grid, shape, slots) if shape.placing else Walking(grid, shape, slots)
    while (words := _next(lines))[0] not in ("loses", "wins"):
        rules.record(words)
        done[0] += 1
        if not done[0] & 1023:
            progress(done[0])
    wins = None
    if words[0] == "wins":
        wins = decimal(words.pop(1) if len(words) > 1 else "", grid.size - 1, "a cell of the board")
    (reason,) = _said(words, words[0], 1)
    if isinstance(rules, Placing):
        rules.holds(rules.start(mine, theirs, wins), reason)
    else:
        rules.holds(rules.start(mine, theirs, my_head, their_head, wins), reason)
    if next(lines, None) is not None:
        raise Refused("there is a line after the result")
    return Proved(grid, shape, (mine, theirs, my_head, their_head), wins, done[0], slots)


def _check_title(words: list[str]) -> None:
    """Check the title on a certificate's first line."""
    title, version = TITLE.split()[:2], TITLE.split()[2]
    if len(words) == 3 and words[:2] == title and words[2] != version:
        raise Refused(f"this is version '{words[2][:20]}' of the format, but this program reads version {version}")
    if words != TITLE.split():
        raise Refused(f"a certificate begins with '{TITLE}'")


def _side(text: str) -> int:
    side = decimal(text, LONGEST_SIDE, "a number of rows or columns")
    if not side:
        raise Refused("a board has at least one row and one column")
    return side


def _next(lines: Iterator[list[str]]) -> list[str]:
    """Return the words of the next line; raise Refused if there is no next line."""
    words = next(lines, None)
    if words is None:
        raise Refused("the certificate ends before its result")
    return words


def _said(words: list[str], name: str, count: int | None = None) -> list[str]:
    """Return the words that follow a line's first word, which must be `name`."""
    if words[0] != name or (count is not None and len(words) != count + 1):
        raise Refused(f"a line '{name}' is expected" + ("" if count is None else f", with {count} words after it"))
    return words[1:]
