"""`gridlock help`: the same text as `--help`."""

import click


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
    name, found, _ = root.command.resolve_command(ctx, [command])
    assert found is not None  # otherwise resolve_command has raised an error
    with click.Context(found, info_name=name, parent=root) as inner:
        click.echo(found.get_help(inner))
