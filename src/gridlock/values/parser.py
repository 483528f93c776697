"""Read the names of games as people write them, in Unicode or ASCII."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from gridlock.values import dyadic
from gridlock.values.arithmetic import add, negative
from gridlock.values.construction import game_of
from gridlock.values.infinitesimals import ups
from gridlock.values.shapes import DEEPEST, Game
from gridlock.values.tinies import miny, tiny

LONGEST = 10_000  # the most characters in a name
DIGITS = 300  # the most digits in a number
MINUS = "\N{MINUS SIGN}"  # as typeset
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<bar>\|+)|(?P<open>[{(])|(?P<close>[})])|(?P<comma>,)"
    r"|(?P<switch>±|\+-)|(?P<tiny>⧾_?|[Tt]iny(?=\())|(?P<miny>⧿_?|[Mm]iny(?=\())|(?P<minus>[-\u2212](?!\d))"
    r"|(?P<name>(?=[-\u2212\d^v↑↓⇑⇓*])(?P<number>[-\u2212]?\d+(?:/\d+)?)?(?P<ups>\^+\d*|v+\d*|[↑↓]\d*|[⇑⇓])?"
    r"(?P<star>\*\d*)?)",
    re.ASCII,
)


class ParseError(ValueError):
    """A string that does not name a game. `place` is the index of the error, counted from 0."""

    def __init__(self, reason: str, text: str, place: int) -> None:
        start, end = max(0, place - 20), place + 20
        shown = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
        super().__init__(f"{reason}, at character {place + 1} of {shown!r}.")
        self.place = place


@dataclass
class _Open:
    """A nesting level of the parser: an open brace or parenthesis, or the whole string."""

    bracket: str
    place: int
    groups: list[list[Game]] = field(default_factory=lambda: [[]])  # games, in groups divided by bars
    bars: list[tuple[int, int]] = field(default_factory=list)  # the length and place of each bar
    prefixes: list[str] = field(default_factory=list)  # the prefixes of the next game
    after: str = ""  # the kind of token before: a game, a comma, or nothing that matters


def parse(text: str) -> Game:
    """Return the game that a string names; raise ParseError if it does not name one."""
    if len(text) > LONGEST:
        raise ValueError(f"The name of a value may have at most {LONGEST:,} characters, not {len(text):,}.")
    return _Parser(text).run()


class _Parser:
    """A parser that reads a string token by token, with a stack of open brackets instead of recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stack = [_Open("", 0)]

    def run(self) -> Game:
        place = 0
        while place < len(self.text):
            token = TOKEN.match(self.text, place)
            if token is None:
                raise ParseError(f"A value cannot contain {self.text[place]!r}", self.text, place)
            if token.lastgroup != "space":
                try:
                    self._read(token)
                except ParseError:
                    raise
                except ValueError as error:
                    raise ParseError(str(error).rstrip("."), self.text, place) from None
            place = token.end()
        last = self.stack[-1]
        if last.bracket:
            raise ParseError(f"This '{last.bracket}' is never closed", self.text, last.place)
        return self._only(last, len(self.text))

    def _read(self, token: re.Match[str]) -> None:
        top, place = self.stack[-1], token.start()
        kind = token.lastgroup or ""
        if kind in ("name", "open", "switch", "tiny", "miny", "minus") and top.after == "game":
            raise ParseError("Two values need a comma or a bar between them", self.text, place)
        if kind in ("bar", "comma", "close") and (top.prefixes or top.after == "comma"):
            raise ParseError("A value is missing", self.text, place)
        if kind == "name":
            self._finish(self._named(token))
        elif kind == "open":
            self.stack.append(_Open(token[0], place))
        elif kind == "close":
            self._close(token[0], place)
        elif kind in ("bar", "comma"):
            self._divide(top, token[0], place)
        else:
            top.prefixes.append(kind)
            top.after = ""

    def _named(self, token: re.Match[str]) -> Game:
        """Return the game that a token names: the sum of a number, ups and a nimber."""
        if any(len(digits) > DIGITS for digits in re.findall(r"\d+", token[0])):
            raise ValueError(f"A number may have at most {DIGITS} digits")
        numerator, _, denominator = (token["number"] or "0").replace(MINUS, "-").partition("/")
        if denominator and not int(denominator):
            raise ValueError("The denominator is 0")
        number = dyadic.checked(Fraction(int(numerator), int(denominator or 1)))
        arrows = (token["ups"] or "").rstrip("0123456789")
        count = int((token["ups"] or "")[len(arrows) :] or 1) * len(arrows.replace("⇑", "^^").replace("⇓", "vv"))
        star = token["star"]
        return add((number, None), ups(-count if arrows[:1] in "v↓⇓" else count, int(star[1:] or 1) if star else 0))

    def _divide(self, top: _Open, sign: str, place: int) -> None:
        """Read a comma or a bar."""
        if top.bracket != "{":
            raise ParseError(f"A '{sign}' may only stand between braces", self.text, place)
        if sign == ",":
            if top.after != "game":
                raise ParseError("A value is missing", self.text, place)
            top.after = "comma"
        else:
            if len(sign) > DEEPEST:
                raise ParseError(f"A bar may have at most {DEEPEST} strokes", self.text, place)
            top.bars.append((len(sign), place))
            top.groups.append([])
            top.after = ""

    def _close(self, bracket: str, place: int) -> None:
        top = self.stack.pop()
        if top.bracket + bracket not in ("{}", "()"):
            raise ParseError(f"This '{bracket}' closes nothing", self.text, place)
        if bracket == ")":
            self._finish(self._only(top, place))
        elif top.bars:
            self._finish(self._braced(top.groups, top.bars))
        elif self.stack[-1].prefixes[-1:] == ["switch"]:
            self.stack[-1].prefixes.pop()
            self._finish(game_of(top.groups[0], map(negative, top.groups[0])))
        else:
            raise ParseError("A '|' is missing between the braces", self.text, place)

    def _only(self, group: _Open, place: int) -> Game:
        """Return the single game described inside a pair of parentheses, or by the whole string."""
        if not group.groups[0] or group.prefixes:
            raise ParseError("A value is missing", self.text, place)
        return group.groups[0][0]

    def _braced(self, groups: list[list[Game]], bars: list[tuple[int, int]]) -> Game:
        """Return the game written between two braces; the longest run of bars separates Left's options from Right's."""
        longest = max(length for length, _ in bars)
        middle, *others = [index for index, (length, _) in enumerate(bars) if length == longest]
        if others:
            sign = "|" * longest
            raise ParseError(f"A second '{sign}' cannot stand between the same braces", self.text, bars[others[0]][1])
        sides = []
        for parts, inner in ((groups[: middle + 1], bars[:middle]), (groups[middle + 1 :], bars[middle + 1 :])):
            sides.append([self._braced(parts, inner)] if inner else parts[0])
        return game_of(*sides)

    def _finish(self, game: Game) -> None:
        """Apply any prefixes, such as a minus sign, to a game, and add the game to the current list of options."""
        top = self.stack[-1]
        while top.prefixes:
            prefix = top.prefixes.pop()
            if prefix == "switch":
                game = game_of([game], [negative(game)])
            else:
                game = {"minus": negative, "tiny": tiny, "miny": miny}[prefix](game)
        top.groups[-1].append(game)
        top.after = "game"
