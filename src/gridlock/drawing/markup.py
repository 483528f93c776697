"""Make text safe for SVG and HTML, estimate its width, and write the beginning of an HTML file."""

from html import escape
from unicodedata import category, east_asian_width

# The page is not allowed to run scripts or to load anything from another site.
_START = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<h1>{title}</h1>
"""


def safe_text(text: str) -> str:
    """Make text safe for XML and HTML: replace control and invisible characters, and escape tags."""
    return escape("".join(char if char.isprintable() else " " for char in text), quote=True)


def page_start(title: str, style: str) -> str:
    """Return the beginning of a self-contained HTML file: its head, and its title as a heading."""
    return _START.format(title=safe_text(title), style=style)


def text_width(text: str) -> int:
    """Estimate the width of a string in pixels, at a font size of 13."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if category(char) in ("Mn", "Me"):
        return 0
    return 14 if east_asian_width(char) in "WF" else 10 if char.isupper() else 7
