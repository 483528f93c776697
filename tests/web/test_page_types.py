"""Tests of the pages' JavaScript: its types match the server's, its elements exist, and its modules are preloaded."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock.web
from gridlock.web.app import PAGES
from gridlock.web.pages import files

WEB = Path(gridlock.web.__file__).parent
NAVIGATION = ("/", "/puzzles", "/lessons", "/games", "/analyse", "/atlas", "/design")
VECTORS = Path(__file__).parents[1] / "js" / "vectors.py"
SCRIPT = Path(__file__).parents[2] / ".ci" / "page_types.py"


def sent(name: str) -> str:
    """Return a page as browsers receive it."""
    return files.page(name).body.decode()


def test_the_declared_answers_are_what_the_server_says() -> None:
    made = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True).stdout
    assert (WEB / "answers.d.ts").read_text() == made, "python .ci/page_types.py > src/gridlock/web/answers.d.ts"


def test_the_javascript_is_compared_with_what_segno_and_the_engine_say() -> None:
    pytest.importorskip("segno", reason="segno is not installed (the web extra)")
    made = subprocess.run([sys.executable, str(VECTORS)], capture_output=True, text=True, check=True).stdout
    wanted = VECTORS.with_suffix(".json").read_text(encoding="utf-8")
    assert made == wanted, "python tests/js/vectors.py > tests/js/vectors.json"


def test_every_element_that_a_module_asks_for_is_on_a_page() -> None:
    static = WEB / "static"
    there = {id for page in static.glob("*.html") for id in re.findall(r'\bid="([\w-]+)"', sent(page.name))}
    asked = {id for module in static.glob("*.js") for id in re.findall(r'\$\("([\w-]+)"\)', module.read_text())}
    typed = re.search(r"interface Elements \{\n(.*?)\n\}", (WEB / "page.d.ts").read_text(), re.DOTALL)
    assert typed
    named = {name.strip('"') for name in re.findall(r'^  ("?[\w-]+"?):', typed[1], re.MULTILINE)}
    assert asked | named <= there
    assert len(asked) > 40


def test_every_page_has_its_head_and_the_same_navigation() -> None:
    headers = set()
    for path, name in PAGES.items():
        page = sent(name)
        assert page.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>'), name
        assert page.endswith("</body>\n</html>\n"), name
        assert "<!--" not in page, name
        for once in ("<title>", '<meta name="description"', "</head>", "<body>", "<main"):
            assert page.count(once) == 1 + (name == "play.html" and once == "<main"), (name, once)
        current = re.findall(r'<a [^>]*href="([^"]+)" aria-current="page"', page)
        assert current == ([path] if path in NAVIGATION else []), name
        if name not in ("embed.html", "offline.html"):
            headers.add(re.search(r"<header.*?</header>", page.replace(' aria-current="page"', ""), re.DOTALL)[0])
    assert len(headers) == 1
    assert re.findall(r'<a href="([^"]+)">', headers.pop()) == list(NAVIGATION)


def test_a_page_is_read_again_when_part_of_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = tmp_path / "parts"
    shutil.copytree(files.PARTS, parts)
    monkeypatch.setattr(files, "PARTS", parts)
    before, brand = files.page("index.html"), parts / "brand.html"
    brand.write_text(brand.read_text().replace("GridLock", "LockGrid"))
    os.utime(brand, (1, 1))
    after = files.page("index.html")
    assert after.body == before.body.replace(b"<span>GridLock", b"<span>LockGrid")
    assert after.tag != before.tag


@pytest.mark.parametrize("name", PAGES.values())
def test_a_page_names_every_module_that_it_needs(name: str) -> None:
    page = sent(name)
    loaded = set(re.findall(r'type="module" src="/static/([\w.-]+)"', page))
    needed = loaded
    while (
        more := {
            other for one in needed for other in re.findall(r'"\./([\w-]+\.js)";', (WEB / "static" / one).read_text())
        }
        - needed
    ):
        needed = needed | more
    named = re.findall(r'rel="modulepreload" href="/static/([\w.-]+)"', page)
    assert sorted(named) == sorted(needed - loaded)


@pytest.mark.parametrize("name", PAGES.values())
def test_a_page_weighs_little_with_everything_that_it_loads(name: str) -> None:
    page = files.page(name)
    loaded = set(re.findall(r'(?:src|href)="/static/([\w.-]+)"', page.body.decode())) - {"icon-192.png"}
    assert loaded >= ({"style.css"} if name == "embed.html" else {"style.css", "zilla-slab.woff2"})
    parts = {one: file for one in loaded if (file := files.static(one))}
    assert parts.keys() == loaded
    weight = sum(len(file.gzipped or file.body) for file in (page, *parts.values()))
    print(f"{name}: {weight / 1024:.1f} KiB in {1 + len(parts)} files")
    assert weight < 90 * 1024 - 4 * 1024  # leaves room for the API's answers


def test_the_typeface_is_available_offline() -> None:
    font = files.static("zilla-slab.woff2")
    assert font
    assert font.kind == "font/woff2"
    assert font.body.startswith(b"wOF2")
    assert len(font.body) < 25 * 1024
    assert "SIL OPEN FONT LICENSE" in (WEB / "static" / "zilla-slab-license.txt").read_text()
    assert b'"static/zilla-slab.woff2"' in files.service_worker(["/"]).body


def test_only_comments_are_left_out_of_modules_and_styles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STATIC", tmp_path)
    code = 'const at = "http://a/*b*/"; // why\nconst n = /** @type {any} */ (null);\n'
    code += "  /** @type {number}\n   */\n  f(); /* now */\n"
    (tmp_path / "one.js").write_text(f"// A module.\n\n/**\n * Returns it.\n */\n{code}")
    (tmp_path / "one.css").write_text("/* All. */\na { b: c; } /* d */\n/* e\n   f */\ng { h: i; }\n")
    module, style = files.static("one.js"), files.static("one.css")
    assert module
    assert module.body.decode() == "\n" + code.replace("  /** @type {number}\n   */\n", "")
    assert style
    assert style.body == b"a { b: c; } /* d */\ng { h: i; }\n"
