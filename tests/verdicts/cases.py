"""Evidence from ranks that are written by hand, or drawn with a known truth."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from runoff.comparisons import FacetMeans, ipso, outcome_tests, outcomes
from runoff.measures import RR
from runoff.measures._example import serps_of
from runoff.significance import BY_NAME, Family, PairedT
from runoff.simulation import RankLaw
from runoff.tables.scores import Scores
from runoff.verdicts import Facet, PairEvidence, Policy, VerdictResult, judge
from studies.comparison import ComparisonConfig, simulate_comparison

DEPTH = 10
MIRROR = {"better": "worse", "worse": "better", "trade-off": "trade-off", "inconclusive": "inconclusive", None: None}
"""What a verdict becomes where the two runs change places."""


def serps_at(ranks, *, run="example", depth=DEPTH):
    """One query per rank of its only relevant document; 0 where that is not found."""
    return serps_with([(rank,) if rank else () for rank in ranks], relevant=1, run=run, depth=depth)


def serps_with(found, *, relevant=4, run="example", depth=DEPTH):
    """One query per tuple of ranks at which relevant documents are found, of so many in the labels."""
    lists = [[int(place in ranks) for place in range(1, depth + 1)] for ranks in found]
    return serps_of(*lists, judged=[[0, relevant]] * len(lists), run=run)


def evidence_of(champion, challenger, policy=None, *, with_ipso=True):
    """The evidence that a workflow would gather from two runs, with RR to their depth as the measure."""
    measure = RR(cutoff=champion.depth)
    scores = measure.values(champion), measure.values(challenger)
    found = outcomes(champion, challenger, cutoff=champion.depth)
    return PairEvidence(
        champion=champion.run,
        challenger=challenger.run,
        queries=len(champion.query_ids),
        measure=str(measure),
        means=FacetMeans(champion=float(scores[0].mean()), challenger=float(scores[1].mean())),
        best_is_low=False,
        test=BY_NAME[(policy or Policy()).measure_test].compare(*scores),
        difference_ci95=PairedT().compare(*scores).effect_ci95,
        outcomes=found,
        outcome_tests=outcome_tests(found),
        ipso=ipso(champion, challenger, depth=champion.depth) if with_ipso else None,
    )


def verdict_at(champion, challenger, *, policy=None, names=("old", "new")):
    """The verdict on the second of two lists of ranks."""
    runs = serps_at(champion, run=names[0]), serps_at(challenger, run=names[1])
    chosen = policy or Policy()
    return judge([evidence_of(*runs, chosen)], chosen)[0]


def verdict_on_scores(champion, challenger, *, policy=None, names=("old", "new")):
    """The verdict where only scores are known."""
    chosen = policy or Policy()
    evidence = PairEvidence(
        champion=names[0],
        challenger=names[1],
        queries=len(champion),
        measure="AP",
        means=FacetMeans(champion=float(np.mean(champion)), challenger=float(np.mean(challenger))),
        best_is_low=False,
        test=BY_NAME[chosen.measure_test].compare(champion, challenger),
        difference_ci95=PairedT().compare(champion, challenger).effect_ci95,
    )
    return judge([evidence], chosen)[0]


def scores_of(runs):
    """RR of some runs, as a board has them."""
    measure = RR(cutoff=runs[0].depth)
    values = np.column_stack([measure.values(run) for run in runs])
    return Scores(measure=str(measure), query_ids=runs[0].query_ids, runs=tuple(run.run for run in runs), values=values)


def facet(direction, *, significant=True, p=0.01, raw_p=None, name="x", agrees=True):
    """A facet with this direction, decided by hand; raw_p is p unless it is given."""
    return Facet(
        name=name,
        direction=direction,
        raw_p=p if raw_p is None else raw_p,
        p=p,
        family=Family("by hand", 1),
        agrees=agrees,
        significant=significant,
        level=0.05,
    )


def repeated(pairs):
    """Champion's and challenger's ranks from {(champion, challenger): how many queries}."""
    both = [pair for pair, count in pairs.items() for _ in range(count)]
    return [one for one, _ in both], [other for _, other in both]


@st.composite
def rank_pairs(draw, max_queries=40):
    """Ranks of two runs over the same queries, often far enough apart to be significant."""
    queries = draw(st.integers(1, max_queries))
    rank = st.integers(0, DEPTH)
    pools = [draw(st.lists(rank, min_size=1, max_size=4)) for _ in range(2)]
    lists = [draw(st.lists(st.sampled_from(pool), min_size=queries, max_size=queries)) for pool in pools]
    return lists[0], lists[1]


@st.composite
def list_boards(draw, max_runs=4, max_queries=14):
    """Runs with several relevant documents per query, over the same queries."""
    queries, runs = draw(st.integers(1, max_queries)), draw(st.integers(2, max_runs))
    found = st.sets(st.integers(1, DEPTH), max_size=4).map(sorted).map(tuple)
    pools = [draw(st.lists(found, min_size=1, max_size=3)) for _ in range(runs)]
    lists = [draw(st.lists(st.sampled_from(pool), min_size=queries, max_size=queries)) for pool in pools]
    return [serps_with(one, run=f"r{place}") for place, one in enumerate(lists)]


EVEN = RankLaw(answered=0.8, steepness=1.0, depth=100)
TRUTHS = {
    "more, later": (RankLaw(answered=0.86, steepness=0.85, depth=100), "trade-off", "trade-off"),
    "sooner": (RankLaw(answered=0.8, steepness=1.15, depth=100), "better", "inconclusive"),
    "more": (RankLaw(answered=0.86, steepness=1.0, depth=100), "better", "inconclusive"),
    "more, sooner": (RankLaw(answered=0.86, steepness=1.15, depth=100), "better", "better"),
    "fewer, later": (RankLaw(answered=0.74, steepness=0.85, depth=100), "worse", "worse"),
    "neither": (EVEN, "inconclusive", "inconclusive"),
}
"""The challenger's law against EVEN, and the verdicts that would be right: overall and do no harm, and strict."""


def simulated(challengers, *policies, count, queries, first_seed=0, champion=EVEN, with_ipso=False):
    """For each policy, and each simulation, the verdicts on all challengers; policies share the measure's test."""
    results: list[list[tuple[VerdictResult, ...]]] = [[] for _ in policies]
    for seed in range(first_seed, first_seed + count):
        comparison = simulate_comparison(
            ComparisonConfig(champion=champion, challengers=challengers, queries=queries, seed=seed)
        )
        evidence = [evidence_of(comparison.champion, one, with_ipso=with_ipso) for one in comparison.challengers]
        for policy, verdicts in zip(policies, results, strict=True):
            verdicts.append(judge(evidence, policy))
    return results


def rates(simulations, rule):
    """How often each verdict is given on the first challenger, as shares of the simulations."""
    counts = Counter(getattr(verdicts[0], rule) for verdicts in simulations)
    return {verdict: counts[verdict] / len(simulations) for verdict in ("better", "worse", "trade-off", "inconclusive")}


def any_better(simulations, rule, places):
    """In what share of the simulations some challenger at one of these places is called better."""
    called = [any(getattr(verdicts[place], rule) == "better" for place in places) for verdicts in simulations]
    return sum(called) / len(called)


def upper_bound(rate, count, errors=4.0):
    """A rate plus some standard errors of its estimate from `count` simulations."""
    return rate + errors * (rate * (1 - rate) / count) ** 0.5
