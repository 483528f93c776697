"""Make the manual page, docs/gridlock.1, from the commands' own help."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from gridlock import __version__
from gridlock.command import EXIT_CODES, GROUPS, cli

PAGE = Path(__file__).parent.parent / "docs" / "gridlock.1"
ENVIRONMENT = {
    "GRIDLOCK_HOME": "The folder for your games and settings.",
    "GRIDLOCK_DATABASE": "The database of 'gridlock serve', as given with --database.",
    "ACCESSIBLE": "If set, use line mode instead of the full screen, and no pager.",
    "NO_COLOR": "If set, use no colour.",
    "PAGER": "The program that shows long answers; 'cat' turns paging off.",
}


def escaped(text: str) -> str:
    """Escape a string so that roff prints it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("…", "...")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def prose(text: str) -> Iterator[str]:
    """Split a docstring into paragraphs; a paragraph that click must not rewrap keeps its line breaks."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield from (".PP", ".nf", escaped(paragraph.removeprefix("\b\n")), ".fi")
        else:
            yield from (".PP", escaped(" ".join(paragraph.split())))


def defined(terms: dict[str, str]) -> Iterator[str]:
    """Yield a list of terms, each with its description."""
    for term, words in terms.items():
        yield from (".TP", f".B {escaped(term)}", escaped(" ".join(words.split())))


def explained(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """Yield a command's description, options and examples."""
    yield from prose(inspect.cleandoc(command.help or ""))
    records = (param.get_help_record(ctx) for param in command.get_params(ctx) if isinstance(param, click.Option))
    yield from defined({names: words for names, words in filter(None, records) if "--help" not in names})
    if isinstance(command, click.Group) and command is not cli:
        inner = {
            f"{name} {' '.join(one.collect_usage_pieces(ctx))}": one.help for name, one in command.commands.items()
        }
        yield from defined({term: (words or "").split("\n\n")[0] for term, words in inner.items()})
    if command.epilog:
        yield from (".PP", escaped(command.epilog))


def page() -> str:
    """Return the manual page as roff source."""
    lines = [
        '.\\" Made by .ci/manpage.py from the commands.',
        f'.TH GRIDLOCK 1 "" "GridLock {__version__}" "User Commands"',
        *(".SH NAME", "gridlock \\- two\\-player lock\\-out games on a grid"),
        *(".SH SYNOPSIS", ".B gridlock", "[\\fIoptions\\fR] [\\fIcommand\\fR] [\\fIarguments\\fR]", ".SH DESCRIPTION"),
    ]
    with click.Context(cli, info_name="gridlock") as above:
        lines += explained(cli, above)
        for title, group in GROUPS.items():
            lines.append(f".SH {title.upper()}")
            for name in group:
                command = cli.get_command(above, name)
                assert command is not None
                with click.Context(command, parent=above, info_name=name) as ctx:
                    usage = " ".join(command.collect_usage_pieces(ctx))
                    lines += [f".SS {escaped(f'gridlock {name} {usage}')}", *explained(command, ctx)]
    lines += [".SH EXIT STATUS", *defined({str(int(code)): words for code, words in EXIT_CODES.items()})]
    return "\n".join([*lines, ".SH ENVIRONMENT", *defined(ENVIRONMENT)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
