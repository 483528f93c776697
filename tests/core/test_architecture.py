"""Tests that the architecture map covers the whole code base."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_map_names_every_module_by_its_path_and_nothing_else():
    page = (ROOT / "docs" / "architecture.md").read_text()
    folder, named = "", []
    for line in page[page.index("```\n") : page.index("## Ideas")].splitlines():
        if heading := re.match(r"([a-z_/]+/)\s", line):
            folder = heading.group(1)
        named += [folder + name for name in re.findall(r"(\w+\.py)\b", line)]
    source = ROOT / "src" / "gridlock"
    there = [path.relative_to(source).as_posix() for path in source.rglob("*.py") if path.name != "__init__.py"]
    assert sorted(named) == sorted(there)
