"""Write the lock files: exact versions and hashes of all packages that the image, CI and a release install.

Run this script after changing a dependency or a version in constraints.txt: `pip install uv && python .ci/lock.py`.
If constraints.txt specifies a package's version, the lock files use that version.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ".ci/constraints.txt"
ANYWHERE = ["--universal"]  # for every platform, with markers
HERE = ["--python-version", "3.11", "--python-platform", "x86_64-manylinux_2_28"]  # for CI's main job


def wanted() -> dict[str, tuple[list[str], list[str]]]:
    """Return the input for each lock file: its requirements and its platforms."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = project["build-system"]["requires"]
    return {
        "deploy/requirements.txt": ([".[web]"], ANYWHERE),
        "deploy/cluster.txt": ([".[cluster]"], ANYWHERE),
        "deploy/build.txt": ([*build, "build>=1.2"], ANYWHERE),
        ".ci/requirements.txt": ([".[test-all,check,docs]", *build], HERE),
        ".ci/sbom.txt": (["cyclonedx-bom==7.5.0"], HERE),
        ".ci/uv.txt": (["uv==0.13.8"], HERE),
    }


def lock(file: str, requirements: list[str], platforms: list[str]) -> None:
    """Write one lock file, keeping its current versions unless constraints.txt gives different ones."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "asked.in"
        asked.write_text("\n".join(requirements))
        command = [
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--generate-hashes",
            "--no-emit-index-url",
            "--no-annotate",
            "--no-strip-extras",
        ]
        command += ["--no-emit-package", "gridlock-games", "--custom-compile-command", "python .ci/lock.py"]
        command += ["--constraints", CONSTRAINTS, *platforms, "--output-file", file, str(asked)]
        subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    for name, sources in wanted().items():
        lock(name, *sources)
        print(f"{name}: {(ROOT / name).read_text().count('==')} packages", file=sys.stderr)
