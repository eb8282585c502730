"""Runs that are made of the ranks of their answers, and scipy's word on two columns of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import runoff
from runoff.reading.sources import as_run
from runoff.results import MultiComparison
from runoff.tables.scores import Scores
from runoff.verbs.ipso import IpsoComparisonResult, IpsoOptions
from tests.significance.cases import whole

# Without types: outcomes and IPSO may be None, which would have to be ruled out in every line of a test.
compare: Any = runoff.compare


def compare_scores(scores: Scores, champion: str, challengers: list[str], **options: Any) -> MultiComparison:
    return runoff.compare(champion, challengers, scores=scores, **options)


def compare_ipso(
    first: Any, second: Any, qrels: Any, *, depth: int = 10, reading: Any = None, **options: Any
) -> IpsoComparisonResult:
    """Innate orderings of two runs."""
    result = runoff.ipso([first, second], qrels, options=IpsoOptions(depths=[depth], **options), reading=reading)
    assert isinstance(result, IpsoComparisonResult)
    return result


GRADED = {f"q{place}": {"d": 2, "e": 1, "n": 0} for place in range(12)}


def qrels_of(queries: int) -> dict[str, dict[str, int]]:
    """One relevant document, d, for each of the queries q0, q1, ..."""
    return {f"q{place}": {"d": 1} for place in range(queries)}


def run_of(name: str, ranks: Sequence[int], *, length: int = 10) -> runoff.Run:
    """A run that has d at these ranks; 0: not at all."""
    table = {}
    for place, rank in enumerate(ranks):
        docs = [f"x{at}" for at in range(1, length + 1)]
        if rank:
            docs[rank - 1] = "d"
        table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
    return as_run(table, name=name)


def comparison_of(champion: Sequence[int], challenger: Sequence[int], **options: Any) -> Any:
    """A champion with d at these ranks against a challenger with d at those."""
    runs = run_of("champion", champion), run_of("challenger", challenger)
    return compare(*runs, qrels_of(len(champion)), **options)


def qrels_of_several(relevant: Sequence[int]) -> dict[str, dict[str, int]]:
    """So many relevant documents d1, d2, ... for each of the queries q0, q1, ..., and one that is not relevant."""
    return {f"q{place}": {"n": 0} | {f"d{at}": 1 for at in range(1, many + 1)} for place, many in enumerate(relevant)}


def run_of_several(name: str, ranks: Sequence[Sequence[int]], *, length: int = 10) -> runoff.Run:
    """A run that has d1, d2, ... at these ranks of each query, ascending."""
    table = {}
    for place, of_query in enumerate(ranks):
        docs = [f"x{at}" for at in range(1, length + 1)]
        for at, rank in enumerate(of_query, start=1):
            docs[rank - 1] = f"d{at}"
        table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
    return as_run(table, name=name)


def comparison_of_several(
    champion: Sequence[Sequence[int]],
    challenger: Sequence[Sequence[int]],
    *,
    relevant: int | Sequence[int],
    length: int = 10,
    **options: Any,
) -> Any:
    """The same with several relevant documents: the ranks of those that each run finds, query by query."""
    labels = qrels_of_several([relevant] * len(champion) if isinstance(relevant, int) else relevant)
    named = ("champion", champion), ("challenger", challenger)
    return compare(*(run_of_several(name, ranks, length=length) for name, ranks in named), labels, **options)


def trade_off(*, swapped: bool = False, **options: Any) -> Any:
    """The challenger finds four documents of each query to rank 10, the champion two, and these sooner."""
    early, late = [[1, 2], [1, 3], [2, 3]] * 10, [[4, 5, 6, 7], [4, 6, 7, 8], [3, 5, 6, 8]] * 10
    return comparison_of_several(*((late, early) if swapped else (early, late)), relevant=4, **options)


def found_ranks(serps: Any, *, depth: int, level: int = 1) -> list[list[int]]:
    """The ranks of the relevant documents of each query, by a plain loop over its grades."""
    return [
        [rank for rank, grade in enumerate(grades[:depth], start=1) if grade >= level]
        for grades in serps.grades.tolist()
    ]


def clear_comparison(**options: Any) -> Any:
    """The challenger is better in every way."""
    return comparison_of([0] * 10 + [5] * 10, [1] * 10 + [2] * 10, **options)


SCIPY_TESTS = ("rank_sum", "sign", "t", "signed_rank")


def scipy_p(champion: Any, challenger: Any, *, tests: Sequence[str] = SCIPY_TESTS) -> dict[str, tuple[float, float]]:
    """Statistic and p of scipy for the tests that it has; p is 1 where nothing differs, which scipy leaves open.

    tests  those that are asked for: where few values are tied, scipy's signed rank test tries all signs
    """
    from scipy import stats

    first, second = np.asarray(champion, dtype=float), np.asarray(challenger, dtype=float)
    differ = not (first == second).all()
    found = {}
    if "rank_sum" in tests:
        rank_sum = stats.mannwhitneyu(second, first, method="asymptotic")
        found["rank_sum"] = float(rank_sum.statistic), float(rank_sum.pvalue)
    if "sign" in tests:
        wins, losses = int((second > first).sum()), int((second < first).sum())
        sign = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        found["sign"] = float(wins), float(sign)
    if "t" in tests and differ and len(first) > 1:  # one query has no variance
        t = stats.ttest_rel(second, first)
        found["t"] = float(t.statistic), float(t.pvalue)
    if "signed_rank" in tests and differ:
        signed_rank = stats.wilcoxon(whole(first, second))
        found["signed_rank"] = float(signed_rank.statistic), float(signed_rank.pvalue)
    return found
