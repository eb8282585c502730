"""Power of facets: the formulas by hand, words, and the claim by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from runoff.measures import RR
from runoff.significance.power import needed_votes, sign_power
from runoff.verdicts import Policy, judge, powers
from runoff.verdicts.power import about_queries
from tests.verdicts.cases import evidence_of, serps_at


def powers_at(champion, challenger, policy=None, others=0):
    runs = serps_at(champion, run="old"), serps_at(challenger, run="new")
    chosen = policy or Policy()
    evidence = evidence_of(*runs, chosen)
    verdict = judge([evidence] * (1 + others), chosen)[0]
    values = [RR(cutoff=10).values(one) for one in runs]
    return {one.facet: one for one in powers(evidence, verdict, *values)}, values


CHAMPION = [1, 2, 3, 0, 1, 2, 0, 0, 4, 1] * 4
CHALLENGER = [2, 1, 3, 1, 1, 2, 0, 5, 0, 1] * 4


def test_formulas_by_hand():
    found, (first, second) = powers_at(CHAMPION, CHALLENGER)
    assert list(found) == ["measure", "more", "sooner", "ipso"]
    level = 0.05 / 3  # three facets are corrected together
    assert [found[facet].level for facet in ("measure", "more", "sooner", "ipso")] == [level, level, level, 0.05]
    error = (second - first).std(ddof=1) / np.sqrt(40)
    critical = stats.t.isf(level / 2, 39)
    assert stats.nct.sf(critical, 39, found["measure"].smallest / error) == pytest.approx(0.8)
    assert found["measure"].observed == pytest.approx((second - first).mean())
    assert (found["more"].n, found["more"].observed) == (12, pytest.approx(8 / 12))
    assert sign_power(12, found["more"].smallest, level) == pytest.approx(0.8, abs=1e-6)
    assert found["sooner"].n == 24  # both find the document of six of ten queries, on each of four copies
    assert found["ipso"].n == 20  # 1:2 and 0:1, 0:5, 4:0 on each of four copies


def test_what_sooner_looks_at_is_what_the_policy_says():
    by_rank, _ = powers_at(CHAMPION, CHALLENGER)
    by_rr, _ = powers_at(CHAMPION, CHALLENGER, Policy(sooner="reciprocal_ranks"))
    # Rank 1 against 2 and 2 against 1, four times each of 24: no difference on average, whichever way it is counted.
    assert by_rank["sooner"].observed == by_rr["sooner"].observed == 0.0
    assert by_rank["sooner"].smallest > by_rr["sooner"].smallest
    assert "differences of the mean search length of what both find below " in by_rank["sooner"].sentence
    assert "differences of the mean reciprocal rank of what both find below " in by_rr["sooner"].sentence


def test_needed_queries_grow_with_those_that_do_not_vote():
    found, _ = powers_at(CHAMPION, CHALLENGER)
    few, _ = powers_at(CHAMPION + [1] * 40, CHALLENGER + [1] * 40)
    assert few["more"].needed == pytest.approx(2 * found["more"].needed, abs=2)


def test_the_sentence_says_what_could_have_been_detected():
    found, _ = powers_at(CHAMPION, CHALLENGER)
    measure = found["measure"]
    assert not measure.shown
    assert not measure.could_be_seen
    assert measure.sentence == (
        f"With 40 queries, differences of the mean RR@10 below {measure.smallest:.4f} usually go undetected (80% power "
        f"at level 0.017, from level 0.05 over 3 facets). The observed {measure.observed:.4f} would need "
        f"{about_queries(measure.needed)}."
    )
    assert found["more"].sentence == (
        f"Of the 12 queries on which one run finds more, one run must win {found['more'].smallest:.1%} to be detected "
        f"(80% power at level 0.017, from level 0.05 over 3 facets). The observed 66.7% would need "
        f"{about_queries(found['more'].needed)}."
    )


def test_what_a_part_of_the_queries_needs_is_said_of_all_of_them():
    found, _ = powers_at(CHAMPION, CHALLENGER)
    for facet in ("more", "ipso"):
        votes = needed_votes(found[facet].observed, found[facet].level, 0.8)
        assert votes is not None
        assert found[facet].needed == math.ceil(votes * 40 / found[facet].n)
        assert found[facet].sentence.endswith(f"would need {about_queries(found[facet].needed)}.")


def test_a_corrected_level_is_named():
    many, _ = powers_at(CHAMPION, CHALLENGER, others=9)
    free, _ = powers_at(CHAMPION, CHALLENGER, Policy(correction="none"), others=9)
    words = " at level 0.0017, from level 0.05 over 3 facets of 10 challengers"
    assert all(words in many[facet].sentence for facet in ("measure", "more", "sooner"))
    assert not any("0.05 over" in one.sentence for one in free.values())
    assert free["measure"].level == 0.05


def test_the_level_of_the_vote_is_its_own():
    alone, _ = powers_at(CHAMPION, CHALLENGER)
    many, _ = powers_at(CHAMPION, CHALLENGER, others=9)
    assert "0.05 over" not in alone["ipso"].sentence
    assert "at level 0.005, from level 0.05 over IPSO sign test of 10 challengers" in many["ipso"].sentence


def test_nothing_is_said_of_what_is_shown_or_of_equal_runs():
    found, _ = powers_at([0] * 30 + [3] * 10, [1] * 30 + [1] * 10)
    assert found["measure"].shown
    assert found["measure"].sentence == ""
    equal, _ = powers_at(CHAMPION, CHAMPION)
    assert {one.sentence for one in equal.values()} == {""}
    assert {one.needed for one in equal.values()} == {None}


def test_too_few_votes_are_said():
    found, _ = powers_at([1] * 10 + [0] * 2, [1] * 10 + [2] * 2)
    assert found["more"].smallest is None
    assert found["more"].sentence.startswith(
        "The 2 queries on which one run finds more are too few for any vote to be significant."
    )
    one, _ = powers_at([1] * 10 + [0], [1] * 10 + [2])
    assert one["more"].sentence.startswith("The 1 query on which one run finds more is too few for any vote")


def test_several_challengers_need_more():
    one, _ = powers_at(CHAMPION, CHALLENGER)
    three, _ = powers_at(CHAMPION, CHALLENGER, others=2)
    assert three["measure"].level == pytest.approx(0.05 / 9)
    assert three["measure"].smallest > one["measure"].smallest
    none, _ = powers_at(CHAMPION, CHALLENGER, Policy(correction="none"), others=2)
    alone, _ = powers_at(CHAMPION, CHALLENGER, Policy(correction="none"))
    assert none["measure"].smallest == alone["measure"].smallest < one["measure"].smallest


def test_a_true_share_at_the_smallest_is_found_in_80_percent():
    rng = np.random.default_rng(0)
    found, _ = powers_at([1] * 30 + [0] * 30, [0] * 30 + [1] * 30, Policy(correction="none"))
    share = found["more"].smallest
    wins = rng.binomial(60, share, size=4000)
    p = np.array([stats.binomtest(int(one), 60).pvalue for one in range(61)])
    assert ((p[wins] < 0.05) & (wins > 30)).mean() == pytest.approx(0.8, abs=0.025)


def test_queries_have_two_digits():
    numbers = (7, 99, 104, 5127, 999_999, 1_049_000)
    assert [about_queries(number).removeprefix("about ").removesuffix(" queries") for number in numbers] == [
        "7", "99", "100", "5,100", "1,000,000", "more than a million",
    ]  # fmt: skip
