"""A bot that exits before it receives any command."""

from ugi_bot import is_good, serve

if not is_good():
    raise SystemExit(3)
serve(lambda _turn: "1,1")
