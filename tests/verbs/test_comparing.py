"""Quick duels: the verdicts of compare without the tests that resample."""

import pytest

import runoff
from runoff.comparisons.options import Question
from runoff.verbs._comparing import QUICK, quick_duels
from runoff.verdicts import Policy
from tests.verbs.boards import BEST, GOOD, WEAK, data_of
from tests.verbs.duels import compare_all, qrels_of, run_of


def test_verdicts_and_numbers_are_those_of_compare():
    data = data_of({"weak": WEAK, "good": GOOD, "best": BEST})
    pairs = [(data.serps_of("weak"), data.serps_of(name)) for name in ("good", "best")]
    quick = quick_duels(pairs, data.question, data.policy)
    runs = [run_of(name, ranks) for name, ranks in (("weak", WEAK), ("good", GOOD), ("best", BEST))]
    full = compare_all(runs[0], runs[1:], runoff.as_qrels(qrels_of(30)), question=Question(measure="RR@10"))
    for one, other in zip(quick, full.duels, strict=True):
        assert one.verdict == other.verdict
        assert [test.name for test in one.tests] == list(QUICK)
        for test in one.tests:
            assert test in other.tests


@pytest.mark.parametrize("test", ["randomization", "sign"])
def test_the_policys_own_test_is_there_too(test):
    data = data_of({"weak": WEAK, "good": GOOD})
    pair = data.serps_of("weak"), data.serps_of("good")
    (duel,) = quick_duels([pair], data.question, Policy(measure_test=test))
    assert duel.evidence.test.name == test
