"""The operator's moderation rulings: blocked clients, and games that were ended or hidden.

Moderation rulings are rows in a database table, so a command can add rulings while any number of servers use the
database.
"""

import ipaddress
import re
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from gridlock.web.net.limits import client_of
from gridlock.web.storage.schema import moderation

BLOCK, END, HIDE = "block", "end", "hide"
LONGEST = 200  # characters of a reason
_WIDEST = {4: 8, 6: 19}  # a shorter prefix would block whole regions of the world, and is surely a mistake


class Ruling(NamedTuple):
    """A moderation decision made by the operator."""

    target: str  # a network, a client's code, or a game's id
    kind: str
    since: float
    words: str  # the reason, which is shown to the people affected


def read(connection: Connection) -> list[Ruling]:
    """Return all moderation rulings, oldest first."""
    columns = moderation.c["target", "kind", "since", "words"]
    return [Ruling(*row) for row in connection.execute(select(*columns).order_by(moderation.c.since))]


def write(connection: Connection, ruling: Ruling) -> None:
    """Store a moderation ruling, replacing any other ruling on the same target."""
    lift(connection, ruling.target)
    connection.execute(moderation.insert(), [ruling._asdict()])


def lift(connection: Connection, target: str) -> bool:
    """Remove any moderation ruling on a target, and return whether there was one."""
    return bool(connection.execute(delete(moderation).where(moderation.c.target == target)).rowcount)


def network(target: str) -> str | None:
    """Return the canonical form of an address, a network prefix or a client's code; None for any other string.

    A single IPv6 address becomes its /64 network, since one customer usually has the whole /64. Raise ValueError for an
    IP network that has too many addresses.
    """
    if re.fullmatch("[0-9a-f]{16}", target):
        return target
    try:
        found = ipaddress.ip_network(client_of(target) if "/" not in target else target, strict=False)
    except ValueError:
        return None
    if found.prefixlen < _WIDEST[found.version]:
        raise ValueError(f"{found} is too large. Block a /{_WIDEST[found.version]} network or a smaller one.")
    return str(found)
