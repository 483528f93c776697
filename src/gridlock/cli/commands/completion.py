"""`gridlock completion`: teach a shell to complete commands, games and saved games with Tab."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example: gridlock completion bash >> ~/.bash_completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script with which SHELL completes commands, games, levels, boards and saved games.

    \b
    To use it in every new shell, add one line to a file:
      eval "$(gridlock completion bash)"         to ~/.bashrc
      eval "$(gridlock completion zsh)"          to ~/.zshrc
      gridlock completion fish | source          to ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click knows the three
    click.echo(kind(ctx.find_root().command, {}, "gridlock", "_GRIDLOCK_COMPLETE").source())
