"""The table of a paper: systems x measures, the best in bold, and marks for significant differences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from runoff.choices import MarksChoice
from runoff.display import Grid, Shown
from runoff.display.rows import column, each, grid_of, plain, row_class, row_dict, row_of
from runoff.phrases import counted
from runoff.results.fit import Fit, dropped_notes, fit_notes, missing_of
from runoff.verdicts import Policy, SystemPair
from runoff.verdicts.facet import DAGGER

LETTERS: Final = "abcdefgh"
"""Marks of systems; of more systems than this, only the differences from the baseline are marked."""

FILE_ENDING: Final = re.compile(r"\.(?:run|trec|res|results|txt|tsv|csv|jsonl?|parquet)$", re.IGNORECASE)
"""File extensions, which names in a paper do not have."""
TWO_FAMILIES: Final = (
    "Verdicts are corrected over all facets and challengers, this table over the comparisons of each measure, so a "
    "difference can be significant in one and not in the other."
)


@dataclass(frozen=True, kw_only=True)
class MeasureScores:
    """What the systems earn under one measure.

    means    per system, over the queries for which the measure is defined; NaN where there is none
    spreads  per system of several runs, the standard deviation of their means (divisor n - 1); None for others
    pairs    the systems that are compared, p-values corrected over all of them
    """

    measure: str
    best_is_low: bool
    means: tuple[float, ...]
    spreads: tuple[float | None, ...]
    pairs: tuple[SystemPair, ...]


@row_class
class SystemRow:
    """A system and its mean under every measure."""

    letter: str | None = column("Letter", optional=True, attached="label", to="system")
    system: str = column("System")
    runs: tuple[str, ...]
    missing_queries: int
    means: Mapping[str, float] = each("number", key=False)
    spreads: Mapping[str, float | None] = each(
        "number", name="{}_sd", heading="{} sd", attached="spread", to="{}", key=False
    )
    marks: Mapping[str, str] = each(name="{}_marks", heading="{} marks", attached="mark", to="{}", key=False)


@row_class
class SystemPairRow:
    """A comparison of two systems under one measure: the second against the first."""

    first: str
    second: str
    difference: float
    statistic: float
    p: float
    p_corrected: float
    better: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemsTable(Shown):
    """Systems x measures. The first measure is the one that decides a comparison.

    systems    each with its runs, which are several where they differ in their seed alone
    baselines  those of them to be beaten, in the order of their marks
    marks      what is marked: significant differences between all systems (`each`), or from the baselines
    fits       how the runs fit the labels, where that is known
    digits     decimal places that are shown
    """

    queries: int
    systems: Mapping[str, tuple[str, ...]]
    baselines: tuple[str, ...]
    marks: MarksChoice
    measures: tuple[MeasureScores, ...]
    policy: Policy
    fits: tuple[Fit, ...] = ()
    digits: int | None = None

    @property
    def letters(self) -> dict[str, str]:
        """The letter of each system that has one; there is none where all differences are from one baseline."""
        lettered = tuple(self.systems) if self.marks == "each" else self.baselines
        return dict(zip(lettered, LETTERS, strict=False)) if len(lettered) > 1 else {}

    @property
    def is_of_several(self) -> bool:
        """Whether there are several measures."""
        return len(self.measures) > 1

    @property
    def family_size(self) -> int:
        """How many p-values of each measure are corrected together."""
        return max(len(measure.pairs) for measure in self.measures)

    def marks_of(self, measure: MeasureScores) -> dict[str, str]:
        """By system, its marks under a measure."""
        letters, marks = self.letters, dict.fromkeys(self.systems, "")
        for pair in measure.pairs:
            if pair.better is not None and self.marks == "each":
                worse = pair.first if pair.better == pair.second else pair.second
                marks[pair.better] += letters[worse]
            elif pair.better is not None:
                marks[pair.second] += letters.get(pair.first, DAGGER)
        return {system: "".join(sorted(marked)) for system, marked in marks.items()}

    def to_dict(self) -> dict[str, object]:
        """The keys `table` and `measures` of `runoff compare --format json`."""
        return {"table": self.facts(), "measures": {each.measure: self._measure_dict(each) for each in self.measures}}

    def facts(self) -> dict[str, object]:
        """What holds of all measures: the systems, the test, and what was corrected."""
        return {
            "queries": self.queries,
            "baselines": list(self.baselines),
            "marks": self.marks,
            "test": self.policy.measure_test,
            "alpha": self.policy.alpha,
            "correction": self.policy.correction,
            "family_size": self.family_size,
            "systems": [row_dict(row) for row in self._rows()],
        }

    def _measure_dict(self, measure: MeasureScores) -> dict[str, object]:
        pairs = [
            row_of(SystemPairRow, pair, pair.test, p=pair.facet.raw_p, p_corrected=pair.facet.p)
            for pair in measure.pairs
        ]
        return {
            "means": plain(dict(zip(self.systems, measure.means, strict=True))),
            "spreads": {
                system: spread
                for system, spread in zip(self.systems, measure.spreads, strict=True)
                if spread is not None
            },
            "tests": [row_dict(pair) for pair in pairs],
            "marks": self.marks_of(measure),
        }

    def _rows(self) -> Iterator[SystemRow]:
        missing, letters = missing_of(self.fits), self.letters
        marks = {measure.measure: self.marks_of(measure) for measure in self.measures}
        has_spread = any(spread is not None for measure in self.measures for spread in measure.spreads)
        for place, (system, runs) in enumerate(self.systems.items()):
            yield SystemRow(
                letter=letters.get(system),
                system=system,
                runs=runs,
                missing_queries=sum(missing.get(run, 0) for run in runs),
                means={measure.measure: measure.means[place] for measure in self.measures},
                spreads={measure.measure: measure.spreads[place] for measure in self.measures if has_spread},
                marks={name: of_system[system] for name, of_system in marks.items()},
            )

    def grid(self) -> Grid:
        """A row per system."""
        low = {measure.measure: measure.best_is_low for measure in self.measures}
        return grid_of(
            SystemRow,
            self._rows(),
            title=f"Means over {counted(self.queries, 'query', 'queries')}",
            legend=self.legend,
            notes=[*self._seed_notes(), *fit_notes(self.fits, self.queries), *dropped_notes(self.fits)],
            means=lambda name: {"best": "low" if low[name] else "high", "digits": self.digits},
            spreads={"digits": self.digits},
        )

    def paper_grids(self) -> tuple[Grid, ...]:
        """The same, with the names of a paper."""
        return grids_for_paper(self, (), list(self.systems))

    def grid_beside_verdicts(self) -> Grid:
        """The same, and why its marks and the verdicts may differ."""
        grid = self.grid()
        return grid if self.policy.correction == "none" else replace(grid, notes=[*grid.notes, TWO_FAMILIES])

    @property
    def legend(self) -> str:
        """What the marks mean: the test, its level, and the correction with what it is over."""
        size, policy = self.family_size, self.policy
        name = "paired t test" if policy.measure_test == "t" else policy.measure_label
        how = f"{name}, p < {policy.alpha:g}"
        if size > 1:
            label = "not corrected for" if policy.correction == "none" else f"{policy.correction_label} over"
            how += f", {label} {size:,} comparisons per measure"
        if self.marks == "each":
            return f"Superscripts name the systems that a score is significantly better than ({how})."
        if len(self.baselines) > 1:
            return f"Superscripts name the baselines that a score differs from significantly ({how})."
        return f"{DAGGER} differs significantly from {self.baselines[0]} ({how})."

    def _seed_notes(self) -> Iterator[str]:
        several = [f"{system} ({len(runs)})" for system, runs in self.systems.items() if len(runs) > 1]
        if several:
            yield (
                f"Mean over the runs of a system ± standard deviation of their means: {', '.join(several)}; tests use "
                "the mean over the runs for each query."
            )


def grids_for_paper(table: SystemsTable | None, tables: Sequence[Grid], names: Sequence[str]) -> tuple[Grid, ...]:
    """The tables of a paper: that of systems, and where it is of one measure, the others of this measure too.

    Two systems under one measure need no table of systems. File extensions are dropped from names, if they
    still differ.
    """
    grids = [table.grid()] if table is not None else []
    if table is None or not table.is_of_several:
        grids += tables
    short = {name: FILE_ENDING.sub("", name) or name for name in names}
    if len(set(short.values())) < len(short):
        return tuple(grids)

    def shortened(text: str) -> str:
        for name in sorted(names, key=len, reverse=True):
            text = text.replace(name, short[name])
        return text

    return tuple(
        replace(
            grid,
            title=shortened(grid.title),
            legend=shortened(grid.legend),
            notes=list(map(shortened, grid.notes)),
            rows=[[short.get(value, value) if isinstance(value, str) else value for value in row] for row in grid.rows],
        )
        for grid in grids
    )
