"""Check that dependencies are pinned and hashed, releases are attested, and services are hardened.

`python .ci/provenance.py` exits with 1 if a requirement is not met, unless it depends on something outside this
repository, as the digests of base images do: `docker buildx imagetools inspect IMAGE` asks a registry for an image's
digest, and Dependabot keeps digests current.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LOCKS = (
    *("deploy/requirements.txt", "deploy/cluster.txt", "deploy/build.txt"),
    *(".ci/requirements.txt", ".ci/sbom.txt", ".ci/uv.txt"),
)
PRIVATE = ("uvicorn", "websockets", "h11")  # whose private parts the server uses
HARDENED = ("NoNewPrivileges", "CapabilityBoundingSet", "SystemCallFilter", "ProtectSystem", "MemoryDenyWriteExecute")


class Figure(NamedTuple):
    """The result of one check: how many items pass, and which items fail."""

    what: str
    good: int
    missing: list[str]
    required: bool = True

    def __str__(self) -> str:
        every = self.good + len(self.missing)
        return f"{self.what}: {self.good} of {every}" + "".join(f"\n    not {one}" for one in self.missing[:10])


def _figure(what: str, found: dict[str, bool], required: bool = True) -> Figure:
    return Figure(what, sum(found.values()), [name for name, good in found.items() if not good], required)


def actions(text: str) -> dict[str, bool]:
    """Return every action that a workflow uses, and whether the workflow pins it to a commit."""
    used = re.findall(r"uses: ([^\s#]+)", text)
    return {one: bool(re.search("@[0-9a-f]{40}$", one)) for one in used if "@" in one}


def images(text: str) -> list[str]:
    """Return every base image or service image that a Dockerfile or a compose file names."""
    return re.findall(r"^(?:FROM|\s+image:) (\S+)", text, re.M)


def locked(text: str) -> dict[str, bool]:
    """Return every package in a lock file, and whether it has an exact version and a hash."""
    entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n?", "", text, flags=re.M).strip())
    return {one.split()[0]: bool(re.match(r"\S+==\S+.*--hash=sha256:[0-9a-f]{64}", one, re.S)) for one in entries}


def installs(text: str) -> dict[str, bool]:
    """Find the pip commands in a file, and return whether each one uses --require-hashes or --no-deps."""
    joined = re.sub(r"\\\n\s*", " ", text)
    found = re.findall(r"pip (?:install|wheel)[^\n&]*", joined)
    return {one.strip(): "--require-hashes" in one or "--no-deps" in one for one in found}


def services(text: str) -> dict[str, bool]:
    """Return every service in a compose file, and whether it is hardened."""
    anchor = text.partition("&hardened")[2].partition("services:")[0]
    whole = all(word in anchor for word in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"))
    body = text.partition("\nservices:\n")[2].partition("\nvolumes:")[0]
    parts = re.split(r"^  (\w+):\n", body, flags=re.M)[1:]
    return {name: whole and "<<: *hardened" in part for name, part in zip(parts[::2], parts[1::2], strict=True)}


def figures(root: Path = ROOT) -> list[Figure]:
    """Return all figures."""
    workflows = {path.name: path.read_text() for path in sorted((root / ".github/workflows").glob("*.yml"))}
    every = "\n".join(workflows.values())
    docker = "\n".join((root / "deploy" / name).read_text() for name in ("Dockerfile", "Dockerfile.cluster"))
    composes = [(root / "deploy" / name).read_text() for name in ("compose.yaml", "cluster.yaml")]
    unit = (root / "deploy/gridlock.service").read_text()
    packages = {f"{file}: {name}": good for file in LOCKS for name, good in locked((root / file).read_text()).items()}
    pinned = set((root / ".ci/constraints.txt").read_text().split())
    named = {one.partition("==")[0] for one in pinned}
    same = {
        one: one in pinned for file in LOCKS for one in locked((root / file).read_text()) if one.split("==")[0] in named
    }
    bases = images("\n".join([docker, *composes]))
    web = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]["web"]
    bounds = {name: any(re.match(rf"{name}\b.*<", one) for one in web) for name in PRIVATE}
    ends = {
        "newest packages": "\n  newest:" in workflows["nightly.yml"],
        "oldest": "\n  oldest:" in workflows["nightly.yml"],
    }
    release = workflows["release.yml"]
    attested = {
        "origin of the files": len(re.findall("actions/attest@", release)) == 2,
        "bill of materials": "sbom-path:" in release,
    }
    return [
        _figure("actions by commit", actions(every)),
        _figure("images by version", {one: bool(re.search(r":\d+\.\d+\.?\d*[-@]", one)) for one in bases}),
        _figure("images by digest", {one: "@sha256:" in one for one in bases}, required=False),
        _figure("locked packages with hashes", packages),
        _figure("locked versions that are those of constraints.txt", same),
        _figure("installations in the image and the release that check hashes", installs(docker + release)),
        _figure("upper bounds where private classes are used", bounds),
        _figure("ends of the version ranges that are tested", ends),
        _figure("attestations of a release", attested),
        _figure("hardened containers", {name: good for text in composes for name, good in services(text).items()}),
        _figure("hardening of the systemd unit", {one: bool(re.search(rf"^{one}=", unit, re.M)) for one in HARDENED}),
    ]


if __name__ == "__main__":
    found = figures()
    print(*found, sep="\n")
    sys.exit(any(one.missing and one.required for one in found))
