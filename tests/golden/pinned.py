"""Makes outputs in a process of its own that uses the same CPU kernels and fonts on every x86-64 machine with Linux.

OpenBLAS and numpy choose their code by the CPU, and it differs in the last digits of products, eigenvalues, logarithms
and sums. So do p-values, intervals of the winner, smallest differences and the true means of the demo, all printed at
full precision. Charts are laid out by the widths of letters, which change where a Helvetica or Arial is installed. Both
are chosen when numpy and vl-convert are loaded, so a process that has loaded them cannot change its own.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol
from unittest import mock


class Maker(Protocol):
    """What makes outputs by name."""

    def of(self, name: str) -> Any:
        """One output."""

    def close(self) -> None:
        """Let go of what is open."""


NOT_PINNED = (
    "golden files are made with the CPU kernels of x86-64 and fonts as Linux finds them; elsewhere bytes differ"
)

_maker: Maker
"""Of the other process."""


def can_be_pinned() -> bool:
    """Whether this machine has the kernels, and finds fonts in the way that is switched off."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def pins() -> dict[str, str]:
    """Variables that choose code which every x86-64 machine since 2013 can run, and no font of the machine."""
    import numpy as np

    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    names = [*extensions.get("found", []), *extensions.get("not found", [])]
    return {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(names),
        "FONTCONFIG_FILE": str(Path(__file__).with_name("no-fonts.conf")),
    }


@contextmanager
def pinned(make: Callable[..., Maker], *arguments: object) -> Iterator[Callable[[str], Any]]:
    """Yields the `of` of a maker in another process, which starts when it is called first."""
    start = partial(_start, make, *arguments)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=start) as process:

        def of(name: str) -> Any:
            with mock.patch.dict(os.environ, pins()):
                waiting = process.submit(_of, name)
            return waiting.result()

        yield of
        process.submit(_close).result()


def _start(make: Callable[..., Maker], *arguments: object) -> None:
    global _maker  # noqa: PLW0603  # a process has one
    _maker = make(*arguments)


def _of(name: str) -> Any:
    return _maker.of(name)


def _close() -> None:
    _maker.close()
