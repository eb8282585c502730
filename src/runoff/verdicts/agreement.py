"""Whether two tests agree about all pairs of a board: a measure's test, and the sign test of IPSO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.significance import Family, correct
from runoff.tables.read_only import ReadOnlyArrays
from runoff.verdicts.policy import Policy

Agreement = Literal["both_yes", "both_no", "measure_only", "ipso_only", "opposite"]
AGREEMENTS: Final[tuple[Agreement, ...]] = get_args(Agreement)
"""What two tests can say of a pair: the four of the paper's Figure 7, and both yes for different runs."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests:
    """One test on every pair of a board, each pair once.

    name     the test, such as "t test of AP@10"
    p        float64, pairs: as the test gave it
    favours  int8, pairs: 1 where it favours the second run of the pair, -1 the first, 0 neither
    """

    name: str
    p: NDArray[np.float64]
    favours: NDArray[np.int8]


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementResult(ReadOnlyArrays):
    """What a measure's test and IPSO say of every pair, decided at the level of a policy.

    measure_p, ipso_p  float64, pairs: after the correction over `family`, if there is one
    found              int8, pairs: a place in AGREEMENTS
    family             what the correction of each of the two tests is over; None without a correction
    """

    policy: Policy
    measure_p: NDArray[np.float64]
    ipso_p: NDArray[np.float64]
    found: NDArray[np.int8]
    family: Family | None

    @property
    def counts(self) -> dict[Agreement, int]:
        """How many pairs there are of each kind, in the order of AGREEMENTS."""
        return dict(zip(AGREEMENTS, np.bincount(self.found, minlength=len(AGREEMENTS)).tolist(), strict=True))

    @property
    def shares(self) -> dict[Agreement, float]:
        """The same as shares of all pairs; they add to 1."""
        return {name: count / len(self.found) for name, count in self.counts.items()}


def agreement(measure: PairTests, ipso: PairTests, policy: Policy) -> AgreementResult:
    """Sort all pairs by what the two tests say: yes is p < alpha, whichever run it favours.

    both_yes      both are significant, for the same run
    both_no       neither is
    measure_only  the measure's test is, IPSO is not
    ipso_only     IPSO is, the measure's test is not
    opposite      both are significant, for different runs; Figure 7 counts these as both yes

    A correction is over all pairs, for each of the two tests apart. Unlike the † of a verdict, a test that speaks
    against the mean counts here: the question is what the tests say.

    Moffat & Mackenzie 2024, section 3.5 and Figure 7, https://doi.org/10.1002/asi.24874

    >>> tests = [PairTests(name=name, p=np.array(p), favours=np.array(side, dtype=np.int8)) for name, p, side in (
    ...     ("t test", [0.01, 0.01, 0.3, 0.01], [1, 1, 1, 1]), ("IPSO", [0.02, 0.2, 0.3, 0.02], [1, 1, -1, -1]))]
    >>> agreement(*tests, Policy(correction="none")).counts
    {'both_yes': 1, 'both_no': 1, 'measure_only': 1, 'ipso_only': 0, 'opposite': 1}
    """
    _check(measure, ipso)
    measure_p, ipso_p = (_corrected(tests, policy) for tests in (measure, ipso))
    by_measure, by_ipso = measure_p < policy.alpha, ipso_p < policy.alpha
    same = measure.favours == ipso.favours
    kinds = [by_measure & by_ipso & same, ~by_measure & ~by_ipso, by_measure & ~by_ipso, ~by_measure & by_ipso]
    kind_of_pair = np.select(kinds, range(len(kinds)), default=AGREEMENTS.index("opposite")).astype(np.int8)
    family = None if policy.correction == "none" else _family("each test", len(kind_of_pair))
    return AgreementResult(policy=policy, measure_p=measure_p, ipso_p=ipso_p, found=kind_of_pair, family=family)


def _corrected(tests: PairTests, policy: Policy) -> NDArray[np.float64]:
    if policy.correction == "none":
        return np.array(tests.p, dtype=np.float64)
    return correct(tests.p, correction=policy.correction, family=_family(tests.name, len(tests.p))).p


def _family(name: str, pairs: int) -> Family:
    return Family(f"{name} on all {pairs:,} pairs", pairs)


def _check(measure: PairTests, ipso: PairTests) -> None:
    shapes = {array.shape for tests in (measure, ipso) for array in (tests.p, tests.favours)}
    if len(shapes) > 1 or measure.p.ndim != 1 or not measure.p.size:
        raise UsageError(
            f"{measure.name} and {ipso.name} have arrays of the shapes {', '.join(sorted(map(str, shapes)))}; expected "
            "one p and one side for each pair of a board, in the same order; give each pair once"
        )
