"""Advice on the board: hints in steps, the value of every move, and pairs of cells that answer each other."""

from dataclasses import replace

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.play.advice import Advice
from gridlock.tui.picture import Picture

REGION, MOVE, WHY = 2, 3, 4  # the steps of a hint after the first one, which says who wins


class Coach:
    """The advice on the current position, and how much of it is shown."""

    def __init__(self) -> None:
        self.advice: Advice | None = None
        self.step = 0
        self.values = False
        self.pairs = False

    @property
    def wanted(self) -> bool:
        """Whether any advice is to be shown."""
        return bool(self.step or self.values or self.pairs)

    def forget(self) -> None:
        """Drop the advice, since the position has changed; values stay wanted."""
        self.advice = None
        self.step = 0
        self.pairs = False

    def next_step(self) -> None:
        """Show the next step of the hint."""
        self.step = min(WHY, self.step + 1)
        self.pairs = self.pairs or self.step == WHY

    def picture(self, game: Game, causes: int) -> Picture:
        """Return the picture of a game, with the advice to be shown."""
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
        """Return the advice in words, up to the current step."""
        advice = self.advice
        if advice is None:
            return ""
        said = ""
        if self.pairs and self.step != WHY:
            said = advice.reason
        elif self.step:
            said = advice.steps[self.step - 1] + ("  (h: more)" if self.step < WHY else "")
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
