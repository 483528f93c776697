"""The columns of a dataset, and a buffer that collects its rows one by one."""

from __future__ import annotations

from array import array
from typing import Any

from gridlock.core.errors import needs
from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Position
from gridlock.engine.evidence import Method

with needs("dataset"):
    import numpy as np
    from numpy.typing import NDArray

Columns = dict[str, "NDArray[Any]"]
PROOFS = np.array([str(method) for method in Method])
_NUMBERS = {method: number for number, method in enumerate(Method)}
NONE = -1  # no such cell, or an unknown distance
LOSES = 255  # -1 as a byte


class Rows:
    """Labelled positions on one board, added one at a time and returned as arrays."""

    def __init__(self, size: int, distances: bool) -> None:
        self.size = size
        self.distances = distances
        self.count = 0
        self._clear()

    def _clear(self) -> None:
        self._board, self._values, self._partner = bytearray(), bytearray(), bytearray()
        self._turn, self._value, self._proof = array("b"), array("b"), bytearray()
        self._my_head, self._their_head, self._best, self._distance = (array("h") for _ in range(4))
        self._distances = array("h")

    def add(
        self,
        board: bytes | bytearray,  # 1 for the first player's markers, 255 for the second's
        turn: int,  # 1 if the first player is to move, otherwise -1
        heads: tuple[Cell, Cell],  # the heads of the side to move and of the other side
        values: bytes | bytearray,  # 1 for a move that wins, 255 for one that loses, 0 for a cell that is not open
        method: Method,  # the method of the proof
        best: Cell,  # a winning move, or NONE if every move loses
        partner: bytes,  # for every cell, as a C integer, the cell that answers it, or NONE
    ) -> None:
        """Add a position with its label; distances are added separately."""
        self.count += 1
        self._board += board
        self._turn.append(turn)
        self._my_head.append(heads[0])
        self._their_head.append(heads[1])
        self._values += values
        self._value.append(1 if best >= 0 else -1)
        self._proof.append(_NUMBERS[method])
        self._best.append(best)
        self._partner += partner

    def add_distances(self, scores: dict[Cell, int]) -> None:
        """Add the distance of each move in the most recently added position.

        The scores of losing moves are negative. If there are no scores, the distances are unknown.
        """
        row = array("h", [0]) * self.size
        for cell, score in scores.items():
            row[cell] = abs(score)
        self._distances += row
        wins = [score for score in scores.values() if score > 0]
        self._distance.append(min(wins) if wins else -min(scores.values()) if scores else NONE)

    def take(self) -> Columns:
        """Return the rows added since the last call, as one array for each column except the key."""
        turn = np.array(self._turn, np.int8)
        whole = (-1, self.size)
        columns: Columns = {
            "board": np.frombuffer(bytes(self._board), np.int8).reshape(whole) * turn[:, None],
            "my_head": np.array(self._my_head, np.int16),
            "their_head": np.array(self._their_head, np.int16),
            "value": np.array(self._value, np.int8),
            "values": np.frombuffer(bytes(self._values), np.int8).reshape(whole),
            "proof": PROOFS[np.frombuffer(bytes(self._proof), np.uint8)],
            "best": np.array(self._best, np.int16),
            "partner": np.frombuffer(bytes(self._partner), np.intc).reshape(whole).astype(np.int16),
        }
        if self.distances:
            columns["distance"] = np.array(self._distance, np.int16)
            columns["distances"] = np.array(self._distances, np.int16).reshape(whole)
        self._clear()
        return columns


def markers(position: Position, size: int) -> bytes:
    """Return a position's board in the form that Rows.add expects, as if the first player were to move."""
    row = bytearray(size)
    for cell in cells_of(position.mine):
        row[cell] = 1
    for cell in cells_of(position.theirs):
        row[cell] = LOSES
    return bytes(row)


def joined(parts: list[Columns]) -> Columns:
    """Concatenate the rows of several parts."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def chosen(columns: Columns, rows: NDArray[Any]) -> Columns:
    """Return the selected rows, in the given order."""
    return {name: column[rows] for name, column in columns.items()}
