"""`gridlock legal`: which moves are legal after some moves."""

import click

from gridlock.cli.facts import print_json, standing
from gridlock.cli.options import board_options, game_after, game_argument, json_option, position_options
from gridlock.cli.terminal import tell
from gridlock.core.rulebook import RuleBook


@click.command(epilog='Example: gridlock legal showdown --moves "3,3 1,1"')
@game_argument
@board_options
@position_options
@json_option
def legal(game: RuleBook, board: str | None, adjacency: str | None, moves: str, starts: str, as_json: bool) -> None:
    """List the moves that are legal after some moves.

    Rows and columns count as the game's players count them. Passes are left out of --moves; a player who is stuck in a
    game with passes is named, and the other player's move may simply come next.
    """
    after = game_after(game, board, adjacency, starts, moves)
    if as_json:
        print_json(standing(after))
        return
    mover = after.player_name(after.positions[-1].turn)  # a pass that has to be made now is still to come here
    cells = after.variant.legal_cells(after.positions[-1])
    if after.outcome:
        tell(f"{mover} has no move. {after.player_name(after.outcome.winner)} wins.")
    elif after.passing:
        tell(f"{mover} has no move and must pass.")
    else:
        tell(f"{mover} can play {len(cells)} cell{'s' if len(cells) > 1 else ''}:")
        tell(" ".join(after.variant.name(cell) for cell in cells))
