"""`gridlock engine --check`: test whether a program follows the protocol, and report each fault in turn."""

import click

from gridlock.cli.terminal import tell
from gridlock.core.errors import AgentFailed, BadGame
from gridlock.core.rules import RULE_BOOKS, named
from gridlock.drawing.text import visible
from gridlock.play.exits import Exit

LONGEST_SHOWN = 200  # characters shown per line


def _read_games(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(named(name).name for name in names) or tuple(RULE_BOOKS)
    except BadGame as error:
        raise click.BadParameter(f"{str(error)[:1].lower()}{str(error)[1:]}") from None


check_option = click.option(
    "--check",
    "checked",
    metavar="COMMAND",
    help="Test whether the program started by COMMAND follows the protocol, and list any violations.",
)
games_option = click.option(
    "--game",
    "games",
    multiple=True,
    callback=_read_games,
    metavar="GAME",
    help="With --check: a game to test; repeat the option to test several games. [default: the five built-in games]",
)


def check_program(command: str, games: tuple[str, ...]) -> int:
    """Test a program, print each fault with the lines sent and received, and return the exit code."""
    from gridlock.players.check import check  # loaded only when a program is checked

    try:
        findings = check(command, games)
    except AgentFailed as error:
        raise click.UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}") from None
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
