import numpy as np
import pytest
from scipy import stats

from runoff.boards._bootstrap import make_grid
from runoff.boards.generalization import generalization
from runoff.boards.kendall import (
    HalfReference,
    NoReference,
    SplitReference,
    half_orders,
    half_reference,
    split_reference,
)
from runoff.boards.stability import stability
from runoff.errors import UsageError
from tests.boards.redrawn import drawn_means, make_scores, plain_ranks, rr_board


def other_queries(scores, seed=1):
    values = rr_board(len(scores.query_ids), len(scores.runs), seed=seed).values
    return make_scores(values, query_ids=tuple(f"private{k}" for k in range(len(values))))


def test_equals_a_plain_loop_over_the_same_draws():
    public = rr_board(30, 6)
    found = make_scores(np.ceil(public.values), measure="Success@10")
    private = other_queries(public)
    result = generalization({"public": public, "found": found, "private": private}, trials=200, seed=4)
    # The first two draw the same queries, the third its own.
    ranks = [
        plain_ranks(drawn_means(scores, 200, seed=4, query_set=number))
        for scores, number in ((public, 0), (found, 0), (private, 1))
    ]
    np.testing.assert_allclose(result.expected_ranks, np.stack([r.mean(axis=0) for r in ranks], axis=1), atol=1e-12)
    np.testing.assert_array_equal(result.spreads, result.expected_ranks.max(axis=1) - result.expected_ranks.min(axis=1))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        means = [one.means.round(9) for one in (public, found, private)]
        assert result.taus[i, j] == pytest.approx(stats.kendalltau(means[i], means[j]).statistic, abs=1e-12)


def test_references_fit_what_differs():
    public = rr_board(30, 6)
    found = make_scores(np.ceil(public.values), measure="Success@10")
    private = other_queries(public)
    conditions = {"public": public, "found": found, "private": private}
    result = generalization(conditions, trials=50, seed=4)
    assert result.references[0, 2] == split_reference(public, private, trials=50, seed=4)
    halves = [half_orders(make_grid(board), trials=50, seed=4) for board in (public, found)]
    assert result.references[0, 1] == half_reference(*halves)
    assert result.references[1, 2] == NoReference(why="the queries differ, and so do the measures")
    assert [type(one) for one in result.references.values()] == [HalfReference, SplitReference, NoReference]


@pytest.mark.parametrize(
    "measure, why", [("RR@10", "so do the labels"), ("Success@10", "so do the labels and the measures")]
)
def test_other_labels_and_other_queries_have_no_reference(measure, why):
    public = rr_board(30, 6)
    private = make_scores(other_queries(public).values, measure=measure, query_ids=other_queries(public).query_ids)
    named = {"public": "sparse", "private": "trec"}
    result = generalization({"public": public, "private": private}, labels=named, trials=9)
    assert result.references[0, 1] == NoReference(why=f"the queries differ, and {why}")


def test_overlapping_queries_have_no_reference():
    public = rr_board(30, 6)
    some = make_scores(public.values[:1], query_ids=("q0",))
    result = generalization({"all": public, "some": some, "same": some}, trials=9)
    assert result.references[0, 1] == NoReference(why="the query sets share 1 query, but are not the same")
    assert result.references[1, 2] == NoReference(why="a single query cannot be halved")


def test_a_low_measure_is_turned_in_halves_too():
    scores = make_scores(rr_board(30, 5).values + 0.5 * np.arange(5))
    turned = make_scores(-scores.values, measure="ESL")
    result = generalization({"high": scores, "low": turned}, trials=50, best_is_low=["low"])
    found = result.references[0, 1]
    assert isinstance(found, HalfReference)
    assert found.across == pytest.approx(found.within[0])


def test_first_condition_is_its_stability():
    public = rr_board(30, 6)
    result = generalization({"public": public, "private": other_queries(public)}, trials=100, seed=2)
    expected = stability(public, trials=100, seed=2)
    np.testing.assert_array_equal(result.stabilities[0].rank_probabilities, expected.rank_probabilities)
    assert (result.conditions, result.runs, result.trials, result.seed) == (("public", "private"), public.runs, 100, 2)


def test_a_condition_agrees_with_itself():
    scores = make_scores(rr_board(30, 5).values + 0.001 * np.arange(5))
    result = generalization({"one": scores, "same": scores}, trials=50)
    np.testing.assert_allclose(result.taus, 1.0)
    assert (result.spreads == 0).all()


def test_reversed_scores_reverse_the_order_unless_low_is_good():
    scores = make_scores(rr_board(30, 5).values + 0.001 * np.arange(5))
    turned = make_scores(-scores.values, measure="ESL")
    assert generalization({"high": scores, "low": turned}, trials=50).taus[0, 1] == pytest.approx(-1.0)
    result = generalization({"high": scores, "low": turned}, trials=50, best_is_low=["low"])
    assert result.taus[0, 1] == pytest.approx(1.0)


def test_order_of_runs_and_queries_does_not_matter():
    scores = rr_board(30, 5)
    rows, columns = np.random.default_rng(0).permutation(30), np.array([4, 2, 0, 1, 3])
    moved = make_scores(
        scores.values[np.ix_(rows, columns)],
        runs=tuple(scores.runs[k] for k in columns),
        query_ids=tuple(scores.query_ids[k] for k in rows),
    )
    result = generalization({"one": scores, "moved": moved}, trials=50)
    assert (result.spreads == 0).all()


def test_result_is_frozen():
    scores = rr_board(5, 3)
    result = generalization({"one": scores, "two": other_queries(scores)}, trials=9)
    assert not result.taus.flags.writeable
    assert not result.stabilities[0].beats.flags.writeable


def test_bad_input_is_refused():
    scores = rr_board(4, 2)
    with pytest.raises(UsageError, match="1 conditions; expected two or more"):
        generalization({"one": scores})
    with pytest.raises(UsageError, match="run02 in one of them only"):
        generalization({"one": scores, "two": rr_board(4, 3)})
    with pytest.raises(UsageError, match="has 1 run; expected two"):
        generalization({"one": rr_board(4, 1), "two": rr_board(4, 1)})
    with pytest.raises(UsageError, match="best_is_low names"):
        generalization({"one": scores, "two": scores}, best_is_low=["three"])
