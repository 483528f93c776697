"""Tests that the systemd and Docker files pin their packages, use valid options, and start a hardened server."""

import fnmatch
import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import click
import pytest

from gridlock.web.command import serve
from gridlock.web.net import metrics

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def provenance() -> ModuleType:
    """Load the script that checks that dependencies are pinned and hashed and that releases are attested."""
    spec = importlib.util.spec_from_file_location("provenance", ROOT / ".ci/provenance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands() -> dict[str, list[str]]:
    """Return the server options in each deployment file."""
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


def test_everything_that_can_be_pinned_is() -> None:
    figures = provenance().figures()
    assert [str(one) for one in figures if one.missing and one.required] == []
    assert all(one.good or not one.required for one in figures)


def test_what_is_not_pinned_would_be_noticed() -> None:
    script = provenance()
    assert script.actions("- uses: actions/checkout@v5\n- uses: a/b@" + "0" * 40) == {
        "actions/checkout@v5": False,
        "a/b@" + "0" * 40: True,
    }
    assert script.images("FROM python:3.12-slim AS build\n    image: caddy:2\n") == ["python:3.12-slim", "caddy:2"]
    hashed = "click==8.5.1 \\\n    --hash=sha256:" + "a" * 64
    assert script.locked(f"# a comment\n{hashed}\nh11==0.16.0\nidna>=3") == {
        "click==8.5.1": True,
        "h11==0.16.0": False,
        "idna>=3": False,
    }
    text = "pip install x\npip install --require-hashes \\\n  -r y && pip install --no-deps z"
    assert list(script.installs(text).values()) == [False, True, True]
    compose = (DEPLOY / "compose.yaml").read_text()
    assert set(script.services(compose).values()) == {True}
    assert script.services((DEPLOY / "cluster.yaml").read_text()) == dict.fromkeys(
        ["scheduler", "worker", "client"], True
    )
    assert set(script.services(compose.replace("cap_drop: [ALL]", "")).values()) == {False}
    assert script.services(compose.replace("<<: *hardened", "", 1))["gridlock"] is False


def test_the_image_is_built_from_what_it_needs_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert lines[1] == "*"  # ignores everything except the paths listed below
    allowed = [line[1:] for line in lines if line.startswith("!")]
    needed = ["src/gridlock/entry.py", "pyproject.toml", "setup.py", "README.md", "LICENSE", "docs/gridlock.1"]
    needed += re.findall(r"deploy/\w+\.txt", (DEPLOY / "Dockerfile").read_text())
    for file in needed:
        assert (ROOT / file).exists()
        assert any(fnmatch.fnmatch(file, one) or file.startswith(f"{one}/") for one in allowed), file
    for secret in (".git/config", ".env", "server.sqlite3", "tests/conftest.py"):
        assert not any(fnmatch.fnmatch(secret, one) or secret.startswith(f"{one}/") for one in allowed)


def test_the_alerts_ask_for_metrics_that_there_are() -> None:
    rules = (DEPLOY / "alerts.yaml").read_text()
    asked = set(re.findall(r"gridlock_\w+", rules))
    known = {family.name for family in metrics.registry.collect()}
    assert {re.sub("_(total|bucket)$", "", name) for name in asked} <= known
    assert "gridlock_openings_total" in asked
    source = "".join(path.read_text() for path in (ROOT / "src/gridlock/web").rglob("*.py"))
    for label in re.findall(r'(?:result=~|reason=)"([^"]+)"', rules):
        assert [one for one in label.split("|") if f'"{one}"' not in source] == []
