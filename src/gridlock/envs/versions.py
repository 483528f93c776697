"""The version of the environments, and each game's id in the frameworks' registries.

The version goes up whenever the same actions could lead to different observations, masks, rewards or endings, so that
results with the same id stay comparable. New options, faster code and new `info` entries do not change the version.
"""

from gridlock.core.rules import BUILT_IN

VERSION = "v0"
IDS = {name: f"GridLock/{name.capitalize()}-{VERSION}" for name in sorted(BUILT_IN)}
