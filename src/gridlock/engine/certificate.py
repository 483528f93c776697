"""Write certificates.

The records in a certificate are stored in numbered slots that can be reused.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from gridlock.certificates.checker import TITLE, shape_words
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.certify_placing import PlacingProver
from gridlock.engine.certify_walking import PairingProver, PawnProver
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.record_text import REFERENCE, Reason, Records


class Prover(Protocol):
    """A prover that writes records of lost positions."""

    records: Records

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses, or None if no simple reason is found.

        A simple reason does not cite the recorded proof of another lost position.
        """

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses, or None if they win; raise Stopped if the time is up."""


def certificate(
    variant: Variant, position: Position, prover: Prover, moves: Callable[[Position], list[Cell]]
) -> Iterator[str]:
    """Prove who wins a position, and return the lines of a certificate; try moves in the order that `moves` gives."""
    tries = [("loses", position), *((f"wins {cell}", position.after(cell)) for cell in moves(position))]
    found = ((result, why(then)) for why in (prover.at_once, prover.loses) for result, then in tries)
    result, reason = next(pair for pair in found if pair[1] is not None)
    assert variant.shape is not None  # callers have checked
    heads = " ".join("-" if head is None else str(head) for head in (position.my_head, position.their_head))
    head = [
        TITLE,
        f"board {variant.grid.rows} {variant.grid.cols} {variant.grid.adjacency}",
        f"marker {shape_words(variant.shape)}",
        f"position {position.mine:x} {position.theirs:x} {heads}",
    ]
    parts = (f"{line}\n" for line in head), _in_slots(prover.records.lines, f"{result} {reason}")
    return (line for part in parts for line in part)


def prover_for(variant: Variant, memory: int, tick: Tick) -> Prover:
    """Return a prover for a game that supports certificates."""
    shape = variant.shape
    assert shape is not None  # callers have checked
    if shape.placing:
        return PlacingProver(variant, memory, tick)
    return PawnProver(variant, memory, tick) if shape.pawn else PairingProver(variant, tick)


def _in_slots(records: list[str], end: str) -> Iterator[str]:
    """Yield the number of slots, then each record that the result depends on, with its slot, and finally the result."""
    last = [-1] * len(records)  # the last use of each record
    for number in range(len(records), -1, -1):
        if number == len(records) or last[number] >= 0:
            for used in REFERENCE.findall(end if number == len(records) else records[number]):
                if last[int(used)] < 0:
                    last[int(used)] = number
    ends: dict[int, list[int]] = {}
    slots, free, most = [0] * len(records), list[int](), 0
    for number, when in enumerate(last):
        free += [slots[used] for used in ends.pop(number, ())]
        if when >= 0:
            ends.setdefault(when, []).append(number)
            slots[number] = free.pop() if free else most
            most = max(most, slots[number] + 1)
    yield f"slots {most}\n"
    for number, record in enumerate(records):
        if last[number] >= 0:
            yield f"{slots[number]} {_in_words(record, slots)}\n"
    yield f"{_in_words(end, slots)}\n"


def _in_words(text: str, slots: list[int]) -> str:
    """Return a line in which every record number is replaced by the record's slot."""
    return REFERENCE.sub(lambda found: str(slots[int(found[1])]), text)
