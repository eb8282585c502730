"""Pools: how much there is to judge for some runs, what it costs, and what a sample of the queries would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from runoff.arguments import checks_arguments
from runoff.comparisons.options import at_level
from runoff.display import Column, Grid, Shown
from runoff.files.judging.judged_pairs import render_pairs
from runoff.measures import parse_measure, score
from runoff.measures.default import SINGLE, default_measure
from runoff.phrases import counted
from runoff.preferences import (
    JudgingCost,
    Pools,
    SampleCheckResult,
    check_sample,
    judging_cost,
    make_pools,
    sample_queries,
    split_queries,
)
from runoff.preferences.tasks import FEE, PAIRS_PER_TASK, PAY
from runoff.reading.boards import BoardSource, board_inputs
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, QrelsSource, ReadOptions, RunSource, as_qrels, as_runs
from runoff.results.fit import Fit, dropped_notes, fit_counts, fits_of_runs, missing_of

if TYPE_CHECKING:
    from runoff.display.charts import Chart

CHECK_DEPTH: Final = 1000
"""Ranks to which a measure without a cutoff is computed."""
MOST_ROWS: Final = 40


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class PoolOptions:
    """What is pooled and what judging it is paid.

    depth               how many top documents of each run
    sample              draw this many queries among those with two documents or more; None: all queries
    judgments_per_pair  how often each pair is to be judged
    measure             by which the board on the sample is set beside that on all queries; nDCG@10 or RR@10 by the
                        labels if None
    """

    depth: int = 1
    sample: int | None = None
    judgments_per_pair: int = 1
    pairs_per_task: int = PAIRS_PER_TASK
    pay: float = PAY
    fee: float = FEE
    measure: str | None = None
    seed: int = 0

    @property
    def ranks(self) -> int:
        """How many documents of each list are needed."""
        if self.sample is None:
            return self.depth
        return max(self.depth, parse_measure(self.measure or SINGLE).cutoff or CHECK_DEPTH)


@dataclass(frozen=True, kw_only=True, eq=False)
class PoolResult(Shown):
    """Pools and their cost.

    pools    those of all queries that were asked for; whole_cost: what they would cost
    chosen   those to be judged: the sample's, or all; cost: what they cost
    check    whether the sample keeps the order of the board; None without a sample, or with one run
    fits     which queries runs lack
    measure_note  why the measure of the check was chosen, if nobody named one
    """

    options: PoolOptions
    pools: Pools
    whole_cost: JudgingCost
    chosen: Pools
    cost: JudgingCost
    check: SampleCheckResult | None
    fits: tuple[Fit, ...] = ()
    measure_note: str = ""

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries to be judged, those with a single document among them."""
        return self.chosen.query_ids

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Sizes and cost in a few sentences."""
        said = [f"{_sizes(self.pools)} {_costs(self.whole_cost)}"]
        if self.options.sample is not None:
            said.append(f"Sample (seed {self.options.seed}): {_sizes(self.chosen)} {_costs(self.cost)}")
        if self.check:
            same = "all runs keep their ranks" if self.check.is_same_order else "not all runs keep their ranks"
            said.append(
                f"By {self.check.measure} on the sample, {same}: Kendall's tau with the board on all "
                f"{self.check.queries:,} queries is {self.check.tau:.3f}."
            )
            if self.measure_note:
                said.append(self.measure_note)
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
        if self.options.sample is None:
            columns = [columns[0], columns[1], columns[3]]
            rows = [[row[0], row[1], row[3]] for row in rows]
        return Grid(
            title=f"Pools of {len(self.pools.runs)} runs to depth {self.options.depth}", columns=columns, rows=rows
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
            "depth": self.options.depth,
            "queries": len(self.pools.query_ids),
            "documents": len(self.pools.item_doc),
            "sizes": {str(size): count for size, count in enumerate(self.pools.histogram.tolist()) if count},
            "pairs": self.pools.pair_count,
            "tasks": self.whole_cost.tasks,
            "cost": self.whole_cost.total,
            "missing_queries": missing_of(self.fits),
            "seed": self.options.seed,
            "sample": None
            if self.options.sample is None
            else {
                "queries": list(self.chosen.query_ids),
                "pairs": self.chosen.pair_count,
                "tasks": self.cost.tasks,
                "cost": self.cost.total,
                "tau": check.tau if check else None,
                "same_order": check.is_same_order if check else None,
            },
        }


@checks_arguments
def pool(
    source: BoardSource,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    options: PoolOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> PoolResult:
    """Pool the top documents of some runs with the first qrel, and count sizes, pairs and cost.

    source     runs (see `RunSource`), or the path of a `board.toml`, or a `Board`, whose measure checks the sample; its
               depth is how deep runs are scored, not that of the pools
    qrels      the relevance judgments; instead of those of a `board.toml`, if both are given
    labels     the label set of a `board.toml`; the first if None
    query_set  the query set of a `board.toml`; `public` if it has one, else all queries but `development`
    queries    pool these queries only
    options    depth, sample and pay

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062

    >>> result = pool([{"q": {"a": 2.0, "b": 1.0}}, {"q": {"c": 1.0}}], {"q": {"b": 1}})
    >>> result.pools.pair_count, result.cost.total
    (3, 2.4)
    """
    inputs = board_inputs(source, qrels, labels=labels, query_set=query_set, queries=queries)
    options = options or PoolOptions()
    if inputs.board is not None:
        options = replace(options, measure=str(at_level(parse_measure(inputs.board.measure), inputs.level)))
    judged = inputs.read_qrels(reading)
    tops = read_runs(inputs.sources, top=options.ranks, names=inputs.names, reading=reading, progress=progress).tops
    fits = fits_of_runs(tops, judged.query_ids, judged.name, is_part=judged.is_part)
    pools = make_pools(tops, judged, depth=options.depth)
    chosen = pools
    check, note = None, ""
    if options.sample is not None:
        chosen = pools.only(sample_queries(pools, options.sample, seed=options.seed))
    if options.sample is not None and len(tops) > 1:
        name, note = (options.measure, "") if options.measure is not None else default_measure(judged)
        measure = parse_measure(name)
        scores = score([run.serps(judged, depth=measure.cutoff or CHECK_DEPTH) for run in tops], [measure])[0]
        check = check_sample(scores, chosen.query_ids)
    return PoolResult(
        options=options,
        pools=pools,
        whole_cost=_cost(pools.pair_count, options),
        chosen=chosen,
        cost=_cost(chosen.pair_count, options),
        check=check,
        measure_note=note,
        fits=fits,
    )


def _cost(pairs: int, options: PoolOptions) -> JudgingCost:
    return judging_cost(
        pairs,
        judgments_per_pair=options.judgments_per_pair,
        pairs_per_task=options.pairs_per_task,
        pay=options.pay,
        fee=options.fee,
    )


def _sizes(pools: Pools) -> str:
    queries, sizes = len(pools.query_ids), pools.sizes
    lone = int((sizes < 2).sum())
    text = f"{queries:,} queries have pools of {sizes.mean():.2f} documents on average (median {np.median(sizes):g})"
    return f"{text}; {lone:,} of them {'has' if lone == 1 else 'have'} nothing to compare." if lone else f"{text}."


def _costs(cost: JudgingCost) -> str:
    often = "once" if cost.judgments_per_pair == 1 else f"{cost.judgments_per_pair} times"
    return (
        f"Judging all {counted(cost.pairs, 'pair')} {often} takes {counted(cost.tasks, 'task')} and costs "
        f"{cost.total:,.2f} ({cost.pay:.2f} + {cost.fee:.2f} a task)."
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class OnePairResult(Shown):
    """The pairs of a run, one per query, and what judging them costs.

    agrees, differs  queries of category A, whose first document is the label, and of B, whose first is another one
    lone             queries of A for which the run has no second document to compare; no_top: no document at all
    remarks          on rows that were dropped
    """

    run: str
    agrees: int
    differs: int
    lone: int
    no_top: int
    pairs: tuple[tuple[str, str, str], ...]
    cost: JudgingCost
    remarks: tuple[str, ...] = ()

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file with the pairs, for `runoff tasks --pairs`."""
        return render_pairs(self.pairs)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How much there is to judge, and what it costs."""
        cost = self.cost
        often = "once" if cost.judgments_per_pair == 1 else f"{cost.judgments_per_pair} times"
        said = f"{self.run} has {len(self.pairs):,} pairs, one per query. Judged {often} they are {cost.tasks:,} tasks "
        return (f"{said}and cost {cost.total:,.2f} ({cost.pay:.2f} + {cost.fee:.2f} a task).", *self.remarks)

    def grid(self) -> Grid:
        """Table 1 of Arabzadeh et al. 2021, with what is to be judged."""
        rows = [
            ("A: the label is first", "its second document", self.agrees, self.agrees - self.lone),
            ("B: another document is first", "the label", self.differs, self.differs),
            *([("no document", None, self.no_top, 0)] if self.no_top else []),
        ]
        total = sum(row[2] for row in rows)
        rows.append(("total", None, total, len(self.pairs)))
        return Grid(
            title=f"Categories of {self.run}",
            columns=[
                Column("category", "Category"),
                Column("against", "Compared with"),
                Column("queries", "Queries", "count"),
                Column("share", "Share", "share"),
                Column("pairs", "Pairs", "count"),
            ],
            rows=[
                [name, other, number, number / total if total else None, pairs] for name, other, number, pairs in rows
            ],
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff pool --one-pair --format json`."""
        return {
            "run": self.run,
            "queries": self.agrees + self.differs + self.no_top,
            "a": self.agrees,
            "b": self.differs,
            "no_second": self.lone,
            "no_top": self.no_top,
            "pairs": len(self.pairs),
            "tasks": self.cost.tasks,
            "cost": self.cost.total,
        }


def one_pair(
    run: RunSource,
    qrels: QrelsSource,
    *,
    options: PoolOptions | None = None,
    queries: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> OnePairResult:
    """One pair per query of a run; `tally(..., one_pair=run)` counts the judgments of them.

    options   what judging is paid, and how often each pair is judged
    queries   these queries only

    Arabzadeh et al. 2021, section 3.1, https://arxiv.org/abs/2109.00062

    >>> found = one_pair({"q": {"a": 2.0, "b": 1.0}, "r": {"c": 1.0}}, {"q": {"a": 1}, "r": {"d": 1}})
    >>> found.pairs, (found.agrees, found.differs)
    ((('q', 'a', 'b'), ('r', 'c', 'd')), (1, 1))
    """
    sources, names = as_runs(run)
    (top,) = read_runs(sources, top=2, names=names, reading=reading, progress=progress).tops
    split = split_queries(top, as_qrels(qrels, queries=queries, reading=reading))
    pairs = split.pairs()
    return OnePairResult(
        run=top.name,
        agrees=len(split.agrees),
        differs=len(split.differs),
        lone=len(split.agrees) + len(split.differs) - len(pairs),
        no_top=split.no_top,
        pairs=pairs,
        cost=_cost(len(pairs), options or PoolOptions()),
        remarks=tuple(dropped_notes([Fit.of_run(top, ())])),
    )
