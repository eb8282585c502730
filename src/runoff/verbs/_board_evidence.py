"""All evidence about pairs of a board: its scores, judgments of people, and its private queries."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from runoff.comparisons import RecallPairedTests, recall_paired_tests
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.preferences import WinRatiosResult
from runoff.reading.boards import board_inputs, read_board_inputs
from runoff.reading.judgments import ratios_of, votes_of
from runoff.reading.sources import ReadOptions
from runoff.results.board import BoardResult
from runoff.results.comparison import Comparison
from runoff.results.evidence import BoardEvidenceResult, Which
from runoff.significance import BY_NAME, PairedT, SignificanceResult
from runoff.tables.board import PRIVATE
from runoff.tables.scores import Scores
from runoff.verbs._comparing import detectable, judged, numbers_of_scores, quick_comparisons
from runoff.verdicts import MoreEvidence, Votes, evidence_of, together

DEFAULT_TOP: Final = 10
PICKED: Final = (
    "These runs were picked for their high means, which lines do not allow for and the board's verdicts do: a line may "
    "favour a run where the verdict is inconclusive."
)


def board_evidence(
    board: BoardResult,
    *,
    which: Which = "first",
    top: int = DEFAULT_TOP,
    elsewhere: tuple[str, Scores] | None = None,
    ratios: WinRatiosResult | None = None,
) -> BoardEvidenceResult:
    """All evidence about the top runs of a board.

    which      first: the first run against each of the next; pairs: every pair of the top
    top        how many runs, those with the best means
    elsewhere  the name of other queries, and the scores of the runs on them
    ratios     what people preferred among the runs' top documents
    """
    if top < 2 or len(board.ranks.order) < 2:
        raise UsageError("fewer than two runs; expected two at least to compare; take more with --top")
    names = [board.ranks.runs[place] for place in board.ranks.order[:top]]
    found = []
    comparisons = _comparisons(board, names, which)
    policy = board.data.policy
    for comparison in comparisons:
        more = MoreEvidence(
            recall_paired=_recall_paired(board, comparison),
            votes=_votes(ratios, comparison),
            elsewhere=_elsewhere(elsewhere, comparison),
        )
        found.append(evidence_of(comparison.evidence, _with_bootstrap(comparison, board), policy, more))
    return BoardEvidenceResult(
        title=board.title,
        measure=board.ranks.measure,
        which=which,
        evidence=together(found, policy),
        remarks=(PICKED,),
        seen=detectable([comparison.scores for comparison in comparisons], policy),
    )


def _comparisons(board: BoardResult, names: Sequence[str], which: Which) -> Sequence[Comparison]:
    data = board.data
    if which == "first" and board.comparisons:
        known: Mapping[str, Comparison] = {comparison.challenger: comparison for comparison in board.comparisons}
        return [known[name] for name in names[1:]]
    pairs = list(combinations(names, 2)) if which == "pairs" else [(names[0], name) for name in names[1:]]
    if data.serps is not None:
        return quick_comparisons(
            [(data.serps_of(one), data.serps_of(other)) for one, other in pairs], data.compared, data.policy
        )
    return judged([numbers_of_scores([data.scores], *pair, data.compared, data.policy) for pair in pairs], data.policy)


def _recall_paired(board: BoardResult, comparison: Comparison) -> RecallPairedTests | None:
    """Who reaches each relevant document first; None where ranked lists are not known."""
    data = board.data
    if data.serps is None:
        return None
    runs = data.serps_of(comparison.champion), data.serps_of(comparison.challenger)
    return recall_paired_tests(*runs, level=data.compared.compared_level)


def _with_bootstrap(comparison: Comparison, board: BoardResult) -> tuple[SignificanceResult, ...]:
    """The tests of a comparison, and the bootstrap with the trials of the board, where it is not among them."""
    if comparison.scores is None or any(test.name == "bootstrap" for test in comparison.tests):
        return comparison.tests
    return (
        *comparison.tests,
        BY_NAME["bootstrap"].compare(*comparison.scores.defined.T, seed=board.ranks.seed, trials=board.ranks.trials),
    )


def _votes(ratios: WinRatiosResult | None, comparison: Comparison) -> Votes | None:
    if ratios is None or not {comparison.champion, comparison.challenger} <= set(ratios.runs):
        return None
    return votes_of(ratios, comparison.champion, comparison.challenger)


def _elsewhere(found: tuple[str, Scores] | None, comparison: Comparison) -> tuple[str, SignificanceResult] | None:
    if found is None or not {comparison.champion, comparison.challenger} <= set(found[1].runs):
        return None
    name, scores = found
    return name, PairedT().compare(scores.of(comparison.champion), scores.of(comparison.challenger))


@dataclass(frozen=True, kw_only=True)
class EvidenceSources:
    """Where evidence is found beside a board's own scores.

    described          the board.toml of the board: its runs are scored on the private queries too, if it has them
    labels, query_set  what the board itself was scored with
    runs               else the run files, in the order of the board's runs
    judgments          files of judged pairs
    """

    described: str | os.PathLike[str] | None = None
    labels: str | None = None
    query_set: str | None = None
    runs: Sequence[Any] = ()
    judgments: Sequence[Any] = ()


def evidence_of_board(
    board: BoardResult,
    beside: EvidenceSources | None = None,
    *,
    which: Which = "first",
    top: int = DEFAULT_TOP,
    reading: ReadOptions | None = None,
) -> BoardEvidenceResult:
    """All evidence about the top runs of a board, with its private queries and the judgments of people."""
    known = beside or EvidenceSources()
    ratios = None
    if known.judgments:
        sources = (
            [run.path for run in board.data.runs if run.path is not None] if known.described is not None else known.runs
        )
        if not sources:
            raise UsageError(
                "judgments are about documents, and scores have none; expected runs or a board.toml; name them"
            )
        names, queries = board.data.scores.runs, board.data.scores.query_ids
        ratios = ratios_of(list(known.judgments), sources, names, queries, reading=reading)
    elsewhere, why_not = _private(known, reading)
    found = board_evidence(board, which=which, top=top, elsewhere=elsewhere, ratios=ratios)
    return replace(found, remarks=(*found.remarks, *why_not))


def _private(known: EvidenceSources, reading: ReadOptions | None) -> tuple[tuple[str, Scores] | None, tuple[str, ...]]:
    """The scores on the private queries, or why a board that has such queries has no line about them."""
    if known.described is None or known.query_set == PRIVATE or PRIVATE not in read_board(known.described).queries:
        return None, ()
    try:
        found = read_board_inputs(
            board_inputs(known.described, labels=known.labels, query_set=PRIVATE), reading=reading
        )
    except UsageError as error:  # the labels hold none of these queries, for example
        return None, (f"There is no line about the private queries: {error}.",)
    return (PRIVATE, found.scores), ()
