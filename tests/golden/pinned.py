"""Makes outputs in a process of its own that uses the same CPU kernels and fonts on every x86-64 machine with Linux.

It also has the same version of runoff on every commit, tagged or not.

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
from importlib import metadata
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

VERSION = "0.1.0"
"""Of runoff, in golden files."""

Of = Callable[[str], Any]
"""Makes an output by its name."""

_makers: dict[Callable[..., Maker], Maker] = {}
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
def pinned() -> Iterator[Callable[..., Of]]:
    """Yields a function that takes a kind of maker and its arguments, and has one made in the other process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_pin_version) as process:

        def ask(function: Callable[..., Any], *arguments: object) -> Any:
            with mock.patch.dict(os.environ, pins()):  # the process starts when it is asked first
                answer = process.submit(function, *arguments)
            return answer.result()

        yield lambda make, *arguments: partial(ask, _of, make, arguments)
        ask(_close)


def _pin_version() -> None:
    """Before anything of runoff is imported, and with it the function that is replaced here."""
    installed = metadata.version

    def version(distribution_name: str) -> str:
        return VERSION if distribution_name == "runoff" else installed(distribution_name)

    metadata.version = version


def _of(make: Callable[..., Maker], arguments: tuple[object, ...], name: str) -> Any:
    if make not in _makers:
        _makers[make] = make(*arguments)
    return _makers[make].of(name)


def _close() -> None:
    for maker in _makers.values():
        maker.close()
