"""A bot that answers with bytes that are not text."""

import os

from ugi_bot import serve

serve(lambda _turn: os.write(1, b"bestmove \xff\xfe\n") and None)
