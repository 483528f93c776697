"""Thermographs as text, drawn exactly or not at all."""

from fractions import Fraction
from math import lcm

from gridlock.values import Thermograph

WIDEST, HIGHEST = 64, 24  # columns and lines between the axes
FINEST = 4  # the most columns or lines per move
MAST = 2  # lines above the place where the walls meet


def thermograph_text(graph: Thermograph) -> list[str]:
    """Draw a thermograph; values that are good for Left are on the left, and the temperature increases upwards.

    Return no lines if the temperature is 0 or below, or if the drawing would be too large.
    """
    (_, left), (_, right) = graph.left[0], graph.right[0]
    parts = lcm(*(number.denominator for wall in (graph.left, graph.right) for point in wall for number in point))
    lines, columns = graph.temperature * parts, (left - right) * parts + 1
    if graph.temperature <= 0 or parts > FINEST or lines > HIGHEST or columns > WIDEST:
        return []
    labels = {Fraction(line, parts): "" for line in range(int(lines) + MAST + 1)}
    labels |= {t: str(t) for t in labels if t.denominator == 1} | {graph.temperature: str(graph.temperature)}
    margin = max(map(len, labels.values()))
    step = Fraction(1, parts)

    def column(value: Fraction) -> int:
        return int((left - value) * parts)

    drawn: list[str] = []
    for t, label in labels.items():
        places = {column(graph.left_at(t)): "|", column(graph.right_at(t)): "|"}
        if graph.left_at(t + step) != graph.left_at(t):
            places[column(graph.left_at(t))] = "/"
        if graph.right_at(t + step) != graph.right_at(t):
            places[column(graph.right_at(t))] = "\\"
        row = "".join(places.get(place, " ") for place in range(int(columns)))
        drawn.append(f"{label:>{margin}} {row}".rstrip())
    return [*reversed(drawn), f"{' ' * margin} {_axis([(column(x), str(x)) for x in (left, graph.mean, right)])}"]


def _axis(labels: list[tuple[int, str]]) -> str:
    """Return a line of text in which each label starts in its column.

    A label is left out if it would touch the label before it or the rightmost label, which is always shown.
    """
    line, (end, right) = "", labels[-1]
    for place, label in labels[:-1]:
        if place >= len(line) + bool(line) and place + len(label) < end:
            line = f"{line:<{place}}{label}"
    return f"{line:<{end}}{right}" if len(line) < end or not line else f"{line} {right}"
