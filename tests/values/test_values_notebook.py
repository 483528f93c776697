"""Check that the notebook about values stores the actual output of its cells, including pictures."""

from notebooks import run_cells


def test_the_notebook_shows_what_its_cells_give():
    pictures = 0
    shown = list(run_cells("values.ipynb"))
    for found, output in shown:
        assert repr(found) == output["text/plain"]
        drawn = found._repr_svg_() if hasattr(found, "_repr_svg_") else None
        assert output.get("image/svg+xml") == drawn
        pictures += drawn is not None
    assert len(shown) >= 7
    assert pictures >= 2
