"""Whether a run orders judged pairs as judges prefer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.preferences import order_agreement
from runoff.reading.sources import as_run
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, pair_votes

lists = st.dictionaries(st.sampled_from([*QUERIES, "elsewhere"]), st.permutations(DOCS), min_size=1)


@given(judgments(min_size=0), lists, st.integers(1, 6), st.integers(1, 6))
def test_equals_the_slow_count(rows, ranked, length, depth):
    run = as_run({q: {doc: -rank for rank, doc in enumerate(docs[:length])} for q, docs in ranked.items()}, name="x")
    (found,) = order_agreement(Preferences.of(rows), [run], depth=depth)
    both, either = [], []
    for query, votes in pair_votes(rows).items():
        shown = ranked.get(query, [])[:length][:depth]
        for (one, other), vote in votes.items():
            if one > other or vote == 0:
                continue
            good, bad = (one, other) if vote > 0 else (other, one)
            places = [shown.index(doc) if doc in shown else 99 for doc in (good, bad)]
            if min(places) < 99:
                either.append(places[0] < places[1])
            if max(places) < 99:
                both.append(places[0] < places[1])
    for part, expected in ((found.both, both), (found.any, either)):
        assert (part.pairs, part.agree) == (len(expected), sum(expected))
        assert np.isnan(part.share) if not expected else part.share == sum(expected) / len(expected)
        assert 0 <= part.ci95[0] <= np.nan_to_num(part.share, nan=0.5) <= part.ci95[1] <= 1
        assert part.ci95[0] < part.ci95[1]


@pytest.mark.parametrize("agree", [0, 13, 40])
def test_one_pair_per_query_has_nearly_the_exact_interval(agree):
    queries = [f"q{number}" for number in range(40)]
    rows = [(query, "a", "b", "a" if number < agree else "b") for number, query in enumerate(queries)]
    run = as_run({query: {"a": 2.0, "b": 1.0} for query in queries})
    (found,) = order_agreement(Preferences.of(rows), [run])
    # 39 of 40 by the variance with divisor n - 1, and less by Student's quantile
    worth = (39 if 0 < agree < 40 else 40) * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 39)) ** 2
    wins, losses = worth * agree / 40, worth * (40 - agree) / 40
    low = stats.beta.ppf(0.025, wins, losses + 1) if agree else 0.0
    high = stats.beta.ppf(0.975, wins + 1, losses) if agree < 40 else 1.0
    assert found.both.ci95 == pytest.approx((low, high))
    exact = stats.binomtest(agree, 40).proportion_ci()
    assert found.both.ci95 == pytest.approx((exact.low, exact.high), abs=0.01)


def test_pairs_of_one_query_are_worth_less():
    """Ten copies of every query's answer say no more than one."""

    def table(copies):
        return Preferences.of([
            (f"q{query}", f"a{copy}", f"b{copy}", f"{'a' if query < 13 else 'b'}{copy}")
            for query in range(40) for copy in range(copies)
        ])  # fmt: skip

    lists = {
        f"q{query}": {f"{side}{copy}": 10.0 * (side == "a") for side in "ab" for copy in range(5)}
        for query in range(40)
    }
    run = as_run(lists)
    one, many = (order_agreement(table(copies), [run])[0].both for copies in (1, 5))
    assert (one.pairs, many.pairs, many.queries) == (40, 200, 40)
    assert many.ci95 == pytest.approx(one.ci95)


@pytest.mark.proof
@pytest.mark.parametrize("queries, pairs, alike", [(50, 20, 0.2), (50, 5, 0.0), (500, 6, 0.3), (25, 40, 0.1)])
def test_the_interval_covers_a_known_truth(queries, pairs, alike):
    """Each query has a chance of agreement of its own, drawn around 63%."""
    rng = np.random.default_rng(5)
    truth, trials, covered = 0.63, 400, 0
    run = as_run(
        {
            f"q{query}": {f"{side}{n}": float(side == "a") for side in "ab" for n in range(pairs)}
            for query in range(queries)
        }
    )
    for _ in range(trials):
        chance = np.full(queries, truth)
        if alike:
            total = 1 / alike - 1
            chance = rng.beta(truth * total, (1 - truth) * total, queries)
        wins = rng.random((queries, pairs)) < chance[:, None]
        rows = [
            (f"q{query}", f"a{n}", f"b{n}", f"{'a' if wins[query, n] else 'b'}{n}")
            for query in range(queries) for n in range(pairs)
        ]  # fmt: skip
        low, high = order_agreement(Preferences.of(rows), [run], depth=2 * pairs)[0].both.ci95
        covered += low <= truth <= high
    print(f"\n{queries} queries, {pairs} pairs each, correlation {alike}: covered in {covered / trials:.1%}")  # noqa: T201
    assert covered / trials > 0.92
