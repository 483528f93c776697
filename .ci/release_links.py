"""Write a repository's address into the links that PyPI shows: project URLs, and the README's links and images.

In the repository, these links are relative, so that they work in every copy. PyPI needs complete addresses, and only
the workflow that releases a version knows them: release_links.py OWNER/NAME TAG
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINK = re.compile(r'(\]\(|(?:href|src)=")(?![a-z]+:|#)([^)"]+)')
URLS = re.compile(r"(?<=^\[project\.urls\]).*?(?=^\[)", re.MULTILINE | re.DOTALL)


def readme(text: str, repository: str, tag: str) -> str:
    """Return the README with its relative links replaced by links to the files on GitHub at a given tag."""

    def whole(link: re.Match[str]) -> str:
        if link[1].startswith("src"):
            return f"{link[1]}https://raw.githubusercontent.com/{repository}/{tag}/{link[2]}"
        return f"{link[1]}https://github.com/{repository}/blob/{tag}/{link[2]}"

    return LINK.sub(whole, text)


def project(text: str, repository: str, tag: str) -> str:
    """Return the text of pyproject.toml with its project URLs replaced by those of the given repository."""
    owner, name = repository.split("/")
    urls = {
        "Homepage": f"https://github.com/{repository}",
        "Documentation": f"https://{owner.lower()}.github.io/{name}/",
        "Changelog": f"https://github.com/{repository}/blob/{tag}/CHANGELOG.md",
        "Issues": f"https://github.com/{repository}/issues",
        "Source": f"https://github.com/{repository}",
    }
    lines = "".join(f'{title} = "{url}"\n' for title, url in urls.items())
    replaced, count = URLS.subn(f"\n{lines}\n", text)
    if count != 1:
        raise ValueError("pyproject.toml has no [project.urls]")
    return replaced


def main() -> int:
    """Rewrite README.md and pyproject.toml in place."""
    if len(sys.argv) != 3 or not re.fullmatch(r"[\w.-]+/[\w.-]+", sys.argv[1]):
        print("usage: release_links.py OWNER/NAME TAG", file=sys.stderr)
        return 2
    for path, rewrite in ((ROOT / "README.md", readme), (ROOT / "pyproject.toml", project)):
        path.write_text(rewrite(path.read_text(), sys.argv[1], sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
