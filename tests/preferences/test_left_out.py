"""Leaving a run's own documents out, against doing it all again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.measures import RR, score
from runoff.preferences import make_pools, tournament
from runoff.preferences.left_out import left_out
from runoff.tables import Preferences
from tests.preferences.pooled import drawn_board, drawn_votes, qrels_of, run_of


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
