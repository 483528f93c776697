"""Text inside SVG and HTML: made safe, and its width estimated."""

from html import escape
from unicodedata import category, east_asian_width


def safe_text(text: str) -> str:
    """Make text safe inside XML and HTML: no control or invisible characters, and tags escaped."""
    return escape("".join(char if char.isprintable() else " " for char in text), quote=True)


def text_width(text: str) -> int:
    """Estimate the width of a text in pixels, at a font size of 13."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if category(char) in ("Mn", "Me"):
        return 0
    return 14 if east_asian_width(char) in "WF" else 10 if char.isupper() else 7
