"""`gridlock sprt`: a calculator for the sequential probability ratio test."""

import click

from gridlock.arena.elo import estimate, normalised_elo
from gridlock.arena.sprt import ERROR_RATES, LARGEST_ELO, Model, Sprt, report
from gridlock.arena.tally import Tally
from gridlock.cli.files import print_json
from gridlock.cli.options import json_option, model_option
from gridlock.cli.terminal import tell
from gridlock.param_types import Number, WholeNumber

COUNT = WholeNumber(0, 1_000_000_000)
ELO = Number(-LARGEST_ELO, LARGEST_ELO)
RATE = Number(*ERROR_RATES)


@click.command(epilog="Examples: gridlock sprt 60 40, gridlock sprt --pairs 10 30 20 --elo1 20 --model logistic")
@click.argument("won", metavar="[W]", type=COUNT, required=False)
@click.argument("lost", metavar="[L]", type=COUNT, required=False)
@click.option(
    "--pairs", type=COUNT, nargs=3, metavar="L D W", help="The numbers of game pairs lost, drawn (1-1) and won."
)
@click.option(
    "--elo0", type=ELO, default=Sprt.elo0, show_default=True, help="H0: the difference is at most this value."
)
@click.option(
    "--elo1", type=ELO, default=Sprt.elo1, show_default=True, help="H1: the difference is at least this value."
)
@click.option("--alpha", type=RATE, default=Sprt.alpha, show_default=True, help="Probability of wrongly accepting H1.")
@click.option("--beta", type=RATE, default=Sprt.beta, show_default=True, help="Probability of wrongly accepting H0.")
@model_option("Whether the bounds are in normalised Elo or in the usual logistic Elo.")
@json_option
def sprt(
    won: int | None,
    lost: int | None,
    pairs: tuple[int, int, int] | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    model: str,
    as_json: bool,
) -> None:
    """Run an SPRT: test whether a player with W wins and L losses is stronger than the opponent.

    The log-likelihood ratio (LLR) grows with results that fit H1 better than H0. Accept H1 once the ratio reaches its
    upper bound, or H0 once it reaches its lower bound; until then, play more games. If each opening was played
    twice, with the sides exchanged, give --pairs instead of W and L, so that openings that favour one side add no
    noise.
    """
    if elo0 >= elo1:
        raise click.UsageError(f"--elo0 {elo0:g} must be below --elo1 {elo1:g}.")
    tally = _tally(won, lost, pairs)
    test = Sprt(elo0, elo1, alpha, beta, Model(model))
    if not as_json:
        tell(*report(test, tally))
        return
    reading, found = test.read(tally), estimate(tally)
    print_json(
        {
            "won": tally.wins,
            "lost": tally.losses,
            "pairs_lost": pairs and pairs[0],
            "pairs_split": pairs and pairs[1],
            "pairs_won": pairs and pairs[2],
            "model": model,
            "elo0": elo0,
            "elo1": elo1,
            "alpha": alpha,
            "beta": beta,
            **reading._asdict(),
            "decision": reading.decision,
            "elo": found.elo,
            "elo_low": found.low,
            "elo_high": found.high,
            "normalised_elo": normalised_elo(tally),
            "superiority": found.superiority,
        }
    )


def _tally(won: int | None, lost: int | None, pairs: tuple[int, int, int] | None) -> Tally:
    """Return the tally of the given games or pairs; if both are given, they must agree."""
    if pairs is None:
        if won is None or lost is None:
            raise click.UsageError("give the games won and lost, or --pairs with the pairs lost, split and won.")
        return Tally.of_games(won, lost)
    tally = Tally(*pairs)
    if won is not None and (won, lost) != (tally.wins, tally.losses):
        raise click.UsageError(
            f"these pairs have {tally.wins} games won and {tally.losses} lost, which does not match the games "
            "given before --pairs. Correct the numbers of games won and lost so that they match --pairs, or leave "
            "them out."
        )
    return tally
