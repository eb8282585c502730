"""Recall-paired preference and lexicographic precision: who reaches each relevant document first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_same_ground, relevant_ranks
from runoff.significance import PairedT, Sign, SignificanceResult
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class RecallPairedResult:
    """Preferences between two runs, query by query; above 0 favours the challenger.

    rpp        float64, queries: the mean over relevant documents of who finds the i-th one first, from -1 to 1
    precision  int8, queries: who is earlier at the first i at which the runs differ; 0 if nowhere
    recall     int8, queries: who is earlier at the last i at which they differ; 0 if nowhere
    """

    champion: str
    challenger: str
    query_ids: Sequence[str]
    level: int
    rpp: NDArray[np.float64]
    precision: NDArray[np.int8]
    recall: NDArray[np.int8]


def recall_paired(champion: Serps, challenger: Serps, *, level: int = 1) -> RecallPairedResult:
    """Compare two runs at every level of recall.

        for the i-th relevant document that each run finds: sign(champion's rank - challenger's rank), i = 1 .. R

    R is the number of relevant documents in the labels. A document that is not found is infinitely late; both not found
    is a tie. RPP is the mean over i; lexicographic precision is the first sign that is not 0, lexicographic recall the
    last.

    Diaz & Ferraro 2022, Offline retrieval evaluation without evaluation metrics,
    https://doi.org/10.1145/3477495.3532033; Diaz 2023 (lexicographic), https://doi.org/10.48550/arXiv.2307.04190

    >>> from runoff.measures._example import serps_from
    >>> result = recall_paired(serps_from("1001", relevant=3), serps_from("0110", relevant=3))
    >>> result.rpp.tolist(), result.precision.tolist(), result.recall.tolist()
    ([0.0], [-1], [1])
    """
    check_same_ground((champion, challenger))
    relevant = champion.relevant(level)
    ranks = [relevant_ranks(run, cutoff=max(run.depth, 1), level=level) for run in (champion, challenger)]
    width = max(int(run.found.max(initial=0)) for run in ranks)
    first, second = (run.table(width, _NEVER) for run in ranks)
    signs = np.sign(first - second).astype(np.int8)  # not found is 0 in both only where both are beyond all ranks
    total = np.maximum(np.maximum(relevant, (first < _NEVER).sum(axis=1)), (second < _NEVER).sum(axis=1))
    differs = signs != 0
    rows = np.arange(len(signs))
    any_differs = differs.any(axis=1)
    last = width - 1 - differs[:, ::-1].argmax(axis=1) if width else np.zeros(len(signs), dtype=np.intp)
    zero = np.zeros(len(signs), dtype=np.int8)
    return RecallPairedResult(
        champion=champion.run,
        challenger=challenger.run,
        query_ids=champion.query_ids,
        level=level,
        rpp=signs.sum(axis=1) / np.maximum(total, 1),
        precision=np.where(any_differs, signs[rows, differs.argmax(axis=1)], zero) if width else zero,
        recall=np.where(any_differs, signs[rows, last], zero) if width else zero,
    )


_NEVER = np.iinfo(np.int32).max
"""The rank of a document that is not found."""


@dataclass(frozen=True, kw_only=True)
class RecallPairedTests:
    """What the tests say of each preference; an effect above 0 (sign: above 1/2) favours the challenger.

    rpp                the t test of the mean preference over queries
    precision, recall  the sign test of the queries that prefer one run, by the first and by the last difference
    same               whether all three prefer the same run on every query, as with one relevant document per query
    """

    rpp: SignificanceResult
    precision: SignificanceResult
    recall: SignificanceResult
    same: bool


def recall_paired_tests(champion: Serps, challenger: Serps, *, level: int = 1) -> RecallPairedTests:
    """Test the recall-paired preferences of two runs over all queries.

        RPP: Student's t of the mean against 0;  lexicographic: exact binomial over the queries that are not tied

    Diaz & Ferraro 2022, section 5, https://doi.org/10.1145/3477495.3532033

    >>> from runoff.measures._example import serps_from
    >>> tests = recall_paired_tests(serps_from(*["0100"] * 6), serps_from(*["1000"] * 6))
    >>> tests.precision.p, tests.same
    (0.03125, True)
    """
    preferences = recall_paired(champion, challenger, level=level)
    none = np.zeros(len(preferences.query_ids))
    precision, recall = (
        Sign().compare(none, side.astype(np.float64)) for side in (preferences.precision, preferences.recall)
    )
    sides = np.sign(preferences.rpp)
    return RecallPairedTests(
        rpp=PairedT().compare(none, preferences.rpp),
        precision=precision,
        recall=recall,
        same=bool((preferences.precision == preferences.recall).all() and (preferences.precision == sides).all()),
    )
