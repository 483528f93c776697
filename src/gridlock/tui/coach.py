"""Advice on the board: hints in steps, what every move is worth, and pairs that answer each other."""

from dataclasses import replace

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.play.advice import Advice
from gridlock.tui.picture import Picture

STEPS = 4  # of a hint: is it won, where, which move, why
REGION, MOVE, WHY = 2, 3, 4


class Coach:
    """What is known about the position on the board, and how much of it is shown."""

    def __init__(self) -> None:
        self.advice: Advice | None = None
        self.step = 0
        self.values = False
        self.pairs = False

    @property
    def wanted(self) -> bool:
        """Whether anything is to be shown."""
        return bool(self.step or self.values or self.pairs)

    def forget(self) -> None:
        """Another position: nothing is known of it; a board of values is wanted all the same."""
        self.advice = None
        self.step = 0
        self.pairs = False

    def next_step(self) -> None:
        """Say a little more."""
        self.step = min(STEPS, self.step + 1)
        if self.step == WHY:
            self.pairs = True

    def picture(self, game: Game, causes: int) -> Picture:
        """A game as it stands, with what is to be shown of it."""
        shown = Picture.of(game, causes)
        advice = self.advice
        if advice is None:
            return shown
        texts = dict(advice.values) if self.values else {}
        if self.step >= MOVE and advice.move not in (None, SWAP):
            texts[advice.move] = ("*", "hint")
        elif self.step == REGION:
            texts |= dict.fromkeys(cells_of(advice.region & shown.legal), ("?", "hint"))
        pairs = advice.pairs if self.pairs else {}
        return replace(shown, texts=texts, pairs=pairs, drawn=not advice.mirror)

    def words(self) -> str:
        """What there is to say, a step at a time."""
        advice = self.advice
        if advice is None:
            return ""
        said = advice.steps[self.step - 1] if self.step else ""
        if self.step and self.step < STEPS:
            said += "  (h: more)"
        if self.pairs and self.step != WHY:
            said = advice.reason
        if self.pairs and advice.pairs:
            how = (
                "= answers the cell under the cursor"
                if advice.mirror
                else "cells that are joined, or have the same letter, answer each other"
            )
            said += f"  [{how}]"
        elif self.values and not said:
            said = f"{advice.opinion} {advice.legend}"
        return said
