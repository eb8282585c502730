"""Ranked lists drawn with a known truth about who finds more and who finds sooner; apart from `runoff.simulation`."""

from dataclasses import dataclass

import numpy as np

from runoff.boards.rank_sets import rank_sets
from runoff.comparisons import FacetMeans, outcome_tests, outcomes
from runoff.significance import PairedT
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verdicts import PairEvidence, Policy, all_pair_facets, judge, judge_on_board

DEPTH = 20
MOST = 8
"""Relevant documents of a query, where there are several."""
MEASURE = "nDCG@20"


@dataclass(frozen=True)
class Law:
    """How a run finds documents.

    finds  the chance that it finds a relevant document of a query of middling difficulty
    early  how much it prefers the first ranks: rank r has weight r to the power of minus this
    """

    finds: float = 0.6
    early: float = 1.0


def drawn(rng, laws, *, queries, several, alike=0.5):
    """The grades of some runs on the same queries, queries x DEPTH each, and how many documents are relevant.

    alike  how often two runs share a draw, of whether a document is found or of which ranks are taken

    A query has a difficulty, so many relevant documents, and for each run a number that is found and a set of ranks for
    all of them, of which the first are used. Numbers and ranks are independent of each other. So, whatever the rest:

        laws with the same `finds`: the numbers found can be exchanged, and neither run is likelier to find more
        laws with the same `early`: over the documents that both find, ranks can be exchanged, and neither is sooner
    """
    relevant = rng.integers(2, MOST + 1, queries) if several else np.ones(queries, dtype=np.int64)
    wanted = np.arange(MOST if several else 1) < relevant[:, None]
    difficulty = rng.exponential(1.0, (queries, 1))
    chances, races = rng.random(wanted.shape), rng.exponential(1.0, (queries, DEPTH))
    lists = []
    for law in laws:
        chance = np.where(rng.random(wanted.shape) < alike, chances, rng.random(wanted.shape))
        number = ((chance < law.finds**difficulty) & wanted).sum(axis=1)
        race = np.where(rng.random(races.shape) < alike, races, rng.exponential(1.0, races.shape))
        order = np.argsort(race * np.arange(1, DEPTH + 1) ** law.early, axis=1)
        taken = np.zeros(races.shape, dtype=bool)
        np.put_along_axis(taken, order, np.arange(DEPTH) < relevant[:, None], axis=1)
        lists.append((taken & (np.cumsum(taken, axis=1) <= number[:, None])).astype(np.int8))
    return lists, relevant


def scored(rng, runs, *, queries, several, own=0.7, candidates=40):
    """The same from retrieval scores: relevance, what all runs see in a document, and each run's own noise.

    Runs can be exchanged, so no facet differs; numbers found and ranks depend on each other, as they do in practice.
    """
    relevant = rng.integers(2, candidates // 2, queries) if several else np.ones(queries, dtype=np.int64)
    is_relevant = np.arange(candidates) < relevant[:, None]
    seen = 1.2 * is_relevant + rng.standard_normal((queries, candidates))
    lists = []
    for _ in range(runs):
        order = np.argsort(-(seen + own * rng.standard_normal(seen.shape)), axis=1)[:, :DEPTH]
        lists.append(np.take_along_axis(is_relevant, order, axis=1).astype(np.int8))
    return lists, relevant


def ndcg(grades, relevant):
    """The nDCG of each query to the depth of the lists, from its definition."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    ideal = np.cumsum(discounts)[np.minimum(relevant, DEPTH) - 1]
    return grades @ discounts / ideal


def serps_of(name, grades, relevant):
    queries = len(grades)
    return Serps(
        run=name,
        query_ids=tuple(map(str, range(queries))),
        grades=grades.copy(),
        retrieved=np.full(queries, DEPTH, dtype=np.int64),
        judged=np.column_stack([np.zeros_like(relevant), relevant]),
        depth_tied=np.zeros(queries, dtype=np.bool_),
        tie_rule="docid_descending",
    )


def evidence_of(champion, challenger, scores):
    """What a comparison knows of two runs; scores are those of each."""
    test = PairedT().compare(*scores)
    found = outcomes(champion, challenger, cutoff=DEPTH)
    return PairEvidence(
        champion=champion.run,
        challenger=challenger.run,
        queries=len(scores[0]),
        measure=MEASURE,
        means=FacetMeans(champion=float(scores[0].mean()), challenger=float(scores[1].mean())),
        best_is_low=False,
        test=test,
        difference_ci95=test.effect_ci95,
        outcomes=found,
        outcome_tests=outcome_tests(found),
    )


def verdicts_on(lists, relevant, policy=None):
    """The verdicts on all lists but the first, which is the champion's."""
    serps = [serps_of(f"run {place}", grades, relevant) for place, grades in enumerate(lists)]
    values = [ndcg(grades, relevant) for grades in lists]
    evidence = [
        evidence_of(serps[0], one, (values[0], other)) for one, other in zip(serps[1:], values[1:], strict=True)
    ]
    return judge(evidence, policy or Policy())


def board_verdicts(lists, relevant, *, trials, seed=0):
    """Decisions about all pairs, and the verdicts on all runs but that with the best mean."""
    serps = [serps_of(f"run {place}", grades, relevant) for place, grades in enumerate(lists)]
    values = np.column_stack([ndcg(grades, relevant) for grades in lists])
    scores = Scores(measure=MEASURE, query_ids=serps[0].query_ids, runs=tuple(one.run for one in serps), values=values)
    decisions = rank_sets(scores, trials=trials, seed=seed)
    facets = all_pair_facets(serps, cutoff=DEPTH, policy=Policy())
    first = int(values.mean(axis=0).argmax())
    evidence = [
        evidence_of(serps[first], serps[other], (values[:, first], values[:, other]))
        for other in range(len(serps))
        if other != first
    ]
    return decisions, facets, judge_on_board(evidence, decisions, facets, Policy())
