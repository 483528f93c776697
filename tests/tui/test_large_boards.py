"""Tests of boards that are larger than the window: the visible part, the marks for hidden cells, and scrolling."""

import pytest
from textual import events
from thinkers import LateThinker

from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.tui.board import Board
from gridlock.tui.layout import Layout
from gridlock.tui.overview import Miniature, Overview
from gridlock.tui.picture import Picture, draw
from tiers import mostly_deep

SIZES = [(80, 24), (60, 20), (40, 12), (24, 8), (120, 40)]


def match(board, **settings):
    return Match(variant(rule_book(settings.pop("game", "scatter")), board), **settings)


def in_sight(stage, cell):
    return stage.app.screen.query_one(Board)._layout().corner(cell)


def drawn(room, focus, board="30x30"):
    """Return the layout and the drawn lines of the visible part of an empty board."""
    book = variant(rule_book("scatter"), board)
    layout = Layout(book.grid, book.book.origin, room, focus)
    lines = draw(Picture(book, book.start(1), book.grid.cells), layout)
    return layout, ["".join(sign.char for sign in line) for line in lines]


def test_the_edges_show_where_the_board_goes_on():
    _, middle = drawn((24, 12), 15 * 30 + 15)
    assert middle[0].startswith("^v")
    assert all(line[2] == "<" and line.endswith(">") for line in middle[2:-1])
    assert middle[-1].startswith("^ 11 above  v 10 below")
    _, corner = drawn((40, 12), 0)
    assert corner[0].startswith("v ")
    assert not any("<" in line for line in corner)
    assert corner[-1].strip() == "v 21 below  > 12 right"
    _, whole = drawn((70, 40), 0)
    assert not any(set(line) & set("<>^v") for line in whole)
    layout, few = drawn((10, 4), 899)
    assert few[0].startswith("^ ")
    assert len(few) == 4  # no line is spent on words
    assert "<" in few[-1]
    assert len(layout.down) == 2


def test_a_part_moves_only_as_far_as_it_must():
    grid = variant(rule_book("scatter"), "30x30").grid
    layout = Layout(grid, 1, (24, 12), 5 * 30 + 5, (3, 3))
    assert (layout.down.start, layout.across.start) == (3, 3)
    layout = Layout(grid, 1, (24, 12), 20 * 30 + 5, (3, 3))
    assert layout.down[-2] == 20  # one more row beyond the cell
    assert layout.across.start == 3
    layout = Layout(grid, 1, (24, 12), 0, (3, 3))
    assert (layout.down.start, layout.across.start) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_computers_move_comes_into_sight(play, size, monkeypatch):
    monkeypatch.setattr("gridlock.tui.match.choose_move", lambda game, *_rest: 29 * 30 + 28 if game.moves else 0)

    async def scene(stage):
        page = stage.app.screen
        opponent = stage.app.state.opponent = LateThinker()
        opponent.may_answer.set()
        await stage.press("1", "space", "1", "enter")
        await stage.until(lambda: len(page.live.game.moves) == 2)
        await stage.pilot.pause()
        assert in_sight(stage, page.live.game.moves[1])
        assert in_sight(stage, page.board.cursor)
        if page.has_class("-narrow"):
            assert "O played 30,29." in stage.said("#words")

    play(scene, size, match("30x30", kinds=("human", "easy")))


@pytest.mark.slow
def test_the_computers_pawn_is_shown_and_the_own_one_comes_back_with_a_key(play, monkeypatch):
    monkeypatch.setattr("gridlock.tui.match.choose_move", lambda game, *_rest: 899 - len(game.moves[1::2]) - 1)

    async def scene(stage):
        page = stage.app.screen
        game = page.live.game
        opponent = stage.app.state.opponent = LateThinker()
        opponent.may_answer.set()
        assert in_sight(stage, 0)
        await stage.press("right", "enter")
        await stage.until(lambda: game.moves == [1, 898])
        assert page.board.cursor == 1  # so that an arrow key is a step
        assert in_sight(stage, 898)
        assert not in_sight(stage, 1)
        await stage.press("enter")  # the cursor is out of sight, so this only shows it
        assert in_sight(stage, 1)
        assert not page.said
        await stage.press("down", "enter")
        assert game.moves[2] == 31

    play(scene, (60, 20), match("30x30", game="trails", kinds=("human", "easy")))


@pytest.mark.slow
def test_two_people_each_see_their_own_pawn(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("right", "enter")
        assert page.board.cursor == 899
        assert in_sight(stage, 899)
        await stage.press("left", "enter")
        assert page.live.game.moves == [1, 898]
        assert in_sight(stage, 1)

    play(scene, (60, 20), match("30x30", game="trails"))


@pytest.mark.slow
def test_a_key_for_the_last_move_and_one_for_the_overview(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("1", "space", "1", "enter")
        page.board.point(29 * 30 + 29)
        await stage.pilot.pause()
        assert not in_sight(stage, 0)
        await stage.press("l")
        assert page.board.cursor == 0
        assert in_sight(stage, 0)
        await stage.press("m")
        assert isinstance(stage.app.screen, Overview)
        assert "last move: 1,1" in stage.text()
        await stage.press("down", "down", "right", "enter")
        assert stage.app.screen is page
        row, col = divmod(page.board.cursor, 30)
        assert row >= 2
        assert col == 1
        assert in_sight(stage, page.board.cursor)
        await stage.press("m", "escape")
        assert stage.app.screen is page

    play(scene, (60, 20), match("30x30"))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("board", mostly_deep(["30x30", "100x100", "3x90"], "100x100"))
def test_the_overview_fits_every_window(play, size, board):
    async def scene(stage):
        page = stage.app.screen
        grid = page.live.match.variant.grid
        page.action_overview()
        await stage.pilot.pause()
        miniature = stage.app.screen.query_one(Miniature)
        assert miniature.region.right <= size[0]
        assert miniature.region.bottom <= size[1]
        lines, columns = miniature.size.height, miniature.size.width
        covered = [cell for line in range(lines) for column in range(columns) for cell in miniature.cells(line, column)]
        assert sorted(covered) == list(range(grid.size))
        shown = miniature.region
        drawn = [line[shown.x : shown.right] for line in stage.lines()[shown.y : shown.bottom]]
        assert "X" in drawn[0][0]
        await stage.pilot.click(Miniature, offset=(columns - 1, lines - 1))
        assert stage.app.screen is page
        assert page.board.cursor in miniature.cells(lines - 1, columns - 1)

    played = match(board)
    played.current().push(0)
    play(scene, size, played)


@pytest.mark.slow
def test_the_wheel_and_the_edges_scroll_and_the_mouse_alone_does_not(play):
    async def scene(stage):
        page = stage.app.screen
        board = page.board
        page.board.point(0)
        await stage.pilot.pause()
        first = board._layout().down
        for y in range(board.size.height):
            await stage.pilot.hover(Board, offset=(10, y))
        assert board._layout().down == first  # nothing moves away under the mouse
        x, y = board.region.x + 10, board.region.y + 5
        wheel = {"widget": board, "x": 10, "y": 5, "delta_x": 0, "delta_y": 1, "button": 0, "shift": False}
        wheel |= {"meta": False, "ctrl": False, "screen_x": x, "screen_y": y}
        board.post_message(events.MouseScrollDown(**wheel))
        await stage.pilot.pause()
        assert board._layout().down.start > first.start
        await stage.pilot.click(Board, offset=(10, 0))  # the edge above
        assert board._layout().down == first
        before = board._layout().across
        await stage.pilot.click(Board, offset=(board.size.width - 1, 5))
        assert board._layout().across.start > before.start
        assert not page.live.game.moves

    play(scene, (40, 12), match("30x30"))


@pytest.mark.slow
@pytest.mark.parametrize(("board", "shown"), [("9x9", True), ("15x15", True), ("30x30", False), ("100x100", False)])
def test_the_side_panel_gives_way_to_a_large_board(play, board, shown):
    async def scene(stage):
        assert stage.app.screen.query_one("#side").display == shown
        assert ("m overview" in stage.text()) == (not shown)  # keys for large boards only

    play(scene, (80, 24), match(board))
