"""Check that examples run as printed: those in docstrings, on the page about agents, and in the examples folder."""

import doctest
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path

import pytest

from notebooks import run_cells

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("module", "needs"),
    [
        ("batch", "numpy"),
        pytest.param("pettingzoo", "pettingzoo", marks=pytest.mark.slow),
        pytest.param("openspiel", "pyspiel", marks=pytest.mark.slow),
        pytest.param("gymnasium", "gymnasium", marks=pytest.mark.slow),
    ],
)
def test_the_examples_run(module, needs):
    pytest.importorskip(needs)
    failed, tried = doctest.testmod(import_module(f"gridlock.envs.{module}"))
    assert tried >= 3
    assert not failed


@pytest.mark.parametrize("all_of_it", [True, False], ids=["with NumPy", "without"])
@pytest.mark.parametrize("module", ["pettingzoo", "openspiel", "gymnasium"])
def test_a_missing_framework_is_named_with_its_extra(module, all_of_it, monkeypatch):
    pytest.importorskip("numpy")
    missing = "pyspiel" if module == "openspiel" else module
    if not all_of_it:
        monkeypatch.setitem(sys.modules, "gridlock.envs.planes", None)  # which needs NumPy
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"gridlock.envs.{module}", raising=False)
    with pytest.raises(ImportError, match=rf"is missing. Install it with: pip install 'gridlock-games\[{module}\]'"):
        import_module(f"gridlock.envs.{module}")


@pytest.mark.slow  # it needs the test-all extra
def test_the_page_about_agents_is_true():
    for needs in ("numpy", "pettingzoo", "pyspiel", "gymnasium"):
        pytest.importorskip(needs)
    page = ROOT / "docs" / "rl.md"
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.failed == 0
    assert results.attempted > 25


@pytest.mark.slow  # it needs the test-all extra
def test_openspiels_algorithms_take_the_games():
    pytest.importorskip("pyspiel")
    example = run_path(str(ROOT / "examples" / "openspiel_algorithms.py"))
    assert example["who_wins"]("scatter") == "scatter 3x3: minimax 2, GridLock 2, minimax begins with 0"
    assert example["against_chance"](2) == 1.0
    assert 0 <= example["learned"](20) <= 1


def test_the_notebook_says_what_its_cells_give():
    pytest.importorskip("numpy")
    shown = [(repr(found), output["text/plain"]) for found, output in run_cells("exact_labels.ipynb")]
    assert [found for found, _ in shown] == [output for _, output in shown]
    assert len(shown) >= 5


@pytest.mark.slow  # it needs PyTorch
def test_learning_beats_random_moves():
    pytest.importorskip("sb3_contrib", reason="sb3-contrib brings PyTorch, so no extra has it")
    example = run_path(str(ROOT / "examples" / "learn.py"))
    env = example["Against"]("trails", opponent="random")
    model = example["MaskablePPO"]("MlpPolicy", env, n_steps=512, seed=1, device="cpu")
    model.learn(2048)
    assert example["won"](model, env, 50) > 0.5
