"""The words for a game that nobody has written any for: what its shape says, as sentences."""

from typing import NamedTuple

from gridlock.core.shape import Follow, Shape


class Words(NamedTuple):
    """What a rule book tells its players."""

    summary: str
    rules: str
    closed: str


_WHOSE = {(True, False): "one of your own", (False, True): "one of your opponent's", (True, True): "another marker"}


def words_for(shape: Shape | None, passes: bool = False) -> Words:
    """Summary, rules and refusal of a game of this shape; without one, what is true of any game."""
    if shape is None:
        return Words(
            "Put a marker on an open cell.",
            f"Players take turns to put a marker on an open cell. {_end(passes)}",
            "closed to you",
        )
    whose = _WHOSE.get((shape.closes_own, shape.closes_other), "")
    return Words(_summary(shape, whose), _rules(shape, whose, passes), _closed(shape, whose))


def _summary(shape: Shape, whose: str) -> str:
    apart = f", never next to {whose}" if whose else ""
    if shape.pawn:
        where = "one step" if shape.follows is Follow.NEAR else "to a cell that does not touch its own"
        return f"Move your pawn {where}{apart}; the cell it leaves is blocked."
    if shape.follows is Follow.NEAR:
        return f"Every marker goes next to the last one{apart}."
    if shape.follows is Follow.AWAY:
        return f"Keep away from the last marker placed{apart}."
    return f"Never put a marker next to {whose}." if whose else "Put a marker on any empty cell."


def _rules(shape: Shape, whose: str, passes: bool) -> str:
    apart = f" It must not touch {whose}." if whose else ""
    end = _end(passes)
    if shape.pawn:
        step = "touches" if shape.follows is Follow.NEAR else "does not touch"
        return (
            "Each player has one pawn, one in the top left corner and one in the bottom right one. On your turn, move "
            f"your pawn to a free cell that {step} its own.{_for_pawns(apart)} The cell it left is blocked for the "
            f"rest of the game. {end}"
        )
    first = "Players take turns to put a marker on an empty cell."
    if shape.follows is None:
        return f"{first}{apart} {end}"
    touch = "must touch" if shape.follows is Follow.NEAR else "must not touch"
    return (
        f"{first} The first marker may go anywhere. After that, your cell {touch} the marker your opponent has just "
        f"placed.{apart} {end}"
    )


def _end(passes: bool) -> str:
    if passes:
        stuck = "If you have no such cell you pass, and the other player goes on."
        return f"{stuck} When neither can place, who placed last wins."
    return "If you have no such cell on your turn, you lose."


def _for_pawns(apart: str) -> str:
    """The same said of what a pawn leaves behind."""
    for said, meant in (
        ("one of your own", "a cell that you have blocked or stand on"),
        ("one of your opponent's", "a cell that your opponent has blocked or stands on"),
        ("another marker", "any blocked cell or pawn"),
    ):
        apart = apart.replace(said, meant)
    return apart


def _closed(shape: Shape, whose: str) -> str:
    after = "your pawn" if shape.pawn else "the last marker"
    follow = {Follow.NEAR: f"not adjacent to {after}", Follow.AWAY: f"adjacent to {after}", None: ""}[shape.follows]
    whose = {"another marker": "a marker", "one of your own": "one of your own markers"}.get(
        whose, "one of your opponent's markers" if whose else ""
    )
    return " or ".join(part for part in (follow, f"adjacent to {whose}" if whose else "") if part) or "taken"
