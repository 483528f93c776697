"""Compile the hot loops if there is a C compiler; without a compiler, the same files run as plain Python."""

import multiprocessing
import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
CORE = SOURCE / "gridlock/core/kernel.py"
KERNELS = SOURCE / "gridlock/engine/kernels"
# Compiling Cython's own array code only once, rather than in every kernel, halves the compilation time.
COMMON = "gridlock.core._cyutility"
# -ffp-contract: fused multiply-add, which compilers for ARM use by default, would round differently from plain Python.
# -mpopcnt: every x86-64 processor since 2008 counts cells in one instruction, but compilers use it only if told to.
# -g0: debugging symbols, which Python requests by default, take a third of the compilation time.
# -O3: an optimisation level in CFLAGS takes precedence.
FLAGS = ["-g0", "-ffp-contract=off"] + ["-mpopcnt"] * (platform.machine() in ("x86_64", "AMD64"))
FLAGS += ["-O3"] * ("-O" not in os.environ.get("CFLAGS", ""))


def extensions() -> list[Extension]:
    """Return an extension for each kernel and for each module that kernels need, or none if GRIDLOCK_PURE=1."""
    if os.environ.get("GRIDLOCK_PURE") == "1":
        return []
    shared = [path.with_suffix(".py") for path in KERNELS.glob("*.pxd") if path.with_suffix(".py").exists()]
    kernels = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts): path
        for path in sorted([CORE, *shared, *KERNELS.glob("*_kernel.py")])
    }
    sources = {**kernels, COMMON: SOURCE / f"{COMMON.replace('.', '/')}.c"}  # Cython generates the C file
    return cythonize(
        [Extension(name, [str(path)], extra_compile_args=FLAGS) for name, path in sources.items()],
        shared_utility_qualified_name=COMMON,
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
        },
        # Compile in parallel only with fork, because processes started in other ways would run this file again.
        nthreads=(os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0,
    )


class AllOrNone(build_ext):
    """Compile all kernels or none, because a compiled kernel cannot depend on an uncompiled one."""

    def run(self) -> None:
        """Compile the kernels; if any kernel fails to compile, continue without compiled kernels."""
        inplace = self.inplace  # setuptools forgets this value when an error occurs
        try:
            super().run()
        except Exception as error:
            self.warn(f"The kernels are not compiled and will run as plain Python, which is slower: {error}")
            self.inplace = False
            built = [Path(output) for output in self.get_outputs()]
            if inplace:  # also remove the files of an earlier build
                built += [SOURCE / output.relative_to(self.build_lib) for output in built]
            for output in built:
                output.unlink(missing_ok=True)
            self.extensions = []

    def build_extensions(self) -> None:
        """Stop early if the compiler is Microsoft's, which supports neither 128-bit integers nor our compiler flags."""
        if self.compiler.compiler_type == "msvc":
            raise RuntimeError("this compiler has no 128-bit integers")
        super().build_extensions()


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": AllOrNone},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
