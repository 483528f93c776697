"""A bot that suspends the process that watches it, and then hangs."""

import os
import signal
import time

from ugi_bot import serve


def move(_turn: int) -> None:
    """Suspend the parent process, then sleep for an hour."""
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(3600)


serve(move)
