"""Verdicts from preferences: runs that people prefer to the labels, and significant win ratios."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.phrases import p_text
from runoff.preferences import PreferredShare
from runoff.preferences.pools import PERFECT
from runoff.preferences.win_ratios import WinRatiosResult
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class LabelsVerdict:
    """A decision about one run.

    better  its top document is preferred to the label significantly more often than not, where they differ
    worse   significantly less often
    """

    run: str
    better: bool
    worse: bool
    sentence: str


def better_than_labels(run: str, differs: PreferredShare, p: float, policy: Policy | None = None) -> LabelsVerdict:
    """Whether a run is better than the perfect ranking, which has the label of every query on top.

    differs  how often its top document is preferred to the label, over the queries in which they differ
    p        the p-value of that share, corrected over all that were looked at

    >>> better_than_labels("dense", PreferredShare.of(130, 70), 0.0003).better
    True
    """
    level = (policy or Policy()).alpha
    is_significant = p < level
    better, worse = is_significant and differs.wins > differs.losses, is_significant and differs.wins < differs.losses
    text = (
        f"Where the first document of {run} is not the label, assessors prefer it to the label in {differs.share:.1%} "
        f"of {differs.counted:,} queries ({p_text(p)})"
    )
    if better:
        sentence = f"{text}: it is better than the labels, which cannot show it."
    elif worse:
        sentence = f"{text}: it is worse than the labels."
    else:
        sentence = f"{text}: it is not shown to be better or worse than the labels."
    return LabelsVerdict(run=run, better=better, worse=worse, sentence=sentence)


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
