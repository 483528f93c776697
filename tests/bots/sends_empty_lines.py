"""A bot that answers only with empty lines."""

from ugi_bot import say, serve

serve(lambda _turn: say("\n\n"))
