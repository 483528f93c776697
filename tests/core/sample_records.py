"""Sample games and records, and helpers that read records back."""

from random import Random

import pytest

from gridlock import RULE_BOOKS, SWAP, BadRecord, Game, variant
from gridlock.core.records import load_bytes, loads

ODD_NAMES = (
    "Ada",
    'quote " and \\',
    '\\"\\\\',
    "李小龍",
    "[x]; {y} 1-0 *",
    "Zoë" + "z" * 40,
    "",
    "émile ☃ 🎲",
    "\ud800\x1b[1m|",
)


def random_game(seed, name=None):
    """Return a random game at any stage, whether unfinished, finished or resigned."""
    random = Random(seed)
    name = name or random.choice(list(RULE_BOOKS))
    board = None if seed % 3 == 0 else f"{random.randint(1, 6)}x{random.randint(2, 6)}"
    game = Game(
        variant(name, board, random.choice([None, "king", "orthogonal"])),
        starts=random.randint(1, 2),
        swap=random.random() < 0.5,
        names=(random.choice(ODD_NAMES), random.choice(ODD_NAMES)),
    )
    stop = random.choice([0, 1, 2, 5, 99])
    while game.outcome is None and len(game.moves) < stop:
        if game.can_swap and (not game.legal or random.random() < 0.5):
            game.push(SWAP)
        else:
            game.push(random.choice(game.variant.legal_cells(game.position)))
    if game.outcome is None and random.random() < 0.4:
        game.resign(random.randint(1, 2))
    return game


def tagged(game, **tags):
    """Add tags to a game, and return the game."""
    game.tags.update(tags)
    return game


def facts(game):
    """Return everything about a game that a record must preserve."""
    return (
        game.variant,
        game.starts,
        game.swap,
        [game.player_name(player) for player in (1, 2)],
        game.moves,
        game.positions,
        game.resigned,
        game.outcome,
    )


def refused(data):
    """Return the error message for a record that must be rejected."""
    with pytest.raises(BadRecord) as error:
        (load_bytes if isinstance(data, bytes) else loads)(data)
    message = str(error.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


def outcome_of(data):
    """Return a file's games and an empty message or, if the file is rejected, no games and a message that says why."""
    try:
        return load_bytes(data), ""
    except BadRecord as error:
        return [], str(error)


RECORD = """[GridLock "1"]
[Event "Kitchen table"]
[Game "showdown"]
[Board "5x5"]
[Adjacency "king"]
[Starts "1"]
[Swap "on"]
[Player1 "Ada"]
[Player2 "Bob \\"B\\" \\\\"]
[Result "0-1"]
[Termination "resigned"]

1. 3,3 swap 2. 1,1 3,1 0-1
"""
