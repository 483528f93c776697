"""A bot that starts, but reads nothing."""

import time

time.sleep(3600)
