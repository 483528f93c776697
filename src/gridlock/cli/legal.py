"""`gridlock legal`: which moves are legal after some moves."""

import json

import click

from gridlock.cli.options import board_options, game_after, game_argument, json_option, position_options
from gridlock.grid import cells_of
from gridlock.rulebook import RuleBook


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
    variant = after.variant
    position = after.positions[-1]  # a pass that has to be made now is still to come here
    cells = cells_of(variant.legal(position))
    winner = variant.winner(position)
    if as_json:
        answer = {
            "to_move": position.turn,
            "legal": [list(variant.coordinates(cell)) for cell in cells],
            "passed": after.passing,
            "over": winner is not None,
            "winner": winner,
        }
        click.echo(json.dumps(answer))
        return
    mover = after.player_name(position.turn)
    if winner is not None:
        click.echo(f"{mover} has no move. {after.player_name(winner)} wins.")
    elif after.passing:
        click.echo(f"{mover} has no move and must pass.")
    else:
        click.echo(f"{mover} can play {len(cells)} cell{'s' if len(cells) > 1 else ''}:")
        click.echo(" ".join(variant.name(cell) for cell in cells))
