"""What formats with a row for each score have in common, and how their rows become a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.column_names import QUERY_NAMES
from runoff.files.problems import quoted
from runoff.files.text.tokens import parse_decimal
from runoff.phrases import listed
from runoff.tables.scores import Scores

MEANS: Final = frozenset({"all", "tot"})
"""What the query of a row that holds a mean is called; such rows are passed over."""


FIELD_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "run": ("run", "name", "system", "run_id"),
    "query": QUERY_NAMES,
    "measure": ("measure", "metric"),  # words: as others call it
    "value": ("value", "score"),
}
"""What tables and objects call the fields of a score."""


class ScoreLine(NamedTuple):
    """A line that is not blank, and its number."""

    number: int
    text: str


class SingleScore(NamedTuple):
    """One score: file and line, run, query, the measure as it is called there, and the number as it is written."""

    where: str
    run: str
    query: str
    measure: str
    value: str


@dataclass(frozen=True, kw_only=True)
class ScoreFormat:
    """A format.

    fits  whether some lines from the beginning are of it
    rows  the rows of a file: its lines, its name, and what its run is called if it does not say
    """

    name: str
    fits: Callable[[Sequence[ScoreLine]], bool]
    rows: Callable[[Sequence[ScoreLine], str, str], list[SingleScore]]


class ScoreRows:
    """Scores of some runs by some measures."""

    def __init__(self, rows: Iterable[SingleScore]) -> None:
        self._rows = [row for row in rows if row.query not in MEANS]
        # The tables of all measures have the queries and runs in one order.
        queries, runs = _places(row.query for row in self._rows), _places(row.run for row in self._rows)
        self._rows.sort(key=lambda row: (queries[row.query], runs[row.run]))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures whose values are numbers, as they are called there."""
        first: dict[str, str] = {}
        for row in self._rows:
            first.setdefault(row.measure, row.value)
        return tuple(name for name, value in first.items() if not np.isnan(parse_decimal(value.encode())))

    def scores(self, *names: str, called: str) -> Scores:
        """The scores by one measure, whatever its names there; every run must have one for every query.

        Where a run has a score under several of the names, the first of these counts.
        """
        rows = [row for row in self._rows if row.measure in names]
        queries, runs = _places(row.query for row in rows), _places(row.run for row in self._rows)
        values = np.full((len(queries), len(runs)), np.nan)
        first: dict[tuple[str, str], SingleScore] = {}
        problems = []
        for row in sorted(rows, key=lambda row: names.index(row.measure)):
            value = parse_decimal(row.value.encode())
            if np.isnan(value):
                problems.append(
                    f"{row.where}: score {quoted(row.value)} is not a finite number; expected one such as 0.25; fix it"
                )
            elif (earlier := first.setdefault((row.query, row.run), row)) is row:
                values[queries[row.query], runs[row.run]] = value
            elif earlier.measure == row.measure:
                problems.append(
                    f"{row.where}: {called} of run {quoted(row.run)} for query {quoted(row.query)} is listed twice, "
                    f"first at {earlier.where}; expected it once; remove one, or give two runs two names"
                )
        if not problems:
            problems = list(_missing(values, tuple(queries), tuple(runs), called))
        if problems:
            raise InputError(problems)
        return Scores(measure=called, query_ids=tuple(queries), runs=tuple(runs), values=values)


def _places(names: Iterable[str]) -> dict[str, int]:
    """Where each of some names is first among the different ones."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _missing(
    values: NDArray[np.float64],
    queries: Sequence[str],
    runs: Sequence[str],
    measure: str,
) -> Iterable[str]:
    lacking = np.isnan(values)
    for place in np.flatnonzero(lacking.any(axis=0)).tolist():
        names = [queries[row] for row in np.flatnonzero(lacking[:, place]).tolist()]
        yield (
            f"run {quoted(runs[place])} has no {measure} for {len(names):,} of {len(queries):,} queries: "
            f"{listed(names, most=3)}; expected a score of every run for every query; write 0 where nothing was "
            "retrieved, as trec_eval -q -c does"
        )
