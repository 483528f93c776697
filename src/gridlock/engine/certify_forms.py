"""The canonical form of a pattern, which allows one record to cover the pattern and all its images."""

from gridlock.certificates.patterns import ACROSS, LEFT_RIGHT, TURNS, UP_DOWN, Patterns
from gridlock.core.grid import Bitboard

Sets = tuple[Bitboard, ...]


def canonical(patterns: Patterns, sets: Sets) -> tuple[Sets, str]:
    """Return the canonical form of sets of cells, and the rotation or reflection that restores the original sets.

    The rotation or reflection is written as a letter, or as an empty string if none is needed.
    """
    whole = 0
    for bits in sets:
        whole |= bits
    box = patterns.box(whole)
    shift = box.row * patterns.cols + box.col
    sets = tuple([bits >> shift for bits in sets])
    best, found = sets, 0
    for turn in range(1, 8 if box.height < patterns.cols and box.width < patterns.rows else 4):
        image = patterns.turned(sets, box.height, box.width, turn)
        if image < best:
            best, found = image, turn
    if found & ACROSS:  # the inverse exchanges the two flips
        found = ACROSS | (LEFT_RIGHT if found & UP_DOWN else 0) | (UP_DOWN if found & LEFT_RIGHT else 0)
    return best, TURNS[found] if found else ""
