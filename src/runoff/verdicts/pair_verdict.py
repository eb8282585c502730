"""The verdict on a challenger: the evidence that goes in, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.comparisons import IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.significance import SignificanceResult
from runoff.verdicts.facet import Facet
from runoff.verdicts.outcome_rules import Verdict
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True, eq=False)
class PairEvidence:
    """What is known of a challenger and a champion; outcomes and IPSO are None where only scores are known.

    measure, means  the chosen measure, and the champion's and the challenger's mean
    best_is_low     whether lower values of the measure are better
    test            the result of the policy's test on the measure
    """

    champion: str
    challenger: str
    queries: int
    measure: str
    means: tuple[float, float]
    best_is_low: bool
    test: SignificanceResult
    outcomes: OutcomesResult | None = None
    outcome_tests: OutcomeTestsResult | None = None
    ipso: IpsoResult | None = None


@dataclass(frozen=True, kw_only=True)
class VerdictResult:
    """What is decided about a challenger.

    strict, do_no_harm  the verdicts by the two rules; None where outcomes are not known
    marks               "", "†" or "†‡"
    answered, earlier   the two facets behind the verdicts
    measure, ipso       the two facets behind the marks
    sentence            what a careful person would write
    """

    strict: Verdict | None
    do_no_harm: Verdict | None
    marks: str
    policy: Policy
    measure: Facet
    answered: Facet | None
    earlier: Facet | None
    ipso: Facet | None
    sentence: str

    @property
    def alpha(self) -> float:
        """The level."""
        return self.policy.alpha

    @property
    def correction(self) -> str:
        """The correction; it changes nothing for a single challenger."""
        return self.policy.correction

    @property
    def family_size(self) -> int:
        """How many p-values each correction is over: the number of challengers, or 1 where nothing is corrected."""
        return self.measure.family.size

    def to_dict(self) -> dict[str, object]:
        """The keys of `verdict` in JSON."""
        return {
            "strict": self.strict,
            "do_no_harm": self.do_no_harm,
            "marks": self.marks,
            "alpha": self.alpha,
            "correction": self.correction,
            "family_size": self.family_size,
            "sentence": self.sentence,
        }
