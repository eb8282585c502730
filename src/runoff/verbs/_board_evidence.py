"""All evidence about pairs of a board: the first run against each of the next, or all pairs among the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from runoff.comparisons import RecallPairedTests
from runoff.errors import UsageError
from runoff.preferences import WinRatiosResult
from runoff.reading.judgments import votes_of
from runoff.results.board import BoardResult
from runoff.results.comparison import Comparison
from runoff.results.evidence import BoardEvidenceResult, Which
from runoff.significance import BY_NAME, PairedT, SignificanceResult
from runoff.tables.scores import Scores
from runoff.verbs._comparing import detectable, judged, numbers_of_scores, quick_comparisons, recall_paired_of
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
            [(data.serps_of(one), data.serps_of(other)) for one, other in pairs], data.question, data.policy
        )
    return judged([numbers_of_scores(data.scores, *pair, data.question, data.policy) for pair in pairs], data.policy)


def _recall_paired(board: BoardResult, comparison: Comparison) -> RecallPairedTests | None:
    """Who reaches each relevant document first; None where ranked lists are not known."""
    data = board.data
    if data.serps is None:
        return None
    return recall_paired_of(data.serps_of(comparison.champion), data.serps_of(comparison.challenger), data.question)


def _with_bootstrap(comparison: Comparison, board: BoardResult) -> tuple[SignificanceResult, ...]:
    """The tests of a comparison, and the bootstrap with the trials of the board, where it is not among them."""
    if comparison.scores is None or any(test.name == "bootstrap" for test in comparison.tests):
        return comparison.tests
    values = comparison.scores.values[~np.isnan(comparison.scores.values).any(axis=1)]
    return (
        *comparison.tests,
        BY_NAME["bootstrap"].compare(*values.T, seed=board.ranks.seed, trials=board.ranks.trials),
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
