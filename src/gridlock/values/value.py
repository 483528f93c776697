"""Exact values of games, which can be added, negated and compared."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, Self

from gridlock.values import arithmetic, dyadic, names, order
from gridlock.values.construction import game_of
from gridlock.values.dyadic import Number
from gridlock.values.forms import Row, from_rows, in_moves, rows_of
from gridlock.values.parser import LONGEST, parse
from gridlock.values.picture import thermograph_picture
from gridlock.values.reduction import reduced
from gridlock.values.shapes import Game, Shape, birthday, followers, options, right_stop, sorting_key
from gridlock.values.thermograph import Thermograph, cooled, thermograph
from gridlock.values.walls import Wall

Outcome = Literal["L", "R", "N", "P"]
Comparison = Literal["<", ">", "=", "||"]
Player = Literal["left", "right"]


class Value:
    """The exact value of a finite game in which players take turns and a player who cannot move loses.

    Values are equal if their games are equal: Value("{-1|1}") == 0. Values are only partially ordered: some pairs
    of values are neither equal nor comparable, so do not sort values or take their maximum.
    """

    __slots__ = ("__weakref__", "_number", "_shape")
    _number: Number
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
    def game(cls, left: "Iterable[ValueLike | str]" = (), right: "Iterable[ValueLike | str]" = ()) -> Self:
        """Return the value of the game with these options for Left and for Right."""
        return cls._of(game_of([Value(option)._game for option in left], [Value(option)._game for option in right]))

    @classmethod
    def from_forms(
        cls,
        rows: Iterable[Row],
        row: int,
        number: Number = 0,
        unit: Number = 1,
        walls: tuple[Wall, Wall] | None = None,
    ) -> Self:
        """Build a value from a table of canonical forms.

        The value is the sum of `number` and the canonical form in row `row` of the table. `row` is -1 if the value is a
        number. Each row contains Left's options and Right's options. An option is a pair (number, row), which stands
        for the sum of the number and the form in that row; a pair (number, -1) stands for the number alone. The options
        in a row may refer only to earlier rows. Each form is shifted so that its left stop is 0. `number` and all
        numbers in the rows are multiplied by `unit`. `walls`, if they are known, are the left and the right wall of the
        row's thermograph, as points (temperature, value) in moves. This method uses the table and the walls as they
        are: it does not check that the walls are right, or that the forms are canonical.
        """
        return cls._of(from_rows(rows, row, number, unit, walls))

    def forms(self) -> tuple[list[Row], int, Number]:
        """Return the table, the row and the number from which `from_forms` rebuilds this value."""
        return rows_of(self._game)

    def __reduce__(self) -> tuple[object, ...]:
        walls = (self._shape and self._shape.walls) or None  # computing them may have taken long
        return Value.from_forms, (*self.forms(), 1, walls and tuple(map(in_moves, walls)))

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
        return order.at_least(self._game, _compared(other))

    def __le__(self, other: "ValueLike") -> bool:
        if not isinstance(other, Value | int | Fraction):
            return NotImplemented
        return order.at_least(_compared(other), self._game)

    def __gt__(self, other: "ValueLike") -> bool:
        return self != other and self >= other

    def __lt__(self, other: "ValueLike") -> bool:
        return self != other and self <= other

    def confused(self, other: "ValueLike") -> bool:
        """Return whether the values are incomparable, that is, whether the player to move wins the difference."""
        return not self >= other and not self <= other

    def compare(self, other: "ValueLike") -> Comparison:
        """Return how this value compares with another: '<', '>', '=' or, if the values are incomparable, '||'."""
        if self == other:
            return "="
        return ">" if self >= other else "<" if self <= other else "||"

    # Properties of the game

    @property
    def left(self) -> "tuple[Value, ...]":
        """Left's options in canonical form.

        Options are values, not moves: several moves can lead to the same option, and the canonical form leaves out the
        values of dominated and reversible moves.
        """
        return tuple(map(Value._of, options(self._game)[0]))

    @property
    def right(self) -> "tuple[Value, ...]":
        """Right's options in canonical form."""
        return tuple(map(Value._of, options(self._game)[1]))

    @property
    def is_number(self) -> bool:
        """Whether the value is a number; if so, the game is worth that many moves to Left, and moving has a cost."""
        return self._shape is None

    @property
    def number(self) -> Fraction:
        """This value as a number; raises ValueError if it is not a number."""
        if self._shape:
            raise ValueError("This value is not a number.")
        return Fraction(self._number)

    @property
    def stops(self) -> tuple[Fraction, Fraction]:
        """The Left stop and the Right stop.

        The Left stop is the number that best play reaches if Left moves first, and the Right stop is the number that
        best play reaches if Right moves first.
        """
        return Fraction(self._number), Fraction(right_stop(self._game))

    @property
    def outcome(self) -> Outcome:
        """The winner: 'L' for Left, 'R' for Right, 'N' for the player who moves next, 'P' for the previous player."""
        winners: dict[Comparison, Outcome] = {">": "L", "<": "R", "||": "N", "=": "P"}
        return winners[self.compare(0)]

    @property
    def mean(self) -> Fraction:
        """The average value of one copy in a sum of many copies; the thermograph's mast is at the mean."""
        return self.thermograph().mean

    @property
    def temperature(self) -> Fraction:
        """The urgency of a move: the height at which the thermograph's walls meet.

        The temperature of a number is negative.
        """
        return self.thermograph().temperature

    def thermograph(self) -> Thermograph:
        """Return the game's stops at each temperature."""
        return thermograph(self._game)

    def cool(self, temperature: Number) -> "Value":
        """Return this game cooled by a tax on every move, or its mean if the tax exceeds the game's temperature."""
        return Value._of(cooled(self._game, dyadic.checked(temperature)))

    @property
    def reduced(self) -> "Value":
        """The reduced canonical form: the simplest value that differs from this one only by an infinitesimal."""
        return Value._of(reduced(self._game))

    def incentives(self, player: Player) -> "tuple[Value, ...]":
        """Return a player's incentives: what each move gains, omitting moves that gain less than some other move."""
        if player not in ("left", "right"):
            raise ValueError(f"The player is 'left' or 'right', not {player!r}.")
        found = {option - self for option in self.left} if player == "left" else {self - other for other in self.right}
        best = [gain for gain in found if not any(other > gain for other in found)]
        return tuple(sorted(best, key=lambda gain: sorting_key(gain._game)))

    @property
    def birthday(self) -> int:
        """The depth of the canonical form: the day on which Conway's construction reaches this value."""
        return birthday(self._game)

    @property
    def subpositions(self) -> int:
        """The number of distinct subpositions of the canonical form, counting the form itself but leaving out numbers.

        Subpositions that differ only by a number are counted once.
        """
        return len(followers(self._shape))

    # Text and picture

    def name(self, longest: int = LONGEST, *, ascii: bool = False) -> str | None:
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

    def _repr_svg_(self) -> str:
        return thermograph_picture(self.thermograph(), self.name(40) or "A game")

    def _summary(self) -> str:
        left, right = self.stops
        return f"a game with stops {left} and {right} and {self.subpositions:,} subpositions"


ValueLike = Value | int | Fraction


def _compared(other: ValueLike) -> Game:
    """Convert an operand of a comparison to a game; any fraction is allowed."""
    return other._game if isinstance(other, Value) else (other, None)
