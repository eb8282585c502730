"""How all pairs of a board differ: the same as each pair by itself with Holm by a plain loop, and mirrored."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.comparisons import outcome_tests, outcomes
from runoff.verdicts import Policy, all_pair_facets
from tests.verdicts.cases import DEPTH, list_boards, serps_at, serps_with

policies = st.builds(
    Policy,
    alpha=st.sampled_from([0.05, 0.3]),
    correction=st.sampled_from(["none", "holm", "bonferroni"]),
    esl_test=st.sampled_from(["signed_rank", "t"]),
    sooner=st.sampled_from(["ranks", "reciprocal_ranks"]),
)


def holm(p):
    """The i-th smallest of m times m + 1 - i, never falling, at most 1."""
    corrected, highest = [0.0] * len(p), 0.0
    for step, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, (len(p) - step) * p[place])
        corrected[place] = min(highest, 1.0)
    return corrected


def single(champion, challenger, policy):
    """For one pair, p and side of more and of sooner; the side is 0 where the mean and the test disagree."""
    found = outcomes(champion, challenger, cutoff=DEPTH)
    tests = outcome_tests(found)
    theirs, mine = found.queries_more
    more = tests.more.p, np.sign(mine - theirs)
    facet = tests.esl if policy.sooner == "ranks" else tests.rr
    if facet is None:
        return more, (1.0, 0)
    test = getattr(facet, policy.esl_test)
    sign = -1 if policy.sooner == "ranks" else 1
    means = found.esl if policy.sooner == "ranks" else found.rr
    lead = 0.0 if abs(means.difference) < 1e-12 else sign * means.difference
    return more, (test.p, np.sign(lead) if np.sign(lead) == sign * test.favours else 0)


@settings(max_examples=40)
@given(list_boards(), policies)
def test_equals_each_pair_by_itself_with_a_plain_correction(board, policy):
    pairs = list(itertools.combinations(range(len(board)), 2))
    found = [facet for i, j in pairs for facet in single(board[i], board[j], policy)]
    raw = [p for p, _ in found]
    corrected = {"none": list, "holm": holm, "bonferroni": lambda p: [min(len(p) * one, 1.0) for one in p]}
    expected = corrected[policy.correction](raw)
    result = all_pair_facets(board, cutoff=DEPTH, policy=policy)
    for place, (i, j) in enumerate(pairs):
        for name, at in (("more", 2 * place), ("sooner", 2 * place + 1)):
            p, side = expected[at], found[at][1]
            assert getattr(result, f"{name}_p")[i, j] == pytest.approx(p, rel=1e-9)
            if abs(p - policy.alpha) > 1e-9:
                assert getattr(result, name)[i, j] == (side if p < policy.alpha else 0)


@settings(max_examples=40)
@given(list_boards(), policies, st.randoms(use_true_random=False))
def test_swapping_runs_mirrors_and_their_order_changes_nothing(board, policy, random):
    one = all_pair_facets(board, cutoff=DEPTH, policy=policy)
    for name in ("more", "sooner"):
        assert (getattr(one, name) == -getattr(one, name).T).all()
        assert (getattr(one, f"{name}_p") == getattr(one, f"{name}_p").T).all()
        assert (getattr(one, f"{name}_p").diagonal() == 1.0).all()
    order = random.sample(range(len(board)), len(board))
    other = all_pair_facets([board[place] for place in order], cutoff=DEPTH, policy=policy)
    opposite = {"more": "fewer", "fewer": "more", "sooner": "later", "later": "sooner"}
    for first, second in itertools.permutations(one.runs, 2):
        assert one.how(first, second) == other.how(first, second)
        assert one.how(second, first) == tuple(opposite[word] for word in one.how(first, second))


def test_the_family_is_both_facets_of_all_pairs():
    board = [serps_at([rank] * 12, run=f"r{rank}") for rank in (1, 2, 3, 4)]
    result = all_pair_facets(board, cutoff=DEPTH, policy=Policy())
    assert str(result.family) == "more and sooner of 6 pairs (12 p-values)"
    assert all_pair_facets(board, cutoff=DEPTH, policy=Policy(correction="none")).family is None


def test_a_correction_can_take_words_away():
    # Eight queries on which one run finds more, one on which the other does: p = 0.039.
    board = [serps_at([0] * 8 + [1] * 21, run="old"), serps_at([1] * 8 + [0] + [1] * 20, run="new")]
    assert all_pair_facets(board, cutoff=DEPTH, policy=Policy(correction="none")).how("new", "old") == ("more",)
    assert all_pair_facets(board, cutoff=DEPTH, policy=Policy()).how("new", "old") == ()


def test_a_mean_against_its_test_shows_nothing():
    # Sooner by one rank on twenty queries, later by nine on three: the signed rank test and the mean disagree.
    board = [serps_at([3] * 20 + [1] * 3, run="old"), serps_at([2] * 20 + [10] * 3, run="new")]
    result = all_pair_facets(board, cutoff=DEPTH, policy=Policy())
    assert result.sooner_p[0, 1] < 0.05
    assert result.how("new", "old") == result.how("old", "new") == ()


def test_reciprocal_ranks_can_say_the_opposite_of_ranks():
    # From rank 2 to 1 on fifteen queries, from 6 to 10 on fifteen: ranks are later on average, reciprocal ranks higher.
    board = [serps_with([(2,)] * 15 + [(6,)] * 15, run="old"), serps_with([(1,)] * 15 + [(10,)] * 15, run="new")]
    by_rank = all_pair_facets(board, cutoff=DEPTH, policy=Policy(esl_test="t"))
    by_rr = all_pair_facets(board, cutoff=DEPTH, policy=Policy(esl_test="t", sooner="reciprocal_ranks"))
    assert (by_rank.how("new", "old"), by_rr.how("new", "old")) == (("later",), ("sooner",))


def test_frozen():
    result = all_pair_facets([serps_at([1, 2]), serps_at([2, 1], run="b")], cutoff=DEPTH, policy=Policy())
    with pytest.raises(ValueError, match="read-only"):
        result.more[0, 1] = 1


def test_means_that_are_equal_up_to_rounding_are_equal():
    # A third of a rank sooner on 27 queries, three ranks later on three: means of 2.3 and 2.3, and p = 0.003.
    old = serps_with([(1, 2, 4)] * 27 + [(1, 2, 3)] * 3, run="old")
    new = serps_with([(1, 2, 3)] * 27 + [(3, 5, 7)] * 3, run="new")
    assert all_pair_facets([old, new], cutoff=DEPTH, policy=Policy()).how("new", "old") == ()
