"""The examples in the modules' own words run as they stand."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("module", "needs"),
    [("batch", "numpy"), ("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel"), ("gymnasium", "gymnasium")],
)
def test_the_examples_run(module, needs):
    pytest.importorskip(needs)
    failed, tried = doctest.testmod(import_module(f"gridlock.envs.{module}"))
    assert tried >= 3
    assert not failed


@pytest.mark.parametrize("module", ["pettingzoo", "openspiel", "gymnasium"])
def test_a_missing_framework_is_named_with_its_extra(module, monkeypatch):
    pytest.importorskip("numpy")
    import sys

    missing = "pyspiel" if module == "openspiel" else module
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"gridlock.envs.{module}", raising=False)
    with pytest.raises(ImportError, match=rf"is missing. Install it with: pip install 'gridlock-games\[{module}\]'"):
        import_module(f"gridlock.envs.{module}")
