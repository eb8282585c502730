"""From evidence to verdicts: identical runs, mirrored runs, tests that disagree, families."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.measures import ESL
from runoff.significance import PairedT
from runoff.verdicts import POLICY_CORRECTIONS, PairEvidence, Policy, judge
from tests.verdicts.cases import evidence_of, rank_pairs, repeated, serps_at, verdict_at, verdict_on_scores

MIRROR = {"better": "worse", "worse": "better", "trade-off": "trade-off", "inconclusive": "inconclusive"}
FACETS = ("measure", "answered", "earlier", "ipso")
policies = st.builds(
    Policy,
    alpha=st.sampled_from([0.05, 0.2]),
    esl_test=st.sampled_from(["signed_rank", "t"]),
    measure_test=st.sampled_from(["t", "signed_rank", "sign"]),
)
# Mean ESL says later by one large difference, signed rank says earlier by many small ones.
DISAGREE = repeated({(3, 2): 20, (1, 10): 3})
# The same with mean ESLs that are exactly equal.
BALANCED = repeated({(3, 2): 18, (1, 10): 2})


@given(rank_pairs(), policies)
def test_identical_runs(pair, policy):
    verdict = verdict_at(pair[0], pair[0], policy=policy)
    assert (verdict.strict, verdict.do_no_harm, verdict.marks) == ("inconclusive", "inconclusive", "")
    for name in FACETS:
        facet = getattr(verdict, name)
        assert (facet.p, facet.direction, facet.significant) == (1.0, 0, False)


@given(rank_pairs(), policies)
def test_swapping_the_runs_mirrors_everything(pair, policy):
    there, back = verdict_at(*pair, policy=policy), verdict_at(*pair[::-1], policy=policy)
    assert there.strict is not None
    assert there.do_no_harm is not None
    assert (back.strict, back.do_no_harm) == (MIRROR[there.strict], MIRROR[there.do_no_harm])
    assert back.marks == there.marks
    for name in FACETS:
        one, other = getattr(there, name), getattr(back, name)
        # Means that differ by less than they are rounded may lean either way; the test then has p = 1.
        assert other.direction == -one.direction or min(one.p, other.p) > 0.999
        assert other.p == pytest.approx(one.p, rel=1e-9)
        assert (other.is_ahead, other.is_behind) == (one.is_behind, one.is_ahead)


def test_a_mean_and_a_test_that_disagree_show_nothing():
    verdict = verdict_at(*DISAGREE)
    assert verdict.earlier is not None
    assert verdict.earlier.p < 0.05
    assert (verdict.earlier.direction, verdict.earlier.agrees, verdict.earlier.significant) == (-1, False, False)
    assert verdict.do_no_harm == "inconclusive"
    assert "the mean rank and the test do not agree on who is earlier" in verdict.sentence


def test_equal_means_show_nothing_whatever_the_test_says():
    verdict = verdict_at(*BALANCED)
    assert verdict.earlier is not None
    assert verdict.earlier.p < 0.05
    assert (verdict.earlier.direction, verdict.earlier.significant) == (0, False)
    assert "the mean rank and the test do not agree on who is earlier (mean rank 2.80 against 2.80" in verdict.sentence


def test_t_on_esl_is_asked_where_the_policy_says_so():
    verdict = verdict_at(*DISAGREE, policy=Policy(esl_test="t"))
    assert verdict.earlier is not None
    expected = PairedT().compare(*DISAGREE)
    assert (verdict.earlier.raw_p, verdict.earlier.agrees) == (expected.p, True)


def test_no_query_answered_by_both():
    verdict = verdict_at(*repeated({(0, 1): 12, (1, 0): 1, (0, 0): 5}))
    assert verdict.earlier is not None
    assert (verdict.earlier.p, verdict.earlier.direction) == (1.0, 0)
    assert (verdict.strict, verdict.do_no_harm) == ("inconclusive", "better")


def test_a_low_measure_that_falls_is_better():
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9, (3, 2): 9}))
    scores = ESL().values(champion), ESL().values(challenger)
    evidence = replace(
        evidence_of(champion, challenger),
        measure="ESL",
        means=(float(scores[0].mean()), float(scores[1].mean())),
        best_is_low=True,
        test=PairedT().compare(*scores),
    )
    verdict = judge([evidence], Policy())[0]
    assert verdict.measure.is_ahead
    assert "mean ESL is better (1.5000 against 3.5000, -2.0000; t test, p < 0.0001)" in verdict.sentence


@given(st.lists(rank_pairs(max_queries=12), min_size=2, max_size=4), st.sampled_from(POLICY_CORRECTIONS))
def test_a_family_only_weakens(pairs, correction):
    policy = Policy(correction=correction, alpha=0.2)
    evidence = [evidence_of(*(serps_at(ranks) for ranks in pair)) for pair in pairs]
    together = judge(evidence, policy)
    for one, verdict in zip(evidence, together, strict=True):
        alone = judge([one], policy)[0]
        for name in FACETS:
            before, after = getattr(alone, name), getattr(verdict, name)
            assert after.p >= before.p
            assert after.significant <= before.significant
        assert set(verdict.marks) <= set(alone.marks)
        if verdict.strict in ("better", "worse"):
            assert alone.strict == verdict.strict


def test_each_facet_is_a_family_of_its_own():
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9, (0, 2): 9, (1, 1): 3}))
    verdicts = judge([evidence_of(champion, challenger), evidence_of(champion, champion)], Policy())
    names = [str(getattr(verdicts[0], name).family) for name in FACETS]
    assert names == [
        "t test of RR@10 of 2 challengers (2 p-values)",
        "answered queries of 2 challengers (2 p-values)",
        "ESL of 2 challengers (2 p-values)",
        "IPSO sign test of 2 challengers (2 p-values)",
    ]
    for name in FACETS:
        facet = getattr(verdicts[0], name)
        assert facet.p == pytest.approx(2 * facet.raw_p)


def test_verdicts_stand_in_the_order_of_the_evidence():
    champion = serps_at([4] * 12)
    runs = [serps_at([rank] * 12) for rank in (1, 4, 9)]
    verdicts = judge([evidence_of(champion, run) for run in runs], Policy())
    assert [verdict.do_no_harm for verdict in verdicts] == ["better", "inconclusive", "worse"]


def test_no_evidence_gives_no_verdicts():
    assert judge([], Policy()) == ()


def test_a_correction_can_take_a_verdict_away():
    pair = repeated({(0, 1): 8, (1, 0): 1, (1, 1): 20})
    assert verdict_at(*pair).do_no_harm == "better"  # p = 0.039
    evidence = evidence_of(*(serps_at(ranks) for ranks in pair))
    assert [one.do_no_harm for one in judge([evidence] * 2, Policy())] == ["inconclusive"] * 2
    assert [one.do_no_harm for one in judge([evidence] * 2, Policy(correction="none"))] == ["better"] * 2


def test_evidence_of_both_kinds_is_judged_together():
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9}))
    whole = evidence_of(champion, challenger)
    scores = PairEvidence(
        champion="a", challenger="b", queries=9, measure="RR@10", means=whole.means, best_is_low=False, test=whole.test
    )
    first, second = judge([whole, scores], Policy())
    assert first.do_no_harm == "better"
    assert second.do_no_harm is None
    assert second.family_size == 2


def test_scores_may_be_arrays():
    verdict = verdict_on_scores(np.zeros(20), np.linspace(0.1, 0.2, 20))
    assert verdict.marks == "†"
