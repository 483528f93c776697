"""Process one unit of work for a dataset: play games, label their positions, and drop duplicates."""

from __future__ import annotations

from random import Random
from typing import Any

from gridlock.core.errors import needs
from gridlock.datasets.games import games
from gridlock.datasets.keys import Keys
from gridlock.datasets.plan import Unit
from gridlock.datasets.rows import Rows, chosen, joined
from gridlock.datasets.shards import npz
from gridlock.units.worker import stopping

with needs("dataset"):
    import numpy as np

MOST_VISITS = 4  # the most positions, and games, per position wanted; small boards have few different positions


def sample(unit: Unit) -> dict[str, Any]:
    """Do a unit of work for a dataset; return the unit's rows, as the bytes of an NPZ file, and some statistics.

    The statistics are the numbers of rows, positions visited and positions left out. The same unit of work always
    gives the same result. If the run is being stopped, return an empty result, which is ignored.
    """
    variant, size = unit.variant, unit.variant.grid.size
    source, keys, rng = games(variant, unit.nodes, unit.distances), Keys(variant), Random(unit.seed)
    rows, parts, distinct, played = Rows(size, unit.distances), [], 0, 0
    most = MOST_VISITS * unit.positions
    while distinct < unit.positions and rows.count < most and played < most:
        enough = rows.count + unit.positions - distinct
        while rows.count < enough and played < most:
            if stopping():
                return {}
            source.play(rng, rows)
            played += 1
        part = rows.take()
        parts.append({"key": keys.of(part["board"], part["my_head"], part["their_head"]), **part})
        distinct = len(np.unique(np.concatenate([one["key"] for one in parts])))
    found = joined(parts)
    first = np.sort(np.unique(found["key"], return_index=True)[1])
    return {"rows": len(first), "visited": rows.count, "left_out": source.left_out, "data": npz(chosen(found, first))}
