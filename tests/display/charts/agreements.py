"""Made-up agreement between tests of a measure and IPSO, for the charts that show it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.display.charts import AgreementCase
from runoff.verdicts import AgreementResult, PairTests, Policy, agreement


def agreement_of(runs: int, *, seed: int = 0, shift: float = 1.0) -> AgreementResult:
    """Tests of runs whose truth is their order: the farther apart, the surer."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(runs, 1)
    z = 6.0 * shift * (second - first) / max(runs, 4) + rng.normal(0, 0.8, len(first))
    sides = np.where(z > 0, -1, 1).astype(np.int8)
    other = z + rng.normal(0, 0.5, len(first))
    p, ipso_p = np.exp(-(z**2) / 2), np.exp(-(other**2) / 2)
    tests = PairTests(name="t test", p=p, favours=sides)
    votes = PairTests(name="IPSO", p=ipso_p, favours=np.where(other > 0, -1, 1).astype(np.int8))
    return agreement(tests, votes, Policy(correction="none"))


def cases_of(runs: int, depths: Sequence[int]) -> list[AgreementCase]:
    return [
        AgreementCase(f"{measure}@{depth}", test, depth, agreement_of(runs, seed=at + depth, shift=0.5 + at / 2))
        for depth in depths
        for at, (measure, test) in enumerate((m, t) for m in ("P", "AP") for t in ("t", "signed_rank", "sign"))
    ]
