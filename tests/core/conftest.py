"""A fixture that lets a test change the registries and the current folder."""

import pytest

import gridlock as gl
from gridlock.core import rules


@pytest.fixture
def registries(monkeypatch, tmp_path):
    """Run a test in an empty folder, and afterwards restore the registries of games and agents."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules, "RULE_BOOKS", rules.RULE_BOOKS)
    known, added = dict(rules.RULE_BOOKS), dict(gl.agents._added)
    yield
    for registry, before in ((rules.RULE_BOOKS, known), (gl.agents._added, added)):
        registry.clear()
        registry.update(before)
