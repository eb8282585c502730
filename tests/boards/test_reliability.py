"""Do the tests repeat: against a plain loop with scipy, on boards small and real."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.boards import _half_splits, _spread
from runoff.boards._half_splits import halves
from runoff.boards._spread import here
from runoff.boards.reliability import COMBINATIONS, reliability
from runoff.errors import UsageError
from runoff.files import read_score_matrix
from runoff.significance import half_pairs, half_pairs_of_counts, score_table
from runoff.tables.scores import Scores
from tests.significance.cases import whole

SHARES = ("agree", "partial", "disagree", "significant", "different", "tied")


def board(values) -> Scores:
    matrix = np.array(values, dtype=np.float64)
    queries, runs = matrix.shape
    return Scores(
        measure="RR@10",
        query_ids=tuple(map(str, range(queries))),
        runs=tuple(f"run{run}" for run in range(runs)),
        values=matrix,
    )


def random_ranks(queries: int, runs: int, seed: int):
    """Ranks of the first relevant document; 0 is none to rank 10."""
    generator = np.random.default_rng(seed)
    ranks = generator.geometric(0.3, size=(queries, 1)) + generator.integers(-1, 3, size=(queries, runs))
    ranks[:, 1:2] += generator.random((queries, 1)) < 0.4
    return np.where((ranks < 1) | (ranks > 10), 0, ranks)


def exact(ranks) -> list[list[Fraction]]:
    return [[Fraction(1, int(rank)) if rank else Fraction(0) for rank in row] for row in ranks]


def scipy_p(test: str, first, second) -> float:
    """P as a user of scipy would get it; where scipy has no answer, nothing differs and p is 1."""
    differences = second - first
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    if wins + losses == 0:
        return 1.0
    if test == "sign":
        return float(stats.binomtest(wins, wins + losses).pvalue)
    if test == "rank_sum":
        return float(stats.mannwhitneyu(second, first, method="asymptotic").pvalue)
    if test == "signed_rank":
        return float(stats.wilcoxon(whole(first, second)).pvalue)
    return 0.0 if np.ptp(differences) == 0 else float(stats.ttest_rel(second, first).pvalue)


def plain_shares(fractions, halves, level: float) -> dict[tuple[str, str], list[float]]:
    """The definitions, word by word, with exact means and medians."""
    values = np.array([[float(one) for one in row] for row in fractions])
    runs = values.shape[1]
    counts = {combination: [0] * 6 for combination in COMBINATIONS}
    cases = 0
    for split in halves:
        for i, j in combinations(range(runs), 2):
            cases += 1
            for test, aggregate in COMBINATIONS:
                names, significant = [], []
                for half in split:
                    means = [
                        sum(column) / len(column) if aggregate == "mean" else median(column)
                        for column in ([fractions[query][run] for query in half] for run in (i, j))
                    ]
                    names.append("neither" if means[0] == means[1] else i if means[0] > means[1] else j)
                    significant.append(scipy_p(test, values[half, i], values[half, j]) < level)
                if names[0] == names[1]:
                    kind = 0 if significant[0] == significant[1] else 1
                else:
                    kind = 2 if any(significant) else 1
                found = counts[test, aggregate]
                found[kind] += 1
                found[3] += any(significant)
                found[4] += names[0] != names[1]
                found[5] += "neither" in names
    return {combination: [count / cases for count in found] for combination, found in counts.items()}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("queries, runs, seed", [(7, 3, 0), (12, 3, 1), (61, 4, 2), (131, 3, 3)])
@pytest.mark.parametrize("level", [0.05, 0.3])
def test_a_plain_loop_with_scipy_says_the_same(queries, runs, seed, level):
    fractions = exact(random_ranks(queries, runs, seed))
    result = reliability(board(fractions), level=level, splits=6, seed=seed)
    expected = plain_shares(fractions, list(halves(queries, 6, seed)), level)
    found = {(line.test, line.aggregate): [getattr(line, name) for name in SHARES] for line in result.tests}
    assert found == expected


def test_scores_without_ties_too():
    fractions = [[Fraction(one) for one in row] for row in np.random.default_rng(5).random((45, 4)).tolist()]
    result = reliability(board(fractions), level=0.2, splits=6)
    expected = plain_shares(fractions, list(halves(45, 6, 0)), 0.2)
    assert [[getattr(line, name) for name in SHARES] for line in result.tests] == list(expected.values())


@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 99))
@settings(max_examples=25)
def test_shares_add_to_1_and_names_and_order_of_runs_do_not_count(queries, runs, seed):
    scores = board(exact(random_ranks(queries, runs, seed)))
    result = reliability(scores, level=0.2, splits=5, seed=seed)
    for line in result.tests:
        assert line.agree + line.partial + line.disagree == pytest.approx(1, abs=1e-12)
        assert all(0 <= getattr(line, name) <= 1 for name in SHARES)
        assert line.disagree <= min(line.different, line.significant)
    backward = reliability(board(scores.values[:, ::-1]), level=0.2, splits=5, seed=seed)
    lower_is_better = reliability(board(-scores.values), level=0.2, splits=5, seed=seed)
    assert backward.tests == lower_is_better.tests == result.tests


def test_runs_that_are_the_same_agree_and_are_tied():
    column = np.random.default_rng(0).random(30)
    for line in reliability(board(np.column_stack([column, column])), level=0.05, splits=9).tests:
        assert [getattr(line, name) for name in SHARES] == [1, 0, 0, 0, 0, 1]


def test_a_copy_in_another_order_is_tied_by_exact_sums():
    # 0.1 + 0.2 is not 0.3 in floats, and the sums of both columns are the same in each half.
    values = [[0.1, 0.3], [0.2, 0.0], [0.0, 0.0]] * 2
    both = [[0, 1, 2], [3, 4, 5]]
    seeds = [seed for seed in range(400) if sorted(half.tolist() for half in next(halves(6, 1, seed))) == both]
    assert seeds
    line = reliability(board(values), level=0.05, splits=1, seed=seeds[0]).tests[0]
    assert (line.tied, line.agree) == (1, 1)


def test_always_better_agrees_and_is_significant():
    values = np.random.default_rng(1).random((80, 1)) * 0.1 + np.array([0.0, 0.5])
    for line in reliability(board(values), level=0.05).tests:
        assert [getattr(line, name) for name in SHARES] == [1, 0, 0, 1, 0, 0]


def test_halves_of_an_odd_number_of_queries():
    first, second = next(halves(7, 1, 0))
    assert (len(first), len(second)) == (3, 4)
    assert sorted([*first, *second]) == list(range(7))
    assert [half.tolist() for half in next(halves(5, 1, 0))] == [[2, 3], [0, 1, 4]]  # the same on any machine


def test_every_split_is_another_and_more_splits_begin_alike():
    few, many = (tuple(tuple(half) for half, _ in halves(40, splits, 3)) for splits in (5, 50))
    assert many[:5] == few
    assert len(set(many)) == 50


def test_every_query_is_as_often_in_the_first_half():
    counts = np.bincount(np.concatenate([half for half, _ in halves(10, 4000, 0)]), minlength=10)
    assert stats.chisquare(counts).pvalue > 0.001


def test_seed_and_progress():
    scores = board(exact(random_ranks(31, 5, 4)))
    seen = []
    one = reliability(scores, level=0.05, splits=4, seed=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert one == reliability(scores, level=0.05, splits=4, seed=1)
    assert one != reliability(scores, level=0.05, splits=4, seed=2)
    assert (one.pairs, one.runs, one.queries, one.splits, one.level, one.seed) == (10, 5, 31, 4, 0.05, 1)


@pytest.mark.parametrize(
    "values, options, message",
    [
        ([[1.0, 2.0]], {}, "2 runs over 1 query; expected at least two of each"),
        ([[1.0], [2.0]], {}, "1 run over 2 queries"),
        ([[1.0, 2.0], [np.nan, 1.0]], {}, "1 scores of RR@10 are undefined"),
        ([[1.0, 2.0], [2.0, 1.0]], {"level": 5}, "level=5 cannot be used"),
        ([[1.0, 2.0], [2.0, 1.0]], {"level": 1.0}, "level=1.0 cannot be used"),
        ([[1.0, 2.0], [2.0, 1.0]], {"splits": 0}, "splits=0 cannot be used"),
        ([[1.0, 2.0], [2.0, 1.0]], {"seed": -1}, "seed=-1 cannot be used"),
        ([[1.0, 2.0], [2.0, 1.0]], {"seed": True}, "seed=True cannot be used"),
    ],
)
def test_bad_arguments(values, options, message):
    with pytest.raises(UsageError, match=message):
        reliability(board(values), **{"level": 0.05, **options})


@pytest.fixture(scope="module")
def real(shared_data):
    """TREC-8 ad hoc, 50 topics: per measure, 6 splits."""
    return {
        name: reliability(
            read_score_matrix(shared_data / "topic-scores" / f"adhoc8_{name}.csv", measure=name), level=0.05, splits=6
        )
        for name in ("ap", "rr")
    }  # fmt: skip


def test_on_real_scores_the_mean_repeats_more_often_than_the_median(real):
    for name, result in real.items():
        assert (result.runs, result.queries, result.pairs) == (129, 50, 8256)
        lines = {(line.test, line.aggregate): line for line in result.tests}
        for test in ("sign", "rank_sum", "signed_rank"):
            by_mean, by_median = lines[test, "mean"], lines[test, "median"]
            assert by_mean.disagree < by_median.disagree
            assert by_mean.significant == by_median.significant
            # More than half of the pairs have equal median RRs in a half: both halves then agree on neither run.
            assert by_mean.agree > by_median.agree or (name == "rr" and by_median.tied > 0.5)


def test_on_real_scores_a_half_of_25_topics_repeats_less_often_than_the_paper_says(real):
    # Craswell et al. 2021, Table 4: 90.8% to 94.9% agree by the mean, with some thousands of queries.
    agree = [line.agree for result in real.values() for line in result.tests if line.aggregate == "mean"]
    assert 0.55 < min(agree) < max(agree) < 0.8


@pytest.mark.parametrize("queries, block, stretch, cells", [
    (102, 23, 1 << 17, 1 << 20),
    (211, 40, 64, 1 << 20),
    (1031, 1000, 1 << 17, 400),  # a pair in several parts
    (1031, 10_000, 100, 16_000),  # several pairs at once
])  # fmt: skip
@pytest.mark.parametrize("kind", ["ranks", "far apart", "equal"])
def test_blocks_of_queries_do_not_change_a_bit(queries, block, stretch, cells, kind, monkeypatch):
    values = np.array(board(exact(random_ranks(queries, 4, 7))).values)
    if kind == "far apart":
        values[:, 1] = values[:, 0] + 2.0  # the same difference on all queries: t is computed from them
    values = np.ones_like(values) if kind == "equal" else values
    table = score_table(values)
    assert table is not None
    monkeypatch.setattr(_half_splits, "BLOCK_SCORES", block * 4)
    monkeypatch.setattr(_half_splits, "STRETCH", stretch)
    monkeypatch.setattr(_half_splits, "BACK_CELLS", cells)
    in_first = np.zeros((9, queries), dtype=bool)
    for split, (first, _) in enumerate(halves(queries, 9, 5)):
        in_first[split, first] = True
    counted = _half_splits.BlockCounts(values, table, splits=9, seed=5, spread=here)
    found = list(half_pairs_of_counts(counted, counted.scores()))
    for one, other in zip(found, half_pairs(values, in_first), strict=True):
        for name, p in other.p.items():
            assert one.p[name].tobytes() == p.tobytes()
    whole = reliability(board(values), level=0.05, splits=9, seed=5)
    assert reliability(board(values), level=0.05, splits=9, seed=5, spread=here) == whole


@pytest.mark.parametrize("held", [1, 3])
def test_blocks_are_away_some_at_a_time(held, monkeypatch):
    scores = board(exact(random_ranks(211, 4, 7)))
    whole = reliability(scores, level=0.05, splits=9, seed=5)
    monkeypatch.setattr(_half_splits, "BLOCK_SCORES", 100)
    monkeypatch.setattr(_half_splits, "BACK_CELLS", 500)
    monkeypatch.setattr(_half_splits, "HELD_SUMS", held)
    monkeypatch.setattr(_spread, "BLOCKS_AT_ONCE", 4)
    most = 0

    def watched(function, blocks, asked):
        nonlocal most
        most = max(most, len(blocks))
        return here(function, blocks, asked)

    assert reliability(scores, level=0.05, splits=9, seed=5, spread=watched) == whole
    assert most == 4


def many_values(queries: int, runs: int, seed: int):
    """Scores of many values, with ties in them and between runs."""
    generator = np.random.default_rng(seed)
    found = generator.random((queries, 1)) + generator.normal(0.0, 0.1, (queries, runs))
    return np.where(generator.random((queries, runs)) < 0.3, 0.0, np.round(found, 4))


@pytest.mark.parametrize("runs, tile, part", [(2, 8, 32), (5, 1, 32), (5, 2, 4), (5, 3, 1)])
def test_tiles_of_runs_do_not_change_a_bit(runs, tile, part, monkeypatch):
    scores = board(many_values(1203, runs, 1))
    assert score_table(scores.values) is None
    whole = reliability(scores, level=0.05, splits=9, seed=5)
    pairs = list(_half_splits.HalfTiles(scores.values, splits=9, seed=5, spread=here).pairs())
    monkeypatch.setattr(_half_splits, "TILE_RUNS", tile)
    monkeypatch.setattr(_half_splits, "LEAST_SPLITS", part)
    monkeypatch.setattr(_half_splits, "PART_SCORES", 0)
    monkeypatch.setattr(_spread, "BLOCKS_AT_ONCE", 2)
    away: list[int] = []

    def watched(function, blocks, asked):
        away.append(len(blocks))
        return here(function, blocks, asked)

    assert reliability(scores, level=0.05, splits=9, seed=5, spread=watched) == whole
    assert max(away) == min(2, -(-runs // tile))
    expected = p_of_every(pairs, 9)
    assert len(expected) == 9 * runs * (runs - 1) // 2
    assert p_of_every(_half_splits.HalfTiles(scores.values, splits=9, seed=5, spread=here).pairs(), 9) == expected


def p_of_every(found, splits):
    """The p-values of every split and pair, by their numbers."""
    return {
        (split, run, other): [one.p[test][:, place, pair].tobytes() for test in sorted(one.p)]
        for one in found
        for place, split in enumerate(range(splits)[one.splits])
        for pair, (run, other) in enumerate(zip(one.first.tolist(), one.second.tolist(), strict=True))
    }


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scores_of_many_values_as_a_plain_loop_with_scipy(monkeypatch):
    monkeypatch.setattr(_half_splits, "TILE_RUNS", 2)
    fractions = [[Fraction(one) for one in row] for row in many_values(611, 3, 4).tolist()]
    result = reliability(board(fractions), level=0.3, splits=3, seed=2)
    assert score_table(board(fractions).values) is None
    expected = plain_shares(fractions, list(halves(611, 3, 2)), 0.3)
    assert [[getattr(line, name) for name in SHARES] for line in result.tests] == list(expected.values())


def test_a_large_board_is_cut_by_itself(monkeypatch):
    scores = board(exact(random_ranks(150, 3, 1)))
    whole = reliability(scores, level=0.05, splits=5)
    monkeypatch.setattr(sys.modules["runoff.boards.reliability"], "AT_ONCE", 100)
    monkeypatch.setattr(sys.modules["runoff.boards.reliability"], "halves", None)
    assert reliability(scores, level=0.05, splits=5) == whole


@given(st.integers(2, 60), st.integers(0, 10**6), st.integers(1, 64), st.sampled_from([0, 47, 61, 63]))
def test_a_block_knows_its_halves_even_where_words_are_equal(queries, seed, stretch, coarse):
    words = _half_splits.words
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_half_splits, "STRETCH", stretch)
        patched.setattr(_half_splits, "words", lambda *asked: words(*asked) >> coarse << coarse)
        ((first, _),) = halves(queries, 1, seed)
        edges = _half_splits.edge_of(_half_splits.Splitting(queries, seed), 0)[None, :]
        found = [_half_splits.in_first(edges, range(1), query, query + 1, seed)[0, 0] for query in range(queries)]
    assert np.flatnonzero(found).tolist() == first.tolist()
