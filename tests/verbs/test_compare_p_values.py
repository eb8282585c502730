"""Every p-value of a comparison is that of scipy, and every count that of a plain loop."""

import itertools

import numpy as np
import pytest

import runoff
from runoff import CompareOptions
from runoff.reading.sources import as_qrels, as_run
from runoff.simulation import SparseBoardConfig, simulate_sparse_board
from tests.verbs.comparisons import SCIPY_TESTS, compare, comparison_of, found_ranks, scipy_p
from tests.verbs.real_boards import robust_runs

FEW = 50  # trials, where the tests that resample are not looked at


def check_against_scipy(comparison, champion, challenger, serps):
    """Every p of a comparison, given both runs' scores and judged lists; what each finds is counted again."""
    found = {test.name: test for test in comparison.tests}
    for name, (statistic, p) in scipy_p(champion, challenger).items():
        assert found[name].p == pytest.approx(p, rel=1e-9, abs=1e-300), (
            name,
            comparison.champion,
            comparison.challenger,
        )
        assert found[name].statistic == pytest.approx(statistic, rel=1e-9), name
    lists = [found_ranks(one, depth=comparison.depth) for one in serps]
    relevant = comparison.outcomes.relevant.tolist()
    check_outcomes(comparison, list(zip(*lists, relevant, strict=True)))


def check_outcomes(comparison, queries):
    """The outcomes of a comparison from the ranks found and the number of relevant documents, per query."""
    tests, counts = comparison.outcome_tests, comparison.outcomes
    answerable = [(first, second, min(many, comparison.depth)) for first, second, many in queries if many]
    shared = [min(len(first), len(second)) for first, second, _ in answerable]
    assert counts.unanswerable == len(queries) - len(answerable)
    assert counts.both == sum(shared)
    assert counts.neither == sum(most - max(len(first), len(second)) for first, second, most in answerable)
    only = np.array([len(second) - len(first) for first, second, _ in answerable])
    assert (counts.champion_only, counts.challenger_only) == (-only[only < 0].sum(), only[only > 0].sum())
    assert counts.queries_more == ((only < 0).sum(), (only > 0).sum())
    assert tests.more.p == pytest.approx(scipy_p(np.zeros(len(only)), only, tests=["sign"])["sign"][1], rel=1e-9)
    levels = [(first[:m], second[:m]) for (first, second, _), m in zip(answerable, shared, strict=True) if m]
    ranks = [[sum(pair[side]) / len(pair[side]) for pair in levels] for side in (0, 1)]
    reciprocals = [[sum(1 / rank for rank in pair[side]) / len(pair[side]) for pair in levels] for side in (0, 1)]
    rr = [[1 / query[side][0] if query[side] else 0.0 for query in queries] for side in (0, 1)]
    for tested, values in ((tests.esl, ranks), (tests.rr, reciprocals), (tests.naive, rr)):
        names = [name for name in SCIPY_TESTS if hasattr(tested, name)]
        assert names
        for name, (_, p) in scipy_p(*values, tests=names).items():
            assert getattr(tested, name).p == pytest.approx(p, rel=1e-9, abs=1e-300), name
    assert (counts.esl.champion, counts.esl.challenger) == pytest.approx([np.mean(one) for one in ranks], rel=1e-12)
    assert (counts.rr.champion, counts.rr.challenger) == pytest.approx([np.mean(one) for one in reciprocals], rel=1e-12)
    assert tests.naive.difference == pytest.approx(np.mean(rr[1]) - np.mean(rr[0]), abs=1e-12)


@pytest.mark.parametrize(
    "measure, champions", [("RR@100", 11), ("AP", 1), pytest.param("AP", 11, marks=pytest.mark.proof)]
)
def test_every_p_of_66_real_pairs_is_that_of_scipy(shared_data, measure, champions):
    """Each run against those behind it; for AP those of the first run, and all in `make proof`."""
    runs, qrels = robust_runs(shared_data)
    (scores,) = runoff.evaluate(runs, qrels, measures=[measure]).scores
    serps = {run.name: run.serps(qrels) for run in runs}
    pairs = 0
    for place, champion in enumerate(runs[:champions]):
        question = CompareOptions(measures=measure, trials=FEW)
        multi_comparison = compare(champion, runs[place + 1 :], qrels, options=question)
        for comparison in multi_comparison.comparisons:
            columns = scores.of(comparison.champion), scores.of(comparison.challenger)
            check_against_scipy(comparison, *columns, [serps[comparison.champion], serps[comparison.challenger]])
            assert comparison.means.difference == pytest.approx(columns[1].mean() - columns[0].mean(), abs=1e-12)
            pairs += 1
    assert pairs == {1: 11, 11: 66}[champions]


@pytest.mark.parametrize("seed, queries", [(0, 400), (1, 60), (2, 9)])
def test_every_p_on_sparse_labels_is_that_of_scipy(seed, queries):
    board = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=4, depth=30, seed=seed, tie_share=0.2))
    runs = [as_run("".join(board.run_lines(name)).encode(), name=name) for name in board.names]
    (scores,) = runoff.evaluate(runs, board.qrels(), measures=["RR@10"]).scores
    for one, other in itertools.combinations(runs, 2):
        question = CompareOptions(measures="RR@10", trials=FEW)
        comparison = compare(one, [other], board.qrels(), options=question).comparisons[0]
        serps = [run.serps(as_qrels(board.qrels())) for run in (one, other)]
        check_against_scipy(comparison, scores.of(one.name), scores.of(other.name), serps)


def test_the_randomization_test_of_few_queries_is_exact():
    from scipy import stats

    comparison = comparison_of([1, 2, 0, 3, 9, 1, 4, 0], [2, 1, 5, 1, 3, 1, 2, 7])
    ranks = np.array([[1, 2, 0, 3, 9, 1, 4, 0], [2, 1, 5, 1, 3, 1, 2, 7]], dtype=float)
    first, second = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    expected = stats.permutation_test((second, first), lambda x, y: np.mean(x - y), permutation_type="samples")
    assert {test.name: test.p for test in comparison.tests}["randomization"] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("sooner, first, second", [("ranks", 5.0, 5.0), ("reciprocal_ranks", 5 / 9, 5 / 24)])
def test_sooner_by_ranks_or_by_reciprocal_ranks(sooner, first, second):
    """Lin et al.'s section 5: at ranks 1 and 9, or 4 and 6, the mean rank is the same and the mean RR is not."""
    comparison = comparison_of([1, 9] * 40, [4, 6] * 40, policy=runoff.Policy(sooner=sooner))
    facet, means = comparison.verdict.sooner, (comparison.outcomes.esl if sooner == "ranks" else comparison.outcomes.rr)
    assert (means.champion, means.challenger) == pytest.approx((first, second))
    tests = comparison.outcome_tests.esl if sooner == "ranks" else comparison.outcome_tests.rr
    assert facet.raw_p == tests.signed_rank.p
    assert facet.difference == pytest.approx(second - first, abs=1e-12)
    assert comparison.to_dict()["facets"]["sooner"]["direction"] == (0 if sooner == "ranks" else -1)
