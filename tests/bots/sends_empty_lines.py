"""Answers with empty lines only."""

from ugi_bot import say, serve

serve(lambda _turn: say("\n\n"))
