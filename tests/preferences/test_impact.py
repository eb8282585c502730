"""Impact on a board, against scores computed by hand."""

import math

import pytest

from runoff.errors import UsageError
from runoff.preferences import impact, make_pools, tournament
from runoff.preferences.impact import perfect_run
from runoff.tables import Preferences
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
