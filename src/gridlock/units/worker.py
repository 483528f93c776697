"""What runs in a worker: a unit of work, and messages about it."""

import traceback
from collections.abc import Callable, Generator
from typing import Any

MOST_DEATHS = 3  # workers that a unit may end before it counts as the cause

Events = Generator[tuple[str, bool, Any], None, None]  # (key, True, result) and (key, False, message)
Take = Callable[[], tuple[str, Any] | None]  # returns the next unit, with its key, if there is one now
Send = Callable[[Any], None]
Stopping = Callable[[], bool]
_send: Send | None = None  # while a unit runs, if its messages are wanted
_stopping: Stopping | None = None  # while a unit runs that cannot be ended from outside


def tell(message: Any) -> None:
    """Send a message (picklable) from inside a unit to the run that started it, for progress or partial results."""
    if _send:
        _send(message)


def stopping() -> bool:
    """Return whether the run that started this unit has ended, so that a long unit may end too."""
    return _stopping is not None and _stopping()


def perform(work: Callable[[Any], Any], unit: Any, send: Send | None, stopping: Stopping | None = None) -> Any:
    """Run a unit, and pass on its messages; an exception carries the worker's traceback as a note."""
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
