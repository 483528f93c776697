"""Write a certificate: records in order, with slots that are reused after their last use."""

from collections.abc import Callable, Iterator
from typing import Protocol

from gridlock.certificates.checker import TITLE, shape_words
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.certify_placing import PlacingProver
from gridlock.engine.certify_walking import PairingProver, PawnProver
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.record_text import REFERENCE, Reason


class Prover(Protocol):
    """What proves that positions are lost, in records."""

    records: list[str]

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses a position that needs no record, if there is one."""

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses a position, or None if they win; raise Stopped."""


def certificate(
    variant: Variant, position: Position, prover: Prover, moves: Callable[[Position], list[Cell]]
) -> Iterator[str]:
    """Yield the lines of a certificate for a position; moves that may win are tried in this order."""
    tries = [("loses", position), *((f"wins {cell}", position.after(cell)) for cell in moves(position))]
    found = ((result, why(then)) for why in (prover.at_once, prover.loses) for result, then in tries)
    result, reason = next(pair for pair in found if pair[1] is not None)
    assert variant.shape is not None  # callers have checked
    heads = " ".join("-" if head is None else str(head) for head in (position.my_head, position.their_head))
    yield TITLE + "\n"
    yield f"board {variant.grid.rows} {variant.grid.cols} {variant.grid.adjacency}\n"
    yield f"marker {shape_words(variant.shape)}\n"
    yield f"position {position.mine:x} {position.theirs:x} {heads}\n"
    yield from _in_slots(prover.records, f"{result} {reason}")


def prover_for(variant: Variant, memory: int, tick: Tick) -> Prover:
    """Return a prover for a game of a shape that certificates have rules for."""
    shape = variant.shape
    assert shape is not None  # callers have checked
    if shape.placing:
        return PlacingProver(variant, memory, tick)
    return PawnProver(variant, memory, tick) if shape.pawn else PairingProver(variant)


def _in_slots(records: list[str], end: str) -> Iterator[str]:
    """Yield the records that the end needs, each with a slot, and the end."""
    last: dict[int, int] = {}
    for number in range(len(records), -1, -1):
        if number == len(records) or number in last:
            for used in REFERENCE.findall(end if number == len(records) else records[number]):
                last.setdefault(int(used), number)
    slots: dict[int, int] = {}
    free: list[int] = []
    ends: dict[int, list[int]] = {}
    for number, when in last.items():
        ends.setdefault(when, []).append(number)
    most, lines = 0, []
    for number in range(len(records)):
        if number not in last:
            continue
        line = REFERENCE.sub(lambda found: str(slots[int(found[1])]), records[number])
        free += [slots.pop(used) for used in ends.get(number, ())]
        if free:
            slots[number] = free.pop()
        else:
            slots[number] = most
            most += 1
        lines.append(f"{slots[number]} {line}\n")
    yield f"slots {most}\n"
    yield from lines
    yield REFERENCE.sub(lambda found: str(slots[int(found[1])]), end) + "\n"
