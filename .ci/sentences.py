"""Print random sentences from the project, to be judged without their context: sentences.py COUNT SEED

The sentences come in equal parts from six sources: the interface (strings in the Python code, lessons and tips),
the pages (HTML and JavaScript), the documentation, the package's docstrings, the docstrings of tests and tools, and
comments.
"""

import ast
import html
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "gridlock"
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
INLINE = re.compile(r"</?(?:a|b|code|em|i|kbd|span|strong)\b[^>]*>")
TAG = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]+>", re.DOTALL)
SPOKEN = re.compile(r'(?:aria-label|placeholder|title|content)="([^"]+)"')
SLASHED = re.compile(r"(?s:/\*.*?\*/)|(?<![:\w])//.*")
HASHED = re.compile(r"^((?: *# .*\n?)+)|  # (.*)", re.MULTILINE)
END = re.compile(r"(?<=[.!?…])\s+(?=[A-Z`'\"*\[])")
SENTENCE = re.compile(r"\A\s*[A-Z].*[a-z)`'\"][.!?…:]?\Z", re.DOTALL)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def files(*patterns: str) -> list[Path]:
    """Return the project's files that match a pattern, including files that are not committed yet."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [ROOT / name for name in sorted(set(names)) if (ROOT / name).is_file()]


def docstrings(path: Path) -> list[str]:
    """Return the paragraphs and list items of a module's docstrings, without code."""
    tree = ast.parse(path.read_text())
    found = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
    return [part for one in found for part in re.split(r"\n\n(?:- )?|\n- ", one) if not part.startswith(" ")]


def literals(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are not docstrings; values inside f-strings become N."""
    tree = ast.parse(path.read_text())
    bodies = [node.body[0] for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and node.body]
    known = {id(one.value) for one in bodies if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            known |= {id(part) for part in node.values}
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "N" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
            yield node.value


def interface() -> Iterator[str]:
    """Yield the package's strings, the lesson texts, and the engine's findings about strategy tips.

    The strategy tips are left out, because they are quotations from the games' original documents.
    """
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from literals(path)
    for path in sorted(PACKAGE.rglob("*.toml")):
        course = tomllib.loads(path.read_text())
        for part in [*course.get("tip", []), *course.get("lesson", [])]:
            yield from (part[key] for key in ("finding", "title", "text", "after") if key in part)


def pages() -> Iterator[str]:
    """Yield the text of each page, and the strings in the pages' JavaScript."""
    for path in sorted((PACKAGE / "web").rglob("*.html")):
        text = path.read_text()
        yield from SPOKEN.findall(text)
        yield from (html.unescape(part) for part in re.split(r"\n\s*\n|\x00", TAG.sub("\x00", INLINE.sub("", text))))
    for path in [*sorted((PACKAGE / "web").rglob("*.js")), *(PACKAGE / "web").rglob("*.webmanifest")]:
        for quoted in QUOTED.finditer(SLASHED.sub("", path.read_text())):
            yield re.sub(r"\$\{[^}]*\}", "N", quoted[1] or quoted[2] or "")


def documents() -> Iterator[str]:
    """Yield the documentation's paragraphs, list items and table cells, and the descriptions in some YAML files."""
    for path in files("*.md"):
        text = re.sub(r"^( *)```.*?^\1```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|) )", TAG.sub("", text)):
            if not block.lstrip().startswith("#"):
                for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
                    yield re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"\A\s*(?:[-*]|\d+\.)\s", "", cell))
    for path in files(".github/*.yml", "deploy/*.y*ml"):
        yield from re.findall(r"(?:label|description|summary): (.*)", path.read_text())


def comments() -> Iterator[str]:
    """Yield the comments in all code and configuration; consecutive lines count as one comment."""
    for path in files("*.py", "*.pxd", "*.toml", "*.yml", "*.yaml", "*.service", "*/Dockerfile", ".ci/run"):
        for found in HASHED.finditer(path.read_text()):
            yield re.sub(r"^ *# ", "", found[1] or found[2], flags=re.MULTILINE)
    for path in files("src/*.js", "tests/*.js", "src/*.css", "docs/*.css", "src/*.ts", "tests/*.c", "*.cu", "*.cuh"):
        for found in SLASHED.findall(re.sub(r"(?<=//)(.*)\n\s*//(?= )", r"\1", path.read_text())):
            yield re.sub(r"@\w+ \{.*|/?\*+/?|//", " ", found)


def sentences(texts: Iterable[str]) -> list[str]:
    """Return the distinct sentences in the texts, except those with fewer than four words or no initial capital."""
    found = set()
    for text in texts:
        for one in END.split(re.sub(r"\s+", " ", text).strip()):
            whole = one[-1:] in ".!?…" or "N" not in re.findall(r"\bN+\b", one)  # not a part of a sentence put together
            words = re.findall(r"[A-Za-z]{2,}|\b[aI]\b", one)  # the path of a drawing has none
            if whole and len(one.split()) >= 4 and len(words) >= 3 and SENTENCE.match(one) and len(one) < 400:
                found.add(one)
    return sorted(found)


def sources() -> list[list[str]]:
    """Return the sentences as six lists, one for each source, such as the pages or the comments."""
    package = [one for path in files("src/*.py") for one in docstrings(path)]
    around = [one for path in files("*.py") if PACKAGE not in path.parents for one in docstrings(path)]
    return [sentences(texts) for texts in (interface(), pages(), documents(), package, around, comments())]


def drawn(lists: list[list[str]], count: int, seed: str) -> list[str]:
    """Return random sentences, the same number from each list, in random order."""
    draw = random.Random(seed)
    shares = [count // len(lists) + (index < count % len(lists)) for index in range(len(lists))]
    found = [one for texts, share in zip(lists, shares, strict=True) for one in draw.sample(texts, share)]
    draw.shuffle(found)
    return found


def main() -> int:
    """Print the requested number of sentences."""
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        print("usage: sentences.py COUNT SEED", file=sys.stderr)
        return 2
    print(*drawn(sources(), int(sys.argv[1]), sys.argv[2]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
