"""Parametrize tests so that the full tier tries only some of the values, and the deep tier tries the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_deep(values: Iterable[Any], *full: Any) -> list[Any]:
    """Return all the values as test parameters; those not listed in `full` are tested only in the deep tier."""
    return [value if value in full else pytest.param(value, marks=pytest.mark.deep) for value in values]
