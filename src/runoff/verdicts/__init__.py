"""Verdicts: numbers and one frozen policy in, statements a person can read out; the only place that decides."""

from runoff.verdicts.agreement import AGREEMENTS, Agreement, AgreementResult, PairTests, agreement
from runoff.verdicts.facet import Facet
from runoff.verdicts.judgment import judge
from runoff.verdicts.lead import LeadVerdict, lead_verdict
from runoff.verdicts.marks import NO_PROMISE
from runoff.verdicts.outcome_rules import Verdict, do_no_harm, strict
from runoff.verdicts.overfitting_alarm import OverfittingAlarm, overfitting_alarm
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult
from runoff.verdicts.policy import ESL_TESTS, POLICY_CORRECTIONS, Policy
from runoff.verdicts.verdict_order import VerdictOrderResult, verdict_order

__all__ = [
    "AGREEMENTS",
    "Agreement",
    "AgreementResult",
    "ESL_TESTS",
    "Facet",
    "LeadVerdict",
    "NO_PROMISE",
    "OverfittingAlarm",
    "POLICY_CORRECTIONS",
    "PairEvidence",
    "PairTests",
    "Policy",
    "Verdict",
    "VerdictOrderResult",
    "VerdictResult",
    "agreement",
    "do_no_harm",
    "judge",
    "lead_verdict",
    "overfitting_alarm",
    "strict",
    "verdict_order",
]
