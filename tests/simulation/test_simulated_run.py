from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.simulation.simulated_run import (
    BASELINE,
    CHAMPION,
    MOST_RELEVANT,
    TRADE_OFF,
    TWIN,
    RankLaw,
    System,
    doc_id,
    draw_queries,
    draw_run,
    make_system,
)

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


def draw_query_set(count, mean=1.07, seed=0):
    return draw_queries(count, mean, np.random.default_rng(seed))


def test_query_ids_are_distinct_numbers_in_order():
    numbers = list(map(int, draw_query_set(5000).query_ids))
    assert numbers == sorted(set(numbers))
    assert numbers[0] >= 1


@pytest.mark.parametrize("mean", [1.0, 1.07, 1.5, 2.0])
def test_labels_are_as_sparse_as_asked(mean):
    relevant = draw_query_set(40_000, mean).relevant
    assert relevant.min() >= 1
    assert relevant.max() <= MOST_RELEVANT
    assert relevant.mean() == pytest.approx(mean, abs=0.015)


def test_hardness_is_standard_normal():
    hardness = draw_query_set(40_000).hardness
    assert abs(hardness.mean()) < 0.02
    assert hardness.std() == pytest.approx(1, abs=0.02)


def test_documents_of_a_query_differ():
    queries = draw_query_set(300)
    documents = queries.documents(np.arange(1000)[None, :])
    assert documents.shape == (300, 1000)
    assert all(len(set(row)) == 1000 for row in documents.tolist())
    assert documents.min() >= 1_000_000
    assert documents.max() <= 9_999_999


def test_ids_sort_as_numbers_do():
    documents = draw_query_set(50).documents(np.arange(20)[None, :]).ravel().tolist()
    assert [doc_id(document) for document in sorted(documents)] == sorted(map(doc_id, documents))


def test_more_queries_than_usual_numbers():
    assert len(set(draw_query_set(700_000).query_ids)) == 700_000


CAST = [make_system(place, 100) for place in range(60)]


def test_names_differ():
    assert len({system.name for system in CAST}) == len(CAST)
    assert CAST[24].name == "alder-2"
    assert all(system.name.replace("-", "").isalnum() for system in CAST)


def test_the_baseline_is_weakest_and_the_twins_are_best():
    rr = [system.law.expected_rr(10) for system in CAST]
    assert min(rr) == rr[BASELINE]
    assert max(rr) == rr[CHAMPION] == rr[TWIN]
    assert sorted(place for place, value in enumerate(rr) if value == max(rr)) == [CHAMPION, TWIN]


def test_the_others_differ_and_lie_in_between():
    rr = [system.law.expected_rr(10) for system in CAST[TRADE_OFF + 1 :]]
    assert len(set(rr)) == len(rr)
    assert CAST[BASELINE].law.expected_rr(10) < min(rr)
    assert max(rr) < CAST[CHAMPION].law.expected_rr(10)


def test_the_trade_off_answers_more_and_later():
    champion, trade_off = CAST[CHAMPION].law, CAST[TRADE_OFF].law
    assert trade_off.answered > champion.answered
    assert trade_off.expected_esl(100) > champion.expected_esl(100)
    assert trade_off.expected_rr(10) < champion.expected_rr(10)


def test_true_values_by_hand():
    law = RankLaw(answered=0.75, steepness=1.0, depth=2)
    # Weights 1 and 1/2, so P(1) = 0.5 and P(2) = 0.25.
    assert law.shares() == pytest.approx([0.5, 0.25])
    assert law.expected_rr(1) == pytest.approx(0.5)
    assert law.expected_rr(2) == pytest.approx(0.625)
    assert law.expected_rr(100) == pytest.approx(0.625)
    assert law.answered_within(1) == pytest.approx(0.5)
    assert law.expected_esl(2) == pytest.approx(4 / 3)


def test_harmonic_weights_exactly():
    depth = 30
    total = sum(Fraction(1, rank) for rank in range(1, depth + 1))
    exact = Fraction(1, 2) * sum(Fraction(1, rank**2) for rank in range(1, 11)) / total
    assert RankLaw(answered=0.5, steepness=1.0, depth=depth).expected_rr(10) == pytest.approx(float(exact), rel=1e-12)


def test_ranks_have_their_probabilities():
    law = RankLaw(answered=0.8, steepness=1.2, depth=20)
    count = 200_000
    ranks = law.ranks(np.random.default_rng(1).standard_normal(count))
    shares = np.bincount(ranks, minlength=21) / count
    expected = np.concatenate([[1 - law.answered], law.shares()])
    assert np.abs(shares - expected).max() < 5 * np.sqrt(0.25 / count)


def test_harder_queries_are_answered_later_or_not_at_all():
    ranks = RankLaw(answered=0.9, steepness=1.0, depth=10).ranks(np.linspace(-4, 4, 1001))
    as_late = np.where(ranks == 0, 11, ranks)
    assert (np.diff(as_late) >= 0).all()
    assert as_late[0] == 1
    assert as_late[-1] == 11


@pytest.mark.parametrize(
    "change, message",
    [
        ({"answered": 0.0}, "answered is 0.0"),
        ({"answered": 1.0}, "answered is 1.0"),
        ({"answered": float("nan")}, "answered is nan"),
        ({"steepness": -1.0}, "steepness is -1.0"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_impossible_laws_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        RankLaw(**{"answered": 0.5, "steepness": 1.0, "depth": 10, **change})
