"""`gridlock analyse`: which player wins from a position, which moves win, and why."""

from typing import Any

import click

from gridlock.cli.files import played, print_json, spot, spots, winner
from gridlock.cli.line.advice import partners_board, values_board
from gridlock.cli.options import json_option, memory_option, position_options, time_option
from gridlock.cli.terminal import Progress, Terminal, ctrl_c_cancels, tell
from gridlock.core.game import Game
from gridlock.engine.analysis import Analysis, partners, reason
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.play.advice import legend, value_text, values_of, verdict_words
from gridlock.play.exits import Exit

MOST_LISTED = 30  # at most this many moves are listed per verdict; the board shows all moves


@click.command(epilog='Example: gridlock analyse showdown --moves "3,3 1,1"')
@position_options
@click.option("--swap", is_flag=True, help="Apply the swap rule.")
@click.option("--distances", is_flag=True, help="Also count the moves to the end of the game, if --time allows.")
@time_option("Stop after this many seconds.", 10.0)
@memory_option
@json_option
def analyse(start: Game, distances: bool, seconds: float, memory: int, as_json: bool) -> int:
    """Show which player wins from a position of GAME, which moves win, and why.

    Every legal cell is marked + (wins) or - (loses), with the number of moves to the end if it can be counted quickly;
    ? means not solved in time. Ctrl-C stops the analysis and shows what is known so far.
    """
    from gridlock.engine.engine import MOMENT, Engine

    with Progress("Analysing") as progress, ctrl_c_cancels():
        clock = Clock(seconds, progress)
        analysis = Engine(start.variant, memory << 20).analyse(start, clock, None if distances else MOMENT)
    if as_json:
        print_json(_facts(start, analysis))
    else:
        tell(*_report(analysis))
    unknown = any(move.verdict is Verdict.UNKNOWN for move in analysis.values)
    if clock.stopped:
        tell("Interrupted: this is what is known so far.", err=True)
        return Exit.INTERRUPTED
    if unknown and clock.expired:
        tell(f"Stopped after {seconds:g} s. For a longer search, use --time SECONDS.", err=True)
    elif distances and not (unknown or analysis.without_swap) and None in [move.distance for move in analysis.values]:
        why = f"in {seconds:g} s" if clock.expired else "for this game and board"
        tell(f"The moves to the end could not be counted {why}.", err=True)
    return Exit.LIMIT if analysis.verdict is Verdict.UNKNOWN else Exit.DONE


def _facts(game: Game, analysis: Analysis) -> dict[str, Any]:
    variant = analysis.variant
    return {
        **played(game),
        "outcome": str(analysis.verdict),
        "winner": winner(analysis.verdict, game.turn),
        "winning": spots(variant, analysis.winning),
        "values": [
            {"cell": spot(variant, move.cell), "outcome": str(move.verdict), "distance": move.distance}
            for move in analysis.values
        ],
        "swapping": None if analysis.swap is None else str(analysis.swap),
        "distance": analysis.distance,
        "method": str(analysis.method),
        "explanation": analysis.words(),
        "pairing": [spots(variant, pair) for pair in analysis.pairing.items() if pair[0] < pair[1]],
        "line": spots(variant, analysis.line),
        "positions": analysis.positions,
        "seconds": round(analysis.seconds, 3),
    }


def _report(analysis: Analysis) -> list[str]:
    """Return a report: the board, the value of each move, and finally the winner and the reason.

    The winner and the reason come last, so that they stay visible in a small window.
    """
    terminal = Terminal()
    variant, position, values = analysis.variant, analysis.position, values_of(analysis)
    board = values_board(variant, position, values, terminal.colour)
    lines = board if terminal.fits(board) else ["(The board is wider than the window.)"]
    if values:
        lines += [legend(variant, position, values), ""]
    shown = analysis.proof.best if analysis.proof.verdict is Verdict.WIN else None
    drawn = partners_board(variant, position, partners(analysis), shown)
    if drawn and terminal.fits(drawn[1:]):
        lines += [*drawn, ""]
    for kind, word in ((Verdict.WIN, "Winning"), (Verdict.LOSS, "Losing"), (Verdict.UNKNOWN, "Unknown")):
        moves = [move for move in analysis.values if move.verdict is kind]
        if len(moves) > MOST_LISTED:
            everything = "all " * (len(moves) == len(analysis.values))
            lines.append(f"{word}: {everything}{len(moves):,} moves")
        elif moves:
            counts = ["" if move.distance is None else f" ({value_text(move)})" for move in moves]
            names = [f"{variant.name(move.cell)}{count}" for move, count in zip(moves, counts, strict=True)]
            lines.append(f"{word}: {'  '.join(names)}")
    return [*lines, verdict_words(analysis), reason(analysis)]
