"""The web extra: the packages that only the server needs."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def web_extra() -> Iterator[None]:
    """Turn a failed import within this context into an error that says how to install the missing package."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error.name} is missing. Install the web extra: pip install 'gridlock-games[web]'"
        ) from None
