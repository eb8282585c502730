"""Every mark beside a verdict is explained, and only those that are there."""

import pytest

import runoff
from runoff.results.mark_notes import mark_notes
from runoff.verdicts import NO_PROMISE
from tests.verbs.comparisons import clear_comparison, comparison_of

WORDS = "† RR@100 differs significantly (t test); ‡ also, the same way, where all measures must agree (IPSO)."


def test_every_mark_is_explained():
    comparison = clear_comparison()
    assert mark_notes([comparison.verdict], "RR@100") == (WORDS, NO_PROMISE)
    assert WORDS in comparison.to_text(400)
    plain = comparison_of([1, 2], [2, 1])
    assert mark_notes([plain.verdict], "RR@100") == ()
    assert "†" not in plain.to_text(400)


@pytest.mark.parametrize("test", ["sign", "t"])
def test_a_mark_that_is_not_there_is_not_explained(test):
    one = comparison_of([0] * 20 + [1] * 20, [1] * 20 + [3] * 20, policy=runoff.Policy(measure_test=test))
    assert ("‡" in " ".join(mark_notes([one.verdict], "RR@100"))) == ("‡" in one.verdict.marks)
