"""Names of games, in Unicode and in ASCII."""

from gridlock.values.arithmetic import negative
from gridlock.values.dyadic import Number
from gridlock.values.infinitesimals import ups_and_star
from gridlock.values.shapes import Game, options
from gridlock.values.tinies import tiny_of


def name(game: Game, longest: int, ascii_only: bool = False) -> str | None:
    """Return the name of a game, or None if it is longer than `longest` characters.

    A game that can be reached in many ways is written out each time, so the name of a large game can be far longer
    than the list of its subpositions.
    """
    names: dict[Game, str] = {}
    stack = [(game, _pieces(game, ascii_only))]
    while stack:
        top, pieces = stack[-1]
        missing = [piece for piece in pieces if not isinstance(piece, str) and piece not in names]
        if missing:
            stack.extend((part, _pieces(part, ascii_only)) for part in missing)
            continue
        stack.pop()
        names[top] = "".join(piece if isinstance(piece, str) else names[piece] for piece in pieces)
        if len(names[top]) > longest:
            return None  # it is part of the name asked for
    return names[game]


def _pieces(game: Game, ascii_only: bool) -> list[str | Game]:
    """Return what a name consists of: characters, and games whose own names belong there."""
    number, shape = game
    if shape is None:
        return [str(number)]
    found = ups_and_star(shape)
    if found:
        return [_infinitesimal(number, *found, ascii_only)]
    left, right = options(game)
    opposite = negative(game)
    if game == opposite:
        sign = "+-" if ascii_only else "±"
        return [sign, left[0]] if len(left) == 1 else [sign, "{", *_list(left), "}"]
    for sign, word, candidate in (("⧾_", "Tiny(", game), ("⧿_", "Miny(", opposite)):
        inner = tiny_of(candidate[1]) if candidate[1] and candidate[0] == 0 else None
        if inner:
            return [word, inner, ")"] if ascii_only else [sign, inner]
    return ["{", *_list(left), "|", *_list(right), "}"]


def _infinitesimal(number: Number, ups: int, star: int, ascii_only: bool) -> str:
    """Name a number plus ups plus a nimber."""
    once, twice = ("^v", ("^^", "vv")) if ascii_only else ("↑↓", "⇑⇓")
    count = abs(ups)
    arrows = "" if not ups else twice[ups < 0] if count == 2 else once[ups < 0] + (str(count) if count > 1 else "")
    return f"{number or ''}{arrows}{'*' if star else ''}{star if star > 1 else ''}"


def _list(games: tuple[Game, ...]) -> list[str | Game]:
    """Put commas between games."""
    pieces: list[str | Game] = []
    for game in games:
        pieces += [",", game]
    return pieces[1:]
