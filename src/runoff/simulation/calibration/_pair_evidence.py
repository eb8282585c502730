"""The evidence about a simulated pair, as a comparison gathers it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import IpsoResult, ipso, outcome_tests, outcomes
from runoff.errors import UsageError
from runoff.significance import find_significance_test
from runoff.simulation.calibration._base import Settings
from runoff.simulation.calibration._source import Source
from runoff.tables.serps import Serps
from runoff.verdicts import PairEvidence


def pair_evidence(
    source: Source,
    serps: tuple[Serps, Serps],
    values: NDArray[np.float64],
    settings: Settings,
    *,
    seed: int,
    with_ipso: bool = True,
) -> PairEvidence:
    """Means, test, outcomes and IPSO of a champion and a challenger; values are queries x 2."""
    pair_outcomes = outcomes(*serps, cutoff=source.cutoff, level=source.level)
    test = find_significance_test(settings.policy.measure_test)
    means = values.mean(axis=0)
    return PairEvidence(
        champion=serps[0].run,
        challenger=serps[1].run,
        queries=len(values),
        measure=source.scores.measure,
        means=(float(means[0]), float(means[1])),
        best_is_low=False,
        test=test.compare(*values.T, seed=seed, trials=settings.trials),
        outcomes=pair_outcomes,
        outcome_tests=outcome_tests(pair_outcomes),
        ipso=_ipso(source, serps) if with_ipso else None,
    )


def _ipso(source: Source, serps: tuple[Serps, Serps]) -> IpsoResult | None:
    """The ordering; None for graded labels without gains, where a comparison leaves it out too."""
    depth = source.cutoff or serps[0].depth
    try:
        level = source.level if source.gains is None and source.level > 1 else None
        return ipso(*serps, depth=depth, gains=source.gains, level=level)
    except UsageError:
        return None
