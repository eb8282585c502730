"""Pools: how much there is to judge for some runs, what it costs, and what a sample of the queries would do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runoff.comparisons.options import at_level
from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.measures import parse_measure, score
from runoff.preferences import (
    JudgingCost,
    Pools,
    SampleCheckResult,
    check_sample,
    judging_cost,
    make_pools,
    sample_queries,
)
from runoff.preferences.tasks import FEE, PAIRS_PER_TASK, PAY
from runoff.reading.boards import board_inputs
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, as_qrels
from runoff.results.fit import Fit, dropped_notes, fit_counts, fits_of_runs, missing_of
from runoff.tables.board import Board

if TYPE_CHECKING:
    from runoff.display.charts import Chart

CHECK_DEPTH: Final = 1000
"""Ranks to which a measure without a cutoff is computed."""
MOST_ROWS: Final = 40


@dataclass(frozen=True, kw_only=True)
class PoolOptions:
    """What is pooled and what judging it is paid.

    depth               how many top documents of each run
    sample              draw this many queries among those with two documents or more; None: all queries
    judgments_per_pair  how often each pair is to be judged
    measure             by which the board on the sample is set beside that on all queries
    """

    depth: int = 1
    sample: int | None = None
    judgments_per_pair: int = 1
    pairs_per_task: int = PAIRS_PER_TASK
    pay: float = PAY
    fee: float = FEE
    measure: str = "RR@10"
    seed: int = 0

    @property
    def ranks(self) -> int:
        """How many documents of each list are needed."""
        if self.sample is None:
            return self.depth
        return max(self.depth, parse_measure(self.measure).depth or CHECK_DEPTH)


@dataclass(frozen=True, kw_only=True, eq=False)
class PoolResult(Shown):
    """Pools and their cost.

    pools    those of all queries that were asked for; whole_cost: what they would cost
    chosen   those to be judged: the sample's, or all; cost: what they cost
    check    whether the sample keeps the order of the board; None without a sample, or with one run
    fits     which queries runs lack
    """

    question: PoolOptions
    pools: Pools
    whole_cost: JudgingCost
    chosen: Pools
    cost: JudgingCost
    check: SampleCheckResult | None
    fits: tuple[Fit, ...] = ()

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries to be judged, those with a single document among them."""
        return self.chosen.query_ids

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Sizes and cost in a few sentences."""
        said = [f"{_sizes(self.pools)} {_costs(self.whole_cost)}"]
        if self.question.sample is not None:
            said.append(f"Sample (seed {self.question.seed}): {_sizes(self.chosen)} {_costs(self.cost)}")
        if self.check:
            same = "all runs keep their ranks" if self.check.is_same_order else "not all runs keep their ranks"
            said.append(
                f"By {self.check.measure} on the sample, {same}: Kendall's tau with the board on all "
                f"{self.check.queries:,} queries is {self.check.tau:.3f}."
            )
        missing, queries = fit_counts(self.fits), len(self.pools.query_ids)
        if missing:
            said.append(f"Missing queries, to whose pools a run adds nothing: {missing} (of {queries:,}).")
        return (*said, *dropped_notes(self.fits))

    def grid(self) -> Grid:
        """How many pools have how many documents."""
        whole, drawn = self.pools.histogram, self.chosen.histogram
        rows = [
            [size, int(count), int(drawn[size]) if size < len(drawn) else 0, size * (size - 1) // 2]
            for size, count in enumerate(whole.tolist())
            if count
        ]
        columns = [
            Column("documents", "Documents", "count"),
            Column("queries", "Queries", "count"),
            Column("sampled", "In the sample", "count"),
            Column("pairs", "Pairs each", "count"),
        ]
        if self.question.sample is None:
            columns = [columns[0], columns[1], columns[3]]
            rows = [[row[0], row[1], row[3]] for row in rows]
        return Grid(
            title=f"Pools of {len(self.pools.runs)} runs to depth {self.question.depth}", columns=columns, rows=rows
        )

    def grids(self) -> tuple[Grid, ...]:
        """Sizes, and the board on the sample beside that on all queries."""
        return (self.grid(), *([self._check_grid(self.check)] if self.check else []))

    def _check_grid(self, check: SampleCheckResult) -> Grid:
        order = sorted(range(len(check.runs)), key=lambda place: (check.ranks[place], check.runs[place]))[:MOST_ROWS]
        return Grid(
            title=f"The board on the sample of {check.sample:,} queries",
            columns=[
                Column("run", "Run"),
                Column("mean", f"{check.measure}, all", "number"),
                Column("sample_mean", "Sample", "number"),
                Column("rank", "Rank, all", "number", digits=1),
                Column("sample_rank", "Sample rank", "number", digits=1),
            ],
            rows=[
                [check.runs[place], *(float(values[place]) for values in
                 (check.means, check.sample_means, check.ranks, check.sample_ranks))]
                for place in order
            ],
        )  # fmt: skip

    def charts(self) -> tuple[Chart, ...]:
        """The sizes of the pools, and Arabzadeh et al.'s Figure 5 where queries were sampled."""
        from runoff.display.charts import PoolSizes, SampleCheck

        sizes = PoolSizes(self.chosen.sizes.tolist())
        if self.check is None:
            return (sizes,)
        found = self.check
        queries = found.queries, found.sample
        return sizes, SampleCheck(found.runs, found.means, found.sample_means, queries, found.measure)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff pool --format json`."""
        check = self.check
        return {
            "runs": list(self.pools.runs),
            "depth": self.question.depth,
            "queries": len(self.pools.query_ids),
            "documents": len(self.pools.item_doc),
            "sizes": {str(size): count for size, count in enumerate(self.pools.histogram.tolist()) if count},
            "pairs": self.pools.pair_count,
            "tasks": self.whole_cost.tasks,
            "cost": self.whole_cost.total,
            "missing_queries": missing_of(self.fits),
            "seed": self.question.seed,
            "sample": None
            if self.question.sample is None
            else {
                "queries": list(self.chosen.query_ids),
                "pairs": self.chosen.pair_count,
                "tasks": self.cost.tasks,
                "cost": self.cost.total,
                "tau": check.tau if check else None,
                "same_order": check.is_same_order if check else None,
            },
        }


def pool(
    runs: Sequence[Any],
    qrels: Any,
    *,
    question: PoolOptions | None = None,
    queries: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> PoolResult:
    """Pool the top documents of some runs with the first qrel, and tell sizes, pairs and cost.

    runs      files, frames, dicts, tuples or Run objects
    qrels     a file, frame, dict, tuples or Qrels
    question  depth, sample and pay
    queries   pool these queries only

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062

    >>> found = pool([{"q": {"a": 2.0, "b": 1.0}}, {"q": {"c": 1.0}}], {"q": {"b": 1}})
    >>> found.pools.pair_count, found.cost.total
    (3, 2.4)
    """
    asked = question or PoolOptions()
    labels = as_qrels(qrels, queries=queries, reading=reading)
    tops = read_runs(runs, top=asked.ranks, reading=reading, progress=progress).tops
    fits = fits_of_runs(tops, labels.query_ids, labels.name, is_part=labels.is_part)
    pools = make_pools(tops, labels, depth=asked.depth)
    chosen = pools.only(sample_queries(pools, asked.sample, seed=asked.seed)) if asked.sample is not None else pools
    check = None
    if asked.sample is not None and len(tops) > 1:
        measure = parse_measure(asked.measure)
        scores = score([run.serps(labels, depth=measure.depth or CHECK_DEPTH) for run in tops], [measure])[0]
        check = check_sample(scores, chosen.query_ids)
    return PoolResult(
        question=asked,
        pools=pools,
        whole_cost=_cost(pools, asked),
        chosen=chosen,
        cost=_cost(chosen, asked),
        check=check,
        fits=fits,
    )


def pool_from_file(
    path: str | os.PathLike[str] | Board,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    question: PoolOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> PoolResult:
    """The same for the runs and labels of a `board.toml`, or a `Board`; its measure is that of the sample's check.

    The depth of the pools is that of the question, 1 unless it is given: a board's depth is how deep runs are scored.
    """
    found = board_inputs(path, labels=labels, query_set=query_set)
    if found.board is None:
        raise UsageError("no board")
    measure = str(at_level(parse_measure(found.board.measure), found.level))
    asked = replace(question or PoolOptions(), measure=measure)
    runs = read_runs(found.sources, top=asked.ranks, names=found.names, reading=reading, progress=progress).tops
    return pool(runs, found.read_qrels(reading), question=asked, reading=reading)


def _cost(pools: Pools, asked: PoolOptions) -> JudgingCost:
    return judging_cost(
        pools.pair_count,
        judgments_per_pair=asked.judgments_per_pair,
        pairs_per_task=asked.pairs_per_task,
        pay=asked.pay,
        fee=asked.fee,
    )


def _sizes(pools: Pools) -> str:
    queries, sizes = len(pools.query_ids), pools.sizes
    lone = int((sizes < 2).sum())
    return (
        f"{queries:,} queries have pools of {sizes.mean():.2f} documents on average (median {np.median(sizes):g}); "
        f"{lone:,} of them have nothing to compare."
    )


def _costs(cost: JudgingCost) -> str:
    often = "once" if cost.judgments_per_pair == 1 else f"{cost.judgments_per_pair} times"
    return (
        f"All {cost.pairs:,} pairs judged {often} are {cost.tasks:,} tasks and cost {cost.total:,.2f} "
        f"({cost.pay:.2f} + {cost.fee:.2f} a task)."
    )
