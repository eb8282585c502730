"""The policy: its defaults, and what it refuses."""

from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from runoff.choices import ESL_TESTS, POLICY_CORRECTIONS, RECORD_RULES, SOONER_BY
from runoff.errors import UsageError
from runoff.verdicts import Policy


def test_the_defaults_are_those_of_the_specification():
    policy = Policy()
    assert (policy.alpha, policy.correction, policy.esl_test, policy.measure_test) == (0.05, "holm", "signed_rank", "t")
    assert (policy.sooner, policy.margin, policy.record_rule) == ("ranks", None, "fallback")


def test_every_listed_choice_is_accepted():
    for correction, esl_test, sooner, rule in product(POLICY_CORRECTIONS, ESL_TESTS, SOONER_BY, RECORD_RULES):
        policy = Policy(correction=correction, esl_test=esl_test, sooner=sooner, record_rule=rule)
        assert (policy.correction, policy.sooner) == (correction, sooner)
    assert POLICY_CORRECTIONS == ("none", "bonferroni", "holm", "benjamini_hochberg")
    assert SOONER_BY == ("ranks", "reciprocal_ranks")


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 5, float("nan"), float("inf"), True, "0.05", None])
def test_a_level_that_is_none_is_refused(alpha):
    with pytest.raises(UsageError, match=r"alpha.*expected (a level between 0 and 1|a number)"):
        Policy(alpha=alpha)


@pytest.mark.parametrize(
    "choice, message",
    [
        ({"correction": "fdr"}, "correction='fdr' cannot be used; expected one of none, bonferroni, holm"),
        ({"esl_test": "sign"}, "esl_test='sign' cannot be used; expected one of signed_rank, t"),
        ({"sooner": "time"}, "sooner='time' cannot be used; expected one of ranks, reciprocal_ranks"),
        ({"measure_test": "z"}, "measure_test='z' is unknown; expected one of t, signed_rank"),
    ],
)
def test_unknown_names_are_refused(choice, message):
    with pytest.raises(UsageError, match=message):
        Policy(**choice)


def test_a_policy_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Policy().alpha = 0.1  # type: ignore[misc]
