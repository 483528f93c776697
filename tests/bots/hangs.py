"""A bot that never answers."""

import time

from ugi_bot import serve

serve(lambda _turn: time.sleep(3600))
