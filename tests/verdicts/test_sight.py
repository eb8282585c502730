"""What could have been seen: the formulas by hand, words, and the claim by simulation."""

import numpy as np
import pytest
from scipy import stats

from runoff.boards.resolution import sign_power
from runoff.measures import RR
from runoff.verdicts import Policy, judge, sights
from runoff.verdicts.sight import rounded
from tests.verdicts.cases import evidence_of, serps_at


def sights_at(champion, challenger, policy=None, others=0):
    runs = serps_at(champion, run="old"), serps_at(challenger, run="new")
    chosen = policy or Policy()
    evidence = evidence_of(*runs, chosen)
    verdict = judge([evidence] * (1 + others), chosen)[0]
    values = [RR(cutoff=10).values(one) for one in runs]
    return {one.facet: one for one in sights(evidence, verdict, *values)}, values


CHAMPION = [1, 2, 3, 0, 1, 2, 0, 0, 4, 1] * 4
CHALLENGER = [2, 1, 3, 1, 1, 2, 0, 5, 0, 1] * 4


def test_formulas_by_hand():
    found, (first, second) = sights_at(CHAMPION, CHALLENGER)
    assert list(found) == ["measure", "answered", "earlier", "ipso"]
    factor = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    deviation = (second - first).std(ddof=1)
    assert found["measure"].smallest == pytest.approx(factor * deviation / np.sqrt(40))
    assert found["measure"].observed == pytest.approx((second - first).mean())
    assert (found["answered"].n, found["answered"].observed) == (12, pytest.approx(8 / 12))
    assert sign_power(12, found["answered"].smallest, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert found["ipso"].n == 20  # 1:2 and 0:1, 0:5, 4:0 on each of four copies


def test_needed_queries_grow_with_those_that_do_not_vote():
    found, _ = sights_at(CHAMPION, CHALLENGER)
    few, _ = sights_at(CHAMPION + [1] * 40, CHALLENGER + [1] * 40)
    assert few["answered"].needed == pytest.approx(2 * found["answered"].needed, abs=2)


def test_the_sentence_says_what_could_have_been_seen():
    found, _ = sights_at(CHAMPION, CHALLENGER)
    measure = found["measure"]
    assert not measure.shown
    assert not measure.could_be_seen
    assert measure.sentence.startswith("These 40 queries show a difference of the mean RR@10 with 80% power from 0.")
    assert "as observed, is below that, and needs about " in measure.sentence
    assert found["answered"].sentence.startswith("Of the 12 queries that only one run answers, one run must get ")


def test_what_a_part_of_the_queries_needs_is_said_of_all_of_them():
    found, _ = sights_at(CHAMPION, CHALLENGER)
    assert found["measure"].sentence.endswith(f"needs about {rounded(found['measure'].needed):,} such queries.")
    for facet in ("answered", "ipso"):
        needed = rounded(found[facet].needed)
        assert found[facet].sentence.endswith(f"needs about {needed:,} queries in all, not 40.")


def test_a_corrected_level_is_named():
    alone, _ = sights_at(CHAMPION, CHALLENGER)
    many, _ = sights_at(CHAMPION, CHALLENGER, others=9)
    free, _ = sights_at(CHAMPION, CHALLENGER, Policy(correction="none"), others=9)
    words = "80% power at level 0.005 (0.05 over 10 comparisons)"
    assert all(words in many[facet].sentence for facet in ("measure", "answered", "earlier", "ipso"))
    assert not any("at level" in one.sentence for found in (alone, free) for one in found.values())
    assert free["measure"].sentence == alone["measure"].sentence


def test_nothing_is_said_of_what_is_shown_or_of_equal_runs():
    found, _ = sights_at([0] * 30 + [3] * 10, [1] * 30 + [1] * 10)
    assert found["measure"].shown
    assert found["measure"].sentence == ""
    equal, _ = sights_at(CHAMPION, CHAMPION)
    assert {one.sentence for one in equal.values()} == {""}
    assert {one.needed for one in equal.values()} == {None}


def test_too_few_votes_are_told():
    found, _ = sights_at([1] * 10 + [0] * 2, [1] * 10 + [2] * 2)
    assert found["answered"].smallest is None
    assert found["answered"].sentence.startswith("2 queries that only one run answers are too few")


def test_several_challengers_need_more():
    one, _ = sights_at(CHAMPION, CHALLENGER)
    three, _ = sights_at(CHAMPION, CHALLENGER, others=2)
    assert three["measure"].level == pytest.approx(0.05 / 3)
    assert three["measure"].smallest > one["measure"].smallest
    none, _ = sights_at(CHAMPION, CHALLENGER, Policy(correction="none"), others=2)
    assert none["measure"].smallest == one["measure"].smallest


def test_a_true_share_at_the_smallest_is_found_in_80_percent():
    rng = np.random.default_rng(0)
    found, _ = sights_at([1] * 30 + [0] * 30, [0] * 30 + [1] * 30)
    share = found["answered"].smallest
    wins = rng.binomial(60, share, size=4000)
    p = np.array([stats.binomtest(int(one), 60).pvalue for one in range(61)])
    assert ((p[wins] < 0.05) & (wins > 30)).mean() == pytest.approx(0.8, abs=0.025)


def test_rounded():
    assert [rounded(one) for one in (7, 99, 104, 5127, 1_049_000)] == [7, 99, 100, 5100, 1_000_000]
