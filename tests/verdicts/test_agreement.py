"""Agreement over all pairs: the same as deciding every pair by itself, and what the corrections change."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import ipso, ipso_all_pairs
from runoff.errors import UsageError
from runoff.measures import RR
from runoff.significance import CORRECTIONS, SIGNIFICANCE_TESTS, Family, correct, signed_rank_all_pairs, t_all_pairs
from runoff.verdicts import AGREEMENTS, PairTests, Policy, agreement
from tests.verdicts.cases import DEPTH, serps_at

ALPHAS = (0.001, 0.05, 0.2, 0.9)
CHOICES = ("none", *CORRECTIONS)


def pair_tests(p, favours, name="t test"):
    return PairTests(name=name, p=np.array(p, dtype=float), favours=np.array(favours, dtype=np.int8))


def word(measure_yes, ipso_yes, same):
    if measure_yes and ipso_yes:
        return "both_yes" if same else "opposite"
    return "measure_only" if measure_yes else "ipso_only" if ipso_yes else "both_no"


# p-values that often are exactly the level, which is not below it.
sides = st.sampled_from([-1, 0, 1])
p_values = st.one_of(st.sampled_from([1e-9, 0.001, 0.01, 0.05, 0.2, 1.0]), st.floats(0, 1))
lines = st.lists(st.tuples(p_values, sides, p_values, sides), min_size=1, max_size=30)


@given(lines, st.sampled_from(ALPHAS), st.sampled_from(CHOICES))
def test_equals_a_loop_over_the_pairs(pairs, alpha, correction):
    measure_p, measure_side, ipso_p, ipso_side = zip(*pairs, strict=True)
    policy = Policy(alpha=alpha, correction=correction)
    result = agreement(pair_tests(measure_p, measure_side), pair_tests(ipso_p, ipso_side, "IPSO"), policy)
    if correction != "none":
        family = Family("all", len(pairs))
        measure_p, ipso_p = (correct(p, correction=correction, family=family).p.tolist() for p in (measure_p, ipso_p))
    expected = [
        word(one < alpha, other < alpha, side == vote)
        for one, side, other, vote in zip(measure_p, measure_side, ipso_p, ipso_side, strict=True)
    ]
    assert [AGREEMENTS[kind] for kind in result.found] == expected
    assert {name: count for name, count in result.counts.items() if count} == Counter(expected)
    assert sum(result.shares.values()) == pytest.approx(1)
    assert (result.family is None) == (correction == "none")


@given(lines, st.sampled_from(CHOICES))
def test_swapping_all_pairs_or_both_tests_mirrors(pairs, correction):
    measure_p, measure_side, ipso_p, ipso_side = (np.array(column) for column in zip(*pairs, strict=True))
    policy = Policy(correction=correction)
    one = agreement(pair_tests(measure_p, measure_side), pair_tests(ipso_p, ipso_side), policy).counts
    assert agreement(pair_tests(measure_p, -measure_side), pair_tests(ipso_p, -ipso_side), policy).counts == one
    other = agreement(pair_tests(ipso_p, ipso_side), pair_tests(measure_p, measure_side), policy).counts
    assert other == {**one, "measure_only": one["ipso_only"], "ipso_only": one["measure_only"]}


@given(lines)
def test_a_lower_level_says_yes_less_often(pairs):
    measure_p, measure_side, ipso_p, ipso_side = zip(*pairs, strict=True)
    counts = [
        agreement(pair_tests(measure_p, measure_side), pair_tests(ipso_p, ipso_side), Policy(alpha=alpha)).counts
        for alpha in ALPHAS
    ]
    yes = [one["both_yes"] + one["opposite"] for one in counts]
    assert yes == sorted(yes)
    assert [one["both_no"] for one in counts] == sorted((one["both_no"] for one in counts), reverse=True)


@pytest.mark.parametrize("kernel", [t_all_pairs, signed_rank_all_pairs])
def test_a_board_pair_by_pair(kernel):
    rng = np.random.default_rng(5)
    board = [serps_at(rng.integers(0, high, 60), run=f"run {high}") for high in (3, 4, 6, 9, 11)]
    scores = np.column_stack([RR(cutoff=DEPTH).values(run) for run in board])
    table, vote = kernel(scores), ipso_all_pairs(board, depth=DEPTH)
    places = np.triu_indices(len(board), 1)
    result = agreement(
        PairTests(name=table.name, p=table.p[places], favours=table.favours[places]),
        PairTests(name="IPSO", p=vote.sign_p[places], favours=np.sign(vote.ns - vote.ni)[places].astype(np.int8)),
        Policy(correction="none"),
    )
    by_name = {test.name: test for test in SIGNIFICANCE_TESTS}
    expected = []
    for i, j in itertools.combinations(range(len(board)), 2):
        one = by_name[table.name].compare(scores[:, i], scores[:, j])
        other = ipso(board[i], board[j], depth=DEPTH).at_depth
        expected.append(word(one.p < 0.05, other.sign_p < 0.05, one.favours == np.sign(other.ns - other.ni)))
    assert [AGREEMENTS[kind] for kind in result.found] == expected
    assert len(set(expected)) > 1


def test_opposite_is_counted_by_itself():
    """Many small wins outvote few large losses: the vote and the mean point to different runs."""
    few, many = [1] * 12 + [4] * 60, [0] * 12 + [3] * 60
    board = [serps_at(few, run="few"), serps_at(many, run="many")]
    vote = ipso_all_pairs(board, depth=DEPTH)
    scores = np.column_stack([RR(cutoff=DEPTH).values(run) for run in board])
    table = t_all_pairs(scores)
    assert scores.mean(axis=0)[0] > scores.mean(axis=0)[1]
    assert (vote.ni[0, 1], vote.ns[0, 1]) == (12, 60)
    pair = pair_tests([table.p[0, 1]], [table.favours[0, 1]]), pair_tests([vote.sign_p[0, 1]], [1])
    result = agreement(*pair, Policy())
    assert result.counts == {"both_yes": 0, "both_no": 0, "measure_only": 0, "ipso_only": 0, "opposite": 1}


@pytest.mark.parametrize("p, side", [([0.1], [1, 1]), ([], []), ([[0.1]], [[1]])])
def test_arrays_that_do_not_fit(p, side):
    with pytest.raises(UsageError, match="expected one p and one side for each pair"):
        agreement(pair_tests(p, side), pair_tests(p, side), Policy())


def test_frozen():
    result = agreement(pair_tests([0.1], [1]), pair_tests([0.1], [1]), Policy(correction="holm"))
    with pytest.raises(ValueError, match="read-only"):
        result.found[0] = 1
    assert str(result.family) == "each test on all 1 pairs (1 p-value)"
