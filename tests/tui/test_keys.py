"""Tests that a terminal can send every key that a page binds or names."""

import ast
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from keys import real, real_keys
from textual.binding import Binding

import gridlock.tui

MODULES = [import_module(f"gridlock.tui.{found.name}") for found in pkgutil.iter_modules(gridlock.tui.__path__)]
BOUND = sorted(
    {
        (owner.__name__, binding.key)
        for module in MODULES
        for _, owner in inspect.getmembers(module, inspect.isclass)
        if owner.__module__.startswith("gridlock.")
        for binding in Binding.make_bindings(owner.__dict__.get("BINDINGS", ()))
    }
)


def test_all_pages_are_looked_at() -> None:
    assert {"FullScreen", "Page", "PlayPage", "WatchPage", "Board", "Form", "Note"} <= {owner for owner, _ in BOUND}


@pytest.mark.parametrize(("owner", "key"), BOUND)
def test_every_binding_is_a_key_that_a_terminal_sends(owner: str, key: str) -> None:
    assert key in real_keys(), f"{owner} binds {key!r}"


@pytest.mark.parametrize("invented", ["period", "equals", "dot", "question", "hyphen", "", "return"])
def test_invented_keys_are_refused(invented: str) -> None:
    with pytest.raises(AssertionError, match="no terminal sends"):
        real(invented)


@pytest.mark.parametrize(
    ("character", "name"),
    [(".", "full_stop"), ("+", "plus"), ("=", "equals_sign"), ("-", "minus"), ("?", "question_mark")],
)
def test_keys_are_known_by_their_characters(character: str, name: str) -> None:
    assert real(character) == real(name) == name
    assert real_keys()[name] == character


def test_no_test_presses_keys_past_the_check() -> None:
    """Tests press keys only through the `Stage` helper, which first checks that a terminal can send each key."""
    pressing = {
        path.name
        for path in Path(__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "press" and ast.unparse(node.value).endswith("pilot")
    }
    assert pressing == {"conftest.py"}
