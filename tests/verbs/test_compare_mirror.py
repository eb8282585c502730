"""Swapping champion and challenger mirrors everything that is said of the challenger."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff import CompareOptions, Policy
from tests.verbs.comparisons import compare, comparison_of, comparison_of_several, trade_off
from tests.verbs.real_boards import deep_learning_runs, named

MIRRORED = {"better": "worse", "trade-off": "trade-off", "inconclusive": "inconclusive", "more": "fewer"}
MIRRORED |= {"sooner": "later"}
MIRRORED |= {after: before for before, after in MIRRORED.items()}
QUESTION = CompareOptions(measures="RR@10", trials=50)


def mirrored(word):
    """A word of a verdict, said of the other run."""
    first, _, rest = word.partition(" by ")
    if rest:  # such as "better by nDCG@10"
        return f"{MIRRORED[first]} by {rest}"
    return MIRRORED.get(word, word)


def check_mirror(one, other):
    """All that two comparisons of the same runs say, each run being the challenger once."""
    assert one.means.difference == -other.means.difference
    assert (one.means.champion, one.means.challenger) == (other.means.challenger, other.means.champion)
    for test, mirror in zip(one.tests, other.tests, strict=True):
        assert test.p == pytest.approx(mirror.p, rel=1e-9), test.name
        assert test.effect - test.no_effect == pytest.approx(mirror.no_effect - mirror.effect, abs=1e-12), test.name
    mine, theirs = one.to_dict(), other.to_dict()
    check_verdicts(mine, theirs)
    check_outcomes(mine["outcomes"], theirs["outcomes"])
    if mine["ipso"] is None:
        assert theirs["ipso"] is None
    else:
        assert mine["ipso"]["champion_favoured"] == theirs["ipso"]["challenger_favoured"]
        assert mine["ipso"]["sign_p_range"] == theirs["ipso"]["sign_p_range"]


def check_verdicts(mine, theirs):
    for rule in ("overall", "strict", "do_no_harm"):
        assert mine["verdict"][rule] == MIRRORED[theirs["verdict"][rule]], rule
    assert mine["verdict"]["how"] == [mirrored(word) for word in theirs["verdict"]["how"]]
    assert mine["verdict"]["marks"] == theirs["verdict"]["marks"]
    for name, facet in mine["facets"].items():
        back = theirs["facets"][name]
        assert facet["direction"] == -back["direction"], name
        assert facet["difference"] == pytest.approx(-back["difference"], abs=1e-12), name
        assert (facet["p"], facet["p_corrected"]) == pytest.approx((back["p"], back["p_corrected"]), rel=1e-9), name
        assert facet["ci95"] == pytest.approx([-end for end in reversed(back["ci95"])], abs=1e-12), name
    assert [change["ci95"] for change in mine["break_even"]] == [change["ci95"] for change in theirs["break_even"]]
    assert [change["results"] for change in mine["break_even"]] == pytest.approx(
        [change["results"] for change in theirs["break_even"]]
    )


def check_outcomes(found, back):
    for name in ("neither", "both", "unanswerable", "several_relevant"):
        assert found[name] == back[name]
    assert (found["champion_only"], found["challenger_only"]) == (back["challenger_only"], back["champion_only"])
    assert found["shares"]["champion_only"] == back["shares"]["challenger_only"]
    assert list(found["queries_more"].values()) == list(back["queries_more"].values())[::-1]
    assert found["binomial_p"] == back["binomial_p"]
    for facet in ("esl", "rr"):
        np.testing.assert_equal(found[facet]["champion"], back[facet]["challenger"])
        for p in ("signed_rank_p", "t_p"):
            one_p, other_p = (math.nan if side[facet][p] is None else side[facet][p] for side in (found, back))
            assert one_p == pytest.approx(other_p, rel=1e-9, nan_ok=True)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 1, 2, 5, 9]), st.sampled_from([0, 1, 2, 2, 9])), min_size=1, max_size=40)
)
def test_of_one_relevant_document_per_query(ranks):
    first, second = zip((1, 2), *ranks, strict=True)
    check_mirror(comparison_of(first, second, options=QUESTION), comparison_of(second, first, options=QUESTION))


ranks_of_query = st.lists(st.integers(1, 10), max_size=4, unique=True).map(sorted)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(ranks_of_query, ranks_of_query, st.integers(0, 2)), min_size=1, max_size=25),
    st.sampled_from(["ranks", "reciprocal_ranks"]),
)
def test_of_several_relevant_documents(queries, sooner):
    """Also where nobody can answer, and where more is relevant than found."""
    lists = [([1], [2], 1), *((one, other, max(len(one), len(other)) + more) for one, other, more in queries)]
    first, second, relevant = zip(*lists, strict=True)
    question, policy = CompareOptions(measures="nDCG@10", trials=50), Policy(sooner=sooner)
    there = comparison_of_several(first, second, relevant=relevant, options=question, policy=policy)
    back = comparison_of_several(second, first, relevant=relevant, options=question, policy=policy)
    check_mirror(there, back)


def test_of_a_trade_off():
    there, back = trade_off(measures="nDCG@10"), trade_off(measures="nDCG@10", swapped=True)
    assert there.outcome == back.outcome == "trade-off"
    check_mirror(there, back)
    assert [change.challenger_above for change in there.break_even.changes] == [True]
    assert [change.challenger_above for change in back.break_even.changes] == [False]
    np.testing.assert_allclose(there.break_even.saved, -back.break_even.saved)


@pytest.mark.parametrize("challenger", ["p_bm25", "p_f10_mt53b", "yorku21_a", "pash_f3"])
def test_of_real_runs(shared_data, challenger):
    runs, qrels = deep_learning_runs(shared_data)
    pair = named(runs, "pash_f1"), named(runs, challenger)
    question = CompareOptions(measures="nDCG@10", trials=50)
    check_mirror(*(compare(*one, qrels, options=question) for one in (pair, pair[::-1])))
