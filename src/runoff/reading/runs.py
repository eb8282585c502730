"""Reading runs: the one way from files, frames and objects to scores, SERPs and top documents.

Every verb and the server come here. Runs in text files and in memory are read by threads of this process; runs in
Parquet, and everything for a cluster, are cut into units of work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.files.parquet.cut_qrels import CutQrels, OutOfOrderError
from runoff.files.parquet.sharded_runs import read_cut_qrels
from runoff.files.parquet.shards import is_sharded
from runoff.files.runs import read_serps_and_top
from runoff.files.streams import map_in_order, usable_cores
from runoff.measures import RBP, ExternalMeasure, Measure
from runoff.reading.sources import Progress, ReadOptions, RunSource, as_run, counted, is_file, names_of, one_tie_rule
from runoff.reading.units import HereEngine, labelled_units, serps_of_units, units_of
from runoff.results.evaluation import RunFacts
from runoff.tables.memory import Scratch, in_file
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores, sum_in_order
from runoff.tables.serp_parts import SerpAssembly, serps_of_labelled_parts
from runoff.tables.serps import Serps, ranks_needed

LIST_BYTES: Final = 27
"""Memory per list beside its score: its length and whether the depth cut a tie, 9; the results of comparing it with the
leader's, 18. Its grades, those of both once more and their IPSO relations are 4 more for every rank."""
QUERY_BYTES: Final = 100
"""Memory per query whatever the runs: its id as a string of Python, and how many documents have which grade."""
COMPARED_SCORES: Final = 2
"""Scores per query of runs that are read for comparisons alone, which compute them afterwards."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scoring:
    """What to compute from runs under one set of labels.

    labels      see `as_labels`; whole for measures of ir_measures
    measures    the values to compute
    keep_serps  whether each run's SERPs are kept, for comparisons; they take queries x depth bytes a run
    """

    labels: Qrels | CutQrels
    measures: Sequence[Measure] = ()
    keep_serps: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredRun:
    """One run's values under every measure, its facts, and its SERPs if they were to be kept."""

    facts: RunFacts
    query_ids: Sequence[str]
    values: tuple[NDArray[np.float64], ...]
    tie_rule: str
    serps: Serps | None


@dataclass(frozen=True, eq=False, kw_only=True)
class ReadRuns:
    """Runs that have been read.

    scored    for each `Scoring`, in their order, the scores of the runs
    tops      the top documents of the runs; empty unless they were asked for
    tie_rule  the one by which all are ranked
    """

    scored: tuple[tuple[ScoredRun, ...], ...]
    tops: tuple[Run, ...]
    tie_rule: str

    @property
    def serps(self) -> tuple[Serps, ...]:
        """The SERPs of the runs under the first labels; empty unless they were to be kept."""
        return tuple(run.serps for run in self.scored[0] if run.serps is not None)


@dataclass(frozen=True, eq=False, kw_only=True)
class _ReadRun:
    """What is kept of one run: under each `Scoring`, and its top documents."""

    scored: tuple[ScoredRun, ...]
    tie_rule: str
    top: Run | None = None


def read_runs(
    sources: Sequence[RunSource],
    *scorings: Scoring,
    depth: int | None = None,
    top: int = 0,
    names: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReadRuns:
    """Read runs, each once and several at a time, score them, and keep what is asked for and no more.

    scorings  labels, measures, and whether SERPs are kept; none where only documents are wanted
    depth     the ranks of the SERPs; None for whole lists
    top       how many documents of each query are kept
    names     what the runs are called; else each by its file or its place

    Runs that were ranked by different tie rules are refused. Where all scores and SERPs of one scoring, and what
    comparing them takes, are more than `reading.at_once`, they are put into files.
    """
    if not sources:
        raise UsageError("no runs; expected one or more; name some")
    files = reading or ReadOptions()
    external = [measure for scoring in scorings for measure in scoring.measures if isinstance(measure, ExternalMeasure)]
    job = _Job(
        sources=sources,
        names=names_of(sources) if names is None else names,
        scorings=scorings,
        depth=depth,
        top=top,
        reading=reading,
        files=files,
        needs_documents=bool(external),  # ir_measures reads whole runs
        progress=progress,
        scratch=_scratch(sources, scorings[0], depth, files) if len(scorings) == 1 else None,
    )
    runs = tuple(job.read())
    return ReadRuns(
        scored=tuple(zip(*(run.scored for run in runs), strict=True)),
        tops=tuple(run.top for run in runs if run.top is not None),
        tie_rule=one_tie_rule(run.tie_rule for run in runs),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Job:
    """The arguments of `read_runs`, and the three ways in which runs are read."""

    sources: Sequence[RunSource]
    names: Sequence[str]
    scorings: Sequence[Scoring]
    depth: int | None
    top: int
    reading: ReadOptions | None
    files: ReadOptions
    needs_documents: bool
    progress: Progress | None
    scratch: Scratch | None

    def read(self) -> Iterator[_ReadRun]:
        """The runs in their order."""
        if len(self.scorings) == 1 and not self.top:
            labels = self.scorings[0].labels
            if isinstance(labels, CutQrels):
                try:
                    return iter(list(self._in_labelled_units(labels)))
                except OutOfOrderError:
                    labels = read_cut_qrels(labels)
                    return replace(self, scorings=[replace(self.scorings[0], labels=labels)]).read()
            in_shards = any(is_file(source) and is_sharded(source) for source in self.sources)
            if not self.needs_documents and (self.files.engine is not None or in_shards):
                return self._in_units(labels)
        return self._in_threads(
            [
                read_cut_qrels(scoring.labels) if isinstance(scoring.labels, CutQrels) else scoring.labels
                for scoring in self.scorings
            ]
        )

    def _in_threads(self, labels: Sequence[Qrels]) -> Iterator[_ReadRun]:
        """Text files and what is in memory; a run is dropped once it is scored, so memory does not grow with runs."""
        cores, needs_documents = usable_cores(), self.needs_documents
        at_once = min(cores, len(self.sources))
        request = self.files.request(*labels, depth=self.depth, top=self.top)

        def read(place: int) -> _ReadRun:
            source, name = self.sources[place], self.names[place]
            if is_file(source) and not needs_documents:
                serps, top = read_serps_and_top(
                    source, request, name=name, max_bytes=self.files.max_bytes, threads=max(1, cores // at_once)
                )
                return self._kept(serps, tie_rule=request.tie_rule, top=top)
            run = as_run(source, name=name, reading=self.reading)
            serps = tuple(run.serps(each, depth=self.depth) for each in labels)
            return self._kept(serps, tie_rule=run.tie_rule, run=run, top=run.top(self.top) if self.top else None)

        return counted(map_in_order(read, range(len(self.sources)), threads=at_once), len(self.sources), self.progress)

    def _in_units(self, labels: Qrels) -> Iterator[_ReadRun]:
        """Unit by unit, by an engine; what only this process has is scored here."""
        request = self.files.request(depth=self.depth)
        planned = [
            units_of(source, request, name=name, max_bytes=self.files.max_bytes, part_rows=self.files.part_rows)
            for source, name in zip(self.sources, self.names, strict=True)
        ]
        total = sum(max(1, len(units)) for units in planned)
        scored = (self.files.engine or HereEngine()).scored([unit for units in planned for unit in units], labels)
        done = 0
        for source, name, units in zip(self.sources, self.names, planned, strict=True):
            parts = []
            for part in islice(scored, len(units)):
                parts.append(part)
                done += 1
                if self.progress is not None:
                    self.progress(done, total)
            if units:
                serps = serps_of_units(parts, units, labels)
            else:
                serps = as_run(source, name=name, reading=self.reading).serps(labels, depth=self.depth)
                done += 1
            yield self._kept([serps], tie_rule=serps.tie_rule)
        if self.progress is not None:
            self.progress(done, total)

    def _in_labelled_units(self, labels: CutQrels) -> Iterator[_ReadRun]:
        """Unit by unit, each with the labels of its own queries; OutOfOrderError if a run is in another order."""
        request = self.files.request(depth=self.depth)
        planned = [
            labelled_units(
                source, labels, request, name=name, max_bytes=self.files.max_bytes, part_rows=self.files.part_rows
            )
            for source, name in zip(self.sources, self.names, strict=True)
        ]
        scored = (self.files.engine or HereEngine()).scored([unit for units in planned for unit in units], None)
        parts = counted(scored, sum(map(len, planned)), self.progress)
        assembly = None if self.depth is None else SerpAssembly(request, queries=labels.queries, scratch=self.scratch)
        first: Serps | None = None
        for name, units in zip(self.names, planned, strict=True):
            own = islice(parts, len(units))
            if assembly is not None:
                serps = assembly.serps(name, own)
            else:
                serps = serps_of_labelled_parts(list(own), run=name, request=request, like=first)
                first = first or serps
            yield self._kept([serps], tie_rule=serps.tie_rule)

    def _kept(
        self, serps: Sequence[Serps], *, tie_rule: str, run: Run | None = None, top: Run | None = None
    ) -> _ReadRun:
        """Score one run; `run` is asked for its documents by measures of ir_measures alone."""
        scored = []
        for scoring, earned in zip(self.scorings, serps, strict=True):
            result = _scored_run(scoring, earned, run)
            scored.append(result if self.scratch is None else _moved(result, self.scratch))
        return _ReadRun(scored=tuple(scored), tie_rule=tie_rule, top=top)


def _scratch(sources: Sequence[RunSource], scoring: Scoring, depth: int | None, reading: ReadOptions) -> Scratch | None:
    """Where the scores of some runs are put, and their lists to a depth; None for memory."""
    labels, kept_depth = scoring.labels, depth if scoring.keep_serps else None
    queries = labels.queries if isinstance(labels, CutQrels) else len(labels.query_ids)
    scores = len(scoring.measures) or COMPARED_SCORES
    width = 8 * scores + (0 if kept_depth is None else 4 * kept_depth + LIST_BYTES)
    needed = queries * len(sources) * width
    return Scratch(reading.scratch, needed=needed) if needed + queries * QUERY_BYTES > reading.at_once else None


def _moved(scored: ScoredRun, scratch: Scratch) -> ScoredRun:
    """The scores and SERPs in files; what the labels alone say stays where it is, since all runs share it."""
    serps = scored.serps
    if serps is not None:
        serps = replace(
            serps,
            grades=scratch.moved(serps.grades),
            retrieved=scratch.moved(serps.retrieved),
            depth_tied=scratch.moved(serps.depth_tied),
        )
    return replace(scored, values=tuple(map(scratch.moved, scored.values)), serps=serps)


def _scored_run(scoring: Scoring, serps: Serps, run: Run | None) -> ScoredRun:
    labels = scoring.labels
    values = [
        measure.values_from(labels, run, labels.query_ids)
        if isinstance(measure, ExternalMeasure) and isinstance(labels, Qrels) and run is not None
        else measure.values(serps)
        for measure in scoring.measures
    ]
    residuals = [
        (str(measure), float(sum_in_order(measure.residual(serps)[:, None])[0] / len(serps.query_ids)))
        for measure in scoring.measures
        if isinstance(measure, RBP)
    ]
    unjudged = serps.unjudged_share()
    facts = RunFacts(
        run=serps.run,
        missing_queries=serps.missing_queries,
        extra_queries=serps.extra_queries,
        is_judged=unjudged < 1.0,
        unjudged_at_depth=unjudged,
        tied_at_depth=int(serps.depth_tied.sum()),
        is_whole=serps.is_whole,
        dropped=serps.dropped,
        duplicates=serps.duplicates,
        residuals=tuple(residuals),
    )
    return ScoredRun(
        facts=facts,
        query_ids=serps.query_ids,
        values=tuple(values),
        tie_rule=serps.tie_rule,
        serps=serps if scoring.keep_serps else None,
    )


def depth_of(measures: Sequence[Measure]) -> int | None:
    """The ranks that all measures together need; None, the whole lists, if one needs them or no list is that deep."""
    return ranks_needed(measure.cutoff for measure in measures if not isinstance(measure, ExternalMeasure))


def _stacked(columns: Sequence[NDArray[np.float64]], reading: ReadOptions | None) -> NDArray[np.float64]:
    """Queries x runs; in a file, run by run, if the columns are in files."""
    scratch = scratch_of(columns[0], reading)
    if scratch is None:
        return np.column_stack(columns)
    values: NDArray[np.float64] = scratch.empty((len(columns[0]), len(columns)), np.float64, order="F")
    for place, column in enumerate(columns):
        values[:, place] = column
    return values


def scores_of(
    runs: Sequence[ScoredRun], measures: Sequence[Measure], reading: ReadOptions | None = None
) -> tuple[Scores, ...]:
    """The scores of runs, a table per measure; the measures are those by which the runs were scored."""
    return tuple(
        Scores(
            measure=str(measure),
            query_ids=runs[0].query_ids,
            runs=tuple(run.facts.run for run in runs),
            values=_stacked([run.values[place] for run in runs], reading),
        )
        for place, measure in enumerate(measures)
    )


def scratch_of(array: NDArray[Any], reading: ReadOptions | None) -> Scratch | None:
    """Where to put what is computed from an array that is in a file; None if it is in memory."""
    return Scratch(None if reading is None else reading.scratch) if in_file(array) else None
