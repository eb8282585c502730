"""The rules that turn facets into a verdict: the overall one, and the two of Lin et al., strict and do no harm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from runoff.verdicts.facet import Direction, Facet

Verdict = Literal["better", "worse", "trade-off", "inconclusive"]


def overall(facets: Sequence[Facet], alpha: float) -> Verdict:
    """Better when some facet is significantly up, and none is down even without a correction; worse likewise.

    facets  the measure, and more and sooner where they are known, corrected over all facets and challengers

    Up and down at once, both after the correction, is a trade-off; anything else is inconclusive. So any false claim
    about any facet of any challenger has probability alpha at most.
    """
    shown, raw = [facet.shown for facet in facets], [facet.uncorrected(alpha) for facet in facets]
    if 1 in shown and -1 not in raw:
        return "better"
    if -1 in shown and 1 not in raw:
        return "worse"
    return "trade-off" if 1 in shown and -1 in shown else "inconclusive"


def strict(more: Direction, sooner: Direction) -> Verdict:
    """Better when it finds significantly more and finds significantly sooner.

    more    1 if the challenger is shown to find more relevant documents, -1 if fewer
    sooner  1 if it is shown to find sooner what both find, -1 if later

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    if more == sooner != 0:
        return "better" if more > 0 else "worse"
    return "trade-off" if more == -sooner != 0 else "inconclusive"


def do_no_harm(more: Direction, sooner: Direction) -> Verdict:
    """Better when it is significantly ahead in one facet and not significantly behind in the other.

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    if more == -sooner:
        return "trade-off" if more else "inconclusive"
    return "better" if more + sooner > 0 else "worse"
