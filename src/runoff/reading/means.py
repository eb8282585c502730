"""Means of runs whose labels are too many for memory: part by part, each with the labels of its own queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runoff.files.parquet.cut_qrels import CutQrels, OutOfOrderError
from runoff.files.parquet.score_folder import ScoreFolder
from runoff.files.parquet.sharded_runs import check_qrels_size
from runoff.measures import RBP, Measure
from runoff.reading.runs import depth_of
from runoff.reading.sources import Progress, QrelsSource, ReadOptions, RunSource, counted, cut_labels, names_of
from runoff.reading.units import HereEngine, labelled_units
from runoff.results.evaluation import MeansResult, RunFacts, best_first
from runoff.results.fit import check_fit
from runoff.tables.scores import sum_in_order
from runoff.tables.serp_parts import SerpPart, serps_of_part
from runoff.tables.serps import NOTHING, UNJUDGED, Serps


def read_means(
    runs: Sequence[RunSource],
    qrels: QrelsSource,
    measures: Sequence[Measure],
    *,
    names: Sequence[str] | None = None,
    reading: ReadOptions,
    per_query: Path | None = None,
    progress: Progress | None = None,
) -> MeansResult | None:
    """The means of runs, and their scores in a folder of Parquet files, in memory that no input makes grow.

    runs       folders, patterns or addresses of Parquet files
    qrels      the same, with more rows than a part
    per_query  where a row for every run, query and measure is written; nowhere if None

    None if it cannot be done this way: a source is not Parquet, the labels are few enough for memory, a measure is one
    of ir_measures, or runs and labels have their queries in different orders. Then the labels must be read whole, which
    is refused where they are too many.
    """
    labels = cut_labels(qrels, runs, measures, reading)
    if labels is None:
        return None
    try:
        return _Work(runs, names or names_of(runs), labels, tuple(measures), reading).done(per_query, progress)
    except OutOfOrderError:
        check_qrels_size(labels.source, labels.rows)
        return None


class _Work:
    """The units of all runs, and who does them."""

    def __init__(
        self,
        runs: Sequence[RunSource],
        names: Sequence[str],
        labels: CutQrels,
        measures: tuple[Measure, ...],
        reading: ReadOptions,
    ) -> None:
        self.labels = labels
        self.measures = measures
        self.depth = depth_of(measures)
        self.names = names
        self.request = reading.request(depth=self.depth)
        self.engine = reading.engine or HereEngine()
        self.planned = [
            labelled_units(
                run, labels, self.request, name=name, max_bytes=reading.max_bytes, part_rows=reading.part_rows
            )
            for run, name in zip(runs, self.names, strict=True)
        ]

    def done(self, folder: Path | None, progress: Progress | None) -> MeansResult:
        names = [str(measure) for measure in self.measures]
        if folder is None:
            return self._result([self._totals(None, *run) for run in self._scored(progress)])
        with ScoreFolder(folder, names) as written:
            result = self._result([self._totals(written, *run) for run in self._scored(progress)])
            written.finish(result.runs)
        return result

    def _scored(self, progress: Progress | None) -> Iterator[tuple[str, Iterator[SerpPart]]]:
        """What the units of each run give, in order."""
        scored = self.engine.scored([unit for units in self.planned for unit in units], None)
        parts = counted(scored, sum(map(len, self.planned)), progress)
        for name, units in zip(self.names, self.planned, strict=True):
            yield name, islice(parts, len(units))

    def _totals(self, written: ScoreFolder | None, name: str, parts: Iterator[SerpPart]) -> RunTotals:
        totals = RunTotals(run=name, measures=self.measures)
        for part in parts:
            serps = serps_of_part(part, run=name, request=self.request)
            values = totals.add(serps)
            if written is not None:
                written.add(name, serps.query_ids, values)
        return totals

    def _result(self, totals: Sequence[RunTotals]) -> MeansResult:
        fits = [run.facts for run in totals]
        check_fit(fits, self.labels.queries, self.labels.places[0][0], self.labels.name, depth=self.depth)
        means = [np.array([run.means[place] for run in totals]) for place in range(len(self.measures))]
        order = best_first(self.measures[0], means[0], self.names)
        return MeansResult(
            qrels=self.labels.name,
            queries=self.labels.queries,
            measures=self.measures,
            means=tuple(values[order] for values in means),
            facts=tuple(totals[place].facts for place in order),
            depth=self.depth,
            tie_rule=self.request.tie_rule,
        )


@dataclass(kw_only=True)
class RunTotals:
    """Sums over the queries of a run that come part by part: the means and facts that all of them together give."""

    run: str
    measures: tuple[Measure, ...]
    queries: int = 0
    missing: int = 0
    extra: int = 0
    tied: int = 0
    dropped: int = 0
    duplicates: str = "error"
    is_whole: bool = True
    retrieved: int = 0
    unjudged: int = 0
    sums: NDArray[np.float64] = field(init=False)
    defined: NDArray[np.int64] = field(init=False)
    residuals: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.weighing = tuple(measure for measure in self.measures if isinstance(measure, RBP))
        self.sums, self.residuals = np.zeros(len(self.measures)), np.zeros(len(self.weighing))
        self.defined = np.zeros(len(self.measures), dtype=np.int64)

    def add(self, serps: Serps) -> NDArray[np.float64]:
        """Count some more queries; returns their scores, queries x measures."""
        values = np.column_stack([measure.values(serps) for measure in self.measures])
        is_defined = ~np.isnan(values)
        self.defined += is_defined.sum(axis=0)
        self.sums = sum_in_order(np.where(is_defined, values, 0.0), self.sums)
        if self.weighing:
            rest = np.column_stack([measure.residual(serps) for measure in self.weighing])
            self.residuals = sum_in_order(rest, self.residuals)
        self.queries += len(serps.query_ids)
        self.missing += serps.missing_queries
        self.extra += serps.extra_queries
        self.tied += int(serps.depth_tied.sum())
        self.dropped += serps.dropped
        self.duplicates = serps.duplicates
        self.is_whole &= serps.is_whole
        self.retrieved += int((serps.grades != NOTHING).sum())
        self.unjudged += int((serps.grades == UNJUDGED).sum())
        return values

    @property
    def means(self) -> NDArray[np.float64]:
        """Per measure; NaN where it is defined for no query."""
        means: NDArray[np.float64] = np.full(len(self.measures), np.nan)
        np.divide(self.sums, self.defined, out=means, where=self.defined > 0)
        return means

    @property
    def facts(self) -> RunFacts:
        """What is worth knowing about the run."""
        unjudged = self.unjudged / self.retrieved if self.retrieved else 0.0
        return RunFacts(
            run=self.run,
            missing_queries=self.missing,
            is_judged=unjudged < 1.0,
            extra_queries=self.extra,
            unjudged_at_depth=unjudged,
            tied_at_depth=self.tied,
            is_whole=self.is_whole,
            dropped=self.dropped,
            duplicates=self.duplicates,
            residuals=tuple(
                (str(measure), float(total / self.queries))
                for measure, total in zip(self.weighing, self.residuals, strict=True)
            ),
        )
