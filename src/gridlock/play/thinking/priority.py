"""Lower priority for a worker, so that the program that asks it stays responsive."""

import ctypes
import os
import platform
import struct
import sys

LONG = 20_000_000  # nanoseconds of a time slice; the default is about 3 ms
_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274, "riscv64": 274}  # numbers of a system call that Python lacks


def lower_priority(nice: int) -> None:
    """Add this niceness to the process and, if the system supports it, give it long time slices.

    Niceness decides how much time a process gets, but not how soon: a process that wakes up waits until the running one
    has used up its slice. Since Linux 6.12 a process with shorter slices interrupts one with longer slices at once. The
    scheduling policy for idle processes would also do that, but it can starve a worker completely.
    """
    if not hasattr(os, "nice"):
        return
    niceness = os.nice(nice)  # on top of the parent's niceness
    if sys.platform == "linux" and (number := _SCHED_SETATTR.get(platform.machine())):
        size, normal, flags, static = 48, 0, 0, 0
        attributes = struct.pack("=IIQiIQQQ", size, normal, flags, niceness, static, LONG, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, attributes, 0)  # a failure does no harm
