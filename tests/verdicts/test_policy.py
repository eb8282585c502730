"""The policy: its defaults, and what it refuses."""

from dataclasses import FrozenInstanceError

import pytest

from runoff.errors import UsageError
from runoff.verdicts import ESL_TESTS, POLICY_CORRECTIONS, Policy


def test_the_defaults_are_those_of_the_specification():
    policy = Policy()
    assert (policy.alpha, policy.correction, policy.esl_test, policy.measure_test) == (0.05, "holm", "signed_rank", "t")


def test_every_listed_choice_is_accepted():
    for correction in POLICY_CORRECTIONS:
        for esl_test in ESL_TESTS:
            assert Policy(correction=correction, esl_test=esl_test).correction == correction
    assert POLICY_CORRECTIONS == ("none", "bonferroni", "holm", "benjamini_hochberg")


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 5, float("nan"), float("inf"), True, "0.05", None])
def test_a_level_that_is_none_is_refused(alpha):
    with pytest.raises(UsageError, match="expected a level between 0 and 1; write alpha"):
        Policy(alpha=alpha)


@pytest.mark.parametrize(
    "choice, message",
    [
        ({"correction": "fdr"}, "correction='fdr' is unknown; expected one of none, bonferroni, holm"),
        ({"esl_test": "sign"}, "esl_test='sign' is unknown; expected one of signed_rank, t"),
        ({"measure_test": "z"}, "measure_test='z' is unknown; expected one of t, signed_rank"),
    ],
)
def test_unknown_names_are_refused(choice, message):
    with pytest.raises(UsageError, match=message):
        Policy(**choice)


def test_a_policy_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Policy().alpha = 0.1  # type: ignore[misc]
