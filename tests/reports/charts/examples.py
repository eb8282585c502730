"""One example of every chart, for any number of runs, teams or queries and for any names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

import numpy as np

from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.overfitting import OverfittingResult
from runoff.boards.reliability import ReliabilityResult, reliability
from runoff.boards.scales import scale
from runoff.boards.stability import StabilityResult, stability
from runoff.comparisons import IpsoResult, OutcomesResult, ipso, outcomes
from runoff.comparisons._example import serps_from
from runoff.measures import RR
from runoff.reports.charts import (
    Chart,
    Conditions,
    Differences,
    HalfSplits,
    IpsoStrips,
    OutcomeBars,
    Overfitting,
    RankHeatMap,
    RankIntervals,
    ScaleValues,
    Timeline,
)
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps

Names = Sequence[str]


def names(count: int) -> list[str]:
    return [f"run-{number:03}" for number in range(count)]


def board_scores(runs: Names, *, queries: int = 30, seed: int = 0, measure: str = "RR@10") -> Scores:
    """Scores whose truth is the order of the names, the first far ahead."""
    rng = np.random.default_rng(seed)
    values = (rng.random((queries, len(runs))) + np.linspace(0.6, 0, len(runs))) / 2
    values[:, 0] += 0.2
    query_ids = tuple(f"q{number}" for number in range(queries))
    return Scores(measure=measure, query_ids=query_ids, runs=tuple(runs), values=values)


def stability_of(runs: Names) -> StabilityResult:
    return stability(board_scores(runs), trials=60)


def generalization_of(runs: Names) -> GeneralizationResult:
    """A board of one run has no order to compare, so it gets a second one."""
    both = runs if len(runs) > 1 else [*runs, "other"]
    boards = {name: board_scores(both, seed=seed) for seed, name in enumerate(("public", "private", "TREC <labels>"))}
    return generalization(boards, trials=40)


def serps(run: str, *, queries: int, seed: int, rate: float = 0.3) -> Serps:
    rng = np.random.default_rng(seed)
    found = rng.random((queries, 9)) < rate
    return serps_from(*("".join("01"[one] for one in row) for row in found.astype(int)), run=run, relevant=9)


def outcomes_of(champion: str, challengers: Names, *, queries: int = 40) -> list[OutcomesResult]:
    first = serps(champion, queries=queries, seed=0, rate=0.15)
    return [
        outcomes(first, serps(name, queries=queries, seed=seed, rate=0.2), cutoff=9)
        for seed, name in enumerate(challengers, start=1)
    ]


def ipso_of(first: str, second: str, *, queries: int) -> IpsoResult:
    both = serps(first, queries=queries, seed=1), serps(second, queries=queries, seed=2)
    return ipso(*both, depth=9)


def reliability_of(runs: Names) -> ReliabilityResult:
    both = runs if len(runs) > 1 else [*runs, "other"]
    return reliability(board_scores(both[:12]), level=0.05, splits=3)


def overfitting_of(teams: Names) -> list[OverfittingResult]:
    return [
        OverfittingResult(
            team=team, first="a", best="b", submissions=("a", "b"), measure="RR@10", change_public=0.05,
            change_private=0.01 * (at % 7), excess=0.05 - 0.01 * (at % 7), excess_ci95=(-0.02, 0.08),
            simultaneous_ci95=(-0.03, 0.09), public_queries=100, private_queries=50, trials=100, seed=0,
        )
        for at, team in enumerate(teams)
    ]  # fmt: skip


def timeline_of(runs: Names) -> Timeline:
    start = date(2020, 8, 1)
    dated = [
        BoardRun(name=name, team="t", date=start + timedelta(days=3 * at)) for at, name in enumerate(reversed(runs))
    ]
    means = {run.name: 0.2 + 0.3 * (at + 1) / len(dated) - 0.02 * (at % 3) for at, run in enumerate(dated[:-1])}
    # The first name holds the last record.
    means |= {dated[-1].name: 0.6, "bm25 <baseline>": 0.1}
    return Timeline([BoardRun(name="bm25 <baseline>", baseline=True), *dated], means, "RR@10")


def differences_of(runs: Names) -> Differences:
    rng = np.random.default_rng(0)
    count = 6980 if len(runs) > 100 else 3 * len(runs)
    champion, challenger = (rng.integers(0, 2, count) / rng.integers(1, 11, count) for _ in range(2))
    queries = [f"q{number}" for number in range(count)]
    return Differences(queries, champion, challenger, (runs[-1], runs[0]), "RR@10")


EXAMPLES: dict[type[Chart], Callable[[Names], Chart]] = {
    RankHeatMap: lambda runs: RankHeatMap(stability_of(runs)),
    RankIntervals: lambda runs: RankIntervals(stability_of(runs)),
    Timeline: timeline_of,
    Conditions: lambda runs: Conditions(generalization_of(runs)),
    OutcomeBars: lambda runs: OutcomeBars(outcomes_of(runs[-1], runs)),
    HalfSplits: lambda runs: HalfSplits(reliability_of(runs)),
    ScaleValues: lambda runs: ScaleValues(scale(RR @ min(len(runs), 12))),
    IpsoStrips: lambda runs: IpsoStrips(ipso_of(runs[0], runs[-1], queries=6980 if len(runs) > 100 else 2 * len(runs))),
    Differences: differences_of,
    Overfitting: lambda runs: Overfitting(overfitting_of(runs)),
}
"""A chart whose first name leads, for every listed class."""
NAMELESS = (HalfSplits, ScaleValues)
"""Charts that show no names of runs."""
