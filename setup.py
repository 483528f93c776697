"""Compile the engine's hot loops where there is a C compiler; without one the same files run as plain Python."""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = Path("src/gridlock/engine/kernels")
# Counting cells is one instruction on every x86-64 processor since 2008, but compilers do not dare to use it unasked.
FLAGS = ["-O3", "-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else ["-O3"]


def extensions() -> list[Extension]:
    """One optional extension for every kernel (GRIDLOCK_PURE=1 asks for none)."""
    if os.environ.get("GRIDLOCK_PURE") == "1":
        return []
    names = sorted(path.stem for path in KERNELS.glob("*_kernel.py"))
    made = cythonize(
        [
            Extension(
                f"gridlock.engine.kernels.{name}",
                [str(KERNELS / f"{name}.py")],
                extra_compile_args=FLAGS,
            )
            for name in names
        ],
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
        },
    )
    for extension in made:
        extension.optional = True  # said here, because cythonize forgets it
    return made


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
