"""Win-ratio marks: which runs are significantly preferred to which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.preferences.tops import PERFECT
from runoff.preferences.win_ratios import WinRatiosResult
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, eq=False, kw_only=True)
class WinRatioMarks:
    """What is significant in a matrix of win ratios.

    is_significant       bool, runs x runs: whether the corrected p-value of the pair is below alpha; symmetric
    is_preferred         bool, runs x runs: whether the column's run is significantly preferred to the row's
    better_than_perfect  the runs that are significantly preferred to the perfect ranking, the highest ratio first
    """

    alpha: float
    is_significant: NDArray[np.bool_]
    is_preferred: NDArray[np.bool_]
    better_than_perfect: tuple[str, ...]


def win_ratio_marks(result: WinRatiosResult, policy: Policy | None = None) -> WinRatioMarks:
    """Decide which win ratios are significant: those whose p-value, corrected over all pairs, is below alpha.

    Arabzadeh et al. 2021, Table 4, https://arxiv.org/abs/2109.00062: bold cells, binomial test at 0.05 with Bonferroni
    correction.

    >>> from runoff.preferences import TopDocs, win_ratios
    >>> from runoff.tables import Preferences
    >>> queries = [f"q{number}" for number in range(9)]
    >>> table = Preferences.of([(query, "a", "b", "a") for query in queries])
    >>> tops = TopDocs.of({"x": dict.fromkeys(queries, "a"), "perfect ranking": dict.fromkeys(queries, "b")}, queries)
    >>> win_ratio_marks(win_ratios(table, tops)).better_than_perfect
    ('x',)
    """
    alpha = (policy or Policy()).alpha
    p, ratios = np.nan_to_num(result.p, nan=1.0), np.nan_to_num(result.ratios, nan=0.5)
    significant = p < alpha
    preferred = significant & (ratios > 0.5)
    better: list[str] = []
    if PERFECT in result.runs:
        row = result.runs.index(PERFECT)
        places = np.flatnonzero(preferred[row])
        better = [result.runs[place] for place in places[np.argsort(-ratios[row, places], kind="stable")].tolist()]
    return WinRatioMarks(
        alpha=alpha, is_significant=significant, is_preferred=preferred, better_than_perfect=tuple(better)
    )
