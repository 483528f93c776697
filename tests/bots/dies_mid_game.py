"""A bot that plays one move, then crashes when asked for the next."""

from ugi_bot import serve


def move(turn: int) -> str:
    """Move once."""
    if turn > 1:
        raise ValueError("there is no second move")
    return "1,1"


serve(move)
