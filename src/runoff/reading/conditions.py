"""The conditions of a board: every query set, label set and measure, and the scores of all runs under each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.options import at_level
from runoff.errors import UsageError
from runoff.files.query_list import read_query_list
from runoff.measures import Measure
from runoff.reading.runs import ReadRuns, ScoredRun, Scoring, depth_of, read_runs, scores_of
from runoff.reading.sources import Progress, QrelsSource, ReadOptions, as_qrels
from runoff.results.audit_parts import Condition, LabelFits, ScoredConditions
from runoff.results.board_data import check_defined
from runoff.results.fit import Fit, check_fit
from runoff.tables.board import DEVELOPMENT, Board
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores

ALL_QUERIES = "all"
"""What the queries of a condition are called where the board names no query set."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardLabels:
    """The judgments of one label set for the queries of all query sets.

    level    the lowest grade that counts as relevant
    queries  by query set, those of its queries that have labels; sets without any are left out
    sizes    by query set, how many queries it has
    """

    name: str
    level: int
    qrels: Qrels
    queries: Mapping[str, frozenset[str]]
    sizes: Mapping[str, int]

    def at_own_level(self, measures: Sequence[Measure]) -> list[Measure]:
        """The measures with the relevance level of these labels, but for those that name one."""
        return [at_level(measure, self.level) for measure in measures]

    def scoring(self, measures: Sequence[Measure], *, keep_serps: bool = False) -> Scoring:
        """What runs are scored with."""
        return Scoring(labels=self.qrels, measures=self.at_own_level(measures), keep_serps=keep_serps)

    def kept(self, query_set: str) -> NDArray[np.bool_]:
        """Which queries of the judgments belong to a query set."""
        wanted = self.queries[query_set]
        return np.array([query in wanted for query in self.qrels.query_ids], dtype=np.bool_)


def read_label_sets(
    board: Board,
    reading: ReadOptions | None = None,
    *,
    whole: bool = False,
    qrels: Mapping[str, QrelsSource] | None = None,
) -> tuple[BoardLabels, ...]:
    """The label sets that share a query with some query set of the board; that none does is an error.

    whole  keep the judgments of queries in no query set too
    qrels  the judgments by label set, where they are not in the files of the board
    """
    query_sets = _query_sets(board, reading)
    found = []
    sources: Mapping[str, QrelsSource] = board.labels if qrels is None else qrels
    for name, source in sources.items():
        every = as_qrels(source, reading=reading)
        shared, chosen = _shared(every, query_sets)
        if chosen:
            asked = {one: query_sets[one] for one in chosen}
            sizes = {one: len(chosen[one] if ids is None else ids) for one, ids in asked.items()}
            found.append(
                BoardLabels(
                    name=name, level=board.level_of(name), qrels=every if whole else shared, queries=chosen, sizes=sizes
                )
            )
    if sources and not found:
        raise UsageError(
            f"no query of {', '.join(query_sets)} has labels in {', '.join(sources)}; expected query sets and "
            "label sets that share queries; check that their files belong together"
        )
    return tuple(found)


def read_conditions(
    board: Board,
    measures: Sequence[Measure],
    *,
    top: int,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> tuple[ScoredConditions, tuple[Run, ...]]:
    """The scores of the board's runs under every condition, and their top documents; each file is read once."""
    files = {run.name: run.path for run in board.runs if run.path is not None}
    if not files:
        return ScoredConditions(), ()
    sets = read_label_sets(board, reading)
    read = read_runs(
        list(files.values()),
        *(labels.scoring(measures) for labels in sets),
        depth=depth_of(measures),
        top=top,
        names=list(files),
        reading=reading,
        progress=progress,
    )
    return (conditions_of(board, measures, sets, read) if sets else ScoredConditions()), read.tops


def conditions_of(
    board: Board, measures: Sequence[Measure], sets: Sequence[BoardLabels], read: ReadRuns
) -> ScoredConditions:
    """The conditions of the board's runs, which have been scored under each label set in the order of `sets`.

    A query set and a label set that share no query are listed in `left_out`.
    """
    scored = {labels.name: runs for labels, runs in zip(sets, read.scored, strict=True)}
    names = tuple(run.facts.run for run in read.scored[0])
    runs = tuple(board.run(name) for name in names)
    found: dict[tuple[str, str], list[tuple[str, Measure, Scores]]] = {}
    for one in sets:
        own = one.at_own_level(measures)
        by_measure = [
            (str(asked), measure, scores)
            for place, (asked, measure, scores) in enumerate(
                zip(measures, own, scores_of(scored[one.name], own), strict=True)
            )
            if measure not in own[:place]  # RR@10 and RR(rel=2)@10 are the same under labels of level 2
        ]
        for query_set in one.queries:
            kept = one.kept(query_set)
            found[query_set, one.name] = [(asked, each, scores.only(kept)) for asked, each, scores in by_measure]
    fits = {one.name: _fits(scored[one.name], names) for one in sets}
    _check_fit(sets, fits, depth_of(measures))
    # The board ranks by the first condition, and never by queries whose labels teams hold.
    query_sets = sorted(board.queries, key=lambda name: name == DEVELOPMENT) or [ALL_QUERIES]
    pairs = [(name, labels) for name in query_sets for labels in board.labels or scored]
    sizes = {(query_set, one.name): size for one in sets for query_set, size in one.sizes.items()}
    levels = {one.name: one.level for one in sets}
    conditions = _named({pair: found[pair] for pair in pairs if pair in found}, sizes, levels)
    for each in conditions:
        check_defined(each.scores.values, each.measure, f"query set {each.query_set}, labels {each.labels}")
    return ScoredConditions(
        conditions=conditions,
        runs=runs,
        left_out=tuple(pair for pair in pairs if pair not in found),
        fits={one.name: LabelFits(fits=fits[one.name], queries=len(one.qrels.query_ids)) for one in sets},
    )


def _query_sets(board: Board, reading: ReadOptions | None) -> dict[str, tuple[str, ...] | None]:
    """The queries of each set; None, all that have labels, where the board names no set."""
    if not board.queries:
        return {ALL_QUERIES: None}
    limit = (reading or ReadOptions()).max_bytes
    return {name: read_query_list(path, max_bytes=limit) for name, path in board.queries.items()}


def _shared(qrels: Qrels, query_sets: Mapping[str, tuple[str, ...] | None]) -> tuple[Qrels, dict[str, frozenset[str]]]:
    """The judgments of all query sets together, and which queries of each have some; sets without any are left out."""
    judged = frozenset(qrels.query_ids)
    shared = {name: judged if asked is None else judged & frozenset(asked) for name, asked in query_sets.items()}
    shared = {name: queries for name, queries in shared.items() if queries}
    wanted = frozenset[str]().union(*shared.values())
    return (qrels if len(wanted) in {0, len(judged)} else qrels.only(sorted(wanted))), shared


def _fits(scored: Sequence[ScoredRun], names: Sequence[str]) -> tuple[Fit, ...]:
    return tuple(replace(one.facts, run=name) for one, name in zip(scored, names, strict=True))


def _check_fit(sets: Sequence[BoardLabels], fits: Mapping[str, Sequence[Fit]], depth: int | None) -> None:
    """Refuse a run that has no query of any label set, and labels that belong to none of the runs."""
    sizes = {one.name: len(one.qrels.query_ids) for one in sets}
    there = {fit.run for name, size in sizes.items() for fit in fits[name] if fit.missing_queries < size}
    for one in sets:
        # A run may lack all queries of one label set, such as the private ones; a note says so.
        lacks_all = {fit.run for fit in fits[one.name] if fit.missing_queries == sizes[one.name]} & there
        known = [fit for fit in fits[one.name] if fit.run not in lacks_all] or fits[one.name]
        check_fit(known, sizes[one.name], one.qrels.query_ids[0], one.qrels.name, depth=depth)


def _named(
    scored: Mapping[tuple[str, str], list[tuple[str, Measure, Scores]]],
    sizes: Mapping[tuple[str, str], int],
    levels: Mapping[str, int],
) -> tuple[Condition, ...]:
    """The conditions, each named by the parts that are not the same in all of them."""
    rows = [((*pair, scores.measure), asked, measure.best == "low", scores) for pair, each in scored.items()
            for asked, measure, scores in each]  # fmt: skip
    differ = [len({parts[place] for parts, *_ in rows}) > 1 for place in (0, 1)]
    differ.append(len({asked for _, asked, *_ in rows}) > 1)  # a level of the labels' own goes without saying
    names = [", ".join(part for part, keep in zip(parts, differ, strict=True) if keep) for parts, *_ in rows]
    if len(set(names)) < len(names):  # a name with a comma in it reads like two
        names = [repr(parts) for parts, *_ in rows]
    if len(rows) == 1:
        names = [", ".join(rows[0][0])]
    return tuple(
        Condition(
            name=name,
            query_set=parts[0],
            labels=parts[1],
            measure=parts[2],
            asked=asked,
            level=levels[parts[1]],
            best_is_low=best_is_low,
            set_queries=sizes[parts[0], parts[1]],
            scores=scores,
        )
        for name, (parts, asked, best_is_low, scores) in zip(names, rows, strict=True)
    )
