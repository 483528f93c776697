"""Compile the engine's hot loops where there is a C compiler; without one the same files run as plain Python."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = Path("src/gridlock/engine/kernels")


def extensions() -> list[Extension]:
    """One optional extension for every kernel (GRIDLOCK_PURE=1 asks for none)."""
    if os.environ.get("GRIDLOCK_PURE") == "1":
        return []
    names = sorted(path.stem for path in KERNELS.glob("*_kernel.py"))
    return cythonize(
        [
            Extension(
                f"gridlock.engine.kernels.{name}",
                [str(KERNELS / f"{name}.py")],
                extra_compile_args=["-O3"],
                optional=True,
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


setup(ext_modules=extensions())
