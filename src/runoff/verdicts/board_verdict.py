"""Verdicts on a board: whether the leader is ahead of all others, what to doubt, the order by pairwise verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from runoff.boards import BoardPower, RankSetsResult, WinnerResult
from runoff.boards.kendall import HalfReference, SplitReference, TauReference
from runoff.errors import UsageError
from runoff.phrases import is_or_are, lead_text, listed, p_text
from runoff.tables.serps import Serps
from runoff.verdicts.evidence import EvidenceResult
from runoff.verdicts.facet import Verdict, do_no_harm
from runoff.verdicts.judgment import all_pair_facets
from runoff.verdicts.policy import Policy
from runoff.verdicts.power import about_queries

LeadKind = Literal["alone", "clear", "shared"]
MOST_NAMED: Final = 3
"""Runs that a sentence names."""
FEW_QUERIES: Final = 100
"""Below this number, the confidence of a board can be lower than stated where scores are skewed."""
MANY_UNJUDGED: Final = 0.1
"""The share of unjudged documents in the top 10 from which labels can hide good runs."""
MUCH_FREEDOM: Final = 0.05
"""The share of pairs of ranked lists that measures may order differently, from which the choice of measure matters."""


@dataclass(frozen=True, kw_only=True)
class LeadVerdict:
    """What is decided about the run with the best mean.

    tied       other runs with exactly the leader's mean, by name
    kind       `alone`: there is no other run; `clear`: all others are worse; `shared`: some are not shown to be
    not_worse  the runs that are not shown to be worse, in the order of the means
    others     how many other runs there are
    led        under how many of the board's conditions the leader leads, alone or with others, and of how many
    alarm      whether the overfitting alarm fired for the leader's team
    sentence   what a careful person would write
    """

    leader: str
    tied: tuple[str, ...]
    kind: LeadKind
    not_worse: tuple[str, ...]
    others: int
    led: tuple[int, int]
    alarm: bool
    sentence: str

    @property
    def holds(self) -> bool:
        """Whether nothing that is known contradicts the lead elsewhere."""
        return self.led[0] == self.led[1] and not self.alarm


def lead_verdict(
    leader: str,
    verdicts: Mapping[str, Verdict],
    *,
    tied: Sequence[str] = (),
    led: tuple[int, int] = (1, 1),
    alarm: bool = False,
) -> LeadVerdict:
    """Whether a leader is ahead of every other run, and what contradicts it elsewhere.

    verdicts  what is said of the other runs, best mean first
    tied      those of them that have exactly the leader's mean

    >>> lead_verdict("ash", {"oak": "inconclusive", "fir": "worse"}).sentence
    'There is no clear winner: ash has the best mean, but 1 of the 2 other runs (oak) is not significantly worse.'
    >>> lead_verdict("ash", {"oak": "inconclusive", "fir": "worse"}, tied=["oak"]).sentence
    'There is no clear winner: ash and oak tie for the lead; the other run is significantly worse than ash.'
    """
    not_worse = tuple(name for name, verdict in verdicts.items() if verdict != "worse")
    kind: LeadKind = "shared" if not_worse else "clear" if verdicts else "alone"
    answer = (
        _tie_sentence(leader, tied, not_worse, len(verdicts)) if tied else _sentence(leader, not_worse, len(verdicts))
    )
    if led[0] < led[1]:
        answer += f" Another run leads under {led[1] - led[0]:,} of {led[1]:,} conditions."
    if alarm:
        answer += " The overfitting alarm fired for its team."
    return LeadVerdict(
        leader=leader,
        tied=tuple(tied),
        kind=kind,
        not_worse=not_worse,
        others=len(verdicts),
        led=led,
        alarm=alarm,
        sentence=answer,
    )


def rank_verdict(decisions: RankSetsResult, run: int, other: int) -> Verdict:
    """What the decisions about all pairs of a board say of one run against another; both by their places.

    >>> from runoff.boards import rank_sets
    >>> from runoff.tables import Scores
    >>> values = np.linspace(0, 1, 20)[:, None] * np.array([0.1, 0.9])
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(20))), runs=("low", "high"), values=values)
    >>> decisions = rank_sets(scores)
    >>> rank_verdict(decisions, 0, 1), rank_verdict(decisions, 1, 0)
    ('worse', 'better')
    """
    if decisions.above[run, other]:
        return "worse"
    return "better" if decisions.above[other, run] else "inconclusive"


def tau_sentence(reference: TauReference, *, alpha: float = 0.05) -> str:
    """What a Kendall's tau between two orders of runs can be compared with, in a sentence or two."""
    if isinstance(reference, SplitReference):
        low, high = reference.range95
        if reference.p <= alpha:
            verdict = "The order of the runs, or the difficulty of the queries, differs between the two sets."
        else:
            verdict = "That is what the luck of the queries alone could do."
        return (
            f"Random splits of the same queries have a median tau of {reference.median:.2f} ({low:.2f} to {high:.2f} "
            f"in 95% of {reference.trials:,}; {p_text(reference.p, alpha)}). {verdict}"
        )
    if isinstance(reference, HalfReference):
        first, second = reference.within
        return (
            f"Between disjoint halves of the queries tau is {reference.across:.2f} across the two on average, and "
            f"{first:.2f} and {second:.2f} within each."
        )
    return f"This tau has no reference value: {reference.why}."


def _sentence(leader: str, not_worse: tuple[str, ...], others: int) -> str:
    if not others:
        return f"{leader} is the only run, so there is nothing to compare it with."
    if not not_worse:
        return f"{leader} is the clear leader: {_all_others(others)} significantly worse."
    return f"There is no clear winner: {leader} has the best mean, but {_open_others(not_worse, others)} worse."


def _tie_sentence(leader: str, tied: Sequence[str], not_worse: tuple[str, ...], others: int) -> str:
    """Who ties, and what is said of the runs behind them, whose verdicts are against the leader alone."""
    rest, open_ = others - len(tied), tuple(name for name in not_worse if name not in tied)
    text = f"There is no clear winner: {lead_text((leader, *tied))}"
    if not rest:
        return f"{text}."
    if not open_:
        return f"{text}; {_all_others(rest)} significantly worse than {leader}."
    return f"{text}; {_open_others(open_, rest)} worse than {leader}."


def _all_others(others: int) -> str:
    return {1: "the other run is", 2: "both other runs are"}.get(others, f"all {others:,} other runs are")


def _open_others(names: tuple[str, ...], others: int) -> str:
    """How many other runs are not significantly worse."""
    if others == 1:
        return f"the other run{_in_brackets(names)} is not significantly"
    if len(names) == others:
        return f"none of the {others:,} other runs is significantly"
    return f"{len(names):,} of the {others:,} other runs{_in_brackets(names)} {is_or_are(len(names))} not significantly"


def _in_brackets(names: tuple[str, ...]) -> str:
    """The names in brackets where they are few; many would hide the point."""
    return f" ({', '.join(names)})" if len(names) <= MOST_NAMED else ""


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A reason not to take the order of a board for granted; `section` of the report has the numbers behind it."""

    section: str
    sentence: str


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardChecks:
    """The numbers that can cast doubt on the leader of a board; what is not known is None or empty.

    evidence     about the run with the next best mean
    leads        where the leader leads, in words, such as `leads under 1 of 3 conditions`
    alarms       the teams with an overfitting alarm
    violations   how many submissions broke the rule
    unjudged     the share of the runs' top 10 documents without a judgment
    freedom      the share of pairs of ranked lists that measures may order differently
    """

    lead: LeadVerdict
    queries: int
    winner: WinnerResult | None = None
    resolution: BoardPower | None = None
    evidence: EvidenceResult | None = None
    leads: str = ""
    alarms: Sequence[str] = ()
    violations: int = 0
    unjudged: float | None = None
    freedom: float | None = None


def doubts_about(checks: BoardChecks) -> tuple[Doubt, ...]:
    """Every reason for doubt that the checks of a board give, the gravest first."""
    return tuple(Doubt(section=section, sentence=sentence) for section, sentence in _reasons(checks))


def _reasons(checks: BoardChecks) -> Iterator[tuple[str, str]]:
    lead, resolution, winner, evidence = checks.lead, checks.resolution, checks.winner, checks.evidence
    if lead.led[0] < lead.led[1]:
        yield "elsewhere", f"With other queries, labels or measures the order changes: {lead.leader} {checks.leads}."
    if checks.alarms:
        gain = "the gain on public queries carries over to private ones less than the gains of other teams do"
        yield "elsewhere", f"Overfitting alarm for {listed(checks.alarms)}: {gain}."
    if checks.violations:
        broken = "1 submission breaks" if checks.violations == 1 else f"{checks.violations:,} submissions break"
        yield "elsewhere", f"{broken} the submission rule of the board."
    if resolution is not None and resolution.gap_needed is not None and resolution.gap_needed > resolution.queries:
        needed = about_queries(resolution.gap_needed)
        yield (
            "leader",
            (
                f"A lead as small as that of {resolution.first} over {resolution.second}, {resolution.gap:.4f}, "
                f"usually goes undetected with {resolution.queries:,} queries; it needs {needed} "
                f"({resolution.power:.0%} power)."
            ),
        )
    if winner is not None and f"{winner.corrected:.3f}" != f"{winner.score:.3f}":
        yield (
            "leader",
            (
                f"The best of {winner.runs:,} means is partly luck: corrected for that, {listed(winner.names)} "
                f"{'scores' if len(winner.names) == 1 else 'score'} about {winner.corrected:.4f}, "
                f"not {winner.score:.4f}."
            ),
        )
    if evidence is not None and evidence.kind == "conflict":
        yield "evidence", f"{evidence.challenger} against {evidence.champion}: {evidence.sentence}"
    if checks.unjudged is not None and checks.unjudged >= MANY_UNJUDGED:
        yield (
            "labels",
            (
                f"Nobody judged {checks.unjudged:.0%} of the documents in the runs' top 10; most measures count them "
                "as not relevant."
            ),
        )
    if checks.freedom is not None and checks.freedom >= MUCH_FREEDOM:
        yield (
            "measures",
            (
                f"The choice of measure matters: two reasonable measures may disagree about {checks.freedom:.0%} of "
                "the pairs of ranked lists."
            ),
        )
    if checks.queries < FEW_QUERIES and lead.others:
        yield (
            "leader",
            (
                f"There are only {checks.queries:,} queries: below {FEW_QUERIES}, confidence can be lower than stated "
                "where scores are skewed."
            ),
        )


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
    facets = all_pair_facets(serps, cutoff=cutoff, level=level, policy=replace(policy, correction="none"))
    size = len(serps)
    more, sooner = facets.more.T.tolist(), facets.sooner.T.tolist()
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
    names = tuple(run_serps.run for run_serps in serps)
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
