"""Certified records: the three rules by hand, and the error over a whole history under the null."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.choices import RECORD_RULES
from runoff.errors import UsageError
from runoff.verdicts import Policy
from runoff.verdicts.certified_records import certify_records

chains = st.lists(st.floats(0, 1), max_size=12)


def test_levels_by_hand():
    first, second = 0.05 * 6 / math.pi**2, 0.05 * 6 / (4 * math.pi**2)
    spending = certify_records([0.01, 0.02], Policy(), rule="spending")
    assert spending.levels == pytest.approx((first, second))
    assert spending.certified == (True, False)
    fallback = certify_records([0.01, 0.02], Policy(), rule="fallback")
    assert fallback.levels == pytest.approx((first, first + second))
    assert fallback.certified == (True, True)
    assert certify_records([0.9, 0.02], Policy(), rule="fallback").levels == pytest.approx((first, second))
    assert certify_records([0.04, 0.01], Policy(), rule="holm").certified == (True, True)
    assert certify_records([0.04, 0.03], Policy(), rule="holm").certified == (False, False)


@given(chains, st.sampled_from([0.01, 0.05, 0.2]))
def test_laws(chain, alpha):
    policy = Policy(alpha=alpha)
    spending, fallback = (certify_records(chain, policy, rule=rule) for rule in ("spending", "fallback"))
    assert sum(spending.levels) <= alpha
    assert all(level <= alpha for level in fallback.levels)
    # What spending certifies, fallback does too; both can say so on the day, whatever comes later.
    assert all(b or not a for a, b in zip(spending.certified, fallback.certified, strict=True))
    for cut in range(len(chain)):
        assert certify_records(chain[:cut], policy).certified == fallback.certified[:cut]


@pytest.mark.parametrize("rule", RECORD_RULES)
def test_no_false_certificate_in_95_percent_of_the_histories(rule):
    rng = np.random.default_rng(0)
    histories = 4000
    null = sum(any(certify_records(rng.random(10).tolist(), Policy(), rule=rule).certified) for _ in range(histories))
    assert null / histories <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / histories)
    # Some records are real: only a certificate for one that is not counts as false.
    false = 0
    for _ in range(histories):
        is_real = rng.random(10) < 0.5
        p = np.where(is_real, rng.random(10) * 1e-4, rng.random(10))
        certified = np.array(certify_records(p.tolist(), Policy(), rule=rule).certified)
        false += bool((certified & ~is_real).any())
    assert false / histories <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / histories)


def test_what_cannot_be_used_is_refused():
    assert certify_records([], Policy()).certified == ()
    with pytest.raises(UsageError, match="from 0 to 1"):
        certify_records([1.5], Policy())
    with pytest.raises(UsageError, match="rule='luck' is unknown"):
        certify_records([0.5], Policy(), rule="luck")  # type: ignore[arg-type]
