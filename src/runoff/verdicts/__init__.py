"""Verdicts: numbers and one frozen policy in, statements a person can read out; the only place that decides."""

from runoff.verdicts.agreement import AGREEMENTS, Agreement, AgreementResult, PairTests, agreement
from runoff.verdicts.board_verdict import (
    BoardChecks,
    Doubt,
    LeadVerdict,
    VerdictOrderResult,
    doubts_about,
    lead_verdict,
    rank_verdict,
    tau_sentence,
    verdict_order,
)
from runoff.verdicts.calibration_verdict import CalibrationVerdict, Observation, PromiseKind, calibration_verdicts
from runoff.verdicts.certified_records import CertifiedRecordsResult, certify_records
from runoff.verdicts.evidence import EvidenceLine, EvidenceResult, evidence_of, together
from runoff.verdicts.facet import NO_PROMISE, Facet, Verdict, do_no_harm, overall, strict
from runoff.verdicts.judgment import AllPairFacets, BoardDecisions, all_pair_facets, judge, judge_on_board, may_split
from runoff.verdicts.margin_verdict import MarginVerdict, margin_verdicts
from runoff.verdicts.overfitting_alarm import OverfittingAlarm, overfitting_alarms
from runoff.verdicts.pair_verdict import MoreEvidence, PairEvidence, VerdictResult, Votes
from runoff.verdicts.policy import Policy
from runoff.verdicts.power import FacetPower, measure_power, powers
from runoff.verdicts.preference_verdicts import LabelsVerdict, WinRatioMarks, better_than_labels, win_ratio_marks
from runoff.verdicts.score_marks import SystemPair, decided_pairs

__all__ = [
    "AGREEMENTS",
    "Agreement",
    "AgreementResult",
    "AllPairFacets",
    "BoardChecks",
    "BoardDecisions",
    "CalibrationVerdict",
    "CertifiedRecordsResult",
    "Doubt",
    "EvidenceLine",
    "EvidenceResult",
    "Facet",
    "FacetPower",
    "LabelsVerdict",
    "LeadVerdict",
    "MarginVerdict",
    "MoreEvidence",
    "NO_PROMISE",
    "Observation",
    "OverfittingAlarm",
    "PairEvidence",
    "PairTests",
    "Policy",
    "PromiseKind",
    "SystemPair",
    "Verdict",
    "VerdictOrderResult",
    "VerdictResult",
    "Votes",
    "WinRatioMarks",
    "agreement",
    "all_pair_facets",
    "better_than_labels",
    "calibration_verdicts",
    "certify_records",
    "decided_pairs",
    "do_no_harm",
    "doubts_about",
    "evidence_of",
    "judge",
    "judge_on_board",
    "lead_verdict",
    "margin_verdicts",
    "overall",
    "overfitting_alarms",
    "may_split",
    "measure_power",
    "powers",
    "rank_verdict",
    "strict",
    "tau_sentence",
    "together",
    "verdict_order",
    "win_ratio_marks",
]
