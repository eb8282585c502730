"""Certified records: which records of a board's history are real, with the error over all of them under control."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runoff.choices import RECORD_RULES, RecordRule
from runoff.errors import UsageError
from runoff.significance import Family, correct
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class CertifiedRecordsResult:
    """Which of some records, in order of date, are certified.

    p          the p of each record, conditional on being one (`record_test`)
    levels     what each p had to stay below; for Holm, the level of the whole family
    corrected  p-values corrected by Holm; the plain ones for the other rules, whose levels differ instead
    """

    rule: RecordRule
    alpha: float
    p: tuple[float, ...]
    corrected: tuple[float, ...]
    levels: tuple[float, ...]
    certified: tuple[bool, ...]


def certify_records(p: Sequence[float], policy: Policy, *, rule: RecordRule | None = None) -> CertifiedRecordsResult:
    """Decide on every record so that with probability 1 - alpha no false one is certified, by the rule or the policy's.

    holm      all records together, afterwards: a later record can undo an earlier certificate
    spending  record i has the level alpha g(i), g(i) = 6 / (pi i)^2: a certificate is never undone, and the levels of
              all records that will ever be add up to alpha
    fallback  the same, and a certified record hands its level on to the next one

    Holm 1979; Tian & Ramdas 2021, Online control of the familywise error rate (spending and fallback),
    https://doi.org/10.1177/0962280220983381

    >>> result = certify_records([0.001, 0.02, 0.04, 0.9], Policy(), rule="fallback")
    >>> result.certified, [round(level, 4) for level in result.levels]
    ((True, True, True, False), [0.0304, 0.038, 0.0414, 0.0433])
    >>> certify_records([0.001, 0.02, 0.04, 0.9], Policy(), rule="spending").certified
    (True, False, False, False)
    """
    values = [float(value) for value in p]
    if any(not 0.0 <= value <= 1.0 for value in values):
        raise UsageError(f"p-values {values} cannot be used; expected numbers from 0 to 1")
    rule = policy.record_rule if rule is None else rule
    if rule not in RECORD_RULES:
        raise UsageError(f"rule={rule!r} is unknown; expected one of {', '.join(RECORD_RULES)}; choose one")
    corrected = values
    if rule == "holm":
        levels = [policy.alpha] * len(values)
        if values:
            corrected = correct(values, correction="holm", family=Family("records", len(values))).p.tolist()
    else:
        levels = _levels(values, policy.alpha, hands_on=rule == "fallback")
    return CertifiedRecordsResult(
        rule=rule,
        alpha=policy.alpha,
        p=tuple(values),
        corrected=tuple(corrected),
        levels=tuple(levels),
        certified=tuple(value < level for value, level in zip(corrected, levels, strict=True)),
    )


def _levels(p: Sequence[float], alpha: float, *, hands_on: bool) -> list[float]:
    levels: list[float] = []
    handed = 0.0
    for place, value in enumerate(p, start=1):
        level = alpha * 6.0 / (math.pi * place) ** 2 + handed
        levels.append(level)
        handed = level if hands_on and value < level else 0.0
    return levels
