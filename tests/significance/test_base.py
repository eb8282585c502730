import pytest

from runoff.measures import MEASURES
from runoff.significance import BY_NAME, SIGNIFICANCE_TESTS, permission_reason, permitted
from runoff.significance._base import SCALES

MEANS = {"t", "signed_rank", "randomization", "bootstrap"}


@pytest.mark.parametrize("test", SIGNIFICANCE_TESTS, ids=lambda test: test.name)
def test_what_a_scale_permits_the_next_permits_too(test):
    answers = [permitted(test, scale) for scale in SCALES]
    assert answers == sorted(answers)
    assert answers == [test.name not in MEANS, True, True]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("test", SIGNIFICANCE_TESTS, ids=lambda test: test.name)
def test_the_reason_is_one_sentence_with_the_answer(test, scale):
    reason = permission_reason(test, scale)
    assert reason.endswith(".")
    assert reason.count(".") == 1
    assert ("not permitted" in reason) != permitted(test, scale)


def test_every_measure_has_an_answer():
    for kind in MEASURES:
        measure = kind() if kind.cutoff_use == "none" else kind @ 10
        assert permitted(BY_NAME["sign"], measure.scale)
