"""Helpers that make moves in full-screen mode with the arrow keys, with the mouse or by typing a cell."""

from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.tui.board import Board

PATIENCE = 60.0  # seconds for what takes a moment, on a busy machine


def match(name, board=None, **settings):
    return Match(variant(rule_book(name), board), **settings)


async def by_keys(stage, board, cell):
    """Move the cursor to a cell with the arrow keys, and press Enter."""
    cols = board.picture.variant.grid.cols
    (row, col), (to_row, to_col) = divmod(board.cursor, cols), divmod(cell, cols)
    await stage.press(*["down" if to_row > row else "up"] * abs(to_row - row))
    await stage.press(*["right" if to_col > col else "left"] * abs(to_col - col))
    await stage.press("enter")


async def by_mouse(stage, board, cell):
    """Click on a cell."""
    layout = board._layout()
    x, y = layout.corner(cell)
    await stage.pilot.click(Board, offset=(layout.left + x + 1, layout.top + y))
    await stage.pilot.pause()


async def typed(stage, board, cell):
    """Type a row and a column."""
    row, col = board.picture.variant.coordinates(cell)
    await stage.press(*str(row), "space", *str(col), "enter")


async def to_the_end(stage, take):
    """Play the first and the last open cell alternately, until the game is over."""
    page = stage.app.screen
    while not page.live.game.outcome:
        await stage.until(lambda: page.live.persons_turn or page.live.game.outcome)
        if page.live.game.outcome:
            break
        game = page.live.game
        before, cells = len(game.moves), game.variant.legal_cells(game.position)
        await take(stage, page.board, cells[0] if before % 4 < 2 else cells[-1])
        assert game.moves[before] in cells
    return page.live.game
