"""Compare two runs of a suite: which problems only one run solved, and how long each run took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gridlock.arena.suite.report import table
from gridlock.arena.suite.scoring import Answer, Answers
from gridlock.core.errors import BadRecord
from gridlock.drawing.text import visible


class Pair(NamedTuple):
    """The two engines' answers to the same problem."""

    old: Answer
    new: Answer


class Comparison:
    """Two runs, and the problems that were put to both engines."""

    def __init__(self, old: Answers, new: Answers) -> None:
        self.runs = old, new
        before = {one.problem.position: one for one in old.answers}
        self.pairs = [Pair(before[one.problem.position], one) for one in new.answers if one.problem.position in before]
        if not self.pairs:
            raise BadRecord("The two runs have no problems in common.")
        self.scored = [pair for pair in self.pairs if pair.old.scored and pair.new.scored]
        self.gained = [pair for pair in self.scored if pair.new.solved > pair.old.solved]
        self.lost = [pair for pair in self.scored if pair.old.solved > pair.new.solved]
        both = [pair for pair in self.scored if pair.old.solved and pair.new.solved]
        self.both = len(both)
        self.seconds = sum(pair.old.seconds for pair in both), sum(pair.new.seconds for pair in both)
        self.claimed = [pair for pair in self.pairs if _claims(pair.old) and _claims(pair.new)]
        self.disputed = [pair for pair in self.claimed if pair.old.winner != pair.new.winner]

    def lines(self) -> list[str]:
        """Return the comparison as text."""
        (old, new), lines = self.runs, list[str]()
        for word, run in (("Old", old), ("New", new)):
            lines.append(f"{word}: {visible(run.engine)}, {run.seconds:g} s for each answer")
        lines += ["", *table(self.scored, lambda pair: pair.new.problem, _cell), ""]
        before, after = self.seconds
        lines.append("Each entry: problems solved by the old run, then those gained (+) and lost (-) by the new run.")
        lines.append(f"Asked in both runs: {len(self.scored):,}.")
        lines.append(f"Solved in both runs: {self.both:,}, in {before:,.1f} s and {after:,.1f} s.")
        if self.claimed:
            agreed = len(self.claimed) - len(self.disputed)
            lines.append(f"Open problems: both name a winner for {len(self.claimed)}, and agree on {agreed}.")
        for word, pairs in (("Gained", self.gained), ("Lost", self.lost), ("Disputed", self.disputed)):
            lines += ["", f"{word}:", *(_line(pair) for pair in pairs)] if pairs else []
        return lines

    def facts(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        runs = {
            name: {
                "engine": run.engine,
                "limit": run.seconds,
                "solved": sum(pair[side].solved for pair in self.scored),
                "seconds": round(self.seconds[side], 3),
            }
            for side, (name, run) in enumerate(zip(("old", "new"), self.runs, strict=True))
        }
        changes = {"gained": self.gained, "regressed": self.lost, "disputed": self.disputed}
        names = {word: [pair.new.problem.name for pair in pairs] for word, pairs in changes.items()}
        return {"asked": len(self.scored), **runs, **names}


def _claims(answer: Answer) -> bool:
    return answer.problem.is_open and answer.winner is not None


def _cell(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    gained = sum(pair.new.solved > pair.old.solved for pair in pairs)
    lost = sum(pair.old.solved > pair.new.solved for pair in pairs)
    return f"{sum(pair.old.solved for pair in pairs)}" + f" +{gained}" * bool(gained) + f" -{lost}" * bool(lost)


def _line(pair: Pair) -> str:
    return f"{pair.new.problem.name}  {pair.new.problem.position}"
