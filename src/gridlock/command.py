"""The `gridlock` command: find the subcommand, and report every failure as a sentence and an exit code.

Only this module knows all three interfaces: the command line, the full-screen interface and the server.
"""

import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from gridlock import __version__
from gridlock.core.errors import AgentFailed, BadBoard, GridLockError, UnitFailed
from gridlock.play.exits import Exit

if TYPE_CHECKING:
    from gridlock.core.match import Match
    from gridlock.userdata.saves import Slot

LONGEST_ERROR = 1000  # characters per line: enough for a file's path and a description of the problem

# Every command with a short description, so that help can be printed without loading the commands' modules.
GROUPS = {
    "Play": {
        "play": "Play a game against a friend or the computer.",
        "resume": "Resume an unfinished game.",
        "games": "List your games, or delete some.",
        "stats": "Show your results by game, level and side.",
        "settings": "Show or change your name, level, boards and theme.",
    },
    "Learn": {
        "rules": "Explain a game, or list all games.",
        "learn": "Learn a game in a few short lessons.",
        "puzzle": "Solve puzzles, or the daily puzzle with --today.",
        "sheet": "Make a sheet of exercises to print, with answers.",
        "help": "Explain a command, or list the exit codes.",
    },
    "Analyse": {
        "analyse": "Show who wins from a position, which moves win, and why.",
        "value": "Show the exact value of a position and of its regions.",
        "review": "Review a game to see where it was won and lost.",
        "solve": "Work out who wins a game with perfect play.",
        "verify": "Check a certificate that proves who wins.",
        "atlas": "Show who wins on every board size.",
    },
    "Share": {
        "serve": "Let people play in their browsers, alone or with friends.",
        "site": "Export GridLock as a static website.",
        "show": "Replay a game, or draw one of its positions.",
        "save": "Write one of your games to a file.",
    },
    "For operators": {
        "admin": "Block clients, end or hide games, and show each client's usage.",
    },
    "For programs": {
        "match": "Let two agents play a match, and rate them.",
        "tournament": "Play the tournament that a plan file describes.",
        "engine": "Let other programs use the engine through the UGI protocol.",
        "legal": "List the legal moves after a sequence of moves.",
        "perft": "Count all move sequences up to a given length.",
        "sprt": "Test whether match results show that one player is stronger.",
        "suite": "Score a solver on positions with known winners.",
        "dataset": "Make a dataset of positions with exact labels.",
        "completion": "Set up Tab completion in your shell.",
    },
}
COMMANDS = [name for group in GROUPS.values() for name in group]
ALIASES = {"analyze": "analyse"}
EXIT_TOPIC = "exit-codes"  # the topic of `gridlock help` that lists the exit codes
EXIT_CODES = {
    Exit.DONE: "The command succeeded.",
    Exit.FAILED: "The command failed; for example, a file could not be written, or a move could not be saved.",
    Exit.USAGE: "Usage error: an unknown command or option, or a value that is not allowed.",
    Exit.BAD_INPUT: "Bad input: an illegal move, a damaged file, or a game that does not exist.",
    Exit.AGENT: "An agent failed or is not installed, or the engine failed.",
    Exit.LIMIT: "A limit, such as --time, was reached before the answer was known.",
    129: "The terminal was closed (SIGHUP).",
    Exit.INTERRUPTED: "Interrupted with Ctrl-C (SIGINT).",
    143: "Terminated (SIGTERM).",
}
SERVER = {"serve": "gridlock.web.command", "admin": "gridlock.web.admin", "site": "gridlock.web.static_site.command"}
# The commands whose names differ from their modules' names, grouped by module.
SHARED = {"play": "resume", "games": "stats", "show": "review save"}
SHARED |= {"programs": "legal perft completion", "arena": "match tournament"}
MODULES = {name: module for module, names in SHARED.items() for name in names.split()}


class Commands(click.Group):
    """A command group that imports each subcommand only when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the subcommands in the order in which the help lists them."""
        return COMMANDS

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return the subcommand with this name."""
        if name not in COMMANDS:
            return None
        if name == "help":
            return explain
        module = SERVER.get(name) or f"gridlock.cli.commands.{MODULES.get(name, name)}"
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a subcommand by name or alias, ignoring case; for a misspelt name, suggest the closest command."""
        name = ALIASES.get(args[0].lower(), args[0].lower())
        if name not in COMMANDS and not name.startswith("-"):
            from gridlock.cli.options import did_you_mean

            raise click.UsageError(f"there is no command '{args[0][:40]}'.{did_you_mean(name, COMMANDS)}", ctx)
        return super().resolve_command(ctx, [name, *args[1:]])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the command name; for an unknown option, explain where a command's options go."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            message = f"no such option: {error.option_name}. A command's options follow its name: gridlock games --json"
            raise click.UsageError(message, ctx) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand; unlike the Click library, do not count a closed pipe as a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return Exit.DONE
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            if error.ctx is None and name and (command := self.get_command(ctx, name)):
                error.ctx = click.Context(command, ctx, name)  # the Click library omits it if an option has no value
            raise

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands, in groups, without loading their modules."""
        wide = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), words) for name, words in group.items()])


def _full_screen(match: "Match | None", slot: "Slot | None") -> int:
    """Open a match or the start page in full-screen mode.

    Python can lose a Ctrl-C that arrives in the middle of an import. Until full-screen mode has installed its
    signal handler, Ctrl-C therefore ends the program at once.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gridlock.tui.app import run

    return run(match, slot)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "obj": _full_screen},
    epilog="Examples: gridlock play showdown --player2 medium, gridlock help play, gridlock help exit-codes",
)
@click.option("--plain", is_flag=True, help="If no command is given, use line mode instead of full-screen mode.")
@click.version_option(__version__, "-V", "--version", prog_name="gridlock")
@click.pass_context
def cli(ctx: click.Context, plain: bool) -> int:
    """Play two-player lock-out games on a grid.

    Without a command, gridlock opens its start page in full-screen mode or, if line mode is on, asks what to play.

    GAME is the name of a game, as listed by 'gridlock rules', or the path to a file that defines your own game, such as
    ./hermit.toml.
    """
    if ctx.invoked_subcommand is not None:
        return Exit.DONE
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return Exit.DONE
    from gridlock.cli.menu import choose_and_play, open_screen, possible, wanted
    from gridlock.cli.terminal import Terminal

    return open_screen() if not plain and wanted() and possible(Terminal()) else choose_and_play()


@click.command("help", epilog="Examples: gridlock help play, gridlock help exit-codes")
@click.argument(
    "command",
    metavar="[COMMAND]",
    required=False,
    shell_complete=lambda _ctx, _param, begun: [name for name in [*COMMANDS, EXIT_TOPIC] if name.startswith(begun)],
)
@click.pass_context
def explain(ctx: click.Context, command: str | None) -> None:
    """Explain COMMAND, or list all commands; 'gridlock help exit-codes' lists the exit codes."""
    root = ctx.find_root()
    if command is None:
        click.echo(root.get_help())
    elif command.lower() == EXIT_TOPIC:
        click.echo("\n".join(f"{code:>3}  {words}" for code, words in EXIT_CODES.items()))
    else:
        name, found, _ = cli.resolve_command(ctx, [command])
        assert found is not None  # otherwise resolve_command has raised an error
        with click.Context(found, info_name=name, parent=root) as inner:
            click.echo(found.get_help(inner))


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115  (a stream may already be closed)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # the locale's encoding may lack characters that occur in a name
    try:
        code = cli.main(arguments, prog_name="gridlock", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else Exit.DONE
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "gridlock"
        advice = [f"Try '{path} --help'."] if isinstance(error, click.UsageError) else []
        message = error.format_message().replace("\n\t", " ")  # the Click library lists choices on indented lines
        message += "." * message.startswith("Got unexpected extra argument")  # which lacks a full stop
        _print_error(f"{path}: {message}", *advice)
        return error.exit_code
    except GridLockError as error:
        _print_error(f"gridlock: {error}")
        if isinstance(error, AgentFailed):
            return Exit.AGENT
        if isinstance(error, UnitFailed):
            return Exit.FAILED
        return Exit.USAGE if isinstance(error, BadBoard) else Exit.BAD_INPUT
    except click.Abort as error:  # click raises Abort for Ctrl-C and at the end of the input
        if isinstance(error.__cause__, EOFError):
            return Exit.DONE
        _print_error("Interrupted.")
        return Exit.INTERRUPTED
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            return Exit.DONE
        _print_error(f"gridlock: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        return Exit.FAILED


def _print_error(*lines: str) -> None:
    """Print an error message; the message may quote user input, so make escape sequences visible."""
    from gridlock.cli.terminal import tell
    from gridlock.drawing.text import visible

    tell(*(visible(line, LONGEST_ERROR) for line in "\n".join(lines).split("\n")), err=True)


def main() -> None:
    """Run the command as a program."""
    try:
        sys.exit(run())
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # the reader has gone, so Python would otherwise replace the exit code
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
