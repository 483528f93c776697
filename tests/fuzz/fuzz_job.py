"""A fuzzer job: start a server, run this job's share of the cases, and report the results."""

import asyncio
import json
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn
from fuzz_client import Runner
from fuzz_inputs import Case, Source
from fuzz_inside import LIMITS, Complaints, megabytes, serve_and
from fuzz_lanes import Findings, Lanes, numbered, progress

sys.path.insert(0, str(Path(__file__).parents[1] / "web"))
from web_server import Served

GROWTH = 24.0  # megabytes by which a server may grow after the first fifth
TASKS = 20  # by which there may be more of them at the end
TELL = 2.0  # seconds between two progress reports
Tell = Callable[[int, int, int], None]


class Job:
    """The work of one fuzzing process, and its findings."""

    def __init__(self, folder: Path, seed: int, count: int, first: int = 0, job: int = 0, jobs: int = 1) -> None:
        self.count = count
        self.cases: Iterable[Case] = numbered(Source(seed), first, job, jobs)
        self.findings = Findings(folder, seed)
        self.done = 0
        self.next = first
        self.grown = 0.0
        self._stopping = False
        self._settled: float | None = None  # megabytes, once a fifth is done

    def report(self) -> dict:
        """The outcome."""
        return {"done": self.done, "next": self.next, "grown": round(self.grown, 1), "findings": self.findings.kinds}

    async def _work(
        self,
        runner: Runner,
        complaints: Callable[[], list],
        memory: Callable[[], float],
        leave: Callable[[], bool],
        tell: Tell,
    ) -> None:
        lanes = Lanes(runner, self.findings, complaints)

        def enough() -> bool:
            if self._settled is None and lanes.done >= self.count // 5:
                self._settled = memory()
            return lanes.done >= self.count or leave()

        async with progress(lanes, tell, TELL):
            await lanes.run(self.cases, enough)
        await asyncio.sleep(1)
        self.done, self.next = lanes.done, lanes.next
        self.grown = memory() - (self._settled or memory())
        if self.grown > GROWTH:
            self.findings.add("memory", f"memory grew by {self.grown:.0f} MB; {GROWTH:.0f} MB are allowed", [])

    def inside(self, tell: Tell) -> None:
        """Fuzz a server in this process."""

        async def work(server: uvicorn.Server, port: int, complaints: Complaints) -> None:
            before = len(asyncio.all_tasks())
            await self._work(Runner(port), complaints.take, megabytes, lambda: server.should_exit, tell)
            if (more := len(asyncio.all_tasks()) - before) > TASKS:
                self.findings.add("tasks", f"{more} more tasks at the end than at the beginning", [])

        serve_and(work)

    def apart(self, tell: Tell) -> None:
        """Fuzz a server that runs in a separate process, as a real server does."""
        with tempfile.TemporaryDirectory(prefix="gridlock-fuzz-") as folder:
            served = Served(f"{folder}/games.sqlite3", Path(folder) / "log", *LIMITS).start()
            try:
                asyncio.run(self._apart(served, tell))
                if code := served.end():
                    self.findings.add("end", f"the server ended with {code}", [])
            finally:
                served.close()

    async def _apart(self, served: Served, tell: Tell) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)
        read = 0

        def complaints() -> list[tuple[str, str]]:
            nonlocal read
            with served.log.open() as log:
                log.seek(read)
                lines = log.read()
                read = log.tell()
            return [_kind(line) for line in lines.splitlines() if _complains(line)]

        def memory() -> float:
            status = Path(f"/proc/{served.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+([0-9]+)", status)[1]) / 1000  # type: ignore[index]

        await self._work(Runner(served.port), complaints, memory, lambda: self._stopping, tell)

    def _stop(self) -> None:
        self._stopping = True


def _complains(line: str) -> bool:
    return '"level": "info"' not in line and ('"level": "warning"' not in line or "traceback" in line)


def _kind(line: str) -> tuple[str, str]:
    try:
        said = json.loads(line)
    except ValueError:
        return line[:60], line
    trace = said.get("traceback", "")
    places = re.findall(r'File "[^"]*?([^/"]+)", line [0-9]+, in (\w+)', trace)
    if not places:
        return said["event"][:60], said["event"]
    raised = trace.strip().splitlines()[-1].split(":")[0].rpartition(".")[2]
    return f"{raised} in {places[-1][0]}, {places[-1][1]}", trace
