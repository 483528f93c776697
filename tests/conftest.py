"""Settings for every test. Tests can import modules from this folder (`import oracle`) and its parent (`bench`)."""

import asyncio
import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Every machine tries the same examples without a time limit, so a test fails only if it finds a fault, never because
# it is slow.
settings.register_profile(
    "gridlock", derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gridlock")
sys.path.append(str(Path(__file__).parents[1]))
pytest.register_assert_rewrite("bot_checks")  # so that its failed assertions show their values


@pytest.fixture
def rng() -> random.Random:
    """Return a random number generator; to repeat a failed test, set GRIDLOCK_SEED to the printed seed."""
    seed = int(os.environ.get("GRIDLOCK_SEED") or random.SystemRandom().randrange(1_000_000_000))
    print(f"To repeat this: GRIDLOCK_SEED={seed}")
    return random.Random(seed)


@pytest.fixture(autouse=True)
def own_event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test run its own event loop, even if a browser test in the same process has left another one running."""
    running = None if request.path.parent.name == "browser" else asyncio._get_running_loop()
    if running:
        asyncio._set_running_loop(None)
    yield
    if running:
        asyncio._set_running_loop(running)


def pytest_configure(config: pytest.Config) -> None:
    """Protect the user's own games and settings, and keep child processes from ignoring SIGINT and SIGHUP."""
    home = tempfile.TemporaryDirectory(prefix="gridlock-tests-")
    os.environ["GRIDLOCK_HOME"] = home.name
    config.add_cleanup(home.cleanup)
    # A shell makes its background programs ignore SIGINT, and nohup makes a program ignore SIGHUP. Child processes
    # inherit ignored signals, but a signal that has a handler is reset to its default in a child process. The tests
    # therefore install a handler for each ignored signal.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put every test into one tier: quick, full or deep.

    Coverage is not measured for tests that run the same few lines many times (for example, the tests in tests/laws and
    the long searches), because measuring it would take longer than the tests themselves.
    """
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        quick = "smoke" in marks or not marks & {"slow", "deep"}
        if quick or "deep" not in marks:
            item.add_marker("quick" if quick else "full")
        else:
            item.add_marker(pytest.mark.timeout(0))
        if item.path.parent.name == "laws" or (not quick and item.path.parent.name in ("core", "engine", "browser")):
            item.add_marker("no_cover")
