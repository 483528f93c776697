"""A bot that exits after starting daemons that try to outlive it."""

import os
import time

from ugi_bot import serve


def leave() -> None:
    """Start a process that is independent of this one."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)


def move(_turn: int) -> str:
    """Start processes that outlive this one, and exit."""
    for _ in range(3):
        leave()
    os._exit(5)


serve(move)
