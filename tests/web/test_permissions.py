"""Tests that a state lists exactly the actions that the referee accepts, in random games of every kind."""

from random import Random

import pytest
from msgspec import UNSET

from gridlock.core.game import SWAP
from gridlock.core.grid import cells_of
from gridlock.web.referee.decide import decide, may
from gridlock.web.referee.table import Access, GameEvent, Joined, Settings, Table, played
from gridlock.web.referee.views import state
from gridlock.web.wire import messages

BOARDS = [("showdown", "3x3"), ("scatter", "2x3"), ("trails", "3x4"), ("keepaway", "3x3"), ("chain", "1x4")]
ACCESSES = [
    Access("player", (1,)),
    Access("player", (2,)),
    Access("player", (1, 2)),
    Access("watching"),
    Access("invited"),
]


def table(rng: Random) -> Table:
    """Create a game with random settings."""
    game, board = rng.choice(BOARDS)
    opponent = rng.choice(["link", "link", "screen", "hard"])
    seat = rng.choice([1, 2])
    mine = tuple("hash" if opponent == "screen" or player == seat else None for player in (1, 2))
    return Table(
        "x" * 22,
        Settings(
            game=game,
            board=board,
            adjacency="king",
            starts=rng.choice([1, 2]),
            swap=rng.random() < 0.5,
            opponent=opponent,
            seat=seat,
            names=("Ada", "Bob"),
            seats=mine,
            watch=mine,
            invitation="hash" if opponent == "link" else None,
            clock=messages.TimeControl(seconds=60, increment=1) if opponent == "link" and rng.random() < 0.3 else UNSET,
        ),
    )


def actions(table: Table) -> list[messages.Action]:
    """Return every action that a client might try in the current game."""
    now = table.ply, table.line
    return [
        *(messages.Move(*now, cell) for cell in range(table.game.variant.grid.size + 1)),
        messages.Swap(*now),
        messages.Resign(),
        *(messages.Ask(*now, what) for what in ("takeback", "rematch")),
        *(messages.Respond(*now, accept) for accept in (True, False)),
    ]


def accepted(table: Table, access: Access) -> set[str]:
    """Return the names that game states use for the actions that the referee accepts."""
    names = set()
    for action in actions(table):
        if not isinstance(decide(table, access, action), GameEvent):
            continue
        match action:
            case messages.Ask(what=what):
                if table.offer is None:  # repeating the opponent's request counts as an answer instead
                    names.add(what)
            case messages.Respond(accept=True):
                names.add("answer")
            case messages.Respond():
                if table.offer.player in access.seats:  # otherwise the player is declining the opponent's request
                    names.add("withdraw")
            case _:
                names.add(type(action).__name__.lower())
    return names


@pytest.mark.parametrize("seed", range(150))
def test_a_state_says_that_exactly_what_the_referee_accepts_may_be_done(seed: int) -> None:
    rng = Random(seed)
    game = table(rng)
    for step in range(25):
        for access in ACCESSES:
            able = may(game, access)
            assert state(game, access, 1000, 0).you.may == able
            if access.role == "invited":
                assert able == (["join"] if game.open_seat else []), (seed, step)
            else:
                assert len(able) == len(set(able))
                assert set(able) == accepted(game, access), (seed, step, access)
        if game.open_seat and rng.random() < 0.5:
            game.apply(Joined(game.open_seat, "Bob", "hash", "hash"))
        elif game.thinking and rng.random() < 0.8:
            game.apply(played(rng.choice(list(cells_of(game.game.legal)) or [SWAP])))
        elif rng.random() < 0.97 or not game.game.outcome:
            tried = rng.choice(ACCESSES[:3]), rng.choice([one for one in actions(game) if rng.random() < 0.5] or [None])
            event = tried[1] and decide(game, *tried)
            if isinstance(event, GameEvent) and (not isinstance(tried[1], messages.Resign) or rng.random() < 0.2):
                game.apply(event)


def test_the_games_above_come_to_everything_that_can_be_done() -> None:
    """Every action is possible at some point in the random games, so the tests above cover all actions."""
    seen: set[str] = set()
    for seed in range(150):
        rng = Random(seed)
        game = table(rng)
        for _ in range(25):
            seen |= {ability for access in ACCESSES for ability in may(game, access)}
            if game.open_seat:
                game.apply(Joined(game.open_seat, "Bob", "hash", "hash"))
            access, action = rng.choice(ACCESSES[:3]), rng.choice(actions(game))
            event = decide(game, access, action)
            if isinstance(event, GameEvent):
                game.apply(event)
    assert seen == {"move", "swap", "resign", "takeback", "rematch", "answer", "withdraw", "join"}
