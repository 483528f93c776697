"""A bot that stops answering after one legal move, and ignores `quit`, the end of its input and most signals."""

import signal
import time

from ugi_bot import serve

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
serve(lambda turn: "1,1" if turn == 1 else time.sleep(3600), quits=False)
time.sleep(3600)
