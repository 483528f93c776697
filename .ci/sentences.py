"""Print random sentences that people read, to be judged without their context: sentences.py COUNT SEED

They come in equal parts from four sources: the strings of the Python code, the pages (HTML and JavaScript), the
documentation, and docstrings.
"""

import ast
import html
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "gridlock"
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
TAG = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]+>", re.DOTALL)
SPOKEN = re.compile(r'(?:aria-label|placeholder|title|content)="([^"]+)"')
END = re.compile(r"(?<=[.!?…])\s+(?=[A-Z`'\"*\[])")
SENTENCE = re.compile(r"\A\s*[A-Z].*[a-z)`'\"][.!?…:]?\Z", re.DOTALL)


def literals(path: Path) -> tuple[list[str], list[str]]:
    """Return the docstrings of a module and its other strings; values inside f-strings become N."""
    tree = ast.parse(path.read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, documented)]
    bodies = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body]
    known = {id(one.value) for one in bodies if isinstance(one, ast.Expr)}
    strings = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            known |= {id(part) for part in node.values}
            strings.append("".join(str(part.value) if isinstance(part, ast.Constant) else "N" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
            strings.append(node.value)
    return docstrings, strings


def pages() -> Iterator[str]:
    """Yield the texts of the pages and the strings of their JavaScript."""
    for path in sorted((PACKAGE / "web").rglob("*.html")):
        text = path.read_text()
        yield from SPOKEN.findall(text)
        yield from (html.unescape(part) for part in re.split(r"\n\s*\n|\x00", TAG.sub("\x00", text)))
    for path in sorted((PACKAGE / "web" / "static").rglob("*.js")):
        code = re.sub(r"(?s:/\*.*?\*/)|(?<!:)//.*", "", path.read_text())
        for quoted in QUOTED.finditer(code):
            yield re.sub(r"\$\{[^}]*\}", "N", quoted[1] or quoted[2] or "")


def documents() -> Iterator[str]:
    """Yield the paragraphs, list items and table cells of the documentation, without code."""
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = re.sub(r"^( *)```.*?^\1```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|) )", TAG.sub("", text)):
            if not block.lstrip().startswith("#"):
                for cell in block.split("|"):
                    yield re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"\A\s*(?:[-*]|\d+\.)\s", "", cell))


def sentences(texts: Iterator[str] | list[str]) -> list[str]:
    """Return the different sentences of some texts: four words or more, beginning with a capital letter."""
    found = set()
    for text in texts:
        for one in END.split(re.sub(r"\s+", " ", text).strip()):
            whole = one[-1:] in ".!?…" or "N" not in re.findall(r"\bN+\b", one)  # not a part of a sentence put together
            words = re.findall(r"[A-Za-z]{2,}|\b[aI]\b", one)  # the path of a drawing has none
            if whole and len(one.split()) >= 4 and len(words) >= 3 and SENTENCE.match(one) and len(one) < 400:
                found.add(one)
    return sorted(found)


def sources() -> list[list[str]]:
    """Return the sentences of each source."""
    docstrings, strings = [], []
    for path in sorted(PACKAGE.rglob("*.py")):
        of_module, others = literals(path)
        docstrings += of_module
        strings += others
    return [sentences(texts) for texts in (strings, list(pages()), list(documents()), docstrings)]


def main() -> int:
    """Print as many sentences as asked for, in random order."""
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        print("usage: sentences.py COUNT SEED", file=sys.stderr)
        return 2
    draw = random.Random(sys.argv[2])
    count, all_of = int(sys.argv[1]), sources()
    shares = [count // len(all_of) + (index < count % len(all_of)) for index in range(len(all_of))]
    drawn = [one for texts, share in zip(all_of, shares, strict=True) for one in draw.sample(texts, share)]
    draw.shuffle(drawn)
    print(*drawn, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
