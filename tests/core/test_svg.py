"""Tests that pictures of boards are well-formed, are harmless, and show exactly what is on the board."""

import random
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock import RULE_BOOKS, Game, Position, Variant, cells_of, variant
from gridlock.drawing.svg import CELL, board_svg

SVG = "{http://www.w3.org/2000/svg}"


def played(name: str, board: str | None, moves: int, seed: int) -> Game:
    """Return a game after some random moves."""
    rng, game = random.Random(seed), Game(variant(name, board))
    while len(game.moves) < moves and game.legal:
        game.push(rng.choice(cells_of(game.legal)))
    return game


def drawn(root: ElementTree.Element, kind: str) -> set[tuple[int, int]]:
    """Return the row and column, counted from 0, of every cell that contains the given kind of mark."""
    middles = set()
    for path in root.iter(f"{SVG}path"):
        if path.get("class") == kind:
            for x, y in re.findall(r"M(\d+) (\d+)", path.get("d", "")):
                assert (int(x) - CELL // 2) % CELL == (int(y) - CELL // 2) % CELL == 0
                middles.add((int(y) // CELL, int(x) // CELL))
    return middles


def places(chosen: Variant, wanted: set[int]) -> set[tuple[int, int]]:
    return {divmod(cell, chosen.grid.cols) for cell in wanted}


@given(st.sampled_from(list(RULE_BOOKS)), st.integers(1, 7), st.integers(2, 7), st.integers(0, 20), st.integers())
def test_every_mark_stands_where_it_should_and_nowhere_else(
    name: str, rows: int, cols: int, moves: int, seed: int
) -> None:
    game = played(name, f"{rows}x{cols}", moves, seed)
    chosen, position = game.variant, game.position
    last = game.moves[-1] if game.moves else None
    root = ElementTree.fromstring(board_svg(chosen, position, title="A board", last=last))

    seen: dict[str, set[int]] = {}
    for cell in range(rows * cols):
        seen.setdefault(chosen.content(position, cell), set()).add(cell)
    first, second = chosen.book.marks
    shape = "pawn" if chosen.book.pawns else "mark"
    assert drawn(root, f"one {shape}") == places(chosen, seen.get(first, set()))
    assert drawn(root, f"two {shape}") == places(chosen, seen.get(second, set()))
    assert drawn(root, "one hatch") | drawn(root, "two hatch") == places(chosen, seen.get("#", set()))
    assert drawn(root, "open") == places(chosen, set(chosen.legal_cells(position)))
    assert drawn(root, "last") == places(chosen, set() if last is None else {last})


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_rows_and_columns_are_numbered_as_the_game_counts(name: str) -> None:
    chosen = variant(name, "3x4")
    root = ElementTree.fromstring(board_svg(chosen, chosen.start(), title="A board"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    first = chosen.book.origin
    numbers = [str(first + number) for number in (*range(4), *range(3))]
    assert texts[: len(numbers)] == numbers


def test_large_boards_number_every_tenth_row_and_stay_small() -> None:
    game = played("scatter", "100x100", 1000, 1)
    text = board_svg(game.variant, game.position, title="Large")
    root = ElementTree.fromstring(text)
    tens = [str(number) for number in range(10, 101, 10)]
    assert [label.text for label in root.iter(f"{SVG}text")] == tens + tens
    assert max(int(root.get("width", "")), int(root.get("height", ""))) == 960
    assert len(text) < 250_000


@pytest.mark.parametrize("board", ["1x1", "1x100", "100x1", "100x100"])
def test_every_board_can_be_drawn(board: str) -> None:
    chosen = variant("chain", board)
    root = ElementTree.fromstring(board_svg(chosen, chosen.start().after(0), title="A board", last=0))
    _, _, width, height = (int(number) for number in root.get("viewBox", "").split())
    assert width > chosen.grid.cols * CELL
    assert height > chosen.grid.rows * CELL
    assert drawn(root, "one mark") == {(0, 0)}


def test_the_picture_has_a_title_and_says_in_words_what_it_shows() -> None:
    chosen = variant("trails")
    position = chosen.start().after(1)
    root = ElementTree.fromstring(board_svg(chosen, position, title="Ada against Bob", last=1))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Ada against Bob"
    assert root.findtext(f"{SVG}desc") == (
        "Trails, 3 rows by 3 columns. A on 0,1. B on 2,2. Blocked: 0,0. Last move: 0,1. Open to B: 1,2; 2,1."
    )


def test_a_large_board_is_described_by_numbers() -> None:
    chosen = variant("showdown", "9x9")
    root = ElementTree.fromstring(board_svg(chosen, chosen.start().after(0), title="A board"))
    assert root.findtext(f"{SVG}desc") == (
        "Showdown, 9 rows by 9 columns. X on 1 cell. O on no cell. Open to O: 77 cells."
    )


@given(st.text(max_size=60) | st.just("</title><script>alert(1)</script>\x1b[2J\x00\ufffe\ud800&amp;\"'"))
def test_a_title_can_never_become_anything_but_text(title: str) -> None:
    chosen = variant("chain")
    text = board_svg(chosen, chosen.start(), title=title)
    text.encode()
    root = ElementTree.fromstring(text)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg", "title", "desc", "style", "rect", "path", "g", "text"
    }  # fmt: skip
    assert all(char.isprintable() or char == "\n" for char in text)
    expected = "".join(char if char.isprintable() else " " for char in title)
    assert (root.findtext(f"{SVG}title") or "") == expected


def test_cells_can_be_left_undotted() -> None:
    chosen = variant("scatter")
    root = ElementTree.fromstring(board_svg(chosen, Position(1, 2, 0, 1, 1), title="Resigned", legal=0))
    assert drawn(root, "open") == set()


def test_nothing_of_the_style_reaches_the_page_around_the_picture() -> None:
    chosen = variant("chain")
    root = ElementTree.fromstring(board_svg(chosen, chosen.start(), title="A board"))
    rules = [line for line in (root.findtext(f"{SVG}style") or "").split("\n") if line not in ("", "}")]
    assert rules
    assert all(line.startswith((".gridlock-board ", "@media")) for line in rules)
    assert not [name for element in root.iter() for name in element.attrib if name == "id" or name.startswith("on")]
