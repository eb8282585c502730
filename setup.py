"""The two parts of the build that need code: the version, and the compiled reader; the rest is in pyproject.toml."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from setuptools import Extension, setup

if TYPE_CHECKING:
    from setuptools_scm import ScmVersion

DEVELOPED = "0.1.0.dev0"
"""The version of whatever is not a release. It is the same for all commits, so keys of stored results stay valid."""

SOURCES = Path("src", "runoff", "rows", "compiled")

# Free-threaded CPython and PyPy lack the limited API: there the same sources make a module for that Python alone.
LIMITED = platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def version_of(checkout: ScmVersion) -> str:
    """The tag, such as v0.2.0, if the checkout is that very commit, unchanged."""
    return str(checkout.tag) if checkout.exact else DEVELOPED


def reader() -> list[Extension]:
    """The compiled reader. Without a C compiler the package is installed without it, unless it is required."""
    sources = sorted(file.as_posix() for file in SOURCES.glob("*.c"))
    if not sources:
        return []
    extension = Extension(
        "runoff.rows._compiled",
        sources,
        depends=sorted(file.as_posix() for file in SOURCES.glob("*.h")),
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        extra_compile_args=["/O2"] if sys.platform == "win32" else ["-O3", "-fvisibility=hidden"],
        py_limited_api=LIMITED,
        optional=os.environ.get("RUNOFF_READER") != "required",
    )
    return [extension]


EXTENSIONS = reader()

setup(
    use_scm_version={
        "git_describe_command": "git describe --dirty --tags --long --match v[0-9]*",  # other tags are not versions
        "version_scheme": version_of,
        "local_scheme": "no-local-version",
        "fallback_version": DEVELOPED,  # where there is no git, as in a container
    },
    ext_modules=EXTENSIONS,
    # One wheel for CPython 3.11 and all later ones.
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if EXTENSIONS and LIMITED else {},
)
