"""The systemd and Docker files start the server with options that exist."""

import re
import shlex
from pathlib import Path

import click
import pytest

from gridlock.web.command import serve

DEPLOY = Path(__file__).parents[2] / "deploy"


def commands() -> dict[str, list[str]]:
    """Return the options with which each file starts the server."""
    unit = (DEPLOY / "gridlock.service").read_text()
    docker = (DEPLOY / "Dockerfile").read_text()
    compose = (DEPLOY / "compose.yaml").read_text()
    (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    image = [part for words in re.findall(r"^(?:ENTRYPOINT|CMD) \[(.*)\]$", docker, re.MULTILINE) for part in [words]]
    entry, default = ([word.strip('" ') for word in words.split(",")] for words in image)
    composed = [
        re.sub(r"\$\{[^}]*\}", "games.example.org", word) for word in re.findall(r"^ +- (--.*)$", compose, re.MULTILINE)
    ]
    return {"systemd": shlex.split(start)[1:], "docker": [*entry[1:], *default], "compose": [*entry[1:], *composed]}


@pytest.mark.parametrize("how", ["systemd", "docker", "compose"])
def test_the_server_takes_what_the_file_gives_it(how: str) -> None:
    name, *arguments = commands()[how]
    assert name == "serve"
    with serve.make_context("serve", list(arguments)) as context:
        assert context.params["origins"]
        if how != "docker":
            assert context.params["proxies"]
            assert context.params["metrics"]


def test_the_check_would_notice() -> None:
    with pytest.raises(click.UsageError):
        serve.make_context("serve", [*commands()["systemd"][1:], "--no-such-option"])
