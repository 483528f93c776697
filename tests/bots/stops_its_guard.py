"""A bot that hangs after suspending the process that watches it."""

import os
import signal
import time

from ugi_bot import serve


def move(_turn: int) -> None:
    """Suspend the parent process, then sleep for an hour."""
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(3600)


serve(move)
