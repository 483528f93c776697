"""Expected values for the JavaScript tests: segno computes the QR codes, and GridLock computes all other values.

python tests/js/vectors.py > tests/js/vectors.json
"""

import json
from itertools import product
from typing import Any

import segno

import gridlock as gl
from gridlock.core.errors import GridLockError
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.position import Position
from gridlock.core.shape import Follow, Shape
from gridlock.play.share import puzzle_lines
from gridlock.web.wire.messages import Setup
from gridlock.web.wire.setups import game_of

LINK = "http://192.168.1.5:8000/play#"
# Lengths that fill a QR code of versions 1, 6, 7, 10, 13, 19 and 25. Only QR codes without padding are
# compared, because segno adds an unnecessary zero byte before the padding.
FULL = (14, 106, 122, 213, 331, 624, 997)
FULL_5 = 84
UNICODE = "https://example.org/design#Größe-孤独-👩‍👧-xxxxxxxx"  # 62 bytes, which fill version 4
BOARDS = (  # game, board and moves of positions that a pairing decides
    ("keepaway", "3x3", ""),
    ("keepaway", "5x5", "1,1 3,3 5,5"),
    ("keepaway", "6x6", ""),
    ("keepaway", "8x8", "4,4 1,1 8,8 1,8"),
    ("keepaway", "3x7", "1,1 3,3"),
    ("chain", "7x7", "1,1 2,2 3,3"),
)


def codes() -> list[dict[str, Any]]:
    """Return reference QR codes, each with its text, mask, size, and rows in hexadecimal."""
    texts = [((LINK * 40)[:length], length % 8) for length in FULL]
    texts += [((LINK * 3)[:FULL_5], mask) for mask in range(8)]
    return [_code(text, mask) for text, mask in [*texts, (UNICODE, 0)]]


def _code(text: str, mask: int) -> dict[str, Any]:
    made = segno.make(text.encode(), error="m", micro=False, boost_error=False, mode="byte", mask=mask)
    rows = [f"{int(''.join(map(str, row)), 2):x}" for row in made.matrix]
    return {"text": text, "mask": mask, "size": len(rows), "rows": rows}


def pairings() -> list[dict[str, Any]]:
    """Return boards with pairs of cells; a move on one cell of a pair is answered on the other.

    Cells are numbered row by row.
    """
    found = []
    for name, board, moves in BOARDS:
        game = gl.Game(name, board, adjacency="king")
        for move in moves.split():
            game.push(move)
        rows, cols = map(int, board.split("x"))
        pairs = [
            [_cell(game, one, cols), _cell(game, other, cols)]
            for one, other in game.analyse(distances=False).proof.pairing
        ]
        found.append({"board": f"{name} {board} {moves}".strip(), "rows": rows, "cols": cols, "pairs": pairs})
    return found


def _cell(game: gl.Game, place: tuple[int, int], cols: int) -> int:
    origin = game.variant.book.origin
    return (place[0] - origin) * cols + place[1] - origin


def designs() -> list[dict[str, Any]]:
    """Return every combination of rules, and whether the server accepts it on a board with enough room."""
    yes_or_no = (False, True)
    return [
        {**shape, "passes": passes, "playable": _is_playable("7x7", passes, **shape)}
        for own, other, follows, pawn, passes in product(
            yes_or_no, yes_or_no, (None, *map(str, Follow)), yes_or_no, yes_or_no
        )
        for shape in [{"closes_own": own, "closes_other": other, "follows": follows, "pawn": pawn}]
    ]


def boards() -> list[dict[str, Any]]:
    """Return board sizes for games with and without pawns, and whether the server accepts each size."""
    sides = (-1, 0, 1, 2, 30, 31, 100)
    return [
        {"rows": str(rows), "cols": str(cols), "pawn": pawn, "accepted": accepted}
        for rows, cols, pawn in product(sides, sides, (False, True))
        for accepted in [_game(f"{rows}x{cols}", False, follows="away" if pawn else None, pawn=pawn) is not None]
    ]


def _game(board: str, passes: bool, **shape: Any) -> gl.Game | None:
    said = {key: value for key, value in shape.items() if value}
    definition = {"title": "Own", "board": board, "passes": passes, "shape": said}
    try:
        return game_of(Setup(game="own", definition=definition))
    except GridLockError:
        return None


def _is_playable(board: str, passes: bool, **shape: Any) -> bool:
    game = _game(board, passes, **shape)
    return game is not None and game.outcome is None


# The picture for each choice: the shape, the cells taken by the side to move, and the cells taken by the other side.
CHOICES = {
    "anywhere": (Shape(), [], [0]),
    "next": (Shape(follows=Follow.NEAR), [], [0]),
    "away": (Shape(follows=Follow.AWAY), [], [0]),
    "step": (Shape(follows=Follow.NEAR, pawn=True), [0, 3], []),
    "leap": (Shape(follows=Follow.AWAY, pawn=True), [0, 8], []),
    "closes_own": (Shape(closes_own=True), [0], []),
    "closes_other": (Shape(closes_other=True), [], [0]),
}


def pictures() -> list[dict[str, Any]]:
    """Return pictures of the rule choices; each picture shows which cells a marker in the corner leaves open."""
    drawn = []
    for adjacency, (choice, (shape, mine, theirs)) in product(Adjacency, CHOICES.items()):
        grid = Grid(3, 3, adjacency)
        heads = [0 if cells else None for cells in (mine, theirs)]
        legal = shape.legal(grid, Position(*(sum(1 << cell for cell in cells) for cells in (mine, theirs)), *heads, 1))
        cells = ["." if legal >> cell & 1 else "-" for cell in range(9)]
        cells[0] = "A" if shape.pawn else "X" if mine else "O"
        if shape.pawn:
            cells[mine[1]] = "#"
        drawn.append({"adjacency": adjacency, "choice": choice, "picture": "".join(cells)})
    return drawn


def shares() -> list[dict[str, Any]]:
    """Return some daily-puzzle results; each includes the text that a player would share, but not the link."""
    results = [
        ("2026-11-17", "Scatter", "5x5", 2, "121", 3),
        ("2026-11-22", "Trails", "5x5", 5, "1111111", 1),
        ("2026-11-16", "Chain", "4x6", 1, "12x", 0),
        ("2026-11-20", "Keep-Away", "4x4", 3, "x", 0),
    ]
    names = ("day", "title", "board", "difficulty", "marks", "days")
    return [
        dict(zip(names, one, strict=True)) | {"lines": puzzle_lines(one[0], f"{one[1]} {one[2]}", *one[3:])}
        for one in results
    ]


if __name__ == "__main__":
    made = (codes, pairings, designs, boards, pictures, shares)
    parts = {part.__name__: part() for part in made}
    lines = ",\n".join(f'"{name}": [\n' + ",\n".join(map(json.dumps, part)) + "\n]" for name, part in parts.items())
    print("{" + lines + "}")
