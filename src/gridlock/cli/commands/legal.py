"""`gridlock legal`: the legal moves after a sequence of moves."""

import click

from gridlock.cli.facts import print_json, standing
from gridlock.cli.options import json_option, position_options
from gridlock.cli.terminal import tell
from gridlock.core.game import Game


@click.command(epilog='Example: gridlock legal showdown --moves "3,3 1,1"')
@position_options
@json_option
def legal(start: Game, as_json: bool) -> None:
    """List the legal moves of GAME after the moves given with --moves.

    Rows and columns are numbered as in the game. Leave passes out of --moves: if a player must pass, the answer says
    so, and the next move in the list is the other player's.
    """
    if as_json:
        print_json(standing(start))
        return
    mover = start.player_name(start.positions[-1].turn)  # before an enforced pass
    cells = start.variant.legal_cells(start.positions[-1])
    if start.outcome:
        tell(f"{mover} has no move. {start.player_name(start.outcome.winner)} wins.")
    elif start.passing:
        tell(f"{mover} has no move and must pass.")
    else:
        tell(f"{mover} can play {len(cells)} cell{'s' if len(cells) > 1 else ''}:")
        tell(" ".join(start.variant.name(cell) for cell in cells))
