"""Builds the native core.

``QWIRKLE_FAST_NATIVE=1 pip install .`` compiles for this very machine (``-march=native``); otherwise x86 machines get
the x86-64-v2 level, which every machine since 2009 runs.  ``QWIRKLE_FAST_SANITIZE=1`` adds the address and
undefined-behaviour sanitizers, for tests.
"""

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, PlatformError

PACKAGE = Path("src/qwirkle_fast")

# On other machines pip would try to build LLVM; the last wheels for Intel's Macs are those of 0.62.
NUMBA = [
    "numba>=0.61; python_version < '3.15' and ("
    "sys_platform == 'linux' and platform_machine in 'x86_64 aarch64'"
    " or sys_platform == 'win32' and platform_machine == 'AMD64'"
    " or sys_platform == 'darwin' and platform_machine == 'arm64')",
    "numba>=0.61,<0.63; python_version < '3.14' and sys_platform == 'darwin' and platform_machine == 'x86_64'",
]


def flags() -> tuple[list[str], list[str]]:
    """The compiler's and the linker's flags."""
    if sys.platform == "win32":
        return ["/O2"], []
    compile_flags = ["-O3", "-ffp-contract=off", "-Wno-unused-function"]
    link_flags: list[str] = []
    if os.environ.get("QWIRKLE_FAST_NATIVE") == "1":
        compile_flags.append("-march=native")
    elif platform.machine().lower() in ("x86_64", "amd64"):
        compile_flags.append("-march=x86-64-v2")
    if os.environ.get("QWIRKLE_FAST_SANITIZE") == "1":
        sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        compile_flags += ["-O1", "-g", "-fno-omit-frame-pointer", *sanitize]
        link_flags += sanitize
    return compile_flags, link_flags


def dependencies() -> list[str]:
    """What a user needs, and Numba where it has wheels.

    No environment marker tells musl from glibc, so what is built for musl has a list of its own.
    """
    needed = ["numpy>=2.0", "msgspec>=0.19", "click>=8.1", "rich>=13", "platformdirs>=4"]
    if "musl" in (sysconfig.get_config_var("SOABI") or ""):
        return needed
    return [*needed, *NUMBA]


class BuildExt(build_ext):
    """A build that says in one line what is missing when there is no compiler."""

    def build_extensions(self) -> None:
        compiler = getattr(self.compiler, "compiler_so", None) or getattr(self.compiler, "compiler", None)
        if compiler and not shutil.which(compiler[0]):
            raise PlatformError(
                f"qwirkle_fast needs a C compiler to build its core and {compiler[0]!r} was not found: install one "
                "(Debian and Ubuntu: apt install gcc python3-dev; macOS: xcode-select --install) "
                "or install a ready-made wheel"
            )
        try:
            super().build_extensions()
        except CompileError as error:
            raise PlatformError(f"qwirkle_fast: the C compiler failed on the core: {error}") from error


COMPILE_FLAGS, LINK_FLAGS = flags()
EXTENSIONS = [
    Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [str(source)],
        include_dirs=[numpy.get_include()],
        define_macros=[
            ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
            ("QWIRKLE_FAST_FLAGS", '"' + " ".join(COMPILE_FLAGS) + '"'),
        ],
        extra_compile_args=COMPILE_FLAGS,
        extra_link_args=LINK_FLAGS,
    )
    for source in sorted(PACKAGE.rglob("*.pyx"))
]

setup(
    install_requires=dependencies(),
    ext_modules=cythonize(EXTENSIONS, build_dir="build/cython", include_path=["src"]),
    cmdclass={"build_ext": BuildExt},
)
