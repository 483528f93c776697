"""A chart that shows which player was winning after each move of a game."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from gridlock.drawing.markup import text_width

STEP, BAND, TOP, HEAT = 22, 44, 112, 44
LEGEND = (
    "The bars show which player was winning, at the start (0) and after each move.",
    "!: gave away the win.",
)
OPEN = "Hatched: unknown."


def swing_svg(
    winners: list[int | None],
    mistakes: set[int],
    notes: dict[int, str],
    names: tuple[str, str],
    title: str,
    words: list[str],
    heats: Sequence[Fraction | None] = (),
) -> str:
    """Draw a chart with a column for each position; a column points up if player 1 wins, and down if player 2 wins.

    The first column is the starting position, and a hatched column means that the winner is unknown. Mistakes have an
    exclamation mark above them, notes appear below their columns, and the sentences in `words` appear at the top. A
    curve below the columns shows how hot each position was.
    """
    left = 40 + max(map(text_width, [*names, "Temperature"] if any(heats) else names))
    foot = [LEGEND[0], " ".join([LEGEND[1], OPEN] if None in winners else [LEGEND[1]])] if winners else []
    middle = TOP + BAND
    width = max(left + STEP * len(winners) + 60, 32 + max(map(text_width, [title, *words, *foot])))
    curve = middle + BAND + 44
    warm = HEAT + 34 if any(heats) else 0
    height = middle + BAND + 98 + warm if winners else TOP - 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#20242b">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(' '.join([f'{names[0]} against {names[1]}.', *words]))}</desc>",
        '<defs><pattern id="open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path d="M0 0V6" stroke="#8a8f98" stroke-width="2"/></pattern></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfaf7"/>',
        _text(16, 28, title, 'font-weight="600"'),
    ]
    parts += [_text(16, 50 + 20 * index, line) for index, line in enumerate(words)]
    if winners:
        parts += [_text(16, TOP + BAND / 2 + 5, names[0]), _text(16, middle + BAND / 2 + 5, names[1])]
        parts.append(f'<path d="M{left} {middle}h{STEP * len(winners)}" stroke="#20242b" stroke-width="1.5"/>')
    for index, winner in enumerate(winners):
        x = left + index * STEP
        parts.append(f'<rect x="{x + 2}" width="{STEP - 4}" rx="3" {_box(winner)}/>')
        if index in mistakes:
            parts.append(_text(x + STEP / 2, TOP - 5, "!", 'text-anchor="middle" font-weight="700" fill="#a3271f"'))
        if index % 5 == 0:
            parts.append(_text(x + STEP / 2, middle + BAND + 17, str(index), 'text-anchor="middle" fill="#5b616b"'))
        if index in notes:
            last = index == len(winners) - 1  # so that two notes beside each other do not overlap
            place = (x + 2, "start") if last else (x + STEP - 2, "end")
            parts.append(_text(place[0], middle + BAND + 33, notes[index], f'text-anchor="{place[1]}" fill="#5b616b"'))
    if warm:
        parts += _curve(heats, left, curve)
    parts += [_text(16, height - 36 + 20 * index, line, 'fill="#5b616b"') for index, line in enumerate(foot)]
    return "\n".join([*parts, "</svg>", ""])


def _curve(heats: Sequence[Fraction | None], left: int, top: int) -> list[str]:
    """Plot the known temperatures of the positions against the move numbers, as a line."""
    most = max(heat for heat in heats if heat is not None)
    base = top + HEAT
    known = [(index, heat) for index, heat in enumerate(heats) if heat is not None]
    points = [(left + index * STEP + STEP / 2, base - float(heat / most) * (HEAT - 14)) for index, heat in known]
    places = " ".join(f"{x:g},{y:.1f}" for x, y in points)
    return [
        _text(16, base - 4, "Temperature"),
        f'<path d="M{left} {base}h{STEP * len(heats)}" stroke="#8a8f98"/>',
        f'<polyline points="{places}" fill="none" stroke="#a3271f" stroke-width="2"/>',
        *(f'<circle cx="{x:g}" cy="{y:.1f}" r="2.5" fill="#a3271f"/>' for x, y in points),
        *(
            _text(x, y - 6, f"{float(heat):g}", 'text-anchor="middle" fill="#a3271f"')
            for (x, y), (_, heat) in zip(points, known, strict=True)
            if heat == most
        ),
    ]


def _box(winner: int | None) -> str:
    if winner is None:
        return f'y="{TOP + BAND / 2:g}" height="{BAND}" fill="url(#open)"'
    if winner == 1:
        return f'y="{TOP}" height="{BAND}" fill="#1f6f8b"'
    return f'y="{TOP + BAND}" height="{BAND}" fill="#d9822b" stroke="#20242b" stroke-width="1"'


def _text(x: float, y: float, text: str, style: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'
