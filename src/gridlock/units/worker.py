"""The code that a worker runs: it performs a unit of work, and sends messages about the unit."""

import traceback
from collections.abc import Callable, Generator
from typing import Any

MOST_DEATHS = 3  # workers that may die with a unit before the unit is blamed

Events = Generator[tuple[str, bool, Any], None, None]  # (key, True, result) and (key, False, message)
Take = Callable[[], tuple[str, Any] | None]  # returns the next key and unit, or None if no unit is available now
Send = Callable[[Any], None]
Stopping = Callable[[], bool]
_send: Send | None = None  # set while a unit runs, if its messages are wanted
_stopping: Stopping | None = None  # set while a unit runs that cannot be ended from outside


def tell(message: Any) -> None:
    """Send progress or a partial result, which must be picklable, from a unit of work to the run that started it."""
    if _send:
        _send(message)


def stopping() -> bool:
    """Return whether the run has ended, in which case a long unit of work should stop early."""
    return _stopping is not None and _stopping()


def perform(work: Callable[[Any], Any], unit: Any, send: Send | None, stopping: Stopping | None = None) -> Any:
    """Run a unit of work and pass on its messages; add the worker's traceback as a note to any exception."""
    global _send, _stopping
    before = _send, _stopping
    _send, _stopping = send, stopping
    try:
        return work(unit)
    except Exception as error:
        error.add_note(traceback.format_exc().rstrip())
        raise
    finally:
        _send, _stopping = before
