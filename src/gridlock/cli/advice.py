"""Advice at the prompt: a hint, the reason behind a move, and what every move is worth."""

from random import Random

from gridlock.cli.drawing import printed_width
from gridlock.cli.progress import Progress
from gridlock.cli.values import pairing_board, values_board
from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.choice import best_try
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.explain import best_move, explain
from gridlock.engine.mirror import mirror_moves
from gridlock.game import SWAP, Game
from gridlock.grid import Cell

PATIENCE = 1.0  # seconds at the most to look for the best try in a lost position, and for a line to show
MENTIONED = 6  # moves or pairs of a large board that are listed in words


class Adviser:
    """Answers a player's questions with the engine, and remembers what was asked last."""

    def __init__(self, seconds: float, colour: bool) -> None:
        self.seconds = seconds
        self.colour = colour
        self._last: tuple[Analysis, Cell | None] | None = None  # what the last hint was, and the move it named

    def hint(self, game: Game) -> list[str]:
        """A winning move or the best try, with a one-line reason."""
        found = self._analyse(game)
        self._last = found, None
        if game.can_swap and found.verdict is Verdict.LOSS:
            return [f"Type swap: the first move was a winning one. {_short_reason(found)}".rstrip()]
        if not found.moves:
            return ["There is no move to make."]
        cell = self._suggestion(found)
        name = found.variant.name(cell)
        self._last = found, cell
        if found.verdict is Verdict.WIN:
            return [f"Try {name}: it wins. {_short_reason(found)}".rstrip()]
        if found.verdict is Verdict.LOSS:
            said = f"Every move loses against perfect play; {name} makes it hardest. {_short_reason(found)}"
            return [said.rstrip()]
        return [f"Try {name}: who wins was not found out, but it looks best. Type why for what was tried."]

    def _suggestion(self, found: Analysis) -> Cell:
        """A move that wins, by a mirror if one decides, or the best try if none is known to win."""
        if found.verdict is not Verdict.WIN:
            return best_try(engine_for(found.variant), found, min(self.seconds, PATIENCE), Random(0))
        if found.method is Method.MIRROR and found.distance != 1:
            return next(mirror_moves(found.variant, found.position))[0]
        cell = best_move(found)
        assert cell is not None  # there is one that wins
        return cell

    def why(self, game: Game, kinds: tuple[str, str]) -> list[str]:
        """What the last hint, or else the computer's last move, rests on."""
        if self._last and self._last[0].position == game.position:
            return _reason(*self._last)
        for ply in reversed(range(len(game.moves))):
            before = game.at(ply)
            if kinds[before.to_move - 1] != "human":
                return self._why_moved(before, game.moves[ply], ply + 1 == len(game.moves))
        return ["There is nothing to explain yet. Type hint first."]

    def _why_moved(self, before: Game, move: int, latest: bool) -> list[str]:
        """What a move rests on that the computer made."""
        found = self._analyse(before)
        if move == SWAP:
            opinion = {
                Verdict.WIN: "Taking over the first move was a mistake: now you can win.",
                Verdict.LOSS: "The first move wins, so the computer took it over.",
                Verdict.UNKNOWN: "The first move looked strong, so the computer took it over.",
            }[found.verdict]
            return [opinion, *([] if found.verdict is Verdict.WIN else _reason(found, None))]
        name = found.variant.name(move)
        if found.verdict is Verdict.WIN and move not in found.winning:
            return [f"{name} was a mistake{': now you can win. Type hint to see how' if latest else ''}."]
        if found.verdict is Verdict.LOSS:
            said = f"{name} loses, as any move would: you are winning. From the computer's side:"
            return [said, *_reason(found, move)]
        return _reason(found, move)

    def values(self, game: Game, columns: int | None) -> list[str]:
        """The board with every move marked + or -; in words, if that is wider than the window."""
        found = self._analyse(game)
        if not found.moves:
            return ["There is no move to make."]
        lines = values_board(found, self.colour)
        if columns is not None and printed_width(lines[0]) > columns:
            return _in_words(found)
        unknown = ", ? was not found out in time" * any(move.verdict is Verdict.UNKNOWN for move in found.moves)
        counted = "; the number counts the moves to the end" * any(move.distance is not None for move in found.moves)
        return [*lines, f"+ wins, - loses{unknown}{counted}."]

    def _analyse(self, game: Game) -> Analysis:
        progress = Progress("Thinking")
        try:
            return engine_for(game.variant).analyse(game.position, self.seconds, progress)
        finally:
            progress.done()


def _reason(found: Analysis, cell: Cell | None) -> list[str]:
    """What a move rests on, or the whole position if it is about none."""
    if cell is not None:
        if not found.variant.legal(found.position.after(cell)):
            return [f"{found.variant.name(cell)} wins: it leaves the opponent no move."]
        found = explain(engine_for(found.variant), found, Clock(PATIENCE), cell)
    return [found.explanation, *_pairing(found, cell)]


def _short_reason(found: Analysis) -> str:
    if found.distance == 1:
        return "It leaves the opponent no move."
    if found.method is Method.MATCHING:
        return "It follows from pairing up the empty cells: type why to see the pairs."
    if found.method is Method.MIRROR:
        return "It follows from a mirror: type why."
    return f"({found.distance} moves to the end.)" if found.distance else ""


def _pairing(found: Analysis, cell: Cell | None) -> list[str]:
    """The pairing behind a verdict, drawn or, where the letters do not suffice, a part of it in words."""
    played = cell if found.verdict is Verdict.WIN else None
    if drawn := pairing_board(found, played):
        return [f"Cells with the same letter are a pair{'' if played is None else '; * is the move'}:", *drawn]
    position = found.position if played is None else found.position.after(played)
    takes = [one for one in found.variant.moves(position) if one in found.pairing]
    if not takes:
        return []
    name = found.variant.name
    some = "; ".join(f"{name(one)} by {name(found.pairing[one])}" for one in takes[:MENTIONED])
    return [f"For instance, answer {some}{'; and so on' * (len(takes) > MENTIONED)}."]


def _in_words(found: Analysis) -> list[str]:
    """How many moves win and lose, and some of them."""
    said = []
    for verdict, word in ((Verdict.WIN, "win"), (Verdict.LOSS, "lose"), (Verdict.UNKNOWN, "could go either way")):
        names = [found.variant.name(move.cell) for move in found.moves if move.verdict is verdict]
        if names:
            more = " ..." if len(names) > MENTIONED else ""
            said.append(f"{len(names)} move{'s' * (len(names) != 1)} {word}: {'  '.join(names[:MENTIONED])}{more}")
    return said
