"""A cache of what was computed for pairs of runs, which outlives one board."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

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
