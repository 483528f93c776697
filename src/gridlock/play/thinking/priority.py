"""How a worker gives way to the program that asks it, whose turns are short and must come at once."""

import ctypes
import os
import platform
import struct
import sys

LONG = 20_000_000  # nanoseconds of a turn; ordinary ones are about 3 ms
_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274, "riscv64": 274}  # its number in Linux; Python has no name for it


def lower_priority(nice: int) -> None:
    """Work at this niceness, in long turns, where the system knows them.

    Niceness decides who gets how much, but not how soon: a process that wakes up waits until the turn of the one at
    work is over. Since Linux 6.12 a process with shorter turns need not, and interrupts one with longer turns at once.
    Nobody is kept from working by that, as would be with the policy for idle processes: those starve beside others.
    """
    if not hasattr(os, "nice"):
        return
    niceness = os.nice(nice)  # added to what the program that asks has
    if sys.platform == "linux" and (number := _SCHED_SETATTR.get(platform.machine())):
        size, normal, flags, static = 48, 0, 0, 0
        wish = struct.pack("=IIQiIQQQ", size, normal, flags, niceness, static, LONG, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, wish, 0)  # what it cannot do is left as it is
