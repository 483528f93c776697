"""Compile the hot loops if there is a C compiler; without one the same files run as plain Python."""

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
# Cython's own C code for arrays, compiled once instead of in every kernel; that halves the compiler's time.
COMMON = "gridlock.core._cyutility"
# Fused multiplication and addition would round differently from plain Python; compilers for ARM use it by default.
# Counting cells is one instruction on every x86-64 processor since 2008, but compilers use it only if told to.
# Debugging symbols take a third of the compiler's time, and Python asks for them by default. An -O in CFLAGS counts.
FLAGS = ["-g0", "-ffp-contract=off"] + ["-mpopcnt"] * (platform.machine() in ("x86_64", "AMD64"))
FLAGS += ["-O3"] * ("-O" not in os.environ.get("CFLAGS", ""))


def extensions() -> list[Extension]:
    """Return one extension for every kernel and its dependencies (none with GRIDLOCK_PURE=1)."""
    if os.environ.get("GRIDLOCK_PURE") == "1":
        return []
    shared = [path.with_suffix(".py") for path in KERNELS.glob("*.pxd") if path.with_suffix(".py").exists()]
    kernels = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts): path
        for path in sorted([CORE, *shared, *KERNELS.glob("*_kernel.py")])
    }
    sources = {**kernels, COMMON: SOURCE / f"{COMMON.replace('.', '/')}.c"}  # Cython writes the last one
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
        # Processes that do not fork would run this file again.
        nthreads=(os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0,
    )


class AllOrNone(build_ext):
    """Compile everything or nothing: a compiled kernel cannot build on a plain one."""

    def run(self) -> None:
        """Continue without compiled kernels if any of them fails to compile."""
        inplace = self.inplace  # which setuptools forgets when something goes wrong
        try:
            super().run()
        except Exception as error:
            self.warn(f"The kernels are not compiled and will run as plain Python, which is slower: {error}")
            self.inplace = False
            built = [Path(output) for output in self.get_outputs()]
            if inplace:  # those of an earlier build
                built += [SOURCE / output.relative_to(self.build_lib) for output in built]
            for output in built:
                output.unlink(missing_ok=True)
            self.extensions = []

    def build_extensions(self) -> None:
        """Stop early if the compiler is Microsoft's, which has neither 128-bit integers nor these flags."""
        if self.compiler.compiler_type == "msvc":
            raise RuntimeError("this compiler has no 128-bit integers")
        super().build_extensions()


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": AllOrNone},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
