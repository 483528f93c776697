"""The types that the page's JavaScript is checked with name the fields that the server sends."""

import re
from pathlib import Path

import pytest

import gridlock.web
from gridlock.web.openapi import OPENAPI

WEB = Path(gridlock.web.__file__).parent
SCHEMAS = OPENAPI["components"]["schemas"]
ANSWERS = ["Catalogue", "Created", "Seat", "Position", "State", "Why", "Analysis", "Review"]


def fields(text: str, name: str) -> set[str]:
    """The fields of an interface, those that it extends included."""
    found = re.search(rf"interface {name}(?: extends (\w+))? \{{\n(.*?)\n\}}", text, re.DOTALL)
    assert found, f"messages.d.ts has no interface {name}"
    own = set(re.findall(r"^  (\w+)\??:", found[2], re.MULTILINE))
    return own | (fields(text, found[1]) if found[1] else set())


@pytest.mark.parametrize("name", ANSWERS)
def test_a_declared_answer_has_the_fields_of_the_served_one(name: str) -> None:
    declared = fields((WEB / "messages.d.ts").read_text(), name)
    assert declared == set(SCHEMAS[name]["properties"])


@pytest.mark.parametrize(
    ("interface", "part"),
    [
        ("BoardView", SCHEMAS["State"]["properties"]["board"]),
        ("Setup", SCHEMAS["State"]["properties"]["setup"]),
        ("HistoryEntry", SCHEMAS["State"]["properties"]["moves"]["items"]),
        ("PlayerView", SCHEMAS["State"]["properties"]["players"]["prefixItems"][0]),
        ("Game", SCHEMAS["Catalogue"]["properties"]["games"]["items"]),
        ("Findings", SCHEMAS["Analysis"]["properties"]["analysis"]),
        ("ReviewStep", SCHEMAS["Review"]["properties"]["steps"]["items"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_and_so_have_its_parts(interface: str, part: dict[str, dict[str, object]]) -> None:
    if "$ref" in part:
        part = SCHEMAS[str(part["$ref"]).rsplit("/", 1)[-1]]
    assert fields((WEB / "messages.d.ts").read_text(), interface) == set(part["properties"])


def test_every_element_that_a_module_asks_for_is_on_a_page() -> None:
    static = WEB / "static"
    there = {id for page in static.glob("*.html") for id in re.findall(r'\bid="([\w-]+)"', page.read_text())}
    asked = {id for module in static.glob("*.js") for id in re.findall(r'\$\("([\w-]+)"\)', module.read_text())}
    typed = re.search(r"interface Elements \{\n(.*?)\n\}", (WEB / "page.d.ts").read_text(), re.DOTALL)
    assert typed
    named = {name.strip('"') for name in re.findall(r'^  ("?[\w-]+"?):', typed[1], re.MULTILINE)}
    assert asked | named <= there
    assert len(asked) > 40
