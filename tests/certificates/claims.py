"""Helpers that make certificates, run the checkers, and determine by brute force which claims are true."""

import json
import subprocess
from functools import cache
from pathlib import Path

from gridlock.certificates.checker import BadCertificate, check
from gridlock.certificates.placing import UNIT, Claim, Placing, number
from gridlock.core.grid import cells_of
from gridlock.engine.clock import Clock
from gridlock.engine.solve import Solver

C_SOURCE = Path(__file__).parents[2] / "docs/checker/check.c"


def certificate_of(variant, position=None):
    """Return a certificate's lines as 'gridlock solve --certificate' writes them."""
    return list(Solver(variant, clock=Clock(), memory=1 << 20, start=position).certificate())


def accepted(lines):
    """Return whether the Python checker accepts a certificate."""
    try:
        check(lines)
    except BadCertificate:
        return False
    return True


class CChecker:
    """The C checker, compiled into a folder."""

    def __init__(self, folder):
        self.program, self.file = folder / "check", folder / "certificate"
        command = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(self.program), str(C_SOURCE)]
        subprocess.run(command, check=True)

    def accepts(self, lines):
        """Return whether the C checker accepts a certificate."""
        self.file.write_text("".join(lines), encoding="latin-1")
        done = subprocess.run([self.program, self.file], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1), done
        assert done.stdout.startswith("Every step is valid" if done.returncode == 0 else "Line "), done
        return done.returncode == 0


def accepted_by_page(texts, folder):
    """Return, for each certificate, whether the web page's checker accepts it."""
    file = folder / "certificates.json"
    file.write_text(json.dumps(texts))
    script = Path(__file__).parents[1] / "js/check-certificates.js"
    done = subprocess.run(["node", script, file], capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)
    assert all(answer.startswith(("Every step is valid", "Not valid. Line ")) for answer in answers)
    return [answer.startswith("Every") for answer in answers]


class Truth:
    """A brute-force search that judges a certificate's claims, for games in which a marker may go on any open cell."""

    def __init__(self, grid, shape):
        self.rules = Placing(grid, shape, 0)
        self.loses = cache(self._loses)

    def _loses(self, claim):
        """Search all moves in a claim's position, and return whether the player to move loses."""
        return not any(self.loses(after) for after in self._after(claim))

    def _after(self, claim):
        for cell in cells_of(claim.p):
            p, q, x, star = self.rules.left(claim, cell)
            yield Claim(q, p, -x, star)
        if claim.star:
            yield Claim(claim.q, claim.p, -claim.x, 0)
        step = claim.x & -claim.x if claim.x % UNIT else UNIT
        if claim.x > 0 or step < UNIT:
            yield Claim(claim.q, claim.p, step - claim.x, claim.star)

    def holds(self, line):
        """Return whether a record's claim is true."""
        words = line.split()
        return self.loses(Claim(int(words[1], 16), int(words[2], 16), *number(words[3])))


def records_of(lines):
    """Return the lines of a certificate that contain its records."""
    return lines[5:-1]
