"""Pictures of thermographs, with values that favour Left on the left, and temperature increasing upwards."""

from fractions import Fraction
from html import escape

from gridlock.values.thermograph import Thermograph

WIDTH, HEIGHT = 400, 300
LEFT, RIGHT, TOP, BOTTOM = 60, 340, 80, 244  # the edges of the drawing within the picture
LEFT_COLOUR, RIGHT_COLOUR, INK, FAINT = "#1f6f8b", "#b8641a", "#20242b", "#5b616b"


def thermograph_picture(thermograph: Thermograph, title: str) -> str:
    """Draw a thermograph as SVG."""
    graph = thermograph
    (_, left_stop), (_, right_stop) = graph.left[0], graph.right[0]
    top = max(graph.temperature, Fraction(0))
    scale = _scale(left_stop - right_stop, top)
    middle = (left_stop + right_stop) / 2

    def place(point: tuple[Fraction, Fraction]) -> tuple[float, float]:
        """Return the picture coordinates of a point (temperature, value)."""
        temperature, value = point
        return (LEFT + RIGHT) / 2 - float((value - middle) * scale), BOTTOM - float(temperature * scale)

    mast, meeting = place((top, graph.mean))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" font-family="system-ui, sans-serif" font-size="13">',
        f"<title>Thermograph of {escape(title)}</title>",
        f"<desc>{escape(_words(graph))}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fbfaf7"/>',
        f'<g font-weight="600">{_text(16, "start", 26, title)}</g>',
        f'<path d="M24 {BOTTOM}H{WIDTH - 24}" stroke="{FAINT}"/>',
        f'<path d="M{mast:g} {meeting:g}V{TOP - 36}" stroke="{INK}" stroke-width="2.5" fill="none"/>',
        f'<path d="M{mast - 5:g} {TOP - 30}l5 -8l5 8" stroke="{INK}" stroke-width="2.5" fill="none"/>',
        _text(mast + 10, "start", TOP - 26, f"mean {graph.mean}"),
    ]
    if top > 0:
        side = (24, "start") if mast > WIDTH / 2 else (WIDTH - 24, "end")  # the side without the mast
        parts += [
            f'<path d="M24 {meeting:g}H{WIDTH - 24}" stroke="{FAINT}" stroke-dasharray="3 4"/>',
            _text(*side, meeting - 6, f"temperature {top}", FAINT),
            _wall([place(point) for point in graph.left], LEFT_COLOUR),
            _wall([place(point) for point in graph.right], RIGHT_COLOUR),
        ]
    if left_stop == right_stop:
        parts.append(_text(mast, "middle", BOTTOM + 20, str(left_stop)))
    else:
        parts.append(_text(place(graph.left[0])[0], "middle", BOTTOM + 20, str(left_stop), LEFT_COLOUR))
        parts.append(_text(place(graph.right[0])[0], "middle", BOTTOM + 20, str(right_stop), RIGHT_COLOUR))
    parts += [
        _text(24, "start", HEIGHT - 14, "← better for Left", FAINT),
        _text(WIDTH - 24, "end", HEIGHT - 14, "better for Right →", FAINT),
    ]
    return "\n".join([*parts, "</svg>", ""])


def _scale(width: Fraction, height: Fraction) -> Fraction:
    """Return the largest scale in pixels per unit, the same in both directions, at which the drawing fits."""
    fits = [(RIGHT - LEFT) / width] if width else []
    fits += [(BOTTOM - TOP) / height] if height else []
    return min(fits, default=Fraction(1))


def _wall(points: list[tuple[float, float]], colour: str) -> str:
    path = "L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path d="M{path}" stroke="{colour}" stroke-width="3" fill="none" stroke-linejoin="round"/>'


def _words(graph: Thermograph) -> str:
    """Return a description of what the picture shows."""
    return (
        f"Left stop {graph.left[0][1]}, right stop {graph.right[0][1]}, mean {graph.mean}, "
        f"temperature {graph.temperature}."
    )


def _text(x: float, anchor: str, y: float, text: str, colour: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
