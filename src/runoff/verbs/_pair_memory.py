"""Results of pairs of runs that are kept: between boards that share runs, and in files where memory is too small."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from runoff.tables.memory import Scratch
from runoff.verdicts import PairEvidence

Kind = TypeVar("Kind")


class Remember(Protocol):
    """Returns the cached value of a key, or makes it."""

    def __call__(self, key: Hashable, make: Callable[[], Any], /) -> Any:
        """The value of a key."""


@dataclass(frozen=True, kw_only=True)
class PairMemory:
    """Results of pairs of runs that outlive one board.

    remember    keeps values by key
    identities  of each run by its name: everything that a result of the run depends on, settings of the board included

    >>> kept = {}
    >>> def remember(key, make):
    ...     if key not in kept:
    ...         kept[key] = make()
    ...     return kept[key]
    >>> memory = PairMemory(remember=remember, identities={"a": 1, "b": 2})
    >>> memory.of("comparison", ("a", "b"), lambda: "made"), memory.of("comparison", ("a", "b"), lambda: "made again")
    ('made', 'made')
    """

    remember: Remember
    identities: Mapping[str, Hashable]

    def of(self, what: str, names: tuple[str, str], make: Callable[[], Kind], *more: Hashable) -> Kind:
        """The result of a kind for two runs, champion first; `more` is what else it depends on."""
        found: Kind = self.remember((what, *(self.identities[name] for name in names), *more), make)
        return found


def stored(pair: PairEvidence, scratch: Scratch) -> PairEvidence:
    """The same pair; what is known of its single queries is in files."""

    def moved(result: Any) -> Any:
        if result is None:
            return None
        values = {field.name: getattr(result, field.name) for field in fields(result)}
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        return replace(result, **{name: scratch.moved(array) for name, array in arrays.items()})

    return replace(
        pair,
        outcomes=moved(pair.outcomes),
        ipso=moved(pair.ipso),
        scores=moved(pair.scores),
        also=tuple(map(moved, pair.also)),
    )
