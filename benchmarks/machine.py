"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from benchmarks import commands

PACKAGES: Final = ("runoff", "numpy", "polars", "pytrec_eval-terrier", "ir_measures", "ranx", "pyterrier", "duckdb")


def describe() -> str:
    """Cores, memory, load, and versions, as a list in Markdown."""
    return "\n".join(
        [
            f"- {_cores()} cores ({platform.machine()}), {_memory()} of memory, {platform.system()}; {_load()}",
            f"- Python {platform.python_version()}; {', '.join(_versions())}",
        ]
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (AttributeError, OSError, ValueError):
        return "an unknown amount"


def _load() -> str:
    """How busy the machine was before the start; above 0, somebody else is being served too."""
    try:
        return f"load {os.getloadavg()[0]:.1f} before the start"
    except (AttributeError, OSError):
        return "load unknown"


def _versions() -> list[str]:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return [*found, *_trec_eval()]


def _trec_eval() -> list[str]:
    """What trec_eval calls itself, where there is one; nothing tells how it was compiled."""
    program = commands.program("trec_eval")
    if not program:
        return []
    done = subprocess.run([*program, "-v"], capture_output=True, text=True, check=False)
    return [(done.stdout + done.stderr).strip()]
