"""The exact value of a game, with its arithmetic and its order."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, Self

from gridlock.values import arithmetic, dyadic, names, order
from gridlock.values.construction import game_of
from gridlock.values.parser import parse
from gridlock.values.shapes import Game, Shape, followers, interned, options, right_stop

Outcome = Literal["L", "R", "N", "P"]
Comparison = Literal["<", ">", "=", "||"]
Player = Literal["left", "right"]
Form = tuple[list[tuple[int | Fraction, int]], list[tuple[int | Fraction, int]]]
"""One row of a table of forms: Left's and Right's options, each a number and the row of a shape, or -1 for none."""

LONGEST_NAME = 10_000


class Value:
    """The exact value of a finite game in which players take turns and a player who cannot move loses.

    Values are equal if the games are: Value("{-1|1}") == 0. They are ordered only partly: two values can be neither
    equal nor comparable, so do not sort them, and do not take their maximum.
    """

    __slots__ = ("__weakref__", "_number", "_shape")
    _number: dyadic.Number
    _shape: Shape | None

    def __init__(self, value: "str | int | Fraction | Value") -> None:
        if isinstance(value, Value):
            self._number, self._shape = value._game
        elif isinstance(value, str):
            self._number, self._shape = parse(value)
        elif isinstance(value, int | Fraction):
            self._number, self._shape = dyadic.checked(value), None
        else:
            raise TypeError(f"A value is made from text, an int or a Fraction, not from {type(value).__name__}.")

    @classmethod
    def game(cls, left: "Iterable[ValueLike]" = (), right: "Iterable[ValueLike]" = ()) -> Self:
        """Return the value of the game with these options for Left and for Right."""
        return cls._of(game_of([Value(option)._game for option in left], [Value(option)._game for option in right]))

    @classmethod
    def _of(cls, game: Game) -> Self:
        value = cls.__new__(cls)
        value._number, value._shape = game
        return value

    @property
    def _game(self) -> Game:
        return self._number, self._shape

    # Arithmetic

    def __add__(self, other: "ValueLike") -> "Value":
        if not isinstance(other, Value | int | Fraction):
            return NotImplemented
        return Value._of(arithmetic.add(self._game, Value(other)._game))

    __radd__ = __add__

    def __neg__(self) -> "Value":
        return Value._of(arithmetic.negative(self._game))

    def __pos__(self) -> "Value":
        return self

    def __sub__(self, other: "ValueLike") -> "Value":
        if not isinstance(other, Value | int | Fraction):
            return NotImplemented
        return self + -Value(other)

    def __rsub__(self, other: "ValueLike") -> "Value":
        return -self + other

    def __mul__(self, count: int) -> "Value":
        if not isinstance(count, int):
            return NotImplemented
        return Value._of(arithmetic.times(count, self._game))

    __rmul__ = __mul__

    # Order

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self._game == other._game
        if isinstance(other, int | Fraction):
            return self._game == (other, None)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._number) if self._shape is None else hash(self._game)

    def __bool__(self) -> bool:
        return self._game != (0, None)

    def __ge__(self, other: "ValueLike") -> bool:
        if not isinstance(other, Value | int | Fraction):
            return NotImplemented
        return order.at_least(self._game, Value(other)._game)

    def __le__(self, other: "ValueLike") -> bool:
        if not isinstance(other, Value | int | Fraction):
            return NotImplemented
        return order.at_least(Value(other)._game, self._game)

    def __gt__(self, other: "ValueLike") -> bool:
        return self != other and self >= other

    def __lt__(self, other: "ValueLike") -> bool:
        return self != other and self <= other

    def confused(self, other: "ValueLike") -> bool:
        """Return whether neither value is at least the other: the player who moves first wins the difference."""
        return not self >= other and not self <= other

    def compare(self, other: "ValueLike") -> Comparison:
        """Return how this value compares with another: '<', '>', '=' or, if they are confused, '||'."""
        if self == other:
            return "="
        return ">" if self >= other else "<" if self <= other else "||"

    # What it says about the game

    @property
    def left(self) -> "tuple[Value, ...]":
        """Left's options in canonical form. They are values, not moves: several moves can share one, or have none."""
        return tuple(map(Value._of, options(self._game)[0]))

    @property
    def right(self) -> "tuple[Value, ...]":
        """Right's options in canonical form."""
        return tuple(map(Value._of, options(self._game)[1]))

    @property
    def is_number(self) -> bool:
        """Whether the value is a number. It is then worth that many moves to Left, and moving costs."""
        return self._shape is None

    @property
    def number(self) -> Fraction:
        """The number that this value is; raises ValueError if it is not one."""
        if self._shape:
            raise ValueError("This value is not a number.")
        return Fraction(self._number)

    @property
    def stops(self) -> tuple[Fraction, Fraction]:
        """The numbers that the game reaches by alternating play if Left starts, and if Right does."""
        return Fraction(self._number), Fraction(right_stop(self._game))

    @property
    def outcome(self) -> Outcome:
        """The winner: 'L' Left, 'R' Right, 'N' the player who moves next, 'P' the previous one."""
        winners: dict[Comparison, Outcome] = {">": "L", "<": "R", "||": "N", "=": "P"}
        return winners[self.compare(0)]

    # Text

    def name(self, longest: int = LONGEST_NAME, *, ascii: bool = False) -> str | None:  # noqa: A002
        """Return the name of this value, or None if it has more than `longest` characters."""
        return names.name(self._game, longest, ascii)

    def __str__(self) -> str:
        return self.name() or self._summary()

    def __format__(self, spec: str) -> str:
        if spec == "ascii":
            return self.name(ascii=True) or self._summary()
        return format(str(self), spec)

    def __repr__(self) -> str:
        name = self.name(ascii=True)
        return f"Value({name!r})" if name else f"<Value: {self._summary()}>"

    def _summary(self) -> str:
        left, right = self.stops
        return f"a game with stops {left} and {right} and {len(followers(self._shape)):,} subpositions"


ValueLike = Value | int | Fraction
