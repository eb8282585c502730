"""Comparisons of two runs over the same queries: statistics, effects and p-values, no decision."""

from runoff.comparisons.all_serps import AllSerpsResult, relations_of_all
from runoff.comparisons.esl_all_pairs import EslPairsResult, esl_all_pairs
from runoff.comparisons.ipso import GROUPS, IpsoAtDepth, IpsoResult, IpsoTopic, ipso
from runoff.comparisons.ipso_all_pairs import IpsoPairsResult, ipso_all_pairs
from runoff.comparisons.ipso_theory import IpsoTheoryResult, ipso_theory
from runoff.comparisons.outcome_tests import FacetTests, NaiveTests, OutcomeTestsResult, outcome_tests
from runoff.comparisons.outcomes import OUTCOMES, FacetMeans, OutcomesResult, outcomes
from runoff.comparisons.outcomes_all_pairs import OutcomesPairsResult, outcomes_all_pairs
from runoff.comparisons.recall_paired import RecallPairedResult, recall_paired
from runoff.comparisons.recall_paired_tests import RecallPairedTests, recall_paired_tests

__all__ = [
    "AllSerpsResult",
    "EslPairsResult",
    "FacetMeans",
    "FacetTests",
    "GROUPS",
    "IpsoAtDepth",
    "IpsoPairsResult",
    "IpsoResult",
    "IpsoTheoryResult",
    "IpsoTopic",
    "NaiveTests",
    "OUTCOMES",
    "OutcomeTestsResult",
    "OutcomesPairsResult",
    "OutcomesResult",
    "RecallPairedResult",
    "RecallPairedTests",
    "esl_all_pairs",
    "ipso",
    "ipso_all_pairs",
    "ipso_theory",
    "outcome_tests",
    "outcomes",
    "outcomes_all_pairs",
    "recall_paired",
    "recall_paired_tests",
    "relations_of_all",
]
