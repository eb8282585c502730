"""The p-values that belong to recall-paired preference and the lexicographic orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.comparisons.recall_paired import RecallPairedResult
from runoff.significance import PairedT, Sign, SignificanceResult


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


def recall_paired_tests(found: RecallPairedResult) -> RecallPairedTests:
    """Test the preferences of two runs over all queries.

        RPP: Student's t of the mean against 0;  lexicographic: exact binomial over the queries that are not tied

    Diaz & Ferraro 2022, section 5, https://doi.org/10.1145/3477495.3532033

    >>> from runoff.comparisons._example import serps_from
    >>> from runoff.comparisons.recall_paired import recall_paired
    >>> tests = recall_paired_tests(recall_paired(serps_from(*["0100"] * 6), serps_from(*["1000"] * 6)))
    >>> tests.precision.p, tests.same
    (0.03125, True)
    """
    none = np.zeros(len(found.query_ids))
    precision, recall = (Sign().compare(none, side.astype(np.float64)) for side in (found.precision, found.recall))
    sides = np.sign(found.rpp)
    return RecallPairedTests(
        rpp=PairedT().compare(none, found.rpp),
        precision=precision,
        recall=recall,
        same=bool((found.precision == found.recall).all() and (found.precision == sides).all()),
    )
