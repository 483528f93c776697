"""GridLock: two-player lock-out games on a grid, to play, solve and invent.

>>> import gridlock as gl
>>> game = gl.Game("showdown", "5x5")
>>> game.push("3,3")
>>> game.analyse(seconds=2).proof.words()  # doctest: +ELLIPSIS
'Every move loses: ...'
"""

from importlib import import_module
from os.path import dirname, join

__version__ = "0.1.0"

# The stub lists the public names for type checkers. Each name is loaded when it is first used, so that a command loads
# only the modules it needs.
with open(join(dirname(__file__), "__init__.pyi"), encoding="utf-8") as _stub:
    _MODULES = {words[3]: words[1] for line in _stub if (words := line.split())[:1] == ["from"]}
__all__ = ["__version__", *sorted(_MODULES)]


def __getattr__(name: str) -> object:
    """Load a public name from the module that defines it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'gridlock' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
