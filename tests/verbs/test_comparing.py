"""Quick comparisons: the verdicts of compare without the tests that resample."""

import pytest

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.comparisons.options import CompareOptions
from runoff.measures._example import serps_from
from runoff.reading.sources import as_qrels
from runoff.verbs._comparing import QUICK, numbers_of, quick_comparisons, whole_numbers_of
from runoff.verdicts import Policy
from tests.verbs.boards import BEST, GOOD, WEAK, data_of
from tests.verbs.comparisons import compare_all, qrels_of, run_of


def test_verdicts_and_numbers_are_those_of_compare():
    data = data_of({"weak": WEAK, "good": GOOD, "best": BEST})
    pairs = [(data.serps_of("weak"), data.serps_of(name)) for name in ("good", "best")]
    quick = quick_comparisons(pairs, data.question, data.policy)
    runs = [run_of(name, ranks) for name, ranks in (("weak", WEAK), ("good", GOOD), ("best", BEST))]
    full = compare_all(runs[0], runs[1:], as_qrels(qrels_of(30)), options=CompareOptions(measure="RR@10"))
    for one, other in zip(quick, full.comparisons, strict=True):
        assert one.verdict == other.verdict
        assert [test.name for test in one.tests] == list(QUICK)
        for test in one.tests:
            assert test in other.tests


@pytest.mark.parametrize("test", ["randomization", "sign"])
def test_the_policys_own_test_is_there_too(test):
    data = data_of({"weak": WEAK, "good": GOOD})
    pair = data.serps_of("weak"), data.serps_of("good")
    (comparison,) = quick_comparisons([pair], data.question, Policy(measure_test=test))
    assert comparison.evidence.test.name == test


def test_lists_add_recall_paired_preference_to_the_evidence():
    pair = serps_from("0110", "1000", relevant=2), serps_from("1001", "0100", relevant=2)
    question = CompareOptions(measure="RR@4")
    whole = whole_numbers_of(*pair, question, Policy())
    assert whole.more.recall_paired == recall_paired_tests(recall_paired(*pair))
    assert numbers_of(*pair, question, Policy()).more.recall_paired is None  # a board has many pairs
