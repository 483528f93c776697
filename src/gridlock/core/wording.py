"""Descriptions for games that do not provide their own, derived from the games' shapes."""

from gridlock.core.shape import Follow, Shape

# Each entry has three phrases: what a marker must not touch, what a pawn must not touch, and why a cell is closed.
_OTHERS = {
    (False, False): ("", "", ""),
    (True, False): (
        "one of your own",
        "a cell that you have blocked or stand on",
        "adjacent to one of your own markers",
    ),
    (False, True): (
        "one of your opponent's",
        "a cell that your opponent has blocked or stands on",
        "adjacent to one of your opponent's markers",
    ),
    (True, True): ("another marker", "any blocked cell or pawn", "adjacent to a marker"),
}


def words_for(shape: Shape | None, passes: bool = False) -> tuple[str, str, str]:
    """Return a game's summary, its rules, and the words that describe a closed cell.

    If `shape` is None, the wording is general enough to be true of every game.
    """
    if shape is None:
        rules = f"Players take turns to put a marker on an open cell. {_end(passes)}"
        return "Put a marker on an open cell.", rules, "closed to you"
    markers, pawns, closed = _OTHERS[shape.closes_own, shape.closes_other]
    rules = _rules(shape, pawns if shape.pawn else markers, passes)
    return _summary(shape, markers), rules, _closed(shape, closed)


def _summary(shape: Shape, others: str) -> str:
    apart = f", never next to {others}" if others else ""
    if shape.pawn:
        where = "one step" if shape.follows is Follow.NEAR else "to a cell that does not touch its own"
        return f"Move your pawn {where}{apart}; the cell it leaves is blocked."
    if shape.follows is Follow.NEAR:
        return f"Play next to the last marker placed{apart}."
    if shape.follows is Follow.AWAY:
        return f"Keep away from the last marker placed{apart}."
    return f"Never put a marker next to {others}." if others else "Put a marker on any empty cell."


def _rules(shape: Shape, others: str, passes: bool) -> str:
    apart = f" It must not touch {others}." if others else ""
    end = _end(passes)
    if shape.pawn:
        step = "touches" if shape.follows is Follow.NEAR else "does not touch"
        return (
            "Each player has one pawn: one starts in the top left corner, the other in the bottom right corner. On "
            f"your turn, move your pawn to a free cell that {step} its current cell.{apart} The cell that your pawn "
            f"left is blocked for the rest of the game. {end}"
        )
    first = "Players take turns to put a marker on an empty cell."
    if shape.follows is None:
        return f"{first}{apart} {end}"
    touch = "must touch" if shape.follows is Follow.NEAR else "must not touch"
    return (
        f"{first} The first marker may go anywhere. After the first move, your marker {touch} the marker your opponent "
        f"has just placed.{apart} {end}"
    )


def _end(passes: bool) -> str:
    if passes:
        stuck = "If no cell is open to you, you pass, and the other player continues."
        return f"{stuck} When neither player can place a marker, the player who placed the last one wins."
    return "If no cell is open to you on your turn, you lose."


def _closed(shape: Shape, others: str) -> str:
    after = "your pawn" if shape.pawn else "the last marker"
    follow = {Follow.NEAR: f"not adjacent to {after}", Follow.AWAY: f"adjacent to {after}", None: ""}[shape.follows]
    return " or ".join(filter(None, (follow, others))) or "taken"
