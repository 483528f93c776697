"""Tests of the commands' help texts: groups, old names, exit codes and the manual page."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gridlock.command import ALIASES, COMMANDS, EXIT_CODES, GROUPS, MODULES, cli, run
from gridlock.play.exits import Exit

ROOT = Path(__file__).parents[2]


def test_every_command_is_in_one_group(capsys: pytest.CaptureFixture[str]) -> None:
    modules = {path.stem for path in (ROOT / "src/gridlock/cli/commands").glob("[a-z]*.py")}
    assert {MODULES.get(name, name) for name in COMMANDS} == modules | {"admin", "help", "serve", "site"}
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    for title, group in GROUPS.items():
        section = shown.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"^  (\w+)", section, re.M) == list(group)
    assert [shown.count(f"\n  {name} ") for name in COMMANDS] == [1] * len(COMMANDS)


def test_the_help_loads_no_command() -> None:
    program = (
        "import sys; from gridlock.command import run; run(['--help']); "
        "print([name for name in sys.modules if name.startswith(('gridlock.cli.commands', 'gridlock.web'))])"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.endswith("\n[]\n")


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_is_the_same_command_and_is_not_listed(alias: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", alias]) == 0
    explained = capsys.readouterr().out
    assert run([ALIASES[alias], "--help"]) == 0
    assert capsys.readouterr().out == explained
    assert alias not in COMMANDS
    with click.Context(cli) as ctx:
        assert cli.resolve_command(ctx, [alias.upper()])[:2] == (ALIASES[alias], cli.get_command(ctx, ALIASES[alias]))


def test_every_command_calls_its_time_limit_time(capsys: pytest.CaptureFixture[str]) -> None:
    with click.Context(cli) as ctx:
        names = {name: [param.opts for param in cli.get_command(ctx, name).params] for name in COMMANDS}  # type: ignore[union-attr]
    assert not [name for name, opts in names.items() if ["--think"] in opts]
    assert ["--time"] in names["play"]
    for option in ("--time", "--think"):  # the old name
        assert run(["play", "chain", option, "nan"]) == 2
        assert "Invalid value for '--time'" in capsys.readouterr().err
    assert run(["play", "--help"]) == 0
    assert "--think" not in capsys.readouterr().out


def test_an_option_before_the_command_is_answered_with_where_it_belongs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "games"]) == 2
    assert "no such option: --json. A command's options follow its name" in capsys.readouterr().err


def test_an_option_without_its_value_points_to_the_commands_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "chain", "--board"]) == 2
    assert capsys.readouterr().err == (
        "gridlock solve: Option '--board' requires an argument.\nTry 'gridlock solve --help'.\n"
    )


def test_the_choices_for_a_missing_argument_are_on_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion"]) == 2
    assert capsys.readouterr().err == (
        "gridlock completion: Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish\n"
        "Try 'gridlock completion --help'.\n"
    )


def test_a_group_without_a_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["admin"]) == 2
    assert capsys.readouterr().err == "gridlock admin: Missing command.\nTry 'gridlock admin --help'.\n"


def test_a_failure_that_is_not_wrong_usage_does_not_point_to_the_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))
    assert run(["play", "keepaway", "--player1", "random", "--player2", "random"]) == 0
    capsys.readouterr()
    assert run(["save", str(tmp_path)]) == 1
    assert "--help" not in capsys.readouterr().err


def test_the_exit_codes_are_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(EXIT_CODES) == {*Exit, 129, 143}
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", (ROOT / "docs/terminal.md").read_text(), re.M)
    assert {int(code): words.replace("`", "") for code, words in rows} == EXIT_CODES
    assert run(["help", "exit-codes"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{code:>3}  {words}" for code, words in EXIT_CODES.items()]


def test_the_manual_page_is_current() -> None:
    spec = importlib.util.spec_from_file_location("manpage", ROOT / ".ci/manpage.py")
    assert spec is not None
    assert spec.loader is not None
    manpage = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(manpage)
    assert (ROOT / "docs/gridlock.1").read_text(encoding="utf-8") == manpage.page(), "run: python .ci/manpage.py"


def test_the_manual_page_is_well_formed() -> None:
    page = (ROOT / "docs/gridlock.1").read_text(encoding="utf-8")
    lines = page.splitlines()
    assert page.isascii()
    assert lines[1].startswith(".TH GRIDLOCK 1 ")
    sections = [line.removeprefix(".SH ") for line in lines if line.startswith(".SH ")]
    groups = [title.upper() for title in GROUPS]
    assert sections == ["NAME", "SYNOPSIS", "DESCRIPTION", *groups, "EXIT STATUS", "ENVIRONMENT"]
    assert [line.split()[2] for line in lines if line.startswith(".SS ")] == COMMANDS
    requests = {line.split()[0] for line in lines if line.startswith((".", "'"))}
    assert requests <= {'.\\"', ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi"}
    assert not [line for line in lines if not line.strip()]
    assert lines.count(".nf") == lines.count(".fi")


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_groff_formats_the_manual_page_without_a_warning() -> None:
    command = ["groff", "-man", "-Tascii", "-ww", str(ROOT / "docs/gridlock.1")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
    assert "gridlock - two-player lock-out games on a grid" in shown
    assert re.search(r"^ +--time SECONDS$", shown, re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_ranges_are_in_words(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert not re.search(r"x\s*[<>]=?|[<>]=?\s*x", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("serve --port 65536", "65536 is not between 0 and 65535."),
        ("serve --port x", "'x' is not a whole number (0 to 65535)."),
        ("serve --games-per-client 0", "0 is too small: use 1 or more."),
        ("play chain --rounds 1000", "1000 is not between 1 and 999."),
        ("play chain --time 0", "0 is out of range: use 0.01 to 3600 seconds."),
        ("play chain --time inf", "inf is out of range: use 0.01 to 3600 seconds."),
        ("solve chain --time 0", "0 is too short: use more than 0 seconds."),
        ("solve chain --time inf", "'inf' is not a number of seconds."),
        ("solve chain --time nan", "'nan' is not a number of seconds."),
        ("review --game 0", "0 is too small: use 1 or more."),
    ],
)
def test_a_number_outside_its_range_is_rejected(arguments: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments.split()) == 2
    assert words in capsys.readouterr().err
