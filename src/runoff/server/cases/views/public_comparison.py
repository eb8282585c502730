"""A comparison as those may see it who must not learn which queries are left out."""

from __future__ import annotations

from dataclasses import replace

from runoff.results.comparison import Comparison
from runoff.server.cases.views.serp_arrays import is_partial


def for_public(comparison: Comparison, kernel: str) -> Comparison:
    """The comparison without anything that is about single queries, where its computation leaves queries out.

    Scores and relations by query would name the queries that are not left out. So would the remarks: a run that lacks
    one query could tell by them whether that query is among these. The power is computed from scores by query, and the
    break-even curve from counts by rank: both go with them.
    """
    if not is_partial(kernel):
        return comparison
    evidence = replace(comparison.evidence, scores=None, also=(), remarks=(), break_even=None, missing_queries=None)
    return replace(comparison, evidence=evidence, by_query=False, powers=(), power_rows=())
