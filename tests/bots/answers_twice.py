"""A bot that answers with two moves."""

from ugi_bot import serve

serve(lambda _turn: "1,1\nbestmove 1,2")
