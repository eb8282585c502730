"""Verdicts on a board: whether the leader is ahead of all others, and the order of runs by pairwise verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from runoff.boards import RankSetsResult
from runoff.boards.kendall import HalfReference, SplitReference, TauReference
from runoff.errors import UsageError
from runoff.phrases import lead_text, p_text
from runoff.tables.serps import Serps
from runoff.verdicts.facet import Verdict, do_no_harm
from runoff.verdicts.judgment import all_pair_facets
from runoff.verdicts.policy import Policy

LeadKind = Literal["alone", "clear", "shared"]
MOST_NAMED: Final = 3
"""Runs that a sentence names."""


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
        """Whether nothing that is known speaks against the lead elsewhere."""
        return self.led[0] == self.led[1] and not self.alarm


def lead_verdict(
    leader: str,
    verdicts: Mapping[str, Verdict],
    *,
    tied: Sequence[str] = (),
    led: tuple[int, int] = (1, 1),
    alarm: bool = False,
) -> LeadVerdict:
    """Whether a leader is ahead of every other run, and what speaks against it elsewhere.

    verdicts  what is said of the other runs, best mean first
    tied      those of them that have exactly the leader's mean

    >>> lead_verdict("ash", {"oak": "inconclusive", "fir": "worse"}).sentence
    'There is no clear winner: ash has the best mean, but 1 of the 2 other runs (oak) is not shown to be worse.'
    >>> lead_verdict("ash", {"oak": "inconclusive", "fir": "worse"}, tied=["oak"]).sentence
    'There is no clear winner: ash and oak tie for the lead; the other run is shown to be worse than ash.'
    """
    not_worse = tuple(name for name, verdict in verdicts.items() if verdict != "worse")
    kind: LeadKind = "shared" if not_worse else "clear" if verdicts else "alone"
    return LeadVerdict(
        leader=leader,
        tied=tuple(tied),
        kind=kind,
        not_worse=not_worse,
        others=len(verdicts),
        led=led,
        alarm=alarm,
        sentence=(
            _tie_sentence(leader, tied, not_worse, len(verdicts))
            if tied
            else _sentence(leader, not_worse, len(verdicts))
        )
        + _doubts(led, alarm=alarm),
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
    return f"There is nothing to compare it with: {reference.why}."


def _sentence(leader: str, not_worse: tuple[str, ...], others: int) -> str:
    if not others:
        return f"{leader} is the only run, so there is nothing to compare it with."
    if not not_worse:
        rest = "the other run is" if others == 1 else f"each of the {others:,} other runs is"
        return f"{leader} is the clear leader: {rest} shown to be worse."
    many = len(not_worse)
    of = "the other run" if others == 1 else f"{many:,} of the {others:,} other runs"
    return (
        f"There is no clear winner: {leader} has the best mean, but {of}{_named(not_worse)} "
        f"{'is' if many == 1 else 'are'} not shown to be worse."
    )


def _tie_sentence(leader: str, tied: Sequence[str], not_worse: tuple[str, ...], others: int) -> str:
    """Who ties, and what is said of the runs behind them, whose verdicts are against the leader alone."""
    rest, open_ = others - len(tied), tuple(name for name in not_worse if name not in tied)
    text = f"There is no clear winner: {lead_text((leader, *tied))}"
    if not rest:
        return f"{text}."
    of = "the other run" if rest == 1 else f"each of the {rest:,} other runs"
    if not open_:
        return f"{text}; {of} is shown to be worse than {leader}."
    some = "the other run" if rest == 1 else f"{len(open_):,} of the {rest:,} other runs"
    verb = "is" if len(open_) == 1 else "are"
    return f"{text}; {some}{_named(open_)} {verb} not shown to be worse than {leader}."


def _doubts(led: tuple[int, int], *, alarm: bool) -> str:
    """What speaks against the lead beyond the queries and labels that the board ranks by."""
    said = ""
    if led[0] < led[1]:
        said += f" Under {led[1] - led[0]:,} of {led[1]:,} conditions another run leads."
    if alarm:
        said += " The overfitting alarm fired for its team."
    return said


def _named(names: tuple[str, ...]) -> str:
    """The names in brackets where they are few; many would hide the point."""
    return f" ({', '.join(names)})" if len(names) <= MOST_NAMED else ""


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
