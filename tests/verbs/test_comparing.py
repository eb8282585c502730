"""Quick comparisons: the verdicts of compare without the tests that resample."""

import pytest

from runoff.comparisons import recall_paired_tests
from runoff.comparisons.options import CompareOptions
from runoff.measures._example import serps_from
from runoff.reading.sources import as_qrels
from runoff.verbs._comparing import QUICK, numbers_of, quick_comparisons, whole_numbers_of
from runoff.verbs._pair_memory import PairMemory
from runoff.verdicts import Policy
from tests.verbs.boards import BEST, GOOD, WEAK, data_of
from tests.verbs.comparisons import compare, qrels_of, run_of


def test_verdicts_and_numbers_are_those_of_compare():
    data = data_of({"weak": WEAK, "good": GOOD, "best": BEST})
    pairs = [(data.serps_of("weak"), data.serps_of(name)) for name in ("good", "best")]
    quick = quick_comparisons(pairs, data.compared, data.policy)
    runs = [run_of(name, ranks) for name, ranks in (("weak", WEAK), ("good", GOOD), ("best", BEST))]
    full = compare(runs[0], runs[1:], as_qrels(qrels_of(30)), options=CompareOptions(measures="RR@10"))
    for one, other in zip(quick, full.comparisons, strict=True):
        assert one.verdict == other.verdict
        assert [test.name for test in one.tests] == list(QUICK)
        for test in one.tests:
            assert test in other.tests


@pytest.mark.parametrize("test", ["randomization", "sign"])
def test_the_policys_own_test_is_there_too(test):
    data = data_of({"weak": WEAK, "good": GOOD})
    pair = data.serps_of("weak"), data.serps_of("good")
    (comparison,) = quick_comparisons([pair], data.compared, Policy(measure_test=test))
    assert comparison.evidence.test.name == test


def test_lists_add_recall_paired_preference_to_the_evidence():
    pair = serps_from("0110", "1000", relevant=2), serps_from("1001", "0100", relevant=2)
    options = CompareOptions(measures="RR@4")
    whole = whole_numbers_of(*pair, options, Policy())
    assert whole.more.recall_paired == recall_paired_tests(*pair)
    assert numbers_of(*pair, options, Policy()).more.recall_paired is None  # a board has many pairs


def test_a_pair_is_known_by_kind_both_runs_in_order_and_what_else_matters():
    kept, made = {}, []

    def remember(key, make):
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def asked(identities, what, names, *more):
        def make():
            made.append((what, names, *more))
            return len(made)

        return PairMemory(remember=remember, identities=identities).of(what, names, make, *more)

    first, renamed = {"a": 1, "b": 2}, {"a": 1, "c": 2}
    assert asked(first, "comparison", ("a", "b")) == 1
    assert asked(first, "comparison", ("b", "a")) == 2
    assert asked(first, "record", ("a", "b"), 1) == 3
    assert asked(first, "record", ("a", "b"), 2) == 4
    assert asked(renamed, "comparison", ("a", "c")) == 1, "the identity counts, and holds the name where it matters"
    assert asked({"a": 1, "b": 3}, "comparison", ("a", "b")) == 5
    assert len(made) == 5
