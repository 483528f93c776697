"""What runs in a worker: a unit of work, and messages about it."""

import traceback
from collections.abc import Callable
from typing import Any

MOST_DEATHS = 3  # workers that a unit may end before it counts as the cause

_send: Callable[[Any], None] | None = None  # set while a unit runs, if the run wants messages


def tell(message: Any) -> None:
    """Send a message (picklable) from inside a unit to the run that started it, for progress or partial results."""
    if _send:
        _send(message)


def perform(work: Callable[[Any], Any], unit: Any, send: Callable[[Any], None] | None) -> Any:
    """Run a unit, and pass on its messages; an exception carries the worker's traceback as a note."""
    global _send
    before, _send = _send, send
    try:
        return work(unit)
    except Exception as error:
        error.add_note(traceback.format_exc().rstrip())
        raise
    finally:
        _send = before
