"""The part of the fuzzer that runs cases in parallel and finds the case that caused each failure."""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_client import Game, Runner
from fuzz_inputs import Case, Source
from fuzz_wire import Wrong

LANES = 8
FRESH = 60  # the number of cases that share one game
HONEST = 400  # the number of cases between two moves by an ordinary client
_SETUPS = [
    {"game": "keepaway", "board": "3x3"},
    {"game": "chain", "board": "4x4", "swap": True},
    {"game": "scatter", "board": "5x5"},
    {"game": "trails", "board": "4x4"},
    {"game": "showdown", "board": "5x5", "swap": True},
    {"game": "hermit", "board": "4x5", "definition": {"title": "Hermit", "shape": {"closes_own": True}}},
]


@dataclass
class Findings:
    """One failure of each kind, with the case that caused it, if known."""

    folder: Path
    seed: int
    kinds: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, words: str, cases: Iterable[Case]) -> None:
        """Save a finding, unless one of the same kind has already been saved."""
        if kind in self.kinds:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        names = []
        for case in cases:
            path = case.file or self.folder / f"{self.seed}-{case.number}.json"
            if not case.file:
                path.write_text(case.dump())
            names.append(str(path))
        kept = f"again: python tests/fuzz --replay {' '.join(names[:8])}" if names else "no case does it alone"
        readable = words.rstrip().encode("ascii", "backslashreplace").decode()
        self.kinds[kind] = f"{readable}\n  {kept}"


class Lanes:
    """A runner that sends several cases at a time to one server."""

    def __init__(self, runner: Runner, findings: Findings, complaints: Callable[[], list[tuple[str, str]]]) -> None:
        self.runner = runner
        self.findings = findings
        self.complaints = complaints  # the server's errors since the last call: kind, words
        self.done = 0  # messages and requests
        self.next = 0  # number of the next case
        self._running = 0  # the number of cases that are running
        self._going = asyncio.Event()  # set while new cases may start
        self._going.set()
        self._recent: deque[Case] = deque(maxlen=4 * LANES)
        self._honest: Game | None = None

    async def run(self, cases: Iterable[Case], enough: Callable[[], bool]) -> None:
        """Run cases until `enough` returns true or there are no more cases."""
        pending = iter(cases)
        self._honest = await self.runner.new_game({"game": "scatter", "board": "9x9"}, 0)
        async with asyncio.TaskGroup() as group:
            for lane in range(LANES):
                group.create_task(self._lane(lane, pending, enough))
        await self._look()

    async def _lane(self, lane: int, pending: Iterable[Case], enough: Callable[[], bool]) -> None:
        game = None
        for used, case in enumerate(pending):
            if game is None or used % FRESH == 0:
                if game is not None:
                    await self._stored(game)
                setup = _SETUPS[(lane + used // FRESH) % len(_SETUPS)]
                game = await self.runner.new_game(setup, case.number)
            await self.one(case, game)
            if case.number % HONEST == 0 and self._honest:
                honest, self._honest = self._honest, None  # one at a time
                await self._guarded(self.runner.play(honest, case.number), case)
                self._honest = honest
            if enough():
                return

    async def one(self, case: Case, game: Game) -> None:
        """Run one case, and check whether the server logs an error."""
        await self._going.wait()
        self._recent.append(case)
        self.next = max(self.next, case.number + 1)
        self._running += 1
        try:
            await self._guarded(self.runner.run(case, game), case)
        finally:
            self._running -= 1
        self.done += case.size
        await self._look()

    async def _guarded(self, work: object, case: Case) -> None:
        try:
            await work  # type: ignore[misc]
        except Wrong as wrong:
            self.findings.add(str(wrong)[:40], f"case {case.number}: {wrong}", [case])
        except (ValueError, KeyError, TypeError) as error:  # an answer that is not what it should be
            self.findings.add(repr(error)[:60], f"case {case.number}: cannot be read: {error!r}", [case])

    async def _stored(self, game: Game) -> None:
        """Check that the server has stored every event that it has sent to a game's only client."""
        with contextlib.suppress(Wrong):
            now = await self.runner.request("GET", f"/api/games/{game.id}", token=game.token)
            shown = game.state
            if shown and shown["sequence"] > now["sequence"]:
                self.findings.add("not stored", f"{shown['sequence']} events shown, {now['sequence']} stored", [])

    async def _look(self) -> None:
        """For each new kind of server error, pause the fuzzing, and rerun recent cases to find the error's cause."""
        for kind, words in self.complaints():
            if kind in self.findings.kinds:
                continue
            self.findings.kinds[kind] = words  # so that the same error is ignored while its cause is sought
            recent = list(self._recent)
            await self._going.wait()
            self._going.clear()
            while self._running:
                await asyncio.sleep(0.01)
            guilty = await self._alone(kind, recent)
            self._going.set()
            del self.findings.kinds[kind]
            self.findings.add(kind, words, [guilty] if guilty else recent)

    async def _alone(self, kind: str, recent: list[Case]) -> Case | None:
        self.complaints()
        for case in reversed(recent):
            game = await self.runner.new_game(_SETUPS[2], case.number)
            with contextlib.suppress(Wrong, ValueError, KeyError, TypeError):
                await self.runner.run(case, game)
            await asyncio.sleep(0.05)
            if any(again == kind for again, _ in self.complaints()):
                return case
        return None


def numbered(source: Source, first: int, job: int, jobs: int) -> Iterable[Case]:
    """Yield the cases of one job, endlessly."""
    number = first + job
    while True:
        yield source.case(number)
        number += jobs


@contextlib.asynccontextmanager
async def progress(lanes: Lanes, tell: Callable[[int, int, int], None], every: float) -> AsyncIterator[None]:
    """Report progress from time to time: the messages and requests sent, the next case, and the kinds of findings."""

    async def telling() -> None:
        while True:
            await asyncio.sleep(every)
            tell(lanes.done, lanes.next, len(lanes.findings.kinds))

    task = asyncio.create_task(telling())
    try:
        yield
    finally:
        task.cancel()
        tell(lanes.done, lanes.next, len(lanes.findings.kinds))


def some_seed() -> int:
    """Return a new random seed."""
    return random.SystemRandom().randrange(1_000_000_000)
