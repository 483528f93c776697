"""The swing of a game as a picture: who was winning after every move."""

from html import escape

from gridlock.position import Side

STEP, BAND, LEFT, TOP = 22, 44, 118, 46


def swing_svg(winners: list[Side | None], mistakes: set[int], names: tuple[str, str], title: str) -> str:
    """A chart: one column for each position (the start, then after every move), up for the first side, down for the
    second, hatched where nobody knows; a mistake has an exclamation mark above its column."""
    width = LEFT + STEP * len(winners) + 24
    height = TOP + 2 * BAND + 40
    middle = TOP + BAND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(_in_words(winners, mistakes, names))}</desc>",
        '<defs><pattern id="open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path d="M0 0V6" stroke="#8a8f98" stroke-width="2"/></pattern></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfaf7"/>',
        f'<text x="16" y="26" font-weight="600" fill="#20242b">{escape(title)}</text>',
    ]
    for side, y in ((1, TOP + BAND / 2 + 5), (2, middle + BAND / 2 + 5)):
        parts.append(f'<text x="16" y="{y:g}" fill="#20242b">{escape(names[side - 1][:12])}</text>')
    for index, winner in enumerate(winners):
        x = LEFT + index * STEP
        if winner is None:
            box = f'y="{TOP + BAND / 2:g}" height="{BAND}" fill="url(#open)"'
        elif winner == 1:
            box = f'y="{TOP}" height="{BAND}" fill="#1f6f8b"'
        else:
            box = f'y="{middle}" height="{BAND}" fill="#d9822b" stroke="#20242b" stroke-width="1"'
        parts.append(f'<rect x="{x + 2}" width="{STEP - 4}" rx="3" {box}/>')
        if index in mistakes:
            parts.append(
                f'<text x="{x + STEP / 2:g}" y="{TOP - 5}" text-anchor="middle" font-weight="700" '
                'fill="#a3271f">!</text>'
            )
        if index % 5 == 0:
            parts.append(
                f'<text x="{x + STEP / 2:g}" y="{height - 14}" text-anchor="middle" fill="#5b616b">{index}</text>'
            )
    parts.append(f'<path d="M{LEFT} {middle}H{width - 16}" stroke="#20242b" stroke-width="1.5"/></svg>')
    return "\n".join(parts) + "\n"


def _in_words(winners: list[Side | None], mistakes: set[int], names: tuple[str, str]) -> str:
    """The same for somebody who cannot see it."""
    first = next((winner for winner in winners if winner), None)
    start = f"{names[first - 1]} was winning first" if first else "It is not known who was winning"
    turns = f"; the win changed hands after move {', '.join(map(str, sorted(mistakes)))}" if mistakes else ""
    return f"{start}{turns}."
