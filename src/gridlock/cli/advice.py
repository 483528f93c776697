"""Advice at the prompt: a hint, the reason behind a move, and what every move is worth."""

from dataclasses import replace
from random import Random

from gridlock.cli.drawing import printed_width
from gridlock.cli.progress import Progress
from gridlock.cli.values import pairing_board, values_board
from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.choice import best_try
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.explain import best_move, explain
from gridlock.engine.mirror import losing_mirror, mirror_moves
from gridlock.game import SWAP, Game
from gridlock.grid import Cell

MENTIONED = 6  # moves or pairs of a large board that are listed in words


class Adviser:
    """Answers a player's questions with the engine, and remembers what was asked last."""

    def __init__(self, seconds: float, colour: bool) -> None:
        self.seconds = seconds
        self.colour = colour
        self._last: Analysis | None = None  # behind the last hint

    def hint(self, game: Game) -> list[str]:
        """A winning move or the best try, with a one-line reason."""
        found = self._last = self._analyse(game)
        if game.can_swap and found.verdict is Verdict.LOSS:
            return [f"Type swap: the first move was a winning one. {_short_reason(found)}".rstrip()]
        if not found.moves:
            return ["There is no move to make."]
        cell = self._suggestion(found)
        name = found.variant.name(cell)
        if found.verdict is Verdict.WIN:
            return [f"Try {name}: it wins. {_short_reason(found)}".rstrip()]
        if found.verdict is Verdict.LOSS:
            said = f"Every move loses against perfect play; {name} makes it hardest. {_short_reason(found)}"
            return [said.rstrip()]
        return [f"Try {name}: who wins was not found out, but it looks best. Type why for what was tried."]

    def _suggestion(self, found: Analysis) -> Cell:
        """The move to name: the one that the explanation is about, or the best try if none is known to win."""
        if found.verdict is not Verdict.WIN:
            return best_try(_engine(found), found, self.seconds, Random(0))
        if found.method is Method.MIRROR:
            return next(mirror_moves(found.variant, found.position))[0]
        cell = best_move(found)
        assert cell is not None  # there is one that wins
        return cell

    def why(self, game: Game, kinds: tuple[str, str]) -> list[str]:
        """What the last hint, or else the computer's last move, rests on."""
        if self._last and self._last.position == game.position:
            return [self._last.explanation, *_pairing(self._last)]
        for ply in reversed(range(len(game.moves))):
            before = game.at(ply)
            if kinds[before.to_move - 1] != "human":
                return self._why_moved(before, game.moves[ply], ply + 1 == len(game.moves))
        return ["There is nothing to explain yet. Type hint first."]

    def _why_moved(self, before: Game, move: int, latest: bool) -> list[str]:
        """What a move rests on that the computer made."""
        found = self._analyse(before)
        if move == SWAP:
            return _why_swapped(found)
        name = found.variant.name(move)
        played = _of_one_move(found, move)
        if found.verdict is Verdict.WIN and played.verdict is Verdict.LOSS:
            return [f"{name} was a mistake{': now you can win. Type hint to see how' if latest else ''}."]
        if played.verdict is Verdict.LOSS:
            return [f"{name} loses, as any move did. {found.explanation}", *_pairing(found)]
        return [played.explanation, *_pairing(played)]

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


def _engine(found: Analysis) -> Engine:
    return engine_for(found.variant)


def _of_one_move(found: Analysis, cell: Cell) -> Analysis:
    """The same analysis, as if that were the only move, with the reason for it."""
    (move,) = (move for move in found.moves if move.cell == cell)
    method = found.method
    if method is Method.MIRROR and not losing_mirror(found.variant, found.position.after(cell)):
        method = Method.SEARCH  # a mirror decides, but by another move
    only = replace(found, moves=(move,), verdict=move.verdict, method=method)
    return explain(_engine(found), only, Clock(1))


def _why_swapped(found: Analysis) -> list[str]:
    if found.verdict is Verdict.UNKNOWN:
        return [f"The first move looked strong, so it was taken over. {found.explanation}"]
    if found.verdict is Verdict.WIN:
        return ["Taking over the first move was a mistake: now you can win. Type hint to see how."]
    return [f"The first move wins, so it was taken over. {found.explanation}", *_pairing(found)]


def _short_reason(found: Analysis) -> str:
    if found.method is Method.MATCHING:
        return "It follows from pairing up the empty cells: type why to see the pairs."
    if found.method is Method.MIRROR:
        return "It follows from a mirror: type why."
    if not found.distance:
        return ""
    return f"({found.distance} move{'s' * (found.distance != 1)} to the end.)"


def _pairing(found: Analysis) -> list[str]:
    """The pairing behind a verdict, drawn or, where the letters do not suffice, a part of it in words."""
    if drawn := pairing_board(found):
        return ["Cells with the same letter are a pair:", *drawn]
    pairs = [(found.variant.name(one), found.variant.name(other)) for one, other in found.pairing.items()]
    if not pairs:
        return []
    some = ", ".join(f"{one} by {other}" for one, other in pairs[:MENTIONED])
    return [f"For instance, answer {some}{' and so on' * (len(pairs) > MENTIONED)}."]


def _in_words(found: Analysis) -> list[str]:
    """How many moves win and lose, and some of them."""
    said = []
    for verdict, word in ((Verdict.WIN, "win"), (Verdict.LOSS, "lose"), (Verdict.UNKNOWN, "could go either way")):
        names = [found.variant.name(move.cell) for move in found.moves if move.verdict is verdict]
        if names:
            more = " ..." if len(names) > MENTIONED else ""
            said.append(f"{len(names)} move{'s' * (len(names) != 1)} {word}: {'  '.join(names[:MENTIONED])}{more}")
    return said
