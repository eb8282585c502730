"""From evidence to verdicts: identical runs, mirrored runs, tests that disagree, families."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.choices import POLICY_CORRECTIONS
from runoff.comparisons import FacetMeans
from runoff.measures import ESL
from runoff.significance import Family, PairedT, correct
from runoff.verdicts import PairEvidence, Policy, judge
from tests.verdicts.cases import (
    MIRROR,
    evidence_of,
    list_boards,
    rank_pairs,
    repeated,
    serps_at,
    serps_with,
    verdict_at,
    verdict_on_scores,
)

FACETS = ("measure", "more", "sooner", "ipso")
policies = st.builds(
    Policy,
    alpha=st.sampled_from([0.05, 0.2]),
    esl_test=st.sampled_from(["signed_rank", "t"]),
    sooner=st.sampled_from(["ranks", "reciprocal_ranks"]),
    measure_test=st.sampled_from(["t", "signed_rank", "sign"]),
)
# The mean search length says later by three large differences, signed rank says sooner by many small ones.
DISAGREE = repeated({(3, 2): 26, (1, 10): 3})
# The same with mean search lengths that are exactly equal.
BALANCED = repeated({(3, 2): 18, (1, 10): 2})


@given(rank_pairs(), policies)
def test_identical_runs(pair, policy):
    verdict = verdict_at(pair[0], pair[0], policy=policy)
    assert (verdict.overall, verdict.how) == ("inconclusive", ())
    assert (verdict.strict, verdict.do_no_harm, verdict.marks) == ("inconclusive", "inconclusive", "")
    for name in FACETS:
        facet = getattr(verdict, name)
        assert (facet.p, facet.direction, facet.significant, facet.difference) == (1.0, 0, False, 0.0)


OPPOSITE = {"more": "fewer", "fewer": "more", "sooner": "later", "later": "sooner", "by RR@10 alone": "by RR@10 alone",
            "better by RR@10": "worse by RR@10", "worse by RR@10": "better by RR@10"}  # fmt: skip


def check_mirrored(there, back):
    """Two verdicts on the same runs, the one's champion being the other's challenger."""
    for rule in ("overall", "strict", "do_no_harm"):
        assert getattr(back, rule) == MIRROR[getattr(there, rule)]
    assert back.marks == there.marks
    assert back.how == tuple(OPPOSITE[word] for word in there.how)
    for name in FACETS:
        one, other = getattr(there, name), getattr(back, name)
        # Means that differ by less than they are rounded may lean either way; the test then has p = 1.
        assert other.direction == -one.direction or min(one.p, other.p) > 0.999
        assert other.p == pytest.approx(one.p, rel=1e-9)
        assert other.shown == -one.shown
        assert other.difference == pytest.approx(-one.difference)
        assert other.ci95 == pytest.approx(tuple(-end for end in one.ci95[::-1]))


@given(rank_pairs(), policies)
def test_swapping_the_runs_mirrors_everything(pair, policy):
    check_mirrored(verdict_at(*pair, policy=policy), verdict_at(*pair[::-1], policy=policy))


@given(list_boards(max_runs=2, max_queries=30), policies)
def test_swapping_runs_of_several_relevant_documents_mirrors_everything(board, policy):
    one, other = board
    there, back = (judge([evidence_of(*runs, policy)], policy)[0] for runs in ((one, other), (other, one)))
    check_mirrored(there, back)


def test_a_mean_and_a_test_that_disagree_show_nothing():
    verdict = verdict_at(*DISAGREE)
    assert verdict.sooner is not None
    assert verdict.sooner.p < 0.05
    assert (verdict.sooner.direction, verdict.sooner.agrees, verdict.sooner.significant) == (-1, False, False)
    assert verdict.do_no_harm == "inconclusive"
    assert "sooner" not in verdict.how
    assert "the mean search length of what both find and its test disagree on which run is sooner" in verdict.sentence


def test_equal_means_show_nothing_whatever_the_test_says():
    verdict = verdict_at(*BALANCED)
    assert verdict.sooner is not None
    assert verdict.sooner.p < 0.05
    assert (verdict.sooner.direction, verdict.sooner.significant) == (0, False)
    assert "its test disagree on which run is sooner (mean search length 2.80 against 2.80" in verdict.sentence


def test_means_that_are_equal_up_to_rounding_show_nothing():
    # A third of a rank sooner on 30 queries, five ranks later on two: means of 7/3 and 7/3, and p < 0.001.
    old = serps_with([(1, 2, 4)] * 30 + [(1, 2, 4)] * 2, run="old")
    new = serps_with([(1, 2, 3)] * 30 + [(6, 7, 9)] * 2, run="new")
    verdict = judge([evidence_of(old, new)], Policy())[0]
    assert verdict.sooner is not None
    assert verdict.sooner.direction == 0


def test_t_of_sooner_is_asked_where_the_policy_says_so():
    verdict = verdict_at(*DISAGREE, policy=Policy(esl_test="t"))
    assert verdict.sooner is not None
    expected = PairedT().compare(*DISAGREE)
    assert (verdict.sooner.raw_p, verdict.sooner.agrees) == (expected.p, True)


def test_reciprocal_ranks_are_asked_where_the_policy_says_so():
    # From rank 2 to 1 fifteen times, from 6 to 10 fifteen times: later by ranks, sooner by reciprocal ranks.
    champion, challenger = repeated({(2, 1): 15, (6, 10): 15})
    by_rank = verdict_at(champion, challenger, policy=Policy(esl_test="t")).sooner
    by_rr = verdict_at(champion, challenger, policy=Policy(esl_test="t", sooner="reciprocal_ranks"))
    gains = 1 / np.array(challenger) - 1 / np.array(champion)
    assert by_rank is not None
    assert by_rr.sooner is not None
    assert (by_rank.shown, by_rr.sooner.shown) == (-1, 1)
    assert by_rank.difference == pytest.approx(-1.5)
    assert by_rr.sooner.difference == pytest.approx(gains.mean())
    p = stats.ttest_1samp(gains, 0).pvalue
    assert by_rr.sooner.raw_p == pytest.approx(p)
    assert by_rr.sooner.ci95 == pytest.approx(tuple(stats.ttest_1samp(gains, 0).confidence_interval()))
    # The measure is RR, too, so the smallest p is there twice: Holm takes both times three.
    numbers = f"mean reciprocal rank 0.5500 against 0.3333; p = {3 * p:.4f}"
    assert f"it finds sooner what both find ({numbers})" in by_rr.sentence


def test_no_query_of_which_both_find_a_document():
    verdict = verdict_at(*repeated({(0, 1): 12, (1, 0): 1, (0, 0): 5}))
    assert verdict.sooner is not None
    assert (verdict.sooner.p, verdict.sooner.direction) == (1.0, 0)
    assert (verdict.overall, verdict.how) == ("better", ("more",))
    assert (verdict.strict, verdict.do_no_harm) == ("inconclusive", "better")


def test_a_low_measure_that_falls_is_better():
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9, (3, 2): 9}))
    scores = ESL().values(champion), ESL().values(challenger)
    test = PairedT().compare(*scores)
    evidence = replace(
        evidence_of(champion, challenger),
        measure="ESL",
        means=FacetMeans(champion=float(scores[0].mean()), challenger=float(scores[1].mean())),
        best_is_low=True,
        test=test,
        difference_ci95=test.effect_ci95,
    )
    verdict = judge([evidence], Policy())[0]
    assert verdict.measure.shown > 0
    assert verdict.measure.difference == 2.0
    low, high = test.effect_ci95
    assert verdict.measure.ci95 == (-high, -low)
    assert "mean ESL is better (1.5000 against 3.5000, -2.0000; t test, p < 0.0001)" in verdict.sentence


def test_differences_and_intervals_above_zero_favour_the_challenger():
    # Of 40 queries that can be answered, 12 are won and 2 lost; both answer 20, four ranks sooner on average.
    champion, challenger = repeated({(0, 3): 12, (3, 0): 2, (7, 2): 16, (3, 3): 4, (0, 0): 6})
    verdict = verdict_at(champion, challenger)
    more, sooner, measure = verdict.more, verdict.sooner, verdict.measure
    assert more is not None
    assert sooner is not None
    assert more.difference == pytest.approx((12 - 2) / 40)
    share = stats.binomtest(12, 14).proportion_ci(0.95)
    assert more.ci95 == pytest.approx((14 * (2 * share.low - 1) / 40, 14 * (2 * share.high - 1) / 40))
    ranks = np.array([5.0] * 16 + [0.0] * 4)
    assert sooner.difference == pytest.approx(4.0)
    assert sooner.ci95 == pytest.approx(tuple(stats.ttest_1samp(ranks, 0).confidence_interval()))
    rr = [np.array([1 / rank if rank else 0.0 for rank in one]) for one in (champion, challenger)]
    assert measure.difference == pytest.approx(rr[1].mean() - rr[0].mean())
    assert measure.ci95 == pytest.approx(tuple(stats.ttest_rel(rr[1], rr[0]).confidence_interval()))
    for facet in (more, sooner, measure):
        assert facet.ci95[0] <= facet.difference <= facet.ci95[1]
        assert facet.ci95[0] > 0  # as all three are significant, whatever the correction
        assert facet.shown > 0


@given(list_boards(max_runs=2, max_queries=30), policies)
def test_a_difference_is_within_its_interval(board, policy):
    verdict = judge([evidence_of(board[0], board[1], policy)], policy)[0]
    for facet in verdict.facets.values():
        low, high = facet.ci95
        assert low - 1e-12 <= facet.difference <= high + 1e-12


def test_queries_without_a_relevant_document_are_left_out():
    pairs = repeated({(0, 3): 9, (3, 0): 1, (4, 2): 20})
    champion, challenger = (serps_at(ranks) for ranks in pairs)
    judged = np.vstack([champion.judged, np.zeros((30, 2), dtype=np.int64)])

    def longer(serps):
        """With thirty queries more, of which nobody can find anything."""
        return replace(
            serps,
            query_ids=tuple(f"q{number}" for number in range(60)),
            grades=np.vstack([serps.grades, np.zeros((30, serps.depth), dtype=np.int8)]),
            retrieved=np.full(60, serps.depth, dtype=np.int64),
            judged=judged.copy(),
            depth_tied=np.zeros(60, dtype=np.bool_),
        )

    short = judge([evidence_of(champion, challenger)], Policy(correction="none"))[0]
    long = judge([evidence_of(longer(champion), longer(challenger))], Policy(correction="none"))[0]
    assert (long.more, long.sooner) == (short.more, short.sooner)


@given(st.lists(rank_pairs(max_queries=12), min_size=2, max_size=4), st.sampled_from(POLICY_CORRECTIONS))
def test_a_family_only_weakens(pairs, correction):
    policy = Policy(correction=correction, alpha=0.2)
    evidence = [evidence_of(*(serps_at(ranks) for ranks in pair)) for pair in pairs]
    together = judge(evidence, policy)
    for one, verdict in zip(evidence, together, strict=True):
        alone = judge([one], replace(policy, correction="none"))[0]
        for name in FACETS:
            before, after = getattr(alone, name), getattr(verdict, name)
            assert after.raw_p == before.p <= after.p
            assert after.significant <= before.significant
        assert set(verdict.marks) <= set(alone.marks)
        # Nothing is claimed overall that is not claimed without a correction.
        assert verdict.overall in ("inconclusive", alone.overall)
        if verdict.strict in ("better", "worse"):
            assert alone.strict == verdict.strict


@given(st.lists(rank_pairs(max_queries=12), min_size=1, max_size=4), st.sampled_from(POLICY_CORRECTIONS[1:]))
def test_facets_and_challengers_are_one_family_and_the_rules_have_their_own(pairs, correction):
    policy = Policy(correction=correction)
    evidence = [evidence_of(*(serps_at(ranks) for ranks in pair)) for pair in pairs]
    verdicts = judge(evidence, policy)
    facets = [facet for verdict in verdicts for facet in verdict.facets.values()]
    whole = correct([facet.raw_p for facet in facets], correction=correction, family=Family("all", len(facets))).p
    assert [facet.p for facet in facets] == pytest.approx(whole.tolist())
    assert {facet.family.size for facet in facets} == {3 * len(pairs)}
    for place in range(2):
        rules = [verdict.rule_facets[place] for verdict in verdicts if verdict.rule_facets is not None]
        alone = correct([one.raw_p for one in rules], correction=correction, family=Family("one", len(rules))).p
        assert [one.p for one in rules] == pytest.approx(alone.tolist())


def test_the_families_by_name():
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9, (0, 2): 9, (1, 1): 3}))
    verdict = judge([evidence_of(champion, challenger), evidence_of(champion, champion)], Policy())[0]
    assert [str(getattr(verdict, name).family) for name in FACETS] == [
        *["3 facets of 2 challengers (6 p-values)"] * 3,
        "IPSO sign test of 2 challengers (2 p-values)",
    ]
    assert verdict.rule_facets is not None
    assert [str(facet.family) for facet in verdict.rule_facets] == [
        "more of 2 challengers (2 p-values)",
        "sooner of 2 challengers (2 p-values)",
    ]
    assert str(judge([evidence_of(champion, challenger)], Policy())[0].measure.family) == "3 facets (3 p-values)"
    assert str(verdict_on_scores([0.1, 0.2], [0.2, 0.4]).measure.family) == "AP (1 p-value)"


def test_verdicts_are_in_the_order_of_the_evidence():
    champion = serps_at([4] * 12)
    runs = [serps_at([rank] * 12) for rank in (1, 4, 9)]
    verdicts = judge([evidence_of(champion, run) for run in runs], Policy())
    assert [verdict.overall for verdict in verdicts] == ["better", "inconclusive", "worse"]
    assert [verdict.do_no_harm for verdict in verdicts] == ["better", "inconclusive", "worse"]


def test_no_evidence_gives_no_verdicts():
    assert judge([], Policy()) == ()


def test_a_correction_can_take_a_verdict_away():
    pair = repeated({(0, 1): 8, (1, 0): 1, (1, 1): 20})
    evidence = evidence_of(*(serps_at(ranks) for ranks in pair))
    alone = judge([evidence], Policy())[0]
    # Finds more has p = 0.039 and the mean p = 0.017: do no harm looks at the one by itself, three facets are too many.
    assert (alone.overall, alone.do_no_harm) == ("inconclusive", "better")
    assert judge([evidence], Policy(correction="none"))[0].overall == "better"
    assert [one.do_no_harm for one in judge([evidence] * 2, Policy())] == ["inconclusive"] * 2
    assert [one.do_no_harm for one in judge([evidence] * 2, Policy(correction="none"))] == ["better"] * 2


def test_scores_and_lists_are_one_family():
    """Of a system of several runs only scores are known; the rules of Lin et al. are about the others."""
    champion, challenger = (serps_at(ranks) for ranks in repeated({(4, 1): 9}))
    whole = evidence_of(champion, challenger)
    scores = PairEvidence(
        champion="a", challenger="b", queries=9, measure="RR@10", means=whole.means, best_is_low=False, test=whole.test
    )
    first, second, last = judge([scores, whole, scores], Policy())
    assert [len(verdict.facets) for verdict in (first, second, last)] == [1, 3, 1]
    assert {str(verdict.measure.family) for verdict in (first, second, last)} == {
        "1 or 3 facets of 3 challengers (5 p-values)"
    }
    alone = judge([whole], Policy())[0]
    assert second.rule_facets is not None
    assert alone.rule_facets is not None
    assert [facet.p for facet in second.rule_facets] == [facet.p for facet in alone.rule_facets]
    assert (first.do_no_harm, last.do_no_harm) == (None, None)


def test_several_scores_are_one_family():
    first, *others = (np.linspace(low, low + 0.1, 20) + 0.001 * np.arange(20) ** low for low in (0.0, 0.1, 0.2))
    evidence = [
        PairEvidence(
            champion="a",
            challenger="b",
            queries=20,
            measure="AP",
            means=FacetMeans(champion=float(first.mean()), challenger=float(other.mean())),
            best_is_low=False,
            test=PairedT().compare(first, other),
        )
        for other in others
    ]
    verdicts = judge(evidence, Policy())
    assert {str(one.measure.family) for one in verdicts} == {"AP of 2 challengers (2 p-values)"}
    assert [one.overall for one in verdicts] == ["better"] * 2


def test_scores_may_be_arrays():
    verdict = verdict_on_scores(np.zeros(20), np.linspace(0.1, 0.2, 20))
    assert verdict.marks == "†"
