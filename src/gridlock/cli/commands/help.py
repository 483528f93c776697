"""`gridlock help`: what `--help` says, for whoever types the word."""

import click

from gridlock.cli.options import did_you_mean


def _complete(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    root = ctx.find_root().command
    assert isinstance(root, click.Group)
    return [name for name in root.list_commands(ctx) if name.startswith(begun)]


@click.command(epilog="Example: gridlock help play")
@click.argument("command", metavar="[COMMAND]", required=False, shell_complete=_complete)
@click.pass_context
def help(ctx: click.Context, command: str | None) -> None:
    """Explain COMMAND, or list all commands."""
    root = ctx.find_root()
    if command is None:
        click.echo(root.get_help())
        return
    assert isinstance(root.command, click.Group)
    found = root.command.get_command(root, command.lower())
    if found is None:
        meant = did_you_mean(command, root.command.list_commands(root))
        raise click.UsageError(f"there is no command '{command[:40]}'.{meant}")
    with click.Context(found, info_name=command.lower(), parent=root) as inner:
        click.echo(found.get_help(inner))
