"""Fixtures with registries and a folder that tests may change."""

import pytest

import gridlock as gl
from gridlock.core import rules


@pytest.fixture
def registries(monkeypatch, tmp_path):
    """Remove everything that a test registers or writes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules, "RULE_BOOKS", rules.RULE_BOOKS)
    known, added = dict(rules.RULE_BOOKS), dict(gl.agents._added)
    yield
    for registry, before in ((rules.RULE_BOOKS, known), (gl.agents._added, added)):
        registry.clear()
        registry.update(before)
