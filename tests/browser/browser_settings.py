"""The combinations of browser and site that tests use: any of three browsers, with a server or with a static site."""

from pathlib import Path

import pytest
from browser_chromium import Chromium
from browser_firefox import Firefox
from browser_static import StaticSite, need_downloads
from browser_visitor import Site
from browser_webkit import WebKit
from browser_windows import Browser, Watched

BROWSERS = ("chromium", "firefox", "webkit")
SERVED = [pytest.param((name, "server"), id=name) for name in BROWSERS[1:]]  # other tests cover Chromium
SPARE = [  # a server that also sends browsers the engine
    pytest.param((name, "spare"), id=name, marks=() if name == "chromium" else pytest.mark.deep) for name in BROWSERS
]
STATIC = [pytest.param((name, "static"), id=f"{name}-static") for name in BROWSERS]
DEEP_STATIC = [pytest.param(*one.values, id=one.id, marks=pytest.mark.deep) for one in STATIC]


def browser_named(name: str, request: pytest.FixtureRequest, folder: Path) -> Browser:
    """Start a browser with an empty profile."""
    if name == "chromium":
        return Chromium(request.getfixturevalue("browser"))
    return {"firefox": Firefox, "webkit": WebKit}[name](folder)


def site_named(name: str, folder: Path) -> Site:
    """Start a site whose pages record their errors and warnings."""
    if name == "static":
        return StaticSite(folder)
    return Watched(folder, *(["--offline", "--downloads", str(need_downloads())] if name == "spare" else []))
