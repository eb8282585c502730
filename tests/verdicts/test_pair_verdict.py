"""The result of a verdict: its keys, and what is None where only scores are known."""

from dataclasses import FrozenInstanceError

import pytest

from runoff.verdicts import Policy, judge
from tests.verdicts.cases import evidence_of, repeated, serps_at, verdict_at, verdict_on_scores

BETTER = repeated({(4, 1): 30, (1, 1): 10})


def test_the_keys_of_the_json():
    verdict = verdict_at(*BETTER, policy=Policy(alpha=0.01))
    assert verdict.to_dict() == {
        "overall": "better",
        "how": ["sooner"],
        "strict": "inconclusive",
        "do_no_harm": "better",
        "marks": "†‡",
        "alpha": 0.01,
        "correction": "holm",
        "family_size": 3,
        "sentence": verdict.sentence,
    }


def test_the_facets_by_name():
    verdict = verdict_at(*BETTER)
    assert list(verdict.facets) == ["measure", "more", "sooner"]
    assert [facet.name for facet in verdict.facets.values()] == ["RR@10", "more", "sooner"]
    assert [facet.to_dict()["direction"] for facet in verdict.facets.values()] == [1, 0, 1]
    assert verdict.spoken == "better: sooner"


@pytest.mark.parametrize(
    "pairs, split",
    [
        ({(2, 4): 20, (0, 3): 12}, True),  # more, later
        ({(4, 2): 20, (3, 0): 12}, True),  # fewer, sooner
        ({(4, 2): 20, (0, 3): 12}, False),
        ({(0, 3): 12, (1, 2): 3, (2, 1): 2}, False),  # later is not shown
        ({(0, 10): 14, (1, 3): 10, (10, 8): 10}, False),  # a trade-off with the measure
    ],
)
def test_a_split_is_between_more_and_sooner(pairs, split):
    assert verdict_at(*repeated(pairs)).is_split == split
    assert not verdict_on_scores([0.1, 0.2], [0.2, 0.4]).is_split


def test_scores_alone_give_no_outcomes():
    verdict = verdict_on_scores([0.1, 0.2, 0.3, 0.4], [0.2, 0.31, 0.42, 0.53])
    assert (verdict.overall, verdict.how) == ("better", ())
    assert (verdict.strict, verdict.do_no_harm, verdict.rule_facets) == (None, None, None)
    assert (verdict.more, verdict.sooner, verdict.ipso) == (None, None, None)
    assert list(verdict.facets) == ["measure"]
    assert verdict.measure.shown > 0
    assert (verdict.marks, verdict.family_size) == ("†", 1)


def test_the_family_is_all_facets_of_all_challengers():
    champion = serps_at(BETTER[0])
    evidence = [evidence_of(champion, serps_at(BETTER[1]))] * 3
    assert [one.family_size for one in judge(evidence, Policy())] == [9, 9, 9]
    assert [one.family_size for one in judge(evidence, Policy(correction="none"))] == [1, 1, 1]


def test_a_result_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        verdict_at(*BETTER).overall = "better"
