from __future__ import annotations

import time

import numpy as np
import pytest

from runoff.comparisons import outcomes
from runoff.errors import UsageError
from runoff.measures import ESL
from runoff.simulation import RankLaw
from studies.comparison import ComparisonConfig, ComparisonTruth, simulate_comparison, true_signs

EVEN = RankLaw(answered=0.7, steepness=1.0, depth=20)
MORE_LATER = RankLaw(answered=0.9, steepness=0.4, depth=20)
SHORT = RankLaw(answered=0.7, steepness=1.0, depth=8)


def comparison_of(*challengers, **config):
    return simulate_comparison(ComparisonConfig(champion=EVEN, challengers=challengers or (EVEN,), **config))


def both_ranks(comparison):
    found = outcomes(comparison.champion, comparison.challengers[0], cutoff=None)
    return found.champion_ranks[found.in_both], found.challenger_ranks[found.in_both]


@pytest.mark.parametrize("correlation", [0.0, 0.6, 0.95])
def test_in_both_the_ranks_follow_their_laws(correlation):
    # The point of the construction: that both answer selects no ranks, however strongly the runs are correlated.
    comparison = comparison_of(MORE_LATER, queries=100_000, correlation=correlation, seed=5)
    for law, ranks in zip((EVEN, MORE_LATER), both_ranks(comparison), strict=True):
        error = ranks.std() / np.sqrt(len(ranks))
        assert abs(ranks.mean() - law.expected_esl(20)) < 4 * error
        shares = np.bincount(ranks.astype(int), minlength=21)[1:] / len(ranks)
        assert np.abs(shares - law.shares() / law.answered).max() < 5 * np.sqrt(0.25 / len(ranks))


@pytest.mark.parametrize("correlation", [0.0, 0.6, 1.0])
def test_runs_answer_as_often_as_they_should(correlation):
    comparison = comparison_of(MORE_LATER, queries=50_000, correlation=correlation)
    for law, serps in zip((EVEN, MORE_LATER), (comparison.champion, *comparison.challengers), strict=True):
        share = (serps.grades > 0).any(axis=1).mean()
        assert abs(share - law.answered) < 4 * np.sqrt(law.answered * (1 - law.answered) / 50_000)


def test_correlated_runs_answer_and_rank_alike():
    apart, alike = (comparison_of(queries=20_000, correlation=correlation) for correlation in (0.0, 0.8))
    assert outcomes(alike.champion, alike.challengers[0], cutoff=20).both > 1.1 * 0.49 * 20_000
    assert abs(np.corrcoef(*both_ranks(apart))[0, 1]) < 0.05
    assert np.corrcoef(*both_ranks(alike))[0, 1] > 0.5


def test_fully_correlated_runs_of_one_law_are_the_same():
    comparison = comparison_of(correlation=1.0)
    assert np.array_equal(comparison.champion.grades, comparison.challengers[0].grades)


@pytest.mark.parametrize(
    "challenger, truth",
    [
        (EVEN, ComparisonTruth(answered=0, earlier=0, symmetric=True)),
        (MORE_LATER, ComparisonTruth(answered=1, earlier=-1, symmetric=False)),
        (SHORT, ComparisonTruth(answered=0, earlier=1, symmetric=False)),
        (RankLaw(answered=0.5, steepness=1.0, depth=20), ComparisonTruth(answered=-1, earlier=0, symmetric=True)),
    ],
)
def test_the_truth(challenger, truth):
    assert true_signs(EVEN, challenger) == truth
    mirrored = true_signs(challenger, EVEN)
    assert (mirrored.answered, mirrored.earlier) == (-truth.answered, -truth.earlier)


def test_one_relevant_document_per_query_at_its_rank():
    comparison = comparison_of(SHORT, queries=500)
    for serps in (comparison.champion, *comparison.challengers):
        assert serps.depth == 20
        assert (serps.relevant() == 1).all()
        assert (serps.grades > 0).sum(axis=1).max() == 1
    assert np.nanmax(ESL().values(comparison.challengers[0])) == 8


def test_a_law_of_one_rank():
    only = RankLaw(answered=0.5, steepness=1.0, depth=1)
    steep = RankLaw(answered=0.5, steepness=80.0, depth=5)
    comparison = simulate_comparison(ComparisonConfig(champion=only, challengers=(steep,), queries=200))
    for serps in (comparison.champion, *comparison.challengers):
        assert np.nanmax(ESL().values(serps)) == 1


def test_the_same_seed_gives_the_same_runs():
    first, second, other = (comparison_of(seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(first.champion.grades, second.champion.grades)
    assert not np.array_equal(first.champion.grades, other.champion.grades)
    assert not np.array_equal(first.champion.grades, first.challengers[0].grades)


def test_a_challenger_more_changes_no_other_run():
    few, many = comparison_of(MORE_LATER), comparison_of(MORE_LATER, EVEN, EVEN)
    assert np.array_equal(few.champion.grades, many.champion.grades)
    assert np.array_equal(few.challengers[0].grades, many.challengers[0].grades)
    assert [one.run for one in many.challengers] == ["challenger-1", "challenger-2", "challenger-3"]
    assert len(many.truths) == 3


@pytest.mark.parametrize(
    "change, message",
    [
        ({"challengers": ()}, "the number of challengers is 0; expected 1 to"),
        ({"queries": 0}, "queries is 0; expected 1 to"),
        ({"correlation": float("nan")}, "correlation is nan; expected 0.0 to 1.0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_impossible_comparisons_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        ComparisonConfig(**{"champion": EVEN, "challengers": (EVEN,), **change})


@pytest.mark.proof
def test_200_comparisons_of_2000_queries_take_seconds():
    law = RankLaw(answered=0.8, steepness=1.0, depth=100)
    started = time.perf_counter()
    for seed in range(200):
        simulate_comparison(ComparisonConfig(champion=law, challengers=(law,), queries=2000, seed=seed))
    assert time.perf_counter() - started < 5
