from __future__ import annotations

import numpy as np
import pytest

from runoff.simulation.query_set import draw_queries
from runoff.simulation.simulated_run import draw_run
from runoff.simulation.system import System, make_system

QUERIES = draw_queries(2000, 1.5, np.random.default_rng(5))


def draw(place=1, depth=100, ties=0.05, correlation=0.6, seed=1):
    rng = np.random.default_rng(seed)
    return draw_run(make_system(place, depth), QUERIES, correlation=correlation, tie_share=ties, rng=rng)


@pytest.mark.parametrize("depth", [1, 2, 10, 100])
def test_lists_are_full_and_without_duplicates(depth):
    run = draw(depth=depth)
    assert run.documents.shape == run.run_scores.shape == (2000, depth)
    assert all(len(set(row)) == depth for row in run.documents.tolist())


def test_first_ranks_are_where_the_first_relevant_document_is():
    run = draw()
    relevant = QUERIES.documents(np.arange(3)[None, :]).tolist()
    counts = QUERIES.relevant.tolist()
    for row, truth, count, first in zip(
        run.documents.tolist(), relevant, counts, run.first_ranks.tolist(), strict=True
    ):
        found = [rank for rank, document in enumerate(row, start=1) if document in truth[:count]]
        assert (found[0] if found else 0) == first


def test_more_than_one_relevant_document_is_sometimes_found():
    run = draw()
    relevant = QUERIES.documents(np.arange(3)[None, :])
    hits = (run.documents[:, :, None] == relevant[:, None, :]) & (np.arange(3) < QUERIES.relevant[:, None])[:, None, :]
    found = hits.any(axis=2).sum(axis=1)
    assert (found <= QUERIES.relevant).all()
    assert {0, 1, 2, 3} == set(found.tolist())


def test_scores_fall_and_have_six_decimals():
    run = draw()
    assert (np.diff(run.run_scores, axis=1) <= 0).all()
    assert (run.run_scores > 0).all()
    assert (np.round(run.run_scores, 6) == run.run_scores).all()


def test_ties_are_few_and_keep_their_order():
    run = draw(ties=0.05)
    tied = np.diff(run.run_scores, axis=1) == 0
    assert 0.01 < tied.mean() < 0.05
    assert (np.diff(run.documents, axis=1)[tied] < 0).all()
    assert not (np.diff(draw(ties=0.0).run_scores, axis=1) == 0).any()


def test_no_other_ties_appear_in_single_precision():
    run = draw(ties=0.05)
    tied = np.diff(run.run_scores, axis=1) == 0
    assert ((np.diff(run.run_scores.astype(np.float32), axis=1) == 0) == tied).all()


def test_lines_are_trec_lines():
    run = draw(depth=3)
    lines = list(run.lines())
    lists = run.lists()
    assert len(lines) == 3 * len(QUERIES.query_ids)
    assert all(line.endswith("\n") for line in lines)
    fields = [line.split() for line in lines]
    assert {(q0, tag) for _, q0, _, _, _, tag in fields} == {("Q0", "birch")}
    assert [rank for _, _, _, rank, _, _ in fields[:4]] == ["1", "2", "3", "1"]
    for query_id, _, document, rank, score, _ in fields:
        assert lists[query_id][int(rank) - 1] == (document, float(score))
        assert len(score.partition(".")[2]) == 6


def test_systems_agree_on_what_is_hard():
    def correlation_of(share):
        first, second = draw(seed=1, correlation=share), draw(2, seed=2, correlation=share)
        return np.corrcoef(first.first_ranks > 0, second.first_ranks > 0)[0, 1]

    assert correlation_of(0.0) == pytest.approx(0, abs=0.1)
    assert correlation_of(0.6) > 0.2
    assert correlation_of(1.0) == pytest.approx(1)


def test_runs_overlap_but_differ():
    first, second = draw(seed=1), draw(2, seed=2)
    pairs = zip(first.documents[:, :10].tolist(), second.documents[:, :10].tolist(), strict=True)
    overlap = np.mean([len(set(a) & set(b)) / 10 for a, b in pairs])
    assert 0.2 < overlap < 0.8


def test_a_run_cannot_be_changed():
    run = draw(depth=2)
    for array in (run.documents, run.run_scores, run.first_ranks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert isinstance(make_system(0, 2), System)
