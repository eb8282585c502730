"""Systems: what is evaluated, one run each or several runs that differ in their seed alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from runoff.errors import UsageError
from runoff.tables.scores import Scores, sum_in_order

_SEED: Final = re.compile(r"(?P<name>.+)#(?P<seed>[0-9]+)(?P<ending>(?:\.[A-Za-z]\w*)*)")


def systems_of(runs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The systems of some runs, each with its runs: `dense#1` and `dense#2` are two seeds of `dense`.

    A run with a number is a system by itself where it is the only one.

    >>> systems_of(["bm25", "dense#1.run", "dense#2.run", "late#1"])
    {'bm25': ('bm25',), 'dense.run': ('dense#1.run', 'dense#2.run'), 'late#1': ('late#1',)}
    """
    seeds_of: dict[str, list[str]] = {}
    for run in runs:
        match = _SEED.fullmatch(run)
        seeds_of.setdefault(f"{match['name']}{match['ending']}" if match else run, []).append(run)
    systems: dict[str, tuple[str, ...]] = {}
    for name, seeds in seeds_of.items():
        if len(seeds) > 1 and name in seeds:
            others = ", ".join(run for run in seeds if run != name)
            raise UsageError(
                f"'{name}' is a run, and the system of {others}; expected a name with a seed for each of its runs; "
                f"rename the first to {name}#0"
            )
        systems[name if len(seeds) > 1 else seeds[0]] = tuple(seeds)
    return systems


def scores_of_systems(scores: Scores, systems: Mapping[str, Sequence[str]]) -> Scores:
    """The scores of some systems: of several seeds, the mean over them for each query.

    A query for which the measure is undefined for one of the seeds is undefined for the system.
    """
    if tuple(systems) == scores.runs:
        return scores
    columns = []
    for runs in systems.values():
        values = np.stack([scores.of(run) for run in runs])
        columns.append(values[0] if len(runs) == 1 else sum_in_order(values) / len(runs))
    return replace(scores, runs=tuple(systems), values=np.column_stack(columns))
