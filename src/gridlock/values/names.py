"""Names of games, in Unicode and in ASCII."""

from gridlock.values.arithmetic import negative
from gridlock.values.dyadic import Number
from gridlock.values.infinitesimals import ups_and_star
from gridlock.values.shapes import Game, options
from gridlock.values.tinies import miny_of, tiny_of


def name(game: Game, longest: int, ascii_only: bool = False) -> str | None:
    """Return the name of a game, or None if the name is longer than `longest` characters.

    A subposition that can be reached in many ways is written out each time, so the name of a large game can be far
    longer than the list of its subpositions.
    """
    names: dict[Game, str] = {}
    stack: list[tuple[Game, list[str | Game] | None]] = [(game, None)]
    while stack:
        top, pieces = stack[-1]
        if pieces is None and not _shorter(top):  # first name Left's options, which may be too long
            missing = [option for option in options(top)[0] if option not in names]
            if missing:
                stack.extend((option, None) for option in missing)
                continue
        if pieces is None:
            pieces = _pieces(top, ascii_only)
            stack[-1] = top, pieces
        missing = [piece for piece in pieces if not isinstance(piece, str) and piece not in names]
        if missing:
            stack.extend((part, None) for part in missing)
            continue
        stack.pop()
        names[top] = "".join(piece if isinstance(piece, str) else names[piece] for piece in pieces)
        if len(names[top]) > longest:
            return None  # this name is part of the requested name
    return names[game]


def _shorter(game: Game) -> bool:
    """Return whether a game's name can be written without the names of Left's options."""
    shape = game[1]
    return shape is None or bool(ups_and_star(shape) or tiny_of(shape) or miny_of(shape))


def _pieces(game: Game, ascii_only: bool) -> list[str | Game]:
    """Return the parts of a name: strings, and games whose own names are to be inserted."""
    number, shape = game
    if shape is None:
        return [str(number)]
    found = ups_and_star(shape)
    if found:
        return [_infinitesimal(number, *found, ascii_only)]
    left, right = options(game)
    if number == -number - shape.right_stop and game == negative(game):
        sign = "+-" if ascii_only else "±"
        return [sign, left[0]] if len(left) == 1 else [sign, "{", *_list(left), "}"]
    for sign, word, inner in (("⧾_", "Tiny(", tiny_of(shape)), ("⧿_", "Miny(", miny_of(shape))):
        if inner and number == 0:
            return [word, inner, ")"] if ascii_only else [sign, inner]
    return ["{", *_list(left), "|", *_list(right), "}"]


def _infinitesimal(number: Number, ups: int, star: int, ascii_only: bool) -> str:
    """Return the name of the sum of a number, ups and a nimber."""
    once, twice = ("^v", ("^^", "vv")) if ascii_only else ("↑↓", "⇑⇓")
    count = abs(ups)
    arrows = "" if not ups else twice[ups < 0] if count == 2 else once[ups < 0] + (str(count) if count > 1 else "")
    return f"{number or ''}{arrows}{'*' if star else ''}{star if star > 1 else ''}"


def _list(games: tuple[Game, ...]) -> list[str | Game]:
    """Insert commas between games."""
    pieces: list[str | Game] = []
    for game in games:
        pieces += [",", game]
    return pieces[1:]
