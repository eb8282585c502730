"""IPSO over a board: every pair of runs, at several depths, beside what the tests of measures say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.arguments import checks_arguments
from runoff.comparisons import IpsoPairsResult, ipso_all_pairs, ipso_theory
from runoff.comparisons.exact_gains import gain_table
from runoff.comparisons.options import check_compared_depth
from runoff.display.grid import visible
from runoff.errors import MeasureError, UsageError
from runoff.measures import BinaryMeasure, ExternalMeasure, Measure, NamedMeasure, PeerMeasure, parse_measure
from runoff.measures.scoring import score
from runoff.reading.sources import MeasureSource, one_tie_rule
from runoff.results.board_data import check_defined
from runoff.results.fit import Fit, dropped_notes, fit_notes, missing_of
from runoff.results.ipso_agreement import DepthShares, IpsoBoardResult
from runoff.results.ipso_pairs import AgreementLine
from runoff.results.remarks import answer_remarks
from runoff.significance import (
    AllPairsResult,
    rank_sum_all_pairs,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)
from runoff.tables.board import Board
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps, ranks_needed
from runoff.verdicts import PairTests, Policy, agreement

DEFAULT_DEPTHS: Final = (10,)
DEFAULT_MEASURES: Final = ("P", "RR", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")
"""Those of the paper, each cut at the depth of IPSO; P is first because its Figure 8 orders runs by it."""
TOPIC_MEASURES: Final = ("RR", "P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")
"""The same for two runs: those of the paper's Figures 5 and 6, in its order."""
DEFAULT_PAIR_TESTS: Final = ("t", "signed_rank", "sign")
PAIR_TESTS: Final[Mapping[str, Callable[[NDArray[np.float64]], AllPairsResult]]] = MappingProxyType(
    {"t": t_all_pairs, "signed_rank": signed_rank_all_pairs, "rank_sum": rank_sum_all_pairs, "sign": sign_all_pairs}
)
"""Every test that can be made on all pairs of a board, in the order of display."""
MOST_NAMED: Final = 5
"""Runs that a remark names."""


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class IpsoOptions:
    """What is looked at on a board.

    depths    the depths at which IPSO compares; None: 10, or what a board.toml says
    measures  one or several, as ir_measures spells them, or measure objects; one without a cutoff is cut at each of the
              depths; those of the paper if None
    tests     names of PAIR_TESTS
    gains     the gain of each grade for IPSO, from grade 0; measures keep their own
    level     instead of gains: the lowest grade that is relevant, to IPSO and to the measures
    """

    depths: Sequence[int] | None = None
    measures: MeasureSource | None = None
    tests: Sequence[str] = DEFAULT_PAIR_TESTS
    gains: Sequence[float] | None = None
    level: int | None = None

    def chosen_depths(self) -> tuple[int, ...]:
        """The depths, ascending."""
        depths: Sequence[Any] = DEFAULT_DEPTHS if self.depths is None else self.depths
        for depth in depths:
            check_compared_depth(depth)
        return tuple(sorted(set(depths)))

    def chosen_measures(self) -> tuple[NamedMeasure, ...]:
        """The measures as they were named."""
        measures = DEFAULT_MEASURES if self.measures is None else self.measures
        return (measures,) if isinstance(measures, (str, Measure, PeerMeasure)) else tuple(measures)

    def measures_at(self, depth: int) -> tuple[Measure, ...]:
        """The measures beside IPSO at one depth."""
        return measures_at(self.chosen_measures(), depth, level=self.level)

    def on_board(self, board: Board, *, level: int) -> IpsoOptions:
        """With the depth of a board where none is asked for, and likewise its gains or relevance level."""
        options = self
        if self.depths is None and board.depth is not None:
            options = replace(options, depths=(board.depth,))
        if self.gains is None and self.level is None:
            options = replace(options, gains=board.gains, level=level if board.gains is None else None)
        return options


def needed_depth(asked: IpsoOptions, *, may_lack_measures: bool = False) -> int | None:
    """The ranks that IPSO and the measures need; None for whole lists. Refuses a question that cannot be answered."""
    unknown = [name for name in asked.tests if name not in PAIR_TESTS]
    if unknown or not asked.tests:
        what = f"the test '{unknown[0]}' is not made on all pairs" if unknown else "no test is asked for"
        raise UsageError(f"{what}; expected one or more of {', '.join(PAIR_TESTS)}; choose among these")
    depths = asked.chosen_depths()
    if not depths or not (asked.chosen_measures() or may_lack_measures):
        given = f"{len(depths)} depths and {len(asked.chosen_measures())} measures"
        raise UsageError(f"{given}; expected at least one of each; name some")
    return ranks_needed([*depths, *(measure.cutoff for depth in depths for measure in asked.measures_at(depth))])


def ipso_board_of(title: str, serps: Sequence[Serps], asked: IpsoOptions, policy: Policy) -> IpsoBoardResult:
    """The same for runs that have been read, to the depth that `needed_depth` tells."""
    one_tie_rule(one.tie_rule for one in serps)
    depths = asked.chosen_depths()
    gain_table(serps, depth=depths[-1], gains=asked.gains, level=asked.level)  # refuses what does not fit the labels
    scored = [one if asked.level is None else one.at_level(asked.level) for one in serps]
    first = asked.measures_at(depths[0])[0]
    order = _best_first(score(scored, [first])[0], first)
    serps, scored = ([runs[place] for place in order] for runs in (serps, scored))
    votes = [ipso_all_pairs(serps, depth=depth, gains=asked.gains, level=asked.level) for depth in depths]
    return IpsoBoardResult(
        title=title,
        policy=policy,
        gains=None if asked.gains is None else tuple(asked.gains),
        level=asked.level,
        remarks=(
            *answer_remarks(votes[-1], gains=asked.gains, level=asked.level),
            *_remarks(serps, depths[-1]),
        ),
        missing_queries=missing_of([Fit.of_serps(one) for one in serps]),
        votes=tuple(votes),
        shares=tuple(_shares(vote, serps) for vote in votes),
        lines=tuple(line for vote in votes for line in _lines(vote, scored, asked, policy)),
    )


def ipso_shares(serps: Sequence[Serps], asked: IpsoOptions) -> DepthShares:
    """How often two ranked lists are equal, separable or neither, over all pairs of runs, to the greatest depth."""
    depth = asked.chosen_depths()[-1]
    gain_table(serps, depth=depth, gains=asked.gains, level=asked.level)  # refuses what does not fit the labels
    return _shares(ipso_all_pairs(serps, depth=depth, gains=asked.gains, level=asked.level), serps)


def _best_first(scores: Scores, measure: Measure) -> list[int]:
    """The places of the runs by their means, the best first, equal ones by name: whatever order they were given in."""
    sign = 1.0 if measure.best == "low" else -1.0
    means = (sign * scores.means).tolist()
    return sorted(range(len(means)), key=lambda place: (means[place], scores.runs[place]))


def _remarks(serps: Sequence[Serps], depth: int) -> Iterator[str]:
    """Sentences on runs that lack queries, or whose lists end before the greatest depth."""
    fits = [Fit.of_serps(one) for one in serps]
    yield from map(visible, fit_notes(fits, len(serps[0].query_ids)))
    yield from map(visible, dropped_notes(fits))
    short = [visible(one.run) for one in serps if ((one.retrieved > 0) & (one.retrieved < depth)).any()]
    if short:
        names = ", ".join(short[:MOST_NAMED]) + (", ..." if len(short) > MOST_NAMED else "")
        yield (
            f"Lists of {len(short):,} of the {len(serps):,} runs end before rank {depth}, and find nothing beyond: "
            f"{names}."
        )


def _shares(vote: IpsoPairsResult, serps: Sequence[Serps]) -> DepthShares:
    places = np.triu_indices(len(vote.runs), 1)
    equal, nonseparable = (int(counts[places].sum()) for counts in (vote.equal, vote.nonseparable))
    lists = len(places[0]) * vote.topics
    return DepthShares(
        depth=vote.depth,
        equal=equal / lists,
        separable=(lists - equal - nonseparable) / lists,
        nonseparable=nonseparable / lists,
        unjudged=float(np.mean([one.unjudged_share(vote.depth) for one in serps])),
        theory=ipso_theory(vote.depth),
    )


def _lines(
    vote: IpsoPairsResult, serps: Sequence[Serps], asked: IpsoOptions, policy: Policy
) -> Iterator[AgreementLine]:
    """A line per measure and test beside IPSO at one depth."""
    places = np.triu_indices(len(vote.runs), 1)
    ipso = PairTests(
        name="IPSO sign test", p=vote.sign_p[places], favours=np.sign(vote.ns - vote.ni)[places].astype(np.int8)
    )
    measures = asked.measures_at(vote.depth)
    for typed, measure, scores in zip(asked.chosen_measures(), measures, score(serps, measures), strict=True):
        check_defined(scores.values, str(measure))
        better = np.int8(-1 if measure.best == "low" else 1)
        for name in sorted(asked.tests, key=list(PAIR_TESTS).index):
            table = PAIR_TESTS[name](scores.values)
            tests = PairTests(
                name=f"{name} test of {measure}", p=table.p[places], favours=better * table.favours[places]
            )
            yield AgreementLine(
                depth=vote.depth,
                measure=str(measure),
                label=str(measure) if str(measure) == str(typed) else f"{typed}@k",
                best_is_low=measure.best == "low",
                test=name,
                means=scores.means,
                tests=tests,
                result=agreement(tests, ipso, policy),
            )


def measures_at(named: Sequence[NamedMeasure], depth: int, *, level: int | None = None) -> tuple[Measure, ...]:
    """The measures beside IPSO at one depth: one without a cutoff is cut at it.

    level  the lowest grade that is relevant, to IPSO and to the measures; None: each measure has its own

    >>> measures_at(["AP", "RR@1", "Rprec"], 10)
    (AP@10, RR@1, Rprec)
    """
    chosen = tuple(_at_depth(one, depth) for one in named)
    for place, measure in enumerate(chosen):
        if isinstance(measure, ExternalMeasure):
            raise UsageError(
                f"{measure} is computed by ir_measures; expected a measure of runoff; choose one, such as AP"
            )
        if measure in chosen[:place]:
            raise UsageError(f"{measure} is asked for twice; expected every measure once; leave one out")
        if level is not None and isinstance(measure, BinaryMeasure) and measure.rel != 1:
            raise UsageError(
                f"{measure} and a relevance level are both given; expected one level for all; leave rel out"
            )
    return chosen


def _at_depth(measure: NamedMeasure, depth: int) -> Measure:
    """A measure cut at the depth, or as it is if it has a cutoff of its own or takes none."""
    if not isinstance(measure, str):
        ours = parse_measure(measure)
        return ours @ depth if ours.cutoff is None and ours.cutoff_use != "none" else ours
    if "@" in measure:
        return parse_measure(measure)
    try:
        return parse_measure(f"{measure}@{depth}")
    except MeasureError:
        return parse_measure(measure)  # it takes no cutoff, or says what is wrong with it
