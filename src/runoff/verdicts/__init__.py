"""Verdicts: numbers and one frozen policy in, statements a person can read out; the only place that decides."""

from runoff.verdicts.agreement import AGREEMENTS, Agreement, AgreementResult, PairTests, agreement
from runoff.verdicts.certified_records import RECORD_RULES, CertifiedRecordsResult, certify_records
from runoff.verdicts.facet import Facet
from runoff.verdicts.judgment import judge
from runoff.verdicts.lead import LeadVerdict, lead_verdict
from runoff.verdicts.marks import NO_PROMISE
from runoff.verdicts.outcome_rules import Verdict, do_no_harm, strict
from runoff.verdicts.overfitting_alarm import OverfittingAlarm, overfitting_alarm
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult
from runoff.verdicts.policy import ESL_TESTS, POLICY_CORRECTIONS, Policy
from runoff.verdicts.verdict_order import VerdictOrderResult, verdict_order
from runoff.verdicts.win_ratio_marks import WinRatioMarks, win_ratio_marks

__all__ = [
    "AGREEMENTS",
    "Agreement",
    "AgreementResult",
    "CertifiedRecordsResult",
    "ESL_TESTS",
    "Facet",
    "LeadVerdict",
    "NO_PROMISE",
    "OverfittingAlarm",
    "POLICY_CORRECTIONS",
    "PairEvidence",
    "PairTests",
    "Policy",
    "RECORD_RULES",
    "Verdict",
    "VerdictOrderResult",
    "VerdictResult",
    "WinRatioMarks",
    "agreement",
    "certify_records",
    "do_no_harm",
    "judge",
    "lead_verdict",
    "overfitting_alarm",
    "strict",
    "verdict_order",
    "win_ratio_marks",
]
