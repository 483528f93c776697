"""`gridlock engine-check`: test whether a program plays by the protocol."""

import click

from gridlock.cli.terminal import tell
from gridlock.core.errors import AgentFailed, BadGame
from gridlock.core.rules import RULE_BOOKS, named
from gridlock.drawing.text import visible
from gridlock.play.exits import Exit
from gridlock.players.check import Finding, check

LONGEST_SHOWN = 200  # characters of a line


def report(findings: list[Finding]) -> int:
    """Print what a test of a program has found, and return the exit code."""
    for finding in findings:
        tell(f"{'FAIL' if finding.wrong else 'ok  '}  {finding.what}")
        if finding.wrong:
            tell(f"      {finding.wrong}")
            for sent, line in finding.talk:
                tell(f"        {'sent:     ' if sent else 'came back:'} {visible(line, LONGEST_SHOWN)}")
            if finding.talk and finding.talk[-1][0]:
                tell("        nothing came back")
    wrong = sum(bool(finding.wrong) for finding in findings)
    tell(f"{wrong} of {len(findings)} checks failed." if wrong else f"All {len(findings)} checks passed.")
    return Exit.AGENT if wrong else Exit.DONE


def _read_games(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(named(name).name for name in names) or tuple(RULE_BOOKS)
    except BadGame as error:
        raise click.BadParameter(f"{str(error)[:1].lower()}{str(error)[1:]}") from None


@click.command("engine-check", epilog="Example: gridlock engine-check './my-bot --fast' --game showdown")
@click.argument("command")
@click.option(
    "--game",
    "games",
    multiple=True,
    callback=_read_games,
    metavar="GAME",
    help="A game that the program plays; can be repeated. [default: the five built-in games]",
)
def engine_check(command: str, games: tuple[str, ...]) -> int:
    """Test whether the program that COMMAND starts plays by the protocol, and say what is wrong, in order.

    COMMAND starts a program that speaks UGI, or one that answers a line of moves with a move; with ugi: or line: before
    it, only this protocol is accepted. Each fault is shown with what was sent and what came back.
    """
    try:
        return report(check(command, games))
    except AgentFailed as error:
        raise click.UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}") from None
