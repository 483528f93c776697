"""Make the pages' typeface: the characters of Zilla Slab that the pages need, with digits as tall as capitals.

npm pack @fontsource/zilla-slab && tar xzf fontsource-zilla-slab-*.tgz
pip install fonttools brotli
python .ci/typeface.py package/files/zilla-slab-latin-600-normal.woff2 src/gridlock/web/static/zilla-slab.woff2
"""

import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”•…−")]  # noqa: RUF001


def main(source: str, target: str) -> None:
    """Write the typeface."""
    font = TTFont(source)
    for table in font["cmap"].tables:
        for digit in "0123456789":
            table.cmap[ord(digit)] = f"uni{ord(digit):04X}.pnum_lnum"
    options = Options()
    options.layout_features, options.hinting, options.flavor = ["kern", "liga", "tnum"], False, "woff2"
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
