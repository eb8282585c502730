"""Comparisons of two runs over the same queries: statistics, effects and p-values, no decision."""

from runoff.comparisons.break_even import BreakEven, BreakEvenResult, break_even
from runoff.comparisons.ipso import GROUPS, IpsoAtDepth, IpsoResult, IpsoTopic, IpsoVoteEnd, ipso
from runoff.comparisons.ipso_all_pairs import IpsoPairsResult, ipso_all_pairs
from runoff.comparisons.ipso_measures import IpsoDifferences, IpsoScopeResult, ipso_differences, ipso_scope
from runoff.comparisons.ipso_theory import (
    FIGURE_3,
    AllSerpsResult,
    IpsoTheoryResult,
    SerpOrdersResult,
    in_orders_of,
    ipso_theory,
    relations_of_all,
)
from runoff.comparisons.outcomes import (
    OUTCOMES,
    FacetMeans,
    FacetTests,
    NaiveTests,
    OutcomesResult,
    OutcomeTestsResult,
    outcome_tests,
    outcomes,
)
from runoff.comparisons.outcomes_all_pairs import OutcomesPairsResult, outcomes_all_pairs
from runoff.comparisons.recall_paired import RecallPairedResult, RecallPairedTests, recall_paired, recall_paired_tests

__all__ = [
    "AllSerpsResult",
    "BreakEven",
    "BreakEvenResult",
    "FIGURE_3",
    "FacetMeans",
    "FacetTests",
    "GROUPS",
    "IpsoAtDepth",
    "IpsoDifferences",
    "IpsoPairsResult",
    "IpsoResult",
    "IpsoScopeResult",
    "IpsoTheoryResult",
    "IpsoTopic",
    "IpsoVoteEnd",
    "NaiveTests",
    "OUTCOMES",
    "OutcomeTestsResult",
    "OutcomesPairsResult",
    "OutcomesResult",
    "RecallPairedResult",
    "RecallPairedTests",
    "SerpOrdersResult",
    "break_even",
    "in_orders_of",
    "ipso",
    "ipso_all_pairs",
    "ipso_differences",
    "ipso_scope",
    "ipso_theory",
    "outcome_tests",
    "outcomes",
    "outcomes_all_pairs",
    "recall_paired",
    "recall_paired_tests",
    "relations_of_all",
]
