"""The web extra: the packages that only the server needs."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def web_extra() -> Iterator[None]:
    """Import the server's modules inside this: if a package is missing, the error says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error.name} is missing. Install the web extra: pip install 'gridlock-games[web]'"
        ) from None
