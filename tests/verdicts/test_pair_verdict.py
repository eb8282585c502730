"""The result of a verdict: its keys, and what is None where only scores are known."""

from dataclasses import FrozenInstanceError

import pytest

from runoff.verdicts import Policy, judge
from tests.verdicts.cases import evidence_of, repeated, serps_at, verdict_at, verdict_on_scores

BETTER = repeated({(4, 1): 30, (1, 1): 10})


def test_the_keys_of_the_json():
    verdict = verdict_at(*BETTER, policy=Policy(alpha=0.01))
    assert verdict.to_dict() == {
        "strict": "inconclusive",
        "do_no_harm": "better",
        "marks": "†‡",
        "alpha": 0.01,
        "correction": "holm",
        "family_size": 1,
        "sentence": verdict.sentence,
    }


def test_scores_alone_give_no_outcomes():
    verdict = verdict_on_scores([0.1, 0.2, 0.3, 0.4], [0.2, 0.31, 0.42, 0.53])
    assert (verdict.strict, verdict.do_no_harm) == (None, None)
    assert (verdict.answered, verdict.earlier, verdict.ipso) == (None, None, None)
    assert verdict.measure.is_ahead
    assert verdict.marks == "†"


def test_the_family_is_all_challengers():
    champion = serps_at(BETTER[0])
    evidence = [evidence_of(champion, serps_at(BETTER[1]))] * 3
    assert [one.family_size for one in judge(evidence, Policy())] == [3, 3, 3]


def test_a_result_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        verdict_at(*BETTER).strict = "better"
