"""Send a server unusual messages and requests, and check that nothing goes wrong.

Examples: python tests/fuzz --count 100000; python tests/fuzz --count 5000000 --jobs 3; python tests/fuzz --sockets
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from fuzz_inputs import Case, found
from fuzz_job import Job
from fuzz_lanes import some_seed


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="messages and requests in all (default 100000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with a server of its own (default 1)")
    parser.add_argument("--seed", type=int, help="the same inputs again (default: a new one, which is told)")
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="CASE", help="go on with this case")
    parser.add_argument(
        "--sockets", action="store_true", help="a server in a process of its own: slower, as it is in life"
    )
    parser.add_argument("--replay", nargs="+", type=Path, metavar="FILE", help="only these cases, one after the other")
    parser.add_argument("--found", action="store_true", help="only what was ever found: the corpus's own cases")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), help="where to put inputs that fail")
    parser.add_argument("--job", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seed is None:
        options.seed = some_seed()
    return options


def job(options: argparse.Namespace) -> int:
    """Be one of the processes: words of progress, then the report, each a line of JSON."""
    out = os.fdopen(os.dup(1), "w")

    def tell(*numbers: int) -> None:
        print(json.dumps(numbers), file=out, flush=True)

    share = options.count // options.jobs
    work = Job(options.failures, options.seed, share, options.first, options.job, options.jobs)
    (work.apart if options.sockets else work.inside)(tell)
    print(json.dumps(work.report()), file=out, flush=True)
    return 0


def replay(options: argparse.Namespace, cases: list[Case]) -> int:
    """Run given cases."""
    work = Job(options.failures, options.seed, sum(case.size for case in cases) + 1)
    work.cases = cases
    (work.apart if options.sockets else work.inside)(lambda *_: None)
    whole = work.done == sum(case.size for case in cases)
    print("\n\n".join(work.findings.kinds.values()) or f"{len(cases)} cases, {work.done} inputs: nothing goes wrong")
    return 0 if whole and not work.findings.kinds else 1


class Jobs:
    """All processes of a fuzzing run, and their progress."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.begin = time.monotonic()
        self.numbers = [[0, options.first, 0]] * options.jobs
        self.reports: list[dict] = []
        asked = [*sys.argv[1:], "--seed", str(options.seed)]
        self.processes = [
            subprocess.Popen(
                [sys.executable, Path(__file__).parent, *asked, "--job", str(number)], stdout=subprocess.PIPE, text=True
            )
            for number in range(options.jobs)
        ]
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the jobs have heard it, and will report

    def _follow(self, number: int) -> None:
        stream = self.processes[number].stdout
        assert stream is not None
        for line in stream:
            said = json.loads(line)
            if isinstance(said, dict):
                self.reports.append(said)
            else:
                self.numbers[number] = said
                self._show()

    def _show(self) -> None:
        if sys.stderr.isatty():
            done, kinds = sum(one[0] for one in self.numbers), sum(one[2] for one in self.numbers)
            rate = done / (time.monotonic() - self.begin)
            left = max(0, self.options.count - done) / max(1, rate) / 60
            text = f"{done:,} of {self.options.count:,}, {rate:,.0f} a second, {left:.0f} min left, {kinds} findings"
            print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    def run(self) -> int:
        """Run all jobs to completion; return 1 if there are findings or if a job has failed."""
        threads = [threading.Thread(target=self._follow, args=[number]) for number in range(len(self.processes))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        codes = [process.wait() for process in self.processes]
        if sys.stderr.isatty():
            print(file=sys.stderr)
        took = time.monotonic() - self.begin
        done = sum(report["done"] for report in self.reports)
        findings = {kind: words for report in self.reports for kind, words in report["findings"].items()}
        grown = max((report["grown"] for report in self.reports), default=0.0)
        print(
            f"seed {self.options.seed}: {done:,} messages and requests in {took:.0f} s ({done / took:,.0f} a second), "
            f"memory {grown:+} MB, {len(findings)} findings"
        )
        if done < self.options.count and self.reports:
            going_on = min(report["next"] for report in self.reports)
            print(f"not all of it; to go on: --seed {self.options.seed} --from {going_on}")
        for kind, words in findings.items():
            print(f"\n{kind}\n{words}")
        return 1 if findings or any(codes) or len(self.reports) < len(codes) else 0


def main() -> int:
    """Read the options, and run the fuzzer."""
    options = arguments()
    if options.job is not None:
        return job(options)
    if options.replay or options.found:
        cases = [Case.load(path) for path in options.replay or []]
        return replay(options, cases + (found() if options.found else []))
    return Jobs(options).run()


if __name__ == "__main__":
    sys.exit(main())
