"""The one list of agents, from which every surface derives what it offers and accepts.

An agent is built in, comes from an installed package (entry points), or was put in by the program that runs. Listing
agents loads none of them. What browsers may ask for is a part of the list that only the server's operator can extend.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.names import clean_name
from gridlock.players.player import Agent, FunctionPlayer, Player

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PACKAGES = "gridlock.agents"  # the entry points by which packages add agents
BUILT_IN = "built in"
HUMAN = "human"  # stands where an agent's name could stand, for a person
RESERVED = (HUMAN, "computer", "levels", "link", "screen")  # words that mean something else to a surface
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
LONGEST_SUMMARY = 100


@dataclass(frozen=True)
class AgentEntry:
    """What is known of an agent before it plays."""

    name: str
    summary: str  # a sentence, shown wherever people choose
    load: Callable[[], Agent]
    source: str = BUILT_IN  # or "package NAME", or "this program"
    offered: bool = True  # by menus; otherwise it plays only if somebody names it

    @property
    def ready(self) -> bool:
        """Whether it plays wherever this package is installed, so that nothing need be loaded to find out."""
        return self.offered and self.source == BUILT_IN

    def start(self) -> Player:
        """Start a player; whoever starts it closes it."""
        return FunctionPlayer(self.name, self.load)


def built_in(name: str, place: str, summary: str, offered: bool = True) -> AgentEntry:
    """Describe an agent of this package by its module and function, which are loaded when it plays."""
    return AgentEntry(name, summary, partial(_load, *place.split(":")), offered=offered)


def _load(module: str, function: str) -> Agent:
    agent: Agent = getattr(import_module(f"gridlock.players.{module}"), function)
    return agent


AGENTS = {
    entry.name: entry
    for entry in (
        built_in("random", "chance:chance", "Moves at random."),
        built_in("easy", "levels:easy", "A friendly opponent for a first game."),
        built_in("medium", "levels:medium", "Plays like someone who knows the game."),
        built_in("hard", "levels:hard", "Makes a mistake now and then."),
        built_in("perfect", "levels:perfect", "Proves its moves, and plays its best where it cannot."),
        built_in("learned", "learned:learned", "A neural network without search; needs NumPy.", offered=False),
    )
}


class NoAgent(AgentFailed, KeyError):
    """A name that no agent has."""

    __str__ = GridLockError.__str__  # KeyError would put the sentence into quotes


class Agents(MutableMapping[str, Agent]):
    """All agents by name, as functions: those built in, those of packages, and those put in here."""

    def __init__(self) -> None:
        self._added: dict[str, AgentEntry] = {}
        self._packages: dict[str, AgentEntry] | None = None  # once they have been asked
        self._allowed: list[str] = []  # for browsers, besides those built in

    # -- what is known of agents ------------------------------------------------------------------------------------

    def entry(self, name: str) -> AgentEntry:
        """Return what is known of an agent; packages are asked only for a name that is not known without them."""
        known = AGENTS.get(name) or self._added.get(name) or self._from_packages().get(name)
        if known is None:
            raise NoAgent(f"There is no agent called '{clean_name(str(name), 40)}'. There are {', '.join(self)}.")
        return known

    def offered(self) -> list[AgentEntry]:
        """Return the agents that menus offer, those built in first."""
        known = {**self._from_packages(), **self._added, **AGENTS}
        return [known[name] for name in dict.fromkeys([*AGENTS, *known]) if known[name].offered]

    def start(self, name: str) -> Player:
        """Start a player by its agent's name; whoever starts it closes it."""
        return self.entry(name).start()

    def require(self, kinds: Iterable[str]) -> None:
        """Raise NoAgent if a match cannot be resumed because one of its players is not installed."""
        for kind in kinds:
            if kind != HUMAN and kind not in self:
                raise NoAgent(
                    f"This game needs the agent '{clean_name(kind, 40)}', which is not installed here. Install the "
                    "package that provides it to resume the game; until then you can show, review or save it."
                )

    # -- what browsers may ask for ----------------------------------------------------------------------------------

    def allow(self, *names: str) -> None:
        """Let browsers play against these agents, besides those that are built in and offered."""
        self._allowed = list(dict.fromkeys([*self._allowed, *names]))

    @property
    def allowed(self) -> list[str]:
        """The names given to allow()."""
        return self._allowed

    def online(self) -> list[str]:
        """Return the agents that browsers may play against."""
        return [*(entry.name for entry in AGENTS.values() if entry.ready), *self._allowed]

    def entry_online(self, name: str) -> AgentEntry:
        """Return what is known of an agent that browsers may play against; any other name is not even looked up."""
        if name not in self.online():
            shown = clean_name(name, 40)
            raise NoAgent(f"No agent called '{shown}' plays on this server. There are {', '.join(self.online())}.")
        return self.entry(name)

    # -- as a mapping -----------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Agent:
        return self.entry(name).load()

    def __setitem__(self, name: str, agent: Agent) -> None:
        check_name(name)
        if name in AGENTS:
            raise GridLockError(f"There is an agent called {name} already. Give yours another name.")
        if not callable(agent):
            raise GridLockError(f"An agent is a function of a game, a Random and seconds, not {agent!r}.")
        words = (getattr(agent, "__doc__", None) or "").strip().partition("\n")[0]
        summary = clean_name(words, LONGEST_SUMMARY) or "Added by this program."
        self._added[name] = AgentEntry(name, summary, lambda: agent, "this program")

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
        own = [entry.name for entry in self.offered() if entry.name in AGENTS]
        others = [f"{entry.name} ({entry.source})" for entry in self.offered() if entry.name not in AGENTS]
        return f"<{len(self)} agents: {', '.join([*own, *others])}>"

    def _from_packages(self) -> dict[str, AgentEntry]:
        """Return the agents that installed packages bring; only their names are read."""
        if self._packages is None:
            from importlib.metadata import entry_points

            self._packages = {}
            for point in entry_points(group=PACKAGES):
                if is_name(point.name) and point.name not in self._packages:
                    package = clean_name(point.dist.name if point.dist else "", LONGEST_SUMMARY)
                    source = f"package {package}".strip()
                    self._packages[point.name] = AgentEntry(
                        point.name, f"From the {source}.", partial(_load_point, point), source
                    )
        return self._packages


def is_name(name: object) -> bool:
    """Return whether an agent may have this name: one short word that no surface uses for something else."""
    return isinstance(name, str) and bool(_NAME.fullmatch(name)) and name not in RESERVED


def check_name(name: object) -> None:
    """Raise an error if an agent may not have this name."""
    if not is_name(name):
        raise GridLockError(
            f"'{clean_name(str(name), 40)}' cannot be an agent's name. Use up to 40 lower-case letters, digits, dots, "
            f"hyphens and underscores, and none of the words {', '.join(RESERVED)}."
        )


def _load_point(point: EntryPoint) -> Agent:
    """Load an agent from its package."""
    try:
        agent: Agent = point.load()
    except Exception as error:  # a package may be anybody's code
        raise AgentFailed(f"The package behind the agent '{point.name}' does not load: {error}.") from error
    if not callable(agent):
        raise AgentFailed(f"The package behind the agent '{point.name}' provides no function.")
    return agent


agents = Agents()
