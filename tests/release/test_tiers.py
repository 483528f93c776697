"""Check that every test in the quick tier can run with only the `test` extra installed."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
QUICK = {"fcntl", "numpy", "segno"}  # modules that come with the `test` extra or with Python


def needed(tree: ast.AST) -> set[str]:
    """Return the packages that a module or a test requires with `importorskip`."""
    return {
        str(ast.literal_eval(call.args[0])).partition(".")[0]
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "importorskip"
        and isinstance(call.args[0], ast.Constant)
    } - {*QUICK, "gridlock"}


def skipped_in_the_quick_tier(text: str) -> list[str]:
    """Return the names of a module's quick tests that need extra packages.

    If the test module itself cannot be imported without extra packages, the list also contains the string "the module".
    """
    tree = ast.parse(text)
    marks = [ast.unparse(one) for one in tree.body if isinstance(one, ast.Assign) and "pytestmark" in ast.unparse(one)]
    if any("mark.slow" in mark or "mark.deep" in mark for mark in marks):
        return []
    tests = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    whole = ast.Module([one for one in tree.body if one not in tests], [])
    found = ["the module"] if needed(whole) else []
    for test in tests:
        marked = any("mark.slow" in ast.unparse(one) or "mark.deep" in ast.unparse(one) for one in test.decorator_list)
        found += [test.name] if needed(test) and not marked else []
    return found


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.stem)
def test_what_needs_more_is_not_quick(path: Path) -> None:
    assert not skipped_in_the_quick_tier(path.read_text())


def test_the_check_finds_what_it_should() -> None:
    module = "import pytest\nzoo = pytest.importorskip('pettingzoo')\n"
    test = "def test_one():\n    pytest.importorskip('jax.numpy')\n"
    assert skipped_in_the_quick_tier(module) == ["the module"]
    assert skipped_in_the_quick_tier(test) == ["test_one"]
    assert skipped_in_the_quick_tier(module + "pytestmark = pytest.mark.slow\n") == []
    assert skipped_in_the_quick_tier("@pytest.mark.slow\n" + test) == []
