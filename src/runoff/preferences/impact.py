"""Impact of preference qrels on a board: scores, ranks, runs left out of the pools, and samples of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.kendall import TauReference, tau_b
from runoff.boards.stability import StabilityResult, stability
from runoff.errors import UsageError
from runoff.measures import RR, score
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.pools import NOTHING, PERFECT, Pools, TopDocs, make_pools
from runoff.preferences.tournament import TournamentResult, tournament
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """The board under preference qrels without one run's own documents.

    documents   documents that the run alone brought and that were judged
    queries     queries whose preference qrels change without them
    mean        the run's mean under these qrels, and rank: its rank by it among all runs
    tau         Kendall's tau-b between this order of the board and that under all preference qrels
    """

    run: str
    documents: int
    queries: int
    mean: float
    rank: float
    tau: float


def left_out(
    table: Preferences, runs: Sequence[Run], qrels: Qrels, scores: Scores, *, depth: int, pool_depth: int = 1
) -> tuple[LeftOut, ...]:
    """For each run the board under the preference qrels that its own documents had no part in.

    qrels   the original ones, whose first relevant documents were pooled too: they never go
    scores  those under all preference qrels

    A document that another run or the qrels brought stays. Of a query that is left with one document this is the best
    one; a query that is left without any has no label, and all runs score 0.
    """
    chosen = {query_id: place for place, query_id in enumerate(scores.query_ids)}
    counts = count_pairs(table)
    own_query = np.array([chosen.get(query_id, -1) for query_id in table.query_ids], dtype=np.int64)
    is_kept = own_query[counts.item_query] >= 0
    only_by = _brought_only_by(table, runs, qrels, counts.item_query, counts.item_doc, pool_depth)
    items = judged_items(table, counts)
    worth = np.stack([reciprocal_ranks(run, items, depth) for run in runs])
    left, right = (_items_of(table, counts.item_query, counts.item_doc, side) for side in (table.left, table.right))
    all_ranks = ranks_by_mean(scores.means)
    results = []
    for place, run in enumerate(runs):
        own = (only_by == place) & is_kept
        touched = np.zeros(len(table.query_ids), dtype=np.bool_)
        touched[counts.item_query[own]] = True
        rows = np.flatnonzero(~table.is_test & touched[table.row_query] & ~own[left] & ~own[right])
        labels = _labels(table, rows, items, own, touched)
        values = scores.values.copy()
        queries = np.flatnonzero(touched)
        values[own_query[queries]] = 0.0
        np.maximum.at(values, own_query[counts.item_query[labels]], worth[:, labels].T)
        changed = (values != scores.values).any(axis=1)
        means = values.mean(axis=0)
        ranks = ranks_by_mean(means)
        tau = tau_b((2 * ranks[None]).astype(np.int32), (2 * all_ranks[None]).astype(np.int32))[0]
        results.append(
            LeftOut(
                run=run.name,
                documents=int(own.sum()),
                queries=int(changed.sum()),
                mean=float(means[place]),
                rank=float(ranks[place]),
                tau=float(tau),
            )
        )
    return tuple(results)


def _brought_only_by(
    table: Preferences, runs: Sequence[Run], qrels: Qrels, item_query: Rows, item_doc: Rows, depth: int
) -> Rows:
    """int64, judged items: the run that alone brought it, -1 for none such."""
    pools = make_pools(runs, qrels, depth=depth, query_ids=table.query_ids)
    _, (own, pooled) = intern_ids([table.docs, pools.docs])
    width = int(max(own.max(initial=0), pooled.max(initial=0))) + 1
    keys = pools.item_query * width + pooled[pools.item_doc]
    order = np.argsort(keys)
    wanted = item_query * width + own[item_doc]
    if not len(keys):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    is_present = keys[order][place] == wanted
    return np.where(is_present, pools.only_by[order][place], -1)


def _items_of(table: Preferences, item_query: Rows, item_doc: Rows, side: NDArray[np.int32]) -> Rows:
    """int64, judgments: the item on a side; test pairs may have none and get any."""
    width = max(len(table.docs), 1)
    keys = item_query * width + item_doc
    wanted = table.row_query.astype(np.int64) * width + side
    return np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))


def _labels(table: Preferences, rows: Rows, items: Qrels, own: NDArray[np.bool_], touched: NDArray[np.bool_]) -> Rows:
    """The items that are the best of the touched queries once some items are gone."""
    result = tournament(table.take(rows))
    winners = _places(items, result.query_ids, result.winner_query, result.winner_docs)
    has_pairs = np.zeros(len(table.query_ids), dtype=np.bool_)
    has_pairs[table.row_query[rows]] = True
    remaining = np.flatnonzero(~own & (touched & ~has_pairs)[items.row_query])
    number = np.bincount(items.row_query[remaining], minlength=len(table.query_ids))
    return np.concatenate([winners, remaining[number[items.row_query[remaining]] == 1]])


def _places(items: Qrels, query_ids: Sequence[str], query: Rows, docs: Ids) -> Rows:
    """The rows of some (query, document) pairs that are all among the items."""
    place_of = np.array([items.query_places[query_id] for query_id in query_ids], dtype=np.int64)
    return items.rows_of(place_of[query], docs)


def judged_items(table: Preferences, counts: PairCounts) -> Qrels:
    """The judged (query, document) combinations as a table in which documents can be looked up."""
    return Qrels(
        name="items",
        query_ids=table.query_ids,
        row_query=counts.item_query,
        docs=table.docs.take(counts.item_doc),
        relevance=np.ones(len(counts.item_query), dtype=np.int8),
    )


def reciprocal_ranks(run: Run, items: Qrels, depth: int) -> Floats:
    """float64, items: 1 / the rank that the run gives each item, 0 below the depth."""
    values = np.zeros(len(items))
    if not len(items):
        return values
    top = run.top(depth)
    query = np.repeat(np.arange(len(top.query_ids)), np.diff(top.bounds))
    rank = np.arange(len(query)) - top.bounds[query] + 1
    place_of = np.array([items.query_places.get(query_id, -1) for query_id in top.query_ids], dtype=np.int64)
    places = items.rows_of(place_of[query], top.docs)
    values[places[places >= 0]] = 1.0 / rank[places >= 0]
    return values


def ranks_by_mean(means: Floats) -> Floats:
    """Ranks by mean, the highest first; equal ones, up to rounding, share the mean of their places."""
    rounded = np.round(means, 12)
    ahead = (rounded[None, :] > rounded[:, None]).sum(axis=1)
    alike = (rounded[None, :] == rounded[:, None]).sum(axis=1)
    ranks: Floats = ahead + (alike + 1) / 2
    return ranks


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
    answered = np.flatnonzero(top.places[0] != NOTHING)
    return Run(
        name=PERFECT,
        query_ids=tuple(qrels.query_ids[place] for place in answered.tolist()),
        bounds=np.arange(len(answered) + 1),
        docs=top.docs.take(top.places[0, answered]),
        run_scores=np.ones(len(answered)),
        tie_rule="trec_eval",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleCheckResult:
    """The board on all queries beside the board on a sample of them; arrays are in the order of `runs`.

    means, sample_means  float64, runs: mean scores on all queries and on the sample
    ranks, sample_ranks  float64, runs: the ranks by them, from 1; runs that tie share the mean of their places
    tau                  Kendall's tau-b between the two orders; the sample is part of all queries, so there is nothing
                         to compare it with
    """

    measure: str
    runs: tuple[str, ...]
    queries: int
    sample: int
    means: NDArray[np.float64]
    sample_means: NDArray[np.float64]
    ranks: NDArray[np.float64]
    sample_ranks: NDArray[np.float64]
    tau: float

    @property
    def is_same_order(self) -> bool:
        """Whether every run has the same rank on the sample."""
        return bool((self.ranks == self.sample_ranks).all())


def sample_queries(pools: Pools, size: int, *, seed: int = 0) -> tuple[str, ...]:
    """Some queries drawn at random among those whose pool has two documents or more, in the order of the pools.

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062, drew 500.
    """
    able = np.flatnonzero(pools.sizes >= 2)
    if not 1 <= size <= len(able):
        raise UsageError(
            f"a sample of {size:,} queries cannot be drawn; expected 1 to {len(able):,}, the queries whose pool has "
            "two documents or more; ask for fewer"
        )
    rng = np.random.default_rng([seed, 3])
    chosen = np.sort(rng.choice(able, size, replace=False))
    return tuple(pools.query_ids[place] for place in chosen.tolist())


def check_sample(scores: Scores, sample: Sequence[str]) -> SampleCheckResult:
    """Whether a sample of the queries keeps the order of the runs: the paper's Figure 5.

    >>> values = np.array([[1, 0.5, 0], [1, 0.5, 0.5], [0.5, 0, 0], [1, 1, 0]])
    >>> scores = Scores(measure="RR@10", query_ids=tuple("abcd"), runs=("x", "y", "z"), values=values)
    >>> found = check_sample(scores, ["a", "d"])
    >>> round(found.tau, 2), found.is_same_order
    (1.0, True)
    """
    place_of = {query_id: place for place, query_id in enumerate(scores.query_ids)}
    rows = [place_of[query_id] for query_id in sample]
    part = scores.only(np.array(rows))
    ranks, sample_ranks = (ranks_by_mean(board.means) for board in (scores, part))
    return SampleCheckResult(
        measure=scores.measure,
        runs=scores.runs,
        queries=len(scores.query_ids),
        sample=len(rows),
        means=scores.means,
        sample_means=part.means,
        ranks=ranks,
        sample_ranks=sample_ranks,
        tau=float(tau_b(*((2 * board[None]).astype(np.int32) for board in (ranks, sample_ranks)))[0]),
    )
