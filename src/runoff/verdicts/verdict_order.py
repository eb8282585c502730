"""The verdict order of a board: each run against each other one, and who is better more often than worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from runoff.errors import UsageError
from runoff.tables.serps import Serps
from runoff.verdicts.all_pair_facets import all_pair_facets
from runoff.verdicts.outcome_rules import Verdict, do_no_harm
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class VerdictOrderResult:
    """Every run as the challenger of every other one, under do no harm.

    verdicts   verdicts[i][j] is what run i gets against run j; None for i = j
    better     how many runs each run is better than; worse and trade_offs in the same way
    order      the places of the runs, best first
    """

    runs: tuple[str, ...]
    verdicts: tuple[tuple[Verdict | None, ...], ...]
    better: tuple[int, ...]
    worse: tuple[int, ...]
    trade_offs: tuple[int, ...]
    order: tuple[int, ...]
    policy: Policy

    @property
    def copeland(self) -> tuple[int, ...]:
        """The Copeland score of each run: how many runs it is better than, minus how many it is worse than."""
        return tuple(better - worse for better, worse in zip(self.better, self.worse, strict=True))


def verdict_order(
    serps: Sequence[Serps], means: Sequence[float], *, cutoff: int | None, level: int = 1, policy: Policy
) -> VerdictOrderResult:
    """Order runs by their Copeland score under do no harm; equal scores by the mean, equal means by the name.

    means   the mean of each run, higher is better; of a measure where low is good, give its negative
    cutoff  the last rank that counts; level the lowest grade that counts as relevant

    Each pair is decided at the policy's level by itself: nothing is corrected for the number of pairs, so the order is
    an order and not a claim about all of them. With many pairs about alpha of those between equal runs are decided.

    Copeland 1951, A reasonable social welfare function; Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    >>> from runoff.measures._example import serps_from
    >>> late, early = serps_from(*["0001"] * 9, run="late"), serps_from(*["1000"] * 9, run="early")
    >>> result = verdict_order([late, early], [0.25, 1.0], cutoff=4, policy=Policy())
    >>> result.copeland, result.order, result.verdicts[0]
    ((-1, 1), (1, 0), (None, 'worse'))
    """
    if len(means) != len(serps):
        raise UsageError(f"{len(means)} means of {len(serps)} runs; expected one each; give the mean of every run")
    found = all_pair_facets(serps, cutoff=cutoff, level=level, policy=replace(policy, correction="none"))
    size = len(serps)
    more, sooner = found.more.T.tolist(), found.sooner.T.tolist()
    verdicts = tuple(
        tuple(
            None if champion == run else do_no_harm(more[run][champion], sooner[run][champion])
            for champion in range(size)
        )
        for run in range(size)
    )
    better, worse, trade_offs = (
        tuple(row.count(name) for row in verdicts) for name in ("better", "worse", "trade-off")
    )
    copeland = np.subtract(better, worse)
    names = tuple(one.run for one in serps)
    order = sorted(range(size), key=lambda run: (-copeland[run], -means[run], names[run]))
    return VerdictOrderResult(
        runs=names,
        verdicts=verdicts,
        better=better,
        worse=worse,
        trade_offs=trade_offs,
        order=tuple(order),
        policy=policy,
    )
