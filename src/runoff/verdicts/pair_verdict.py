"""The verdict on a challenger: the evidence that goes in, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runoff.comparisons import (
    BreakEvenResult,
    FacetMeans,
    IpsoResult,
    OutcomesResult,
    OutcomeTestsResult,
    RecallPairedTests,
)
from runoff.measures import Measure
from runoff.significance import SignificanceResult
from runoff.tables.scores import Scores
from runoff.verdicts.facet import UNKNOWN, Facet, Verdict, spoken
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class Votes:
    """What people preferred: the top document of the challenger, of the champion, or neither of the two.

    asked  queries in which the top documents differ, judged or not
    """

    challenger: int
    champion: int
    even: int
    asked: int
    p: float


@dataclass(frozen=True, kw_only=True)
class MoreEvidence:
    """What is known beside the comparison itself; each is None where it is not.

    recall_paired  tests of who reaches each relevant document first
    votes          judgments of the two top documents
    elsewhere      the test of the measure on queries that the runs were not tuned on, and what these are called
    """

    recall_paired: RecallPairedTests | None = None
    votes: Votes | None = None
    elsewhere: tuple[str, SignificanceResult] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class PairEvidence:
    """What is known of a challenger and a champion; outcomes and IPSO are None where only scores are known.

    A verdict needs the first lines, up to `unbound`; the others are for whoever wants to know more.

    measure, means   the chosen measure, and the runs' means under it
    measure_note     why it was chosen, if nobody named one
    difference_ci95  the 95% interval of the challenger's mean minus the champion's
    best_is_low      whether lower values of the measure are better
    test             the result of the policy's test on the measure
    unbound          why IPSO says nothing about the measure, so that ‡ cannot be given; empty if it does
    tests            every significance test of the measure, over all queries
    permitted        per test, whether the scale of the measure allows it; None where the measure is not known
    chosen           the measure itself; None where runoff has none of that name
    depth            ranks that outcomes and IPSO look at
    scores           both runs' values of the measure on every query
    also             the same of further measures
    more             evidence beside the comparison: judgments of people, other queries
    break_even       for whom each run is the better choice; None unless one finds more and the other sooner
    missing_queries  how many queries the champion and the challenger lack; None where ranked lists are not known
    remarks          what a reader should know beside the numbers
    ipso_remarks     the same of IPSO: why there is none, why ‡ is not given
    """

    champion: str
    challenger: str
    queries: int
    measure: str
    means: FacetMeans
    best_is_low: bool
    test: SignificanceResult
    difference_ci95: tuple[float, float] = UNKNOWN
    outcomes: OutcomesResult | None = None
    outcome_tests: OutcomeTestsResult | None = None
    ipso: IpsoResult | None = None
    unbound: str = ""
    tests: tuple[SignificanceResult, ...] = ()
    permitted: Mapping[str, bool] | None = None
    chosen: Measure | None = None
    depth: int | None = None
    scores: Scores | None = None
    also: tuple[Scores, ...] = ()
    more: MoreEvidence = field(default_factory=MoreEvidence)
    break_even: BreakEvenResult | None = None
    missing_queries: tuple[int, int] | None = None
    remarks: tuple[str, ...] = ()
    ipso_remarks: tuple[str, ...] = ()
    measure_note: str = ""

    def p_of(self, test: str) -> float | None:
        """The p of a test of the measure, not corrected; None where it was not made."""
        return next((result.p for result in self.tests if result.name == test), None)


@dataclass(frozen=True, kw_only=True)
class VerdictResult:
    """What is decided about a challenger.

    overall               the verdict, from all facets together
    how                   the facets that it rests on, in words
    strict, do_no_harm    the verdicts by Lin et al.'s two rules; None where outcomes are not known
    marks                 "", "†" or "†‡"
    measure, more, sooner  the facets, p-values corrected over all facets and challengers
    rule_facets           more and sooner for Lin et al.'s rules: each corrected over the challengers alone
    ipso                  the vote behind ‡, corrected over the challengers
    is_of_board           whether the measure alone decides, among all pairs of a board
    sentence              what a careful person would write
    """

    overall: Verdict
    how: tuple[str, ...]
    strict: Verdict | None
    do_no_harm: Verdict | None
    marks: str
    policy: Policy
    measure: Facet
    more: Facet | None
    sooner: Facet | None
    rule_facets: tuple[Facet, Facet] | None
    ipso: Facet | None
    sentence: str
    is_of_board: bool = False

    @property
    def facets(self) -> dict[str, Facet]:
        """The facets that are known, by name."""
        named = {"measure": self.measure, "more": self.more, "sooner": self.sooner}
        return {name: facet for name, facet in named.items() if facet is not None}

    @property
    def is_split(self) -> bool:
        """Whether it is shown to find more and later, or fewer and sooner: then there may be a break-even."""
        return self.more is not None and self.sooner is not None and self.more.shown * self.sooner.shown < 0

    @property
    def family_size(self) -> int:
        """How many p-values the correction is over: facets times challengers, or 1 where nothing is corrected."""
        return self.measure.family.size

    @property
    def spoken(self) -> str:
        """The verdict with its how, such as `worse: fewer, later`."""
        return spoken(self.overall, self.how)

    def to_dict(self) -> dict[str, object]:
        """The keys of `verdict` in JSON."""
        return {
            "overall": self.overall,
            "how": list(self.how),
            "strict": self.strict,
            "do_no_harm": self.do_no_harm,
            "marks": self.marks,
            "alpha": self.policy.alpha,
            "correction": self.policy.correction,
            "family_size": self.family_size,
            "sentence": self.sentence,
        }
