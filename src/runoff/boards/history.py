"""The history of a board: its records in order of date, and which pairs of runs to compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final

from runoff.errors import UsageError
from runoff.tables.board import BoardRun

EQUAL: Final = 1e-9
"""Means that differ by less are the same: sums in another order differ by rounding."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """A run that was the best of the board on its date.

    displaced  the record before it; None for the first
    rivals     how many runs, this one included, were submitted on its date: it was picked as the best of them
    tied       other runs of its date with exactly its mean; the first in the order of the board has the record
    """

    date: date
    name: str
    team: str
    mean: float
    displaced: str | None
    rivals: int
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HistoryResult:
    """The records of a board in order of date.

    baseline  the baseline that the first record had to beat, the best of those there on its date, and its mean; None
              if there was none
    runs      how many dated runs, baselines left out, were looked at
    undated   runs that were left out because they have no date
    unscored  runs that were left out because they have no mean
    """

    records: tuple[Record, ...]
    baseline: tuple[str, float] | None
    best_is_low: bool
    runs: int
    undated: tuple[str, ...]
    unscored: tuple[str, ...]

    @property
    def against_first(self) -> tuple[tuple[str, str], ...]:
        """(champion, challenger): the first record and each later one, as in Lin et al.'s Tables 1 and 2."""
        return tuple((self.records[0].name, record.name) for record in self.records[1:])

    @property
    def against_displaced(self) -> tuple[tuple[str, str], ...]:
        """(champion, challenger): each record and the one that displaced it."""
        return tuple((record.displaced, record.name) for record in self.records if record.displaced is not None)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All pairs to compare, each once: the second record's champion is both the first and the displaced."""
        return tuple(dict.fromkeys((*self.against_first, *self.against_displaced)))


def history(runs: Sequence[BoardRun], means: Mapping[str, float], *, best_is_low: bool = False) -> HistoryResult:
    """The records of a board: each run that was strictly better than everything before it.

    The first record is the first run that beats all baselines of its date or earlier; a baseline without a date was
    there from the beginning. A baseline is never a record, but a later record has to beat it too. Of the runs of one
    date only the best can be a record, because nobody knows their order within the day.

    means        the mean score of each run, by name
    best_is_low  whether a lower mean is better, as with ESL

    Lin et al. 2021, section 3, https://doi.org/10.48550/arXiv.2102.12887

    >>> runs = [BoardRun(name="bm25", baseline=True)]
    >>> runs += [BoardRun(name=name, date=date(2021, 1, day)) for day, name in enumerate("abcd", start=1)]
    >>> found = history(runs, {"bm25": 0.3, "a": 0.2, "b": 0.4, "c": 0.4, "d": 0.5})
    >>> [(record.name, record.displaced) for record in found.records], found.pairs
    ([('b', None), ('d', 'b')], (('b', 'd'),))
    """
    _check(runs, means)
    sign = -1.0 if best_is_low else 1.0
    scored = [run for run in runs if run.name in means]
    baselines = [run for run in scored if run.baseline]
    dated = sorted((run for run in scored if run.date and not run.baseline), key=lambda run: run.date or date.min)
    records: list[Record] = []
    first_bar: tuple[str, float] | None = None
    for day, group in groupby(dated, key=lambda run: run.date or date.min):
        rivals = list(group)
        best = max(rivals, key=lambda run: sign * means[run.name])
        bars = [run for run in baselines if run.date is None or run.date <= day]
        bar = max(bars, key=lambda run: sign * means[run.name], default=None)
        to_beat = [means[bar.name]] if bar else []
        to_beat += [records[-1].mean] if records else []
        mean = means[best.name]
        if any(sign * (mean - other) <= EQUAL * max(abs(other), 1.0) for other in to_beat):
            continue
        if not records and bar:
            first_bar = bar.name, means[bar.name]
        records.append(
            Record(
                date=day,
                name=best.name,
                team=best.team,
                mean=mean,
                displaced=records[-1].name if records else None,
                rivals=len(rivals),
                tied=tuple(run.name for run in rivals if run is not best and means[run.name] == mean),
            )
        )
    return HistoryResult(
        records=tuple(records),
        baseline=first_bar,
        best_is_low=best_is_low,
        runs=len(dated),
        undated=tuple(run.name for run in scored if run.date is None and not run.baseline),
        unscored=tuple(run.name for run in runs if run.name not in means),
    )


def _check(runs: Sequence[BoardRun], means: Mapping[str, float]) -> None:
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"run '{twice}' is listed twice; expected every run once; rename one")
    for name in names:
        if not math.isfinite(means.get(name, 0.0)):
            raise UsageError(f"the mean of run '{name}' is {means[name]}; expected a finite number; leave the run out")
