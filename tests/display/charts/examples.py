"""One example of every chart, for any number of runs, teams or queries and for any names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta

import numpy as np

from runoff.boards.frontier import frontier
from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.history import history
from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.boards.rank_sets import RankSetsResult, rank_sets
from runoff.boards.reliability import ReliabilityResult, reliability
from runoff.boards.scales import scale
from runoff.boards.stability import StabilityResult, stability
from runoff.comparisons import (
    FIGURE_3,
    BreakEvenResult,
    IpsoResult,
    OutcomesResult,
    break_even,
    in_orders_of,
    ipso,
    ipso_differences,
    ipso_theory,
    outcomes,
    relations_of_all,
)
from runoff.display.charts import (
    AgreementBars,
    AgreementCase,
    AgreementTriangle,
    BreakEvenCurve,
    Chart,
    Conditions,
    CostFrontier,
    Differences,
    EvidenceMatrix,
    HalfSplits,
    Hasse,
    IpsoShares,
    IpsoStrips,
    LabelImpact,
    OutcomeBars,
    Overfitting,
    PoolSizes,
    Promises,
    RankHeatMap,
    RankIntervals,
    RelationGrid,
    RelationOrders,
    RelationShares,
    SampleCheck,
    ScaleValues,
    Timeline,
    Unjudged,
    VerdictMatrix,
    WinRatioMatrix,
)
from runoff.measures import AP, RR
from runoff.measures._example import serps_from
from runoff.preferences import TopDocs, WinRatiosResult, win_ratios
from runoff.simulation.calibration import CalibratedLine, CalibrationResult, Promise, Settings
from runoff.tables.board import BoardRun
from runoff.tables.preferences import Preferences
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verdicts import (
    EvidenceLine,
    EvidenceResult,
    Policy,
    VerdictOrderResult,
    win_ratio_marks,
)
from runoff.verdicts.calibration_verdict import Observation, calibration_verdicts
from runoff.verdicts.facet import decided
from tests.display.charts.agreements import agreement_of, cases_of

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


def rank_sets_of(runs: Names) -> RankSetsResult:
    return rank_sets(board_scores(runs), trials=200)


def rank_intervals(found: StabilityResult, decisions: RankSetsResult, most: int = 60) -> RankIntervals:
    return RankIntervals(found, decisions, decisions.groups(found.order).tolist(), most)


def generalization_of(runs: Names) -> GeneralizationResult:
    """A board of one run has no order to compare, so it gets a second one."""
    both = runs if len(runs) > 1 else [*runs, "other"]
    boards = {name: board_scores(both, seed=seed) for seed, name in enumerate(("public", "private", "TREC <labels>"))}
    return generalization(boards, trials=40)


def serps(run: str, *, queries: int, seed: int, rate: float = 0.3, relevant: int = 9) -> Serps:
    rng = np.random.default_rng(seed)
    found = rng.random((queries, 9)) < rate
    found &= np.cumsum(found, axis=1) <= relevant
    return serps_from(*("".join("01"[one] for one in row) for row in found.astype(int)), run=run, relevant=relevant)


def outcomes_of(champion: str, challengers: Names, *, queries: int = 40, relevant: int = 9) -> list[OutcomesResult]:
    """With one relevant document, one is kept of those that are found."""

    def found(run: str, seed: int, rate: float) -> Serps:
        return serps(run, queries=queries, seed=seed, rate=rate, relevant=relevant)

    first = found(champion, 0, 0.15)
    return [outcomes(first, found(name, seed, 0.2), cutoff=9) for seed, name in enumerate(challengers, start=1)]


def break_even_of(champion: str, challenger: str, *, queries: int = 12, depth: int = 12) -> BreakEvenResult:
    """The champion finds one document of every query at once, the challenger two or three later: few read so far."""
    first = serps_from(*["1".ljust(depth, "0")] * queries, run=champion, relevant=3)
    ranks = [[3, 5 + place % 4, *([9] if place % 3 else [])] for place in range(queries)]
    second = ["".join("1" if at + 1 in own else "0" for at in range(depth)) for own in ranks]
    return break_even(first, serps_from(*second, run=challenger, relevant=3), cutoff=depth)


def ipso_of(first: str, second: str, *, queries: int) -> IpsoResult:
    both = serps(first, queries=queries, seed=1), serps(second, queries=queries, seed=2)
    return ipso(*both, depth=9)


def ipso_strips_of(runs: Names) -> IpsoStrips:
    queries = 6980 if len(runs) > 100 else 2 * len(runs)
    first, second = serps(runs[0], queries=queries, seed=1), serps(runs[-1], queries=queries, seed=2)
    found = ipso(first, second, depth=9)
    return IpsoStrips(found, ipso_differences(found, first, second, [RR @ 9, AP @ 9]))


def relation_orders_of(depth: int) -> RelationOrders:
    return RelationOrders([in_orders_of(relations_of_all(depth), *pane) for pane in FIGURE_3])


def reliability_of(runs: Names) -> ReliabilityResult:
    both = runs if len(runs) > 1 else [*runs, "other"]
    return reliability(board_scores(both[:12]), level=0.05, splits=3)


def overfitting_of(teams: Names) -> OverfittingResult:
    changes = tuple(
        TeamChange(
            team=team, first="a", last="b", submissions=("a", "b"), change_public=0.05, change_private=0.01 * (at % 7),
            others=9, ratio=0.9, expected_private=0.045, excess=0.045 - 0.01 * (at % 7), standard_error=0.02,
            excess_ci95=(-0.02, 0.08), p=0.2,
        )
        for at, team in enumerate(teams)
    )  # fmt: skip
    return OverfittingResult(measure="RR@10", public_queries=100, private_queries=50, teams=changes)


def timeline_of(runs: Names) -> Timeline:
    start = date(2020, 8, 1)
    dated = [
        BoardRun(name=name, team="t", date=start + timedelta(days=3 * at)) for at, name in enumerate(reversed(runs))
    ]
    means = {run.name: 0.2 + 0.3 * (at + 1) / len(dated) - 0.02 * (at % 3) for at, run in enumerate(dated[:-1])}
    # The first name holds the last record.
    means |= {dated[-1].name: 0.6, "bm25 <baseline>": 0.1}
    return timeline([BoardRun(name="bm25 <baseline>", baseline=True), *dated], means, "RR@10")


def timeline(
    runs: Sequence[BoardRun],
    means: Mapping[str, float],
    measure: str = "Mean",
    *,
    best_is_low: bool = False,
    certified: Collection[str] | None = None,
) -> Timeline:
    return Timeline(runs, means, history(runs, means, best_is_low=best_is_low), measure, certified=certified)


def differences_of(runs: Names) -> Differences:
    rng = np.random.default_rng(0)
    count = 6980 if len(runs) > 100 else 3 * len(runs)
    champion, challenger = (rng.integers(0, 2, count) / rng.integers(1, 11, count) for _ in range(2))
    queries = [f"q{number}" for number in range(count)]
    return Differences(queries, champion, challenger, (runs[-1], runs[0]), "RR@10")


def two_or_more(runs: Names) -> Names:
    return runs if len(runs) > 1 else [*runs, "other"]


def triangle_of(runs: Names) -> AgreementTriangle:
    both = two_or_more(runs)
    return AgreementTriangle(AgreementCase("P@10", "t", 10, agreement_of(len(both))), both, range(len(both)))


def ipso_shares_of(depths: Sequence[int]) -> IpsoShares:
    rows = [RelationShares(depth, 0.5 / depth, 1 - 0.5 / depth - depth / 300, depth / 300) for depth in depths]
    return ipso_shares(rows, of="13,950 pairs of lists")


def ipso_shares(rows: Sequence[RelationShares], of: str = "") -> IpsoShares:
    random = [ipso_theory(row.depth) for row in rows]
    return IpsoShares(
        rows, [RelationShares(row.depth, row.equal, row.separable, row.nonseparable) for row in random], of
    )


def win_ratios_of(runs: Names, *, queries: int = 60) -> WinRatiosResult:
    """Every run has a document of its own, and documents of earlier runs are preferred more often."""
    both = two_or_more(runs)
    rng = np.random.default_rng(0)
    tops = {run: {f"q{query}": f"d{at}" for query in range(queries)} for at, run in enumerate(both)}
    first, second = np.triu_indices(len(both), 1)
    wins = rng.random((queries, len(first))) < 0.5 + 0.35 * (second - first) / len(both) + 0.1 * (first == 0)
    rows = [
        (f"q{query}", f"d{one}", f"d{other}", f"d{one if won else other}")
        for query in range(queries)
        for one, other, won in zip(first.tolist(), second.tolist(), wins[query].tolist(), strict=True)
    ]
    return win_ratios(Preferences.of(rows), TopDocs.of(tops, [f"q{query}" for query in range(queries)]))


def win_ratio_matrix(ratios: WinRatiosResult, most: int = 40) -> WinRatioMatrix:
    return WinRatioMatrix(ratios, win_ratio_marks(ratios), most)


def verdict_order_of(runs: Names) -> VerdictOrderResult:
    """Runs in their own order: those that are far apart differ, and every fifth pair trades off."""
    count = len(runs)

    def verdict(one: int, other: int):
        if one == other:
            return None
        if (one + other) % 5 == 0 and one and other:
            return "trade-off"
        if abs(one - other) <= count // 10:
            return "inconclusive"
        return "better" if one < other else "worse"

    verdicts = tuple(tuple(verdict(one, other) for other in range(count)) for one in range(count))
    better, worse, trade_offs = (
        tuple(row.count(name) for row in verdicts) for name in ("better", "worse", "trade-off")
    )
    return VerdictOrderResult(
        runs=tuple(runs), verdicts=verdicts, better=better, worse=worse, trade_offs=trade_offs,
        order=tuple(range(count)), policy=Policy(),
    )  # fmt: skip


def label_impact_of(runs: Names) -> LabelImpact:
    rng = np.random.default_rng(0)
    old = np.linspace(0.42, 0.2, len(runs))
    new = old + rng.normal(0, 0.03, len(runs)) - 0.05
    half = np.array([-0.03, 0.03])
    return LabelImpact(runs, old, old[:, None] + half, new, new[:, None] + half)


def sample_check_of(runs: Names) -> SampleCheck:
    scores = np.linspace(0.42, 0.2, len(runs))
    sampled = scores + np.random.default_rng(0).normal(0, 0.01, len(runs))
    return SampleCheck(runs, scores, sampled, (6980, 500))


def unjudged_of(runs: Names, *, depth: int = 10) -> Unjudged:
    ranks = np.arange(1, depth + 1)
    shares = (0.05 + 0.4 * np.arange(len(runs))[:, None] / len(runs)) * (1 - 0.7 / ranks)
    return Unjudged(runs, shares)


def evidence_of(runs: Names) -> list[EvidenceResult]:
    """The first run against every run: later ones have more lines against them."""
    keys = ("t", "answered", "ipso")
    return [
        EvidenceResult(
            champion=runs[0],
            challenger=name,
            policy=Policy(),
            lines=tuple(
                EvidenceLine(key=key, label=f"the {key}", basis="scores", strength="-0.1", meaning="it is better",
                             facet=decided(key, -1 if at else 1, 0.001 if at <= place else 0.5, Policy()))
                for at, key in enumerate(keys)
            ),
        )
        for place, name in enumerate(runs)
    ]  # fmt: skip


def costs_of(runs: Names, *, names: tuple[str, ...] = ("latency_ms", "usd")) -> CostFrontier:
    """Runs in the order of their means; the first is the best and the dearest."""
    means = [(name, 0.5 - 0.3 * place / len(runs)) for place, name in enumerate(runs)]
    costs = [tuple(1000.0 / (1 + place) + 7 * (place % 3) for _ in names) for place in range(len(runs))]
    return cost_frontier(means, costs, names, "RR@10")


def cost_frontier(
    runs: Sequence[tuple[str, float]],
    costs: Sequence[tuple[float, ...]],
    names: tuple[str, ...],
    measure: str,
    *,
    best_is_low: bool = False,
) -> CostFrontier:
    means = [-mean if best_is_low else mean for _, mean in runs]
    each = list(zip(*(frontier(means, prices).tolist() for prices in zip(*costs, strict=True)), strict=True))
    every = frontier(means, *zip(*costs, strict=True)).tolist()
    return CostFrontier(runs, costs, names, each, every, measure, best_is_low=best_is_low)


def promises_of(runs: Names) -> Promises:
    """A promise per name: errors and coverages in turn, the last of them off."""
    shares = [(0.04 if at % 2 else 0.96) for at in range(len(runs))]
    shares[-1] = 0.2 if len(runs) % 2 == 0 else 0.8
    lines = [
        Promise(key=f"k{at}", label=f"statement {at}", kind="at most" if at % 2 else "at least",
             level=0.05 if at % 2 else 0.95)
        for at in range(len(runs))
    ]  # fmt: skip
    seen = [
        Observation(kind=line.kind, level=line.level, boards=500, mean=share, error=0.01)
        for line, share in zip(lines, shares, strict=True)
    ]
    return Promises(
        CalibrationResult(
            measure="RR@10", source_queries=50, source_runs=8, sizes=(50,), boards=500, settings=Settings(), seed=0,
            lines=tuple(
                CalibratedLine(quantity="tests", title="Tests", line=line, queries=50, boards=500, mean=one.mean,
                               error=one.error, verdict=verdict)
                for line, one, verdict in zip(lines, seen, calibration_verdicts(seen), strict=True)
            ),
        )
    )  # fmt: skip


SMALL_DEPTHS = {1: 1, 2: 2, 12: 4, 150: 6}
"""How deep the lists are whose order is drawn, for the number of names."""
EXAMPLES: dict[type[Chart], Callable[[Names], Chart]] = {
    RankHeatMap: lambda runs: RankHeatMap(stability_of(runs)),
    RankIntervals: lambda runs: rank_intervals(stability_of(runs), rank_sets_of(runs)),
    Timeline: timeline_of,
    Conditions: lambda runs: Conditions(generalization_of(runs)),
    OutcomeBars: lambda runs: OutcomeBars(outcomes_of(runs[-1], runs)),
    BreakEvenCurve: lambda runs: BreakEvenCurve(
        break_even_of(runs[-1], runs[0], queries=len(runs), depth=1000 if len(runs) > 100 else 9 + len(runs))
    ),
    HalfSplits: lambda runs: HalfSplits(reliability_of(runs)),
    ScaleValues: lambda runs: ScaleValues(scale(RR @ min(len(runs), 12))),
    IpsoStrips: ipso_strips_of,
    Differences: differences_of,
    Overfitting: lambda runs: Overfitting(overfitting_of(runs)),
    VerdictMatrix: lambda runs: VerdictMatrix(verdict_order_of(runs)),
    Unjudged: lambda runs: unjudged_of(runs, depth=1000 if len(runs) > 100 else len(runs)),
    AgreementBars: lambda runs: AgreementBars(cases_of(max(len(runs), 2), (5, 10, 20)[: len(runs)])),
    AgreementTriangle: triangle_of,
    IpsoShares: lambda runs: ipso_shares_of((5, 10, 15, 20, 50, 100)[: len(runs)]),
    RelationGrid: lambda runs: RelationGrid(relations_of_all(SMALL_DEPTHS.get(len(runs), 3))),
    RelationOrders: lambda runs: relation_orders_of(SMALL_DEPTHS.get(len(runs), 3)),
    Hasse: lambda runs: Hasse(relations_of_all(SMALL_DEPTHS.get(len(runs), 3))),
    WinRatioMatrix: lambda runs: win_ratio_matrix(win_ratios_of(runs, queries=6 if len(runs) > 100 else 60)),
    LabelImpact: label_impact_of,
    PoolSizes: lambda runs: PoolSizes([1 + at % 17 + at % 5 for at in range(len(runs))]),
    SampleCheck: sample_check_of,
    EvidenceMatrix: lambda runs: EvidenceMatrix(evidence_of(runs)),
    CostFrontier: costs_of,
    Promises: promises_of,
}
"""A chart whose first name leads, for every listed class."""
NAMELESS = (
    HalfSplits,
    ScaleValues,
    AgreementBars,
    IpsoShares,
    RelationGrid,
    RelationOrders,
    Hasse,
    PoolSizes,
    Promises,
)
"""Charts that show no names of runs."""
