"""The page's JavaScript: its types are the server's, its elements are on its pages, its modules are known at once."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock.web
from gridlock.web.app import PAGES
from gridlock.web.pages import files

WEB = Path(gridlock.web.__file__).parent
SCRIPT = Path(__file__).parents[2] / ".ci" / "page_types.py"


def test_the_declared_answers_are_what_the_server_says() -> None:
    made = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True).stdout
    assert (WEB / "answers.d.ts").read_text() == made, "python .ci/page_types.py > src/gridlock/web/answers.d.ts"


def test_every_element_that_a_module_asks_for_is_on_a_page() -> None:
    static = WEB / "static"
    there = {id for page in static.glob("*.html") for id in re.findall(r'\bid="([\w-]+)"', page.read_text())}
    asked = {id for module in static.glob("*.js") for id in re.findall(r'\$\("([\w-]+)"\)', module.read_text())}
    typed = re.search(r"interface Elements \{\n(.*?)\n\}", (WEB / "page.d.ts").read_text(), re.DOTALL)
    assert typed
    named = {name.strip('"') for name in re.findall(r'^  ("?[\w-]+"?):', typed[1], re.MULTILINE)}
    assert asked | named <= there
    assert len(asked) > 40


@pytest.mark.parametrize("name", PAGES.values())
def test_a_page_names_every_module_that_it_needs(name: str) -> None:
    sent = files.page(name).body.decode()
    loaded = set(re.findall(r'type="module" src="/static/([\w.-]+)"', sent))
    needed = loaded
    while (
        more := {
            other for one in needed for other in re.findall(r'"\./([\w-]+\.js)";', (WEB / "static" / one).read_text())
        }
        - needed
    ):
        needed = needed | more
    named = re.findall(r'rel="modulepreload" href="/static/([\w.-]+)"', sent)
    assert sorted(named) == sorted(needed - loaded)
