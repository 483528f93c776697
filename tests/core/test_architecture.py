"""The map of the code shows all of it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_map_names_every_module_and_nothing_else():
    page = (ROOT / "docs" / "architecture.md").read_text()
    drawn = page[page.index("```\n") : page.index("## Ideas")]
    named = set(re.findall(r"(\w+\.py)\b", drawn))
    there = {path.name for path in (ROOT / "src" / "gridlock").rglob("*.py")} - {"__init__.py"}
    assert named == there
