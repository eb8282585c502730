"""Impact: what preference qrels change in the scores and ranks of a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.kendall import TauReference
from runoff.boards.stability import StabilityResult, stability
from runoff.errors import UsageError
from runoff.measures import RR, score
from runoff.preferences.left_out import LeftOut, left_out
from runoff.preferences.tops import NOTHING, PERFECT, TopDocs
from runoff.preferences.tournament import TournamentResult
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores

DEPTH = 10
MEASURE = f"RR@{DEPTH}"
ORIGINAL, PREFERENCE = "original", "preference"


@dataclass(frozen=True, eq=False, kw_only=True)
class ImpactResult:
    """The board under the original and under the preference qrels, over the queries that have both.

    original, preference  stability of the board under each: means with 95% bootstrap intervals, ranks
    perfect               the same of the perfect ranking alone, under the preference qrels: its mean is how often a
                          first qrel is still a best document; perfect_original: under the original ones
    tau, tau_reference    Kendall's tau-b between the two orders, and what it can be compared with; NaN and None with
                          one run
    left_out              for each run the board without the documents that it alone brought, in the order of runs
    unlabelled            queries with a preference qrel and no original one, which are left out
    """

    runs: tuple[str, ...]
    queries: int
    unlabelled: int
    measure: str
    original: StabilityResult
    preference: StabilityResult
    perfect: StabilityResult
    perfect_original: StabilityResult
    tau: float
    tau_reference: TauReference | None
    left_out: tuple[LeftOut, ...]


def impact(
    table: Preferences,
    runs: Sequence[Run],
    qrels: Qrels,
    result: TournamentResult,
    *,
    trials: int = 1000,
    seed: int = 0,
) -> ImpactResult:
    """What preference qrels change: MRR@10 of every run under them and under the original qrels.

    table   the judgments behind the preference qrels; result: their tournament
    runs    to rank 10 at least

    Arabzadeh et al. 2021, section 5 and Figure 6, https://arxiv.org/abs/2109.00062; all relevant documents of the
    original qrels count there and here.
    """
    if not runs:
        raise UsageError("no runs; expected one or more to score under both label sets; give some")
    both = [query_id for query_id in result.query_ids if query_id in qrels.query_places]
    if not both:
        raise UsageError(
            "no judged query is in the qrels; expected judgments and qrels of the same queries; check them"
        )
    preference, original = result.qrels().only(both), qrels.only(both)
    preference_scores, original_scores = (
        score([run.serps(labels, depth=DEPTH) for run in runs], [RR(cutoff=DEPTH)])[0]
        for labels in (preference, original)
    )
    boards = _boards(original_scores, preference_scores, trials, seed)
    top, top_original = (
        score([perfect_run(original).serps(labels, depth=DEPTH)], [RR(cutoff=DEPTH)])[0]
        for labels in (preference, original)
    )
    several = isinstance(boards, GeneralizationResult)
    stabilities = boards.stabilities if isinstance(boards, GeneralizationResult) else boards
    return ImpactResult(
        runs=tuple(run.name for run in runs),
        queries=len(both),
        unlabelled=len(result.query_ids) - len(both),
        measure=MEASURE,
        original=stabilities[0],
        preference=stabilities[1],
        perfect=stability(top, trials=trials, seed=seed),
        perfect_original=stability(top_original, trials=trials, seed=seed),
        tau=float(boards.taus[0, 1]) if isinstance(boards, GeneralizationResult) else float("nan"),
        tau_reference=boards.references[0, 1] if isinstance(boards, GeneralizationResult) else None,
        left_out=left_out(table, runs, original, preference_scores, depth=DEPTH) if several else (),
    )


def _boards(
    original: Scores, preference: Scores, trials: int, seed: int
) -> GeneralizationResult | tuple[StabilityResult, StabilityResult]:
    """The two boards side by side; a single run has no order to compare."""
    if len(original.runs) == 1:
        return stability(original, trials=trials, seed=seed), stability(preference, trials=trials, seed=seed)
    return generalization({ORIGINAL: original, PREFERENCE: preference}, trials=trials, seed=seed)


def perfect_run(qrels: Qrels) -> Run:
    """The perfect ranking as a run: the first relevant document of each query and nothing else."""
    top = TopDocs.perfect(qrels)
    there = np.flatnonzero(top.places[0] != NOTHING)
    return Run(
        name=PERFECT,
        query_ids=tuple(qrels.query_ids[place] for place in there.tolist()),
        bounds=np.arange(len(there) + 1),
        docs=top.docs.take(top.places[0, there]),
        run_scores=np.ones(len(there)),
        tie_rule="trec_eval",
    )
