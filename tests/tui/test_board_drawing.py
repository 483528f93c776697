"""Tests of boards drawn with symbols that differ in shape as well as in colour."""

import pytest

from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.tui.layout import SIZES, SMALLEST, Layout
from gridlock.tui.picture import STYLES, Picture, draw, runs

ROOMS = [(30, 15), (50, 19), (168, 56), (20, 8), (9, 4), (400, 200)]


def game_of(name, board=None, moves=()):
    game = Game(variant(rule_book(name), board))
    for row, col in moves:
        game.push(game.variant.cell(row, col))
    return game


def drawn(picture, room, cursor=None):
    layout = Layout(picture.variant.grid, picture.variant.book.origin, room, cursor or 0)
    return layout, ["".join(sign.char for sign in line) for line in draw(picture, layout, cursor)]


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("board", ["1x2", "3x3", "5x5", "9x12", "100x100"])
def test_every_board_fits_every_room_and_every_place_leads_back(room, board):
    game = game_of("scatter", board)
    for focus in (0, game.variant.grid.size // 2, game.variant.grid.size - 1):
        layout, lines = drawn(Picture.of(game), room, focus)
        assert max(map(len, lines)) <= max(room[0], layout.label + layout.pitch[0] + 1)
        assert len(lines) == layout.height
        for row in layout.down:
            for col in layout.across:
                cell = row * layout.grid.cols + col
                x, y = layout.corner(cell)
                for over in range(layout.size.wide):
                    assert layout.cell_at(layout.left + x + over, layout.top + y) == cell
        assert layout.corner(focus)
    assert layout.cell_at(-1, -1) is None
    assert layout.cell_at(10_000, 3) is None


def test_the_largest_size_that_fits_is_taken():
    grid = variant(rule_book("showdown")).grid
    found = [Layout(grid, 1, room, 0).size for room in ((200, 60), (90, 45), (64, 35), (44, 24), (40, 18), (24, 13))]
    assert found == list(SIZES[:6])
    assert Layout(grid, 1, (17, 6), 0).size == SIZES[-1]
    assert Layout(grid, 1, (12, 6), 0).size == SMALLEST


@pytest.mark.parametrize("room", [(30, 15), (60, 25), (100, 45)])
def test_open_closed_last_and_forbidding_cells_differ_by_shape(room):
    game = game_of("showdown", moves=[(3, 3)])
    picture = Picture(game.variant, game.position, game.legal, game.moves[-1])
    _, lines = drawn(picture, room)
    text = "\n".join(lines)
    assert text.count("·") == game.legal.bit_count()
    assert text.count(":") == 24 - game.legal.bit_count()
    assert ">" in text
    assert "<" in text
    _, refused = drawn(Picture(game.variant, game.position, game.legal, game.moves[-1], causes=1 << 12), room)
    assert "!" in "".join(refused)


def test_a_small_board_to_the_letter():
    game = game_of("chain", "3x3", [(2, 2)])
    _, lines = drawn(Picture.of(game), (16, 8), cursor=0)
    assert lines == [
        "    1   2   3  ",
        "  ┏━━━┓───┬───┐",
        "1 ┃ : ┃ · │ : │",
        "  ┗━━━┛───┼───┤",
        "2 │ · │>X<│ · │",
        "  ├───┼───┼───┤",
        "3 │ : │ · │ : │",
        "  └───┴───┴───┘",
    ]


def test_without_rules_the_cursor_is_in_brackets():
    game = game_of("chain", "3x3", [(2, 2)])
    _, lines = drawn(Picture.of(game), (12, 5), cursor=4)
    assert lines == ["   1  2  3 ", "1  :  ·  : ", "2  · [X] · ", "3  :  ·  : "]
    _, lines = drawn(Picture.of(game), (8, 5), cursor=4)
    assert lines == ["   1 2 3", "1  : · :", "2  ·[X]·", "3  : · :"]


def test_pairs_are_lines_between_neighbours_and_letters_between_others():
    game = game_of("chain", "2x3")
    near = Picture(game.variant, game.position, game.legal, pairs={0: 1, 1: 0, 2: 5, 5: 2})
    _, lines = drawn(near, (20, 8))
    assert lines[2] == "1 │ ·━━━· │ · │"
    assert lines[3] == "  ├───┼───┼─┃─┤"
    far = Picture(game.variant, game.position, game.legal, pairs={0: 5, 5: 0, 2: 3, 3: 2})
    _, lines = drawn(far, (20, 8), cursor=0)
    assert [line[4:13:4] for line in lines[2::2]] == ["a·b", "b·a"]
    assert "=a=" in lines[4]
    assert lines[4] == "2 │ b │ · │=a=│"  # no line runs through the cell between them
    _, lines = drawn(Picture(game.variant, game.position, game.legal, pairs=far.pairs, drawn=False), (20, 8), cursor=0)
    assert [line[4:13:4] for line in lines[2::2]] == ["···", "···"]
    assert "=·=" in lines[4]


def test_a_diagonal_pair_is_joined_at_the_corner():
    game = game_of("showdown", "2x2")
    picture = Picture(game.variant, game.position, game.legal, pairs={0: 3, 3: 0})
    _, lines = drawn(picture, (12, 6))
    assert "╲" in lines[3]
    picture = Picture(game.variant, game.position, game.legal, pairs={1: 2, 2: 1})
    _, lines = drawn(picture, (12, 6))
    assert "╱" in lines[3]


@pytest.mark.parametrize("name", list(RULE_BOOKS))
@pytest.mark.parametrize("room", ROOMS)
def test_both_sides_look_different_and_every_style_is_known(name, room):
    book = rule_book(name)
    game = game_of(name, "4x4", [(book.origin + 0, book.origin + 1)] if book.pawns else [(2, 2)])
    layout, lines = drawn(Picture.of(game), room, cursor=5)
    for line in draw(Picture.of(game), layout, 5):
        for _, style in runs(line):
            assert set(style.split()) <= set(STYLES)
    assert "".join(text for text, _ in runs(draw(Picture.of(game), layout, 5)[-1])) == lines[-1]
