"""The two rules of Lin et al. for calling a challenger better: strict, and do no harm."""

from __future__ import annotations

from typing import Literal

from runoff.verdicts.facet import Facet

Verdict = Literal["better", "worse", "trade-off", "inconclusive"]


def strict(answered: Facet, earlier: Facet) -> Verdict:
    """Better when it answers significantly more queries and, where both answer, significantly earlier.

    answered  the *only* cases: ahead if the challenger answers more queries
    earlier   ESL in *both*: ahead if the challenger's answers come earlier

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    if answered.is_ahead and earlier.is_ahead:
        return "better"
    if answered.is_behind and earlier.is_behind:
        return "worse"
    return _otherwise(answered, earlier)


def do_no_harm(answered: Facet, earlier: Facet) -> Verdict:
    """Better when it is significantly ahead in one facet and not significantly behind in the other.

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    ahead, behind = answered.is_ahead or earlier.is_ahead, answered.is_behind or earlier.is_behind
    if ahead and not behind:
        return "better"
    if behind and not ahead:
        return "worse"
    return _otherwise(answered, earlier)


def _otherwise(answered: Facet, earlier: Facet) -> Verdict:
    ahead, behind = answered.is_ahead or earlier.is_ahead, answered.is_behind or earlier.is_behind
    return "trade-off" if ahead and behind else "inconclusive"
