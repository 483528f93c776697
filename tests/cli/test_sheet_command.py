"""Tests of `gridlock sheet`, which writes to a file or to standard output."""

from gridlock.play.sheet import sheet_html


def test_the_sheet_goes_to_standard_output(gridlock):
    assert gridlock("sheet", "--kind", "values", "--seed", "7") == (0, sheet_html(7), "")


def test_the_sheet_goes_to_a_new_file(tmp_path, gridlock):
    file = tmp_path / "sheet.html"
    assert gridlock("sheet", "--seed", "7", "--out", str(file)) == (0, "", f"Wrote the exercise sheet to {file}.\n")
    assert file.read_text(encoding="utf-8") == sheet_html(7)
    code, out, err = gridlock("sheet", "--seed", "8", "--out", str(file))
    assert (code, out) == (2, "")
    assert "Invalid value for '--out'" in err
    assert file.read_text(encoding="utf-8") == sheet_html(7)


def test_wrong_usage(gridlock):
    assert gridlock("sheet", "--kind", "sums")[0] == 2
    assert gridlock("sheet", "--seed", "x")[0] == 2
    assert gridlock("sheet", "--out", "")[0] == 2
