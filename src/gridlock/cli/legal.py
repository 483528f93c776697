"""`gridlock legal`: which moves are legal after some moves."""

import json

import click

from gridlock.cli.options import board_options, game_argument, json_option
from gridlock.game import Game
from gridlock.grid import cells_of
from gridlock.notation import play_moves
from gridlock.rulebook import RuleBook
from gridlock.rules import variant


@click.command(epilog='Example: gridlock legal showdown --moves "3,3 1,1"')
@game_argument
@click.option("--moves", default="", metavar="MOVES", help='The moves so far, such as "3,3 1,1" or "3 3; 1 1".')
@board_options
@click.option("--starts", type=click.IntRange(1, 2), default=1, show_default=True, help="The player who moved first.")
@json_option
def legal(game: RuleBook, moves: str, board: str | None, adjacency: str | None, starts: int, as_json: bool) -> None:
    """List the moves that are legal after some moves.

    Rows and columns count as the game's players count them. Passes are left out of MOVES; a player who is stuck in a
    game with passes is named, and the other player's move may simply come next.
    """
    played = Game(variant(game, board, adjacency), starts=starts)
    play_moves(played, moves)
    position = played.positions[-1]  # a pass that has to be made now is still to come here
    cells = cells_of(played.variant.legal(position))
    winner = played.variant.winner(position)
    if as_json:
        answer = {
            "to_move": position.turn,
            "legal": [list(played.variant.coordinates(cell)) for cell in cells],
            "passed": played.passing,
            "over": winner is not None,
            "winner": winner,
        }
        click.echo(json.dumps(answer))
        return
    mover = played.player_name(position.turn)
    if winner is not None:
        click.echo(f"{mover} has no move. {played.player_name(winner)} wins.")
    elif played.passing:
        click.echo(f"{mover} has no move and must pass.")
    else:
        click.echo(f"{mover} can play {len(cells)} cell{'s' if len(cells) > 1 else ''}:")
        click.echo(" ".join(played.variant.name(cell) for cell in cells))
