"""Innate pairwise orderings: on which queries every measure must agree about two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, overload

from runoff.arguments import checks_arguments
from runoff.comparisons import (
    FIGURE_3,
    in_orders_of,
    ipso_differences,
    ipso_theory,
    relations_of_all,
)
from runoff.comparisons import ipso as ipso_of
from runoff.errors import UsageError
from runoff.reading.boards import BoardFile, BoardSource, board_inputs
from runoff.reading.runs import Scoring, read_runs
from runoff.reading.sources import Progress, QrelsSource, ReadOptions
from runoff.results.fit import Fit, check_labels
from runoff.results.ipso import IpsoComparisonResult, IpsoTheoryShown
from runoff.results.ipso_agreement import IpsoBoardResult
from runoff.results.remarks import answer_remarks, run_remark
from runoff.tables.serps import Serps
from runoff.verbs._ipso_board import TOPIC_MEASURES, IpsoOptions, ipso_board_of, needed_depth
from runoff.verdicts import Policy

__all__ = ["IpsoComparisonResult", "IpsoOptions", "IpsoTheoryShown", "ipso"]

DRAWN: Final = 6
"""To this depth there are few enough lists to look at all: 64. The same as `relation_grid.DEEPEST`."""


@overload
def ipso(source: None = None, *, options: IpsoOptions | None = None) -> IpsoTheoryShown: ...
@overload
def ipso(
    source: BoardFile,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    options: IpsoOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> IpsoBoardResult: ...
@overload
def ipso(
    source: BoardSource,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    options: IpsoOptions | None = None,
    policy: Policy,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> IpsoBoardResult: ...
@overload
def ipso(
    source: BoardSource,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    options: IpsoOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> IpsoComparisonResult | IpsoBoardResult: ...
@checks_arguments
def ipso(
    source: BoardSource | None = None,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    options: IpsoOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> IpsoComparisonResult | IpsoBoardResult | IpsoTheoryShown:
    """Innate pairwise orderings: on which queries every reasonable measure must agree about two runs.

    source     two runs: their relations query by query; more runs, the path of a `board.toml`, or a `Board`: all pairs,
               beside the tests of measures; None: the exact shares for two random lists of a depth, and to depth 6 all
               lists in the orders of measures
    qrels      the relevance judgments of the runs; see `QrelsSource`
    labels     the label set of a `board.toml`; the first if None
    query_set  the query set of a `board.toml`; `public` if it has one, else all queries but `development`
    queries    the queries to look at; all of the qrels' if None
    options    depths, measures, tests, gains or relevance level; by default those of the `board.toml`
    policy     all pairs: level and correction; none over the pairs unless it is given, as in the paper. With a policy,
               two runs are a board of one pair

    Moffat & Mackenzie 2024, https://doi.org/10.1002/asi.24874

    >>> pair = [{"q": {"d": 2.0}}, {"q": {"x": 2.0, "d": 1.0}}]
    >>> result = ipso(pair, {"q": {"d": 1}}, options=IpsoOptions(depths=[2]))
    >>> result.ipso.groups["ni"], result.ipso.per_topic[0].relations
    (1, 'nini')

    >>> qrels = {f"q{i}": {"d": 1} for i in range(12)}
    >>> runs = [{q: {"d": 1.0, "x": 2.0 - good, "y": 0.5} for q in qrels} for good in (0, 2, 3)]
    >>> result = ipso(runs, qrels, options=IpsoOptions(depths=[2], measures=["RR"], tests=["t"]))
    >>> result.shares[0].equal, result.shares[0].separable, result.lines[0].result.counts["both_yes"]
    (0.3333333333333333, 0.6666666666666666, 2)

    >>> round(ipso(options=IpsoOptions(depths=[10])).theory.separable, 4)
    0.6708
    """
    options = options or IpsoOptions()
    if source is None:
        return theory(options.chosen_depths()[-1])
    inputs = board_inputs(source, qrels, labels=labels, query_set=query_set, queries=queries)
    board = inputs.board
    is_pair = board is None and policy is None and len(inputs.sources) == 2
    if len(inputs.sources) < 2 and board is None:
        raise UsageError("one run; expected two or more to compare; name another")
    if board is not None:
        options = options.on_board(board, level=inputs.level)
    if is_pair and options.measures is None:
        options = replace(options, measures=TOPIC_MEASURES)
    depth = needed_depth(options, may_lack_measures=is_pair)
    judged = inputs.read_qrels(reading)
    serps = read_runs(
        inputs.sources,
        Scoring(labels=judged, keep_serps=True),
        depth=depth,
        names=inputs.names,
        reading=reading,
        progress=progress,
    ).serps
    check_labels([Fit.of_serps(run) for run in serps], serps[0].query_ids, judged, depth=depth, each=is_pair)
    if is_pair:
        return _pair(serps[0], serps[1], options)
    if policy is None:
        policy = Policy(alpha=Policy().alpha if board is None else board.alpha, correction="none")
    title = "IPSO over all pairs of runs" if board is None else f"{board.title}: IPSO over all pairs of runs"
    return ipso_board_of(title, serps, options, policy)


def _pair(first: Serps, second: Serps, options: IpsoOptions) -> IpsoComparisonResult:
    """The relations of two runs at the deepest of the depths; a relevance level makes the labels binary."""
    depth, gains, level = options.chosen_depths()[-1], options.gains, options.level
    relations = ipso_of(first, second, depth=depth, gains=gains, level=level)
    binary = (first, second) if level is None else (first.at_level(level), second.at_level(level))
    measures = options.measures_at(depth)
    return IpsoComparisonResult(
        ipso=relations,
        differences=ipso_differences(relations, *binary, measures),
        missing_queries={serps.run: serps.missing_queries for serps in (first, second)},
        remarks=(
            *answer_remarks(relations, gains=gains, level=level),
            *(run_remark(serps, depth=depth) for serps in (first, second)),
        ),
    )


def theory(depth: int) -> IpsoTheoryShown:
    """The exact probabilities for two random SERPs of a depth; to depth 6 also all of them in the orders of measures.

    >>> round(theory(10).theory.separable, 4), round(theory(6).orders[1].tau, 3)
    (0.6708, 0.796)
    """
    shares = ipso_theory(depth)
    if depth > DRAWN:
        return IpsoTheoryShown(theory=shares)
    relations = relations_of_all(depth)
    orders = tuple(in_orders_of(relations, *pane) for pane in FIGURE_3)
    return IpsoTheoryShown(theory=shares, relations=relations, orders=orders)
