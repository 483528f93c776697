"""Specifications, which say how to start a player, such as `process:./my-bot --fast` or `./my.py:function`.

`ugi:` or `line:` instead of `process:` fixes the protocol; otherwise, GridLock asks the program which protocol it uses.

A program whose specification begins with `sandbox:` has no network access and cannot change any file.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.core.errors import AgentFailed
from gridlock.core.names import clean_name

if TYPE_CHECKING:
    from gridlock.players.program import Program
    from gridlock.players.program_players import ProgramPlayer

ANY, UGI, LINE, SANDBOX = "process:", "ugi:", "line:", "sandbox:"
SCRATCH = 64 << 20  # bytes of temporary files in a sandbox
_FUNCTION = re.compile(r"(?P<file>[^:]*\.py):(?P<function>[A-Za-z_][A-Za-z0-9_]*)", re.DOTALL)
_INTERPRETER = re.compile(r"(python|pypy|node|deno|ruby|perl|java|bash|sh)[0-9.]*$")  # not a program's own name
_HIDDEN = ("/tmp", "/run", "/var/tmp")  # where other programs usually have their sockets


@dataclass(frozen=True)
class Spec:
    """A program, and the protocol to use with it."""

    scheme: str  # the protocol: ANY, UGI or LINE; empty if the spec names a function in a Python file
    command: tuple[str, ...]  # or the file and the function
    is_sandboxed: bool = False

    @property
    def text(self) -> str:
        """The specification as text; the program's path is made absolute, so that the text is valid in any folder."""
        import shlex

        first, *others = self.command
        first = os.path.abspath(first) if "/" in first or not self.scheme else first
        whole = f"{self.scheme}{shlex.join([first, *others])}" if self.scheme else f"{first}:{others[0]}"
        return f"{SANDBOX * self.is_sandboxed}{whole}"

    @property
    def name(self) -> str:
        """The program's short name, for display."""
        first, *others = self.command
        if not self.scheme:
            return clean_name(f"{Path(first).name}:{others[0]}", 40)
        scripts = [word for word in others if not word.startswith("-")] if _INTERPRETER.match(Path(first).name) else []
        return clean_name(Path([*scripts, first][0]).name, 40) or "program"

    @property
    def whole_command(self) -> tuple[str, ...]:
        """The full command, including the sandbox (if requested) and the host program (for a Python function)."""
        command = self.command if self.scheme else host_command(self.text.removeprefix(SANDBOX))
        return (*_sandbox(command), *command) if self.is_sandboxed else command

    def start(self, name: str = "", program: Callable[[Sequence[str]], Program] | None = None) -> ProgramPlayer:
        """Return a player whose program starts when it is needed; by default, the player gets the program's name."""
        # Imported here because these modules are needed only if a player is an external program.
        from gridlock.players.conversations import Conversation, Lines, Ugi
        from gridlock.players.program import Program
        from gridlock.players.program_players import ProgramPlayer

        self.check()
        known: dict[str, Conversation] = {UGI: Ugi(), LINE: Lines(), "": Ugi(has_clocks=False)}
        start = partial(program or Program, self.whole_command)
        return ProgramPlayer(name or self.name, start, known.get(self.scheme))

    def check(self) -> None:
        """Raise AgentFailed if the program is not available, or if it needs a sandbox and none is installed."""
        import shutil

        first = self.command[0]
        if self.scheme and shutil.which(first) is None:
            found = Path(first).exists()
            why = f"'{_shown(first)}' is not executable" if found else f"there is no program '{_shown(first)}'"
            raise AgentFailed(f"{why[0].upper()}{why[1:]}.", why)
        if not self.scheme and not Path(first).is_file():
            raise AgentFailed(f"There is no file '{_shown(first)}'.", f"there is no file '{_shown(first)}'")
        if self.is_sandboxed and shutil.which("bwrap") is None:
            why = "the sandbox needs bubblewrap (on Debian: apt install bubblewrap)"
            raise AgentFailed(f"{why[0].upper()}{why[1:]}.", why)

    def check_function(self) -> None:
        """Raise AgentFailed if the Python file has no such function; the file runs in its own process.

        Any other failure to start is left for the first game to report.
        """
        if self.scheme:
            return
        from gridlock.players.conversations import Ugi
        from gridlock.players.function_host import NO_FUNCTION, no_function
        from gridlock.players.program import Misbehaviour, Program

        program: Program | None = None
        try:
            program = Program(self.whole_command)
            Ugi(has_clocks=False).greet(program)
        except Misbehaviour:
            if program is not None and program.exit_code() == NO_FUNCTION:
                shown = no_function(*self.command)
                raise AgentFailed(shown, f"{shown[0].lower()}{shown[1:].rstrip('.')}") from None
        finally:
            if program is not None:
                program.kill()


def is_spec(text: object) -> bool:
    """Return whether a value specifies a program or a function, rather than naming an agent."""
    return isinstance(text, str) and (text.startswith((ANY, UGI, LINE, SANDBOX)) or bool(_FUNCTION.fullmatch(text)))


def read_spec(text: str) -> Spec:
    """Read a specification, without checking that the program exists."""
    import shlex

    if text.startswith(SANDBOX):
        inner = text.removeprefix(SANDBOX)
        if not is_spec(inner) or inner.startswith(SANDBOX):
            raise AgentFailed(
                f"'{_shown(text)}' names no program. Use sandbox:process:COMMAND or sandbox:FILE.py:FUNCTION."
            )
        return replace(read_spec(inner), is_sandboxed=True)
    scheme = next((one for one in (ANY, UGI, LINE) if text.startswith(one)), "")
    if not scheme and (match := _FUNCTION.fullmatch(text)):
        return Spec("", match.group("file", "function"))
    try:
        command = shlex.split(text.removeprefix(scheme))
    except ValueError as error:
        raise AgentFailed(f"The command '{_shown(text)}' cannot be read: {str(error).lower()}.") from None
    if not command or "\0" in text:
        raise AgentFailed(f"'{_shown(text)}' has no command. Give a command, such as {scheme or ANY}./my-bot.")
    return Spec(scheme or ANY, tuple(command))


def short_name(kind: str) -> str:
    """Return a short name for a player: the name of an agent, or of the program or function that plays."""
    try:
        return read_spec(kind).name if is_spec(kind) else kind
    except AgentFailed:
        return clean_name(kind, 40)


def host_command(agent: str) -> tuple[str, ...]:
    """Return the command that runs a Python function as a program; `agent` is a name or FILE.py:FUNCTION."""
    return sys.executable, "-P", "-m", "gridlock.players.host", agent


def _sandbox(command: tuple[str, ...]) -> list[str]:
    """Return the command prefix that runs a command in a sandbox.

    A read-only file system does not protect sockets, so the sandbox hides the folders that usually contain sockets. The
    program's own files stay visible, even in a hidden folder.
    """
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    hidden = [place for place in _HIDDEN if os.path.isdir(place)]
    for place in hidden:
        words += ["--size", str(SCRATCH), "--tmpfs", place]
    given = [word.rpartition(":")[0] if _FUNCTION.fullmatch(word) else word for word in command]
    files = [Path(word).resolve() for word in given if "/" in word and Path(word).exists()]
    own = {file if str(file.parent) in hidden else file.parent for file in files} | {Path.cwd()}
    for path in sorted(map(str, own)):
        if path not in hidden and any(Path(path).is_relative_to(place) for place in hidden):
            words += ["--ro-bind", path, path]
    return [*words, "--chdir", os.getcwd(), "--"]


def _shown(text: str) -> str:
    return clean_name(text, 80)
