"""Constants such as `star` and `up`, and functions that take values."""

from gridlock.values import arithmetic, infinitesimals, order, tinies
from gridlock.values.value import Value, ValueLike

star = Value("*")
up = Value("^")
down = Value("v")


def nimber(size: int) -> Value:
    """Return *size, the value of a Nim heap with `size` counters."""
    return Value._of(infinitesimals.nimber(size))


def switch(left: ValueLike, right: ValueLike) -> Value:
    """Return {left | right}, which is hot if left is larger than right."""
    return Value.game([left], [right])


def tiny(value: ValueLike) -> Value:
    """Return tiny-G = {0 || 0 | -G}, which is positive but smaller than any positive number."""
    return Value._of(tinies.tiny(Value(value)._game))


def miny(value: ValueLike) -> Value:
    """Return miny-G = {G | 0 || 0}, the negative of tiny-G."""
    return Value._of(tinies.miny(Value(value)._game))


def thermograph_svg(value: ValueLike) -> str:
    """Draw a value's thermograph as SVG; values that favour Left are on the left, and temperature increases upwards."""
    return Value(value)._repr_svg_()


def clear_memory() -> None:
    """Clear the caches of comparisons and sums; this frees memory and does not change any value."""
    order.forget()
    arithmetic.forget()
