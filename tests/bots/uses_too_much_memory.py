"""A bot that uses more memory than allowed."""

from ugi_bot import serve

serve(lambda _turn: len(bytearray(8 << 30)))
