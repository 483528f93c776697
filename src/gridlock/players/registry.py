"""The list of agents that every interface uses.

An agent is built in, comes from an installed package (entry points), or was added by the running program. Listing the
agents does not load them. Any program can play, too: give its specification, in the form that `specs.py` describes,
instead of an agent's name. Such programs are started only here and in `check.py`, which tests them. In a browser, users
can choose only some of the listed agents. The server's operator can allow more agents, but users can never specify a
program from the browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.names import clean_name
from gridlock.players.player import Agent, FunctionPlayer, Player
from gridlock.players.specs import Spec, is_spec, read_spec, short_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from random import Random

    from gridlock.core.game import Game

PACKAGES = "gridlock.agents"  # the entry points by which packages add agents
BUILT_IN, PROGRAM = "built in", "program"
ADDED = "this program"
HUMAN = "human"  # used in place of an agent's name for a person
RESERVED = (HUMAN, "computer", "levels", "link", "screen")  # words that interfaces use for something else
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
LONGEST_SUMMARY = 100
STILL = "You can still show, review or save the game."


@dataclass(frozen=True)
class AgentEntry:
    """A description of an agent; the agent itself is loaded when it is needed."""

    name: str
    summary: str  # a sentence, shown in menus and lists
    load: Callable[[], Agent]
    source: str = BUILT_IN  # or "package NAME", ADDED, or PROGRAM
    offered: bool = True  # whether menus offer the agent; otherwise, users must name it
    needs: str = ""  # a package that it imports and that may be missing

    @property
    def ready(self) -> bool:
        """Whether the agent is built in and has no optional dependencies, and is therefore certain to load."""
        return self.offered and self.source == BUILT_IN

    def start(self) -> Player:
        """Start a player for the agent; the caller must call the player's `close` method after the last move."""
        return FunctionPlayer(self.name, self.load)

    def start_isolated(self) -> Player:
        """Start a player for the agent; unless the agent is built in, it has its own process with limited resources."""
        from gridlock.players.isolation import forked, hosted  # only here, because nothing else needs processes

        if self.source == BUILT_IN:
            return self.start()
        return forked(self.name, self.load) if self.source == ADDED else hosted(self.name)


@dataclass(frozen=True)
class ProgramEntry(AgentEntry):
    """A description of a program."""

    spec: Spec = field(kw_only=True)

    def start(self) -> Player:
        """Return a player whose program starts when it is needed."""
        return self.spec.start(self.name)

    start_isolated = start  # a program always has its own process


def program_entry(spec: Spec, name: str = "", summary: str = "") -> ProgramEntry:
    """Return an entry for a program; the entry's `load` gives a function that restarts the program for each move."""

    def agent(game: Game, rng: Random, seconds: float) -> int:
        with closing(spec.start(name)) as player:
            return player.choose(game, rng, seconds)

    summary = summary or clean_name(f"The program {spec.text}", LONGEST_SUMMARY)
    return ProgramEntry(name or spec.name, summary, lambda: agent, PROGRAM, offered=False, spec=spec)


def built_in(name: str, place: str, summary: str, needs: str = "") -> AgentEntry:
    """Describe a built-in agent by its module and function, which are loaded when the agent plays."""
    return AgentEntry(name, summary, partial(_load, *place.split(":")), offered=not needs, needs=needs)


def _load(module: str, function: str) -> Agent:
    agent: Agent = getattr(import_module(f"gridlock.players.{module}"), function)
    return agent


AGENTS = {
    entry.name: entry
    for entry in (
        built_in("random", "player:chance", "Moves at random."),
        built_in("easy", "levels:easy", "Nearly every move is a guess."),
        built_in("medium", "levels:medium", "Two in three moves are guesses."),
        built_in("hard", "levels:hard", "One in three moves is a guess."),
        built_in("perfect", "levels:perfect", "Plays perfectly whenever it can solve the position."),
        built_in("learned", "learned:learned", "A neural network without search; needs NumPy.", needs="numpy"),
    )
}


class NoAgent(AgentFailed, KeyError):
    """An error raised if there is no agent with the given name."""

    __str__ = GridLockError.__str__  # KeyError would put the message in quotes


class Agents(MutableMapping[str, Agent]):
    """All agents as functions, by name: built-in agents, agents from packages, and agents added by this program."""

    def __init__(self) -> None:
        self._added: dict[str, AgentEntry] = {}
        self._packages: dict[str, AgentEntry] | None = None  # None until the packages have been searched
        self.allowed: dict[str, str] = {}  # agents that web players may choose, and the specifications of engines

    def entry(self, name: str) -> AgentEntry:
        """Return the description of the agent with this name, or of the program with this specification.

        Installed packages are searched for an agent only if no built-in or added agent has the given name. If a
        specification is given, this method checks that the program exists, but does not start it.
        """
        if is_spec(name):
            spec = read_spec(name)
            spec.check()
            return program_entry(spec)
        known = AGENTS.get(name) or self._added.get(name) or self._from_packages().get(name)
        if known is None:
            from importlib.util import find_spec

            names = [one.name for one in self._known() if not one.needs or find_spec(one.needs)]
            raise NoAgent(f"There is no agent called '{clean_name(str(name), 40)}'. The agents are {', '.join(names)}.")
        return known

    def check(self, name: str) -> None:
        """Raise AgentFailed if there is no agent, program or function with this name or specification.

        A function's file is run in a process of its own, to find out whether it has the function.
        """
        entry = self.entry(name)
        if isinstance(entry, ProgramEntry):
            entry.spec.check_function()

    def offered(self) -> list[AgentEntry]:
        """Return the agents that menus offer, starting with the built-in ones."""
        return [entry for entry in self._known() if entry.offered]

    def _known(self) -> Iterable[AgentEntry]:
        """Return all agents, starting with the built-in ones."""
        return (AGENTS | {**self._from_packages(), **self._added, **AGENTS}).values()

    def start(self, name: str, isolated: bool = False) -> Player:
        """Start a player, given an agent's name or a program's specification.

        Call the player's `close` method after the last move. If `isolated` is true, every agent that is not built in
        runs in its own process, so that the agent cannot hang or crash this process.
        """
        return self.entry(name).start_isolated() if isolated else self.entry(name).start()

    def require(self, kinds: Iterable[str]) -> None:
        """Raise NoAgent if a match cannot be resumed because one of its players is not installed."""
        for kind in kinds:
            if is_spec(kind):
                try:
                    self.entry(kind)
                except AgentFailed as error:
                    why = error.why.rstrip(".")
                    raise NoAgent(f"This game needs {short_name(kind)}, but {why}. {STILL}") from None
            elif kind != HUMAN and kind not in self:
                raise NoAgent(
                    f"This game needs the agent '{clean_name(kind, 40)}', which is not installed here. Install the "
                    f"package that provides it to resume the game; {STILL[0].lower()}{STILL[1:]}"
                )

    # -- agents for browsers ----------------------------------------------------------------------------------------

    def allow(self, *names: str) -> None:
        """Let web players choose these agents, in addition to the built-in agents that are always available."""
        self.allowed = dict.fromkeys(names, "") | self.allowed

    def allow_engines(self, engines: Mapping[str, str]) -> None:
        """Let web players choose these programs; `engines` maps names, as shown in browsers, to specifications."""
        for name, spec in engines.items():
            if not is_name(name) or (name in self and self.allowed.get(name) != spec):
                raise GridLockError(
                    f"'{clean_name(name, 40)}' cannot be an engine's name. Use up to 40 characters (lower-case "
                    "letters, digits, dots, hyphens and underscores), but not the name of an agent."
                )
            read_spec(spec).check()
            self.allowed = self.allowed | {name: spec}

    def online(self) -> list[str]:
        """Return the names of the agents that web players may choose as opponents."""
        return [*(entry.name for entry in AGENTS.values() if entry.ready), *self.allowed]

    def entry_online(self, name: str) -> AgentEntry:
        """Return the entry for an agent that web players may choose as an opponent.

        Raise NoAgent if web players may not choose the agent, or if there is no agent with the given name.
        """
        if name not in self.online():
            shown = clean_name(name, 40)
            raise NoAgent(f"No agent called '{shown}' plays on this server. The agents are {', '.join(self.online())}.")
        if spec := self.allowed.get(name):
            return program_entry(read_spec(spec), name, "A program that this server offers as an opponent.")
        return self.entry(name)

    # -- as a mapping -----------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Agent:
        return self.entry(name).load()

    def __setitem__(self, name: str, agent: Agent) -> None:
        if not is_name(name):
            raise GridLockError(
                f"'{clean_name(str(name), 40)}' cannot be an agent's name. Use up to 40 characters (lower-case "
                f"letters, digits, dots, hyphens and underscores), and none of the words {', '.join(RESERVED)}."
            )
        if name in AGENTS:
            raise GridLockError(f"There is already an agent called {name}. Choose another name.")
        if not callable(agent):
            raise GridLockError(f"An agent must be a function of a game, a Random and seconds, not {agent!r}.")
        words = (getattr(agent, "__doc__", None) or "").strip().partition("\n")[0]
        summary = clean_name(words, LONGEST_SUMMARY) or "An agent added by this program."
        self._added[name] = AgentEntry(name, summary, lambda: agent, ADDED)

    def __delitem__(self, name: str) -> None:
        if name not in self._added:
            raise NoAgent(f"There is no agent called '{clean_name(str(name), 40)}' to remove.")
        del self._added[name]

    def __contains__(self, name: object) -> bool:
        return name in AGENTS or name in self._added or name in self._from_packages()

    def __iter__(self) -> Iterator[str]:
        return iter([entry.name for entry in self.offered()])

    def __len__(self) -> int:
        return len(self.offered())

    def __repr__(self) -> str:
        names = [f"{one.name}{f' ({one.source})' * (one.source != BUILT_IN)}" for one in self.offered()]
        return f"<{len(names)} agents: {', '.join(names)}>"

    def _from_packages(self) -> dict[str, AgentEntry]:
        """Return the agents that installed packages provide, without loading them."""
        if self._packages is None:
            from importlib.metadata import entry_points

            self._packages = {}
            for point in entry_points(group=PACKAGES):
                if is_name(point.name) and point.name not in self._packages:
                    package = clean_name(point.dist.name if point.dist else "", LONGEST_SUMMARY)
                    source, load = f"package {package}".strip(), partial(_load_point, point)
                    self._packages[point.name] = AgentEntry(point.name, f"From the {source}.", load, source)
        return self._packages


def is_name(name: object) -> bool:
    """Return whether an agent may have this name: one short word that no interface uses for something else."""
    return isinstance(name, str) and bool(_NAME.fullmatch(name)) and name not in RESERVED


def _load_point(point: EntryPoint) -> Agent:
    """Load an agent from its package."""
    try:
        agent: Agent = point.load()
    except Exception as error:  # third-party code may raise anything
        raise AgentFailed(f"The package behind the agent '{point.name}' does not load: {error}.") from error
    if not callable(agent):
        raise AgentFailed(f"The entry point of the agent '{point.name}' is not callable.")
    return agent


agents = Agents()
