"""A bot that answers with NUL characters."""

from ugi_bot import serve

serve(lambda _turn: "1,1\0\0")
