"""Impact on a board, against scores computed by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.measures import RR, score
from runoff.preferences import check_sample, impact, make_pools, sample_queries, tournament
from runoff.preferences.impact import left_out, perfect_run
from runoff.tables import Preferences, Scores
from tests.preferences.pooled import drawn_board, drawn_votes, qrels_of, run_of


def test_scores_under_both_label_sets():
    runs = [run_of("x", {"q1": ["a", "b"], "q2": ["c"]}), run_of("y", {"q1": ["b", "a"], "q2": ["d", "c"]})]
    qrels = qrels_of({"q1": ["a"], "q2": ["c"], "q3": ["z"]})
    table = Preferences.of([("q1", "a", "b", "b"), ("q2", "c", "d", "c"), ("q9", "m", "n", "m")])
    found = impact(table, runs, qrels, tournament(table), trials=50)
    assert (found.queries, found.unlabelled) == (2, 1)
    assert found.original.means.tolist() == [1.0, 0.5]
    assert found.preference.means.tolist() == [0.75, 0.75]
    assert found.perfect.means.tolist() == [0.5]
    assert found.tau == 0.0


def test_perfect_scores_are_how_often_the_label_stands():
    runs, qrels = drawn_board(4)
    table = Preferences.of(drawn_votes(make_pools(runs, qrels).pairs(), 1))
    result = tournament(table)
    found = impact(table, runs, qrels, result, trials=50)
    labels = {query: doc for query, doc, _ in qrels}
    winners = dict(zip(result.query_ids, result.winners, strict=True))
    assert found.perfect.means[0] == pytest.approx(sum(labels[q] in docs for q, docs in winners.items()) / len(winners))
    low, high = found.perfect.mean_ci95[0]
    assert low <= found.perfect.means[0] <= high


def test_one_run_has_no_order():
    runs, qrels = drawn_board(4, runs=1)
    table = Preferences.of(drawn_votes(make_pools(runs, qrels).pairs(), 1))
    found = impact(table, runs, qrels, tournament(table), trials=20)
    assert math.isnan(found.tau)
    assert found.left_out == ()


def test_what_cannot_be_compared():
    runs, qrels = drawn_board(4)
    table = Preferences.of([("elsewhere", "a", "b", "a")])
    with pytest.raises(UsageError, match="no judged query is in the qrels"):
        impact(table, runs, qrels, tournament(table))
    with pytest.raises(UsageError, match="no runs"):
        impact(table, [], qrels, tournament(table))


def test_the_perfect_run_has_the_first_label_on_top():
    run = perfect_run(qrels_of({"q1": ["b", "a"], "q2": ["c"]}))
    assert [(query, doc) for query, doc, _ in run] == [("q1", "b"), ("q2", "c")]


@settings(max_examples=40)
@given(st.integers(0, 300), st.integers(2, 5))
def test_equals_doing_it_all_again(seed, number):
    runs, qrels = drawn_board(seed, runs=number)
    pairs = make_pools(runs, qrels).pairs()
    rows = drawn_votes(pairs, seed, votes=1 + seed % 2)
    if not rows:
        return
    table = Preferences.of(rows)
    result = tournament(table)
    queries = result.query_ids
    scores = score([run.serps(result.qrels(), depth=10) for run in runs], [RR(cutoff=10)])[0]
    for place, found in enumerate(left_out(table, runs, qrels.only(queries), scores, depth=10)):
        others = [run for other, run in enumerate(runs) if other != place]
        pooled = {(query, doc) for query, *two in make_pools(others, qrels).pairs() for doc in two}
        pooled |= {(query, doc) for query, doc, _ in qrels}
        for run in others:
            first = {query: doc for query, doc, _ in reversed(list(run))}
            pooled |= set(first.items())
        kept = [row for row in rows if (row[0], row[1]) in pooled and (row[0], row[2]) in pooled]
        again = tournament(Preferences.of(kept)) if kept else None
        labels = dict(zip(again.query_ids, again.winners, strict=True)) if again else {}
        for query in queries:
            judged = {doc for row in rows if row[0] == query for doc in row[1:3]} & {d for q, d in pooled if q == query}
            if query not in labels and len(judged) == 1:
                labels[query] = tuple(judged)
        new = qrels_of({query: labels[query] for query in queries if query in labels})
        values = score([run.serps(new, depth=10) for run in runs], [RR(cutoff=10)])[0].values
        means = values.sum(axis=0) / len(queries)
        assert found.mean == pytest.approx(means[place])
        assert found.rank == pytest.approx(stats.rankdata(-means.round(12))[place])
        dropped = {(row[0], doc) for row in rows for doc in row[1:3]} - pooled
        assert found.documents == len(dropped)
        if len(set(means.round(12))) > 1 and len(set(scores.means.round(12))) > 1:
            assert found.tau == pytest.approx(stats.kendalltau(means.round(12), scores.means.round(12)).statistic)


def test_a_run_whose_only_merit_is_its_own_document():
    runs = [run_of("own", {"q": ["new", "old"]}), run_of("other", {"q": ["old"]})]
    table = Preferences.of([("q", "new", "old", "new")])
    scores = score([run.serps(tournament(table).qrels(), depth=10) for run in runs], [RR(cutoff=10)])[0]
    own, other = left_out(table, runs, qrels_of({"q": ["old"]}), scores, depth=10)
    assert (own.documents, own.mean, own.rank) == (1, 0.5, 2.0)
    assert (other.documents, other.queries, other.rank) == (0, 0, 2.0)
    assert np.allclose(scores.means, [1.0, 0.0])


def test_only_queries_with_something_to_compare_are_drawn():
    pools = make_pools(
        [run_of("x", {"q1": ["a"], "q2": ["c"], "q3": ["d"]})], qrels_of({"q1": "a", "q2": "a", "q3": "a"})
    )
    assert sample_queries(pools, 2) == ("q2", "q3")
    with pytest.raises(UsageError, match="expected 1 to 2, the queries whose pool"):
        sample_queries(pools, 3)


def test_the_sample_is_random_and_reproducible():
    pools = make_pools(*drawn_board(2))
    drawn = [sample_queries(pools, 4, seed=seed) for seed in range(200)]
    assert drawn[0] == sample_queries(pools, 4)
    times = [sum(query in one for one in drawn) for query in pools.query_ids]
    assert min(times) > 30


def test_tau_is_that_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, size=(40, 6)) / 4
    ids = tuple(map(str, range(40)))
    scores = Scores(measure="RR@10", query_ids=ids, runs=tuple("abcdef"), values=values)
    found = check_sample(scores, ids[:10])
    expected = stats.kendalltau(values.mean(axis=0), values[:10].mean(axis=0)).statistic
    assert found.tau == pytest.approx(expected)
    np.testing.assert_allclose(found.sample_means, values[:10].mean(axis=0))
    assert check_sample(scores, ids).is_same_order
