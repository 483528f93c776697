"""`gridlock help`: the same text as `--help`, and the exit codes."""

import click

from gridlock.play.exits import Exit

TOPIC = "exit-codes"
EXIT_CODES = {
    Exit.DONE: "The command succeeded.",
    Exit.FAILED: "The command failed; for example, a file could not be written, or a move could not be saved.",
    Exit.USAGE: "Wrong usage: an unknown command or option, or a value that is not allowed.",
    Exit.BAD_INPUT: "Bad input: an illegal move, a damaged file, or a game that does not exist.",
    Exit.AGENT: "An agent failed or is not installed, or the engine failed.",
    Exit.LIMIT: "A limit, such as --time, was reached before the answer was known.",
    129: "The terminal was closed (SIGHUP).",
    Exit.INTERRUPTED: "Interrupted with Ctrl-C (SIGINT).",
    143: "Terminated (SIGTERM).",
}


def _complete(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    root = ctx.find_root().command
    assert isinstance(root, click.Group)
    return [name for name in [*root.list_commands(ctx), TOPIC] if name.startswith(begun)]


@click.command(epilog="Examples: gridlock help play, gridlock help exit-codes")
@click.argument("command", metavar="[COMMAND]", required=False, shell_complete=_complete)
@click.pass_context
def help(ctx: click.Context, command: str | None) -> None:
    """Explain COMMAND, or list all commands; 'gridlock help exit-codes' lists the exit codes."""
    root = ctx.find_root()
    if command is None:
        click.echo(root.get_help())
        return
    if command.lower() == TOPIC:
        for code, words in EXIT_CODES.items():
            click.echo(f"{code:>3}  {words}")
        return
    assert isinstance(root.command, click.Group)
    name, found, _ = root.command.resolve_command(ctx, [command])
    assert found is not None  # otherwise resolve_command has raised an error
    with click.Context(found, info_name=name, parent=root) as inner:
        click.echo(found.get_help(inner))
