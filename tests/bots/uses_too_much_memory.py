"""Takes more memory than it may."""

from ugi_bot import serve

serve(lambda _turn: len(bytearray(8 << 30)))
