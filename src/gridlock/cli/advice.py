"""Advice at the prompt: a hint, the reason behind a move, and what every move is worth."""

from random import Random

from gridlock.cli.drawing import printed_width
from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal
from gridlock.cli.values import pairing_board, values_board
from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.engine import engine_for
from gridlock.engine.explain import HOW, best_move, explain, line_words, until_stuck, wins_at_once
from gridlock.engine.mirror import losing_mirror
from gridlock.game import SWAP, Game
from gridlock.grid import Cell

PATIENCE = 1.0  # seconds at the most to look for the best try in a lost position
NO_FIRST_WIN = "No first move wins: the other player takes it over if it does, and plays on if it loses."
MENTIONED = 6  # moves or pairs of a large board that are listed in words


class Adviser:
    """Answers a player's questions with the engine, and remembers what was asked last."""

    def __init__(self, seconds: float, terminal: Terminal) -> None:
        self.seconds = seconds
        self.terminal = terminal
        self._last: tuple[Analysis, Cell | None] | None = None  # what the last hint was, and the move it named

    def hint(self, game: Game) -> list[str]:
        """A winning move or the best try, with a one-line reason."""
        if game.swap and not game.moves:
            first = first_of_a_swap(engine_for(game.variant), game.position, min(self.seconds, PATIENCE), Random(0))
            return [f"Try {game.variant.name(first)}: it looks hard to judge. Type why for more."]
        found = self._analyse(game)
        self._last = found, None
        if game.can_swap and found.verdict is Verdict.LOSS:
            return [f"Type swap: the first move was a winning one.{_short_reason(found)}"]
        cell = best_move(found)
        if cell is None:
            return ["There is no move to make."]
        sure = False
        if found.verdict is not Verdict.WIN:
            cell, sure = best_try(engine_for(found.variant), found, min(self.seconds, PATIENCE), Random(0))
        name = found.variant.name(cell)
        self._last = found, cell
        if words := wins_at_once(found, cell):
            return [f"Try {name}: it wins. {words.capitalize()}."]
        if found.verdict is Verdict.WIN:
            return [f"Try {name}: it wins.{_short_reason(found)}"]
        if found.verdict is Verdict.LOSS:
            hardest = "makes it hardest" if sure else "looks hardest"
            return [f"Every move loses against perfect play.{_short_reason(found)} {name} {hardest}."]
        return [f"Try {name}: who wins was not found out, but it looks best. Type why for what was tried."]

    def why(self, game: Game, kinds: tuple[str, str]) -> list[str]:
        """What the last hint, or else the computer's last move, rests on."""
        if game.swap and not game.moves:
            return [NO_FIRST_WIN]
        if self._last and self._last[0].position == game.position:
            found, cell = self._last
            if cell is not None or not game.can_swap:
                return self._reason(found, cell)
            if not found.moves:
                return ["Swapping wins: whoever has to answer the first move has no move."]
            return ["Swapping wins, since no move does.", *self._reason(found, None)]
        for ply in reversed(range(len(game.moves))):
            before = game.at(ply)
            if kinds[before.turn - 1] != "human":
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
            return [opinion, *([] if found.verdict is Verdict.WIN else self._reason(found, None))]
        name = found.variant.name(move)
        value = next(one.verdict for one in found.moves if one.cell == move)
        unknown = f"Whether {name} wins was not found out."
        if before.swap and not before.moves:
            then = {
                Verdict.WIN: f"{name} wins: swap.",
                Verdict.LOSS: f"{name} loses: play on.",
                Verdict.UNKNOWN: unknown,
            }
            return [f"{NO_FIRST_WIN} {then[value]}" if latest else NO_FIRST_WIN]
        if found.verdict is Verdict.WIN and value is not Verdict.WIN:
            if value is Verdict.UNKNOWN:
                return [unknown]
            return [f"{name} was a mistake{': now you can win. Type hint to see how' if latest else ''}."]
        if found.verdict is Verdict.LOSS:
            return self._why_lost(found, move) if latest else [f"{name} loses, as any move would."]
        return self._reason(found, move)

    def _why_lost(self, found: Analysis, move: Cell) -> list[str]:
        """How to answer a move that the computer made in a lost position."""
        name = found.variant.name
        said = f"{name(move)} loses, as any move would"
        if found.method is Method.MIRROR:
            mirror = losing_mirror(found.variant, found.position)
            assert mirror is not None  # that is how it was found
            return [f"{said}: answer with {HOW[mirror.name]}, {name(mirror.image[move])}, and go on like that."]
        found = explain(engine_for(found.variant), found, move)
        if found.method is Method.MATCHING:
            partner = name(found.pairing[move])
            said += f": its partner is {partner}. Answer there, and every later move with its partner too."
            return [said, *self._pairing(found, None)]
        return [f"{said}: for instance {line_words(found)}" if found.line else f"{said}, as a search shows."]

    def values(self, game: Game) -> list[str]:
        """The board with every move marked + or -; in words, if that is wider than the window."""
        found = self._analyse(game)
        if not found.moves:
            return ["There is no move to make."]
        lines = values_board(found, self.terminal.colour)
        if not self._fits(lines):
            return _in_words(found)
        unknown = ", ? was not found out in time" * any(move.verdict is Verdict.UNKNOWN for move in found.moves)
        counted = any(move.distance is not None for move in found.moves)
        number = "; the number counts the moves until the loser is stuck" * counted
        return [*lines, f"+ wins, - loses{unknown}{number}."]

    def _analyse(self, game: Game) -> Analysis:
        progress = Progress("Thinking")
        try:
            return engine_for(game.variant).weigh(game.position, self.seconds, progress)
        finally:
            progress.done()

    def _reason(self, found: Analysis, cell: Cell | None) -> list[str]:
        """What a move rests on, or the whole position if it is about none."""
        found = explain(engine_for(found.variant), found, cell)
        return [found.explanation, *self._pairing(found, cell)]

    def _pairing(self, found: Analysis, cell: Cell | None) -> list[str]:
        """The pairing behind a verdict, drawn or, where letters or room do not suffice, a part of it in words."""
        played = cell if found.verdict is Verdict.WIN else None
        drawn = pairing_board(found, played)
        if drawn and self._fits(drawn):
            return [f"Cells with the same letter are a pair{'' if played is None else '; * is the move'}:", *drawn]
        position = found.position if played is None else found.position.after(played)
        takes = [one for one in found.variant.legal_cells(position) if one in found.pairing]
        if not takes:
            return []
        name = found.variant.name
        some = "; ".join(f"{name(one)} by {name(found.pairing[one])}" for one in takes[:MENTIONED])
        more = "; and so on" * (len(takes) > MENTIONED)
        return [f"For instance, {some.replace('by', 'is answered by', 1)}{more}."]

    def _fits(self, board: list[str]) -> bool:
        """Whether a board is no wider than the window, if there is one."""
        columns = self.terminal.columns
        return columns is None or printed_width(board[0]) <= columns


def _short_reason(found: Analysis) -> str:
    """A sentence to follow another, if there is anything to say."""
    if found.method is Method.MATCHING:
        return " It follows from pairing up the empty cells: type why to see the pairs."
    if found.method is Method.MIRROR:
        return " It follows from a mirror: type why."
    most = "At most " * (found.verdict is Verdict.LOSS)
    return f" ({most}{until_stuck(found.distance)}.)" if found.distance else ""


def _in_words(found: Analysis) -> list[str]:
    """How many moves win and lose, and some of them."""
    said = []
    for verdict, word in ((Verdict.WIN, "win"), (Verdict.LOSS, "lose"), (Verdict.UNKNOWN, "not found out")):
        names = [found.variant.name(move.cell) for move in found.moves if move.verdict is verdict]
        if names:
            more = " ..." if len(names) > MENTIONED else ""
            word = f"{word}s" if len(names) == 1 and verdict is not Verdict.UNKNOWN else word
            said.append(f"{len(names)} move{'s' * (len(names) != 1)} {word}: {'  '.join(names[:MENTIONED])}{more}")
    return said
