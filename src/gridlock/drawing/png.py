"""Boards as PNG images, rendered from SVG with bundled fonts so that they look the same on every machine.

The fonts are subsets of DejaVu Sans 2.37: the digits, and the bold characters that a marker may show. These commands
create the subsets with fonttools:

    pyftsubset DejaVuSans.ttf --unicodes=30-39 …
    pyftsubset DejaVuSans-Bold.ttf --unicodes=20-7E,D7,391-3A9,410-42F,2190-2193,25A0,25A1,25B2,25B3,25BC,25BD,25C6,
        25C7,25CB,25CE,25CF,2605,2606,2660-2667,2713,2715,2716 …

each with --no-hinting --notdef-outline --layout-features= --name-IDs=0,1,2,4,6 --drop-tables+=GDEF,GPOS,GSUB,MATH,gasp
"""

from pathlib import Path

from resvg_py import svg_to_bytes

_FONTS = Path(__file__).with_name("fonts")
_FAMILY = "DejaVu Sans"


def png_of(svg: str) -> bytes:
    """Render an SVG picture at its natural size, in light colours and without transparent corners."""
    return svg_to_bytes(
        svg_string=svg,
        background="#f4f0e6",
        skip_system_fonts=True,
        font_files=[str(path) for path in sorted(_FONTS.glob("*.ttf"))],
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
    )
