"""Expected values for the JavaScript tests: QR codes drawn by segno, pairings found by the engine, results to share.

python tests/js/vectors.py > tests/js/vectors.json
"""

import json
from typing import Any

import segno

import gridlock as gl
from gridlock.play.share import puzzle_lines

LINK = "http://192.168.1.5:8000/play#"
# Lengths that fill a QR code of versions 1, 6, 7, 10, 13, 19 and 25. Only full codes are compared, because segno adds
# an unnecessary zero byte before the padding that the standard requires.
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
    """Return strings, masks, and the rows of their codes as hexadecimal numbers."""
    texts = [((LINK * 40)[:length], length % 8) for length in FULL]
    texts += [((LINK * 3)[:FULL_5], mask) for mask in range(8)]
    return [_code(text, mask) for text, mask in [*texts, (UNICODE, 0)]]


def _code(text: str, mask: int) -> dict[str, Any]:
    made = segno.make(text.encode(), error="m", micro=False, boost_error=False, mode="byte", mask=mask)
    rows = [f"{int(''.join(map(str, row)), 2):x}" for row in made.matrix]
    return {"text": text, "mask": mask, "size": len(rows), "rows": rows}


def pairings() -> list[dict[str, Any]]:
    """Return boards with the pairs of cells that answer each other, with cells numbered row by row."""
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


def shares() -> list[dict[str, Any]]:
    """Return results of daily puzzles, and the lines to share above the link."""
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
    parts = {"codes": codes(), "pairings": pairings(), "shares": shares()}
    lines = ",\n".join(f'"{name}": [\n' + ",\n".join(map(json.dumps, part)) + "\n]" for name, part in parts.items())
    print("{" + lines + "}")
