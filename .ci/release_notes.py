"""Print a version's changelog section; reject a version that has no dated section or is not the project's version."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADING = re.compile(r"^## (\S+)(?: \((.*)\))?$", re.MULTILINE)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class NotReady(Exception):
    """The error raised if a version cannot be released; its message gives the reason."""


def notes(version: str, changelog: str, project: str) -> str:
    """Return the changelog's section for a version; raise `NotReady` if the version cannot be released."""
    if version != project:
        raise NotReady(f"The tag says {version}, but pyproject.toml says {project}.")
    headings = list(HEADING.finditer(changelog))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading[1] != version:
            continue
        if not DATE.fullmatch(heading[2] or ""):
            raise NotReady(f"CHANGELOG.md gives {version} no date: expected '## {version} (YYYY-MM-DD)'.")
        text = changelog[heading.end() : following.start() if following else None].strip()
        if not text:
            raise NotReady(f"CHANGELOG.md says nothing about {version}.")
        return text
    raise NotReady(f"CHANGELOG.md has no section for {version}: expected '## {version} (YYYY-MM-DD)'.")


def main() -> int:
    """Print the release notes for the given version (a leading v, as in a tag, is ignored)."""
    if len(sys.argv) != 2:
        print("usage: release_notes.py VERSION", file=sys.stderr)
        return 2
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    try:
        print(notes(sys.argv[1].removeprefix("v"), (ROOT / "CHANGELOG.md").read_text(), project))
    except NotReady as reason:
        print(f"{reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
