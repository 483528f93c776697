"""The text of a certificate's records while it is being made, when references are numbers of records."""

import re

REFERENCE = re.compile(r"~(\d+)~")
Reason = str  # why a position is lost, as a record says it


class Stopped(Exception):
    """The time is up."""


def reference(number: int, suffix: str = "") -> Reason:
    """Return a reference to a record."""
    return f"~{number}~{suffix}"
