"""Bradley-Terry scores: a second opinion about the best document of a query."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MissingExtraError
from runoff.preferences.pairs import count_pairs
from runoff.preferences.tournament import TournamentResult
from runoff.tables.ids import Ids, Rows
from runoff.tables.preferences import Preferences

EXTRA = "bradley-terry"
TOLERANCE = 1e-8
LIMIT = 10_000
_IMAGINARY = -1
_SAME = 1e-6
"""Scores closer than this, of a sum of 1, are one score: iteration stops before the last digits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BradleyTerryResult:
    """Scores of all judged documents, query by query.

    query_ids     the queries that have judgments
    bounds        int64, queries + 1: the documents of query q are bounds[q] to bounds[q + 1], in no order
    docs          the documents
    scores        float64, documents: in proportion to the chance to be preferred; those of a query add to 1
    is_converged  bool, queries: whether the scores settled within the limit of iterations
    """

    query_ids: tuple[str, ...]
    bounds: Rows
    docs: Ids
    scores: NDArray[np.float64]
    is_converged: NDArray[np.bool_]

    @property
    def best(self) -> tuple[tuple[str, ...], ...]:
        """The document with the highest score of each query, in alphabetical order if several have it."""
        documents = []
        for begin, end in zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist(), strict=True):
            scores = self.scores[begin:end]
            top = np.flatnonzero(scores >= scores.max() - _SAME) + begin
            documents.append(tuple(sorted(self.docs[place] for place in top.tolist())))
        return tuple(documents)

    def differing(self, result: TournamentResult) -> tuple[str, ...]:
        """The queries in which no best document here is a winner of the tournament."""
        winners = dict(zip(result.query_ids, result.winners, strict=True))
        return tuple(
            query_id
            for query_id, best in zip(self.query_ids, self.best, strict=True)
            if not set(best) & set(winners.get(query_id, ()))
        )


def bradley_terry(table: Preferences) -> BradleyTerryResult:
    """Bradley-Terry scores of the documents of every query, by evalica; a tie counts as half a win each.

        P(i is preferred to j)  =  s_i / (s_i + s_j)

    Unlike the tournament it counts every judgment, not the majority of a pair, and weighs who was beaten. A document
    that never loses would have no finite score, so each document also ties once with an imaginary one of the query;
    that pulls all scores together a little, and then they always exist and there is one solution.

    Bradley & Terry 1952, https://doi.org/10.2307/2334029; Newman 2023, https://www.jmlr.org/papers/v24/22-1086.html.
    It needs the extra `bradley-terry`.
    """
    evalica = _evalica()
    counts = count_pairs(table)
    bounds = counts.item_bounds
    pair_place = np.searchsorted(bounds, counts.first, side="right") - 1
    pair_bounds = np.searchsorted(pair_place, np.arange(len(bounds)))
    scores = np.empty(len(counts.item_query))
    settled = np.zeros(len(bounds) - 1, dtype=np.bool_)
    outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    for query in range(len(bounds) - 1):
        pairs = slice(pair_bounds[query], pair_bounds[query + 1])
        weights = [votes[pairs] for votes in (counts.first_votes, counts.second_votes, counts.ties)]
        first, second = counts.first[pairs], counts.second[pairs]
        judged = [np.flatnonzero(weight) for weight in weights]
        own = range(int(bounds[query]), int(bounds[query + 1]))
        fitted = evalica.bradley_terry(
            [*np.concatenate([first[rows] for rows in judged]).tolist(), *own],
            [*np.concatenate([second[rows] for rows in judged]).tolist(), *(_IMAGINARY for _ in own)],
            [outcome for outcome, rows in zip(outcomes, judged, strict=True) for _ in rows] + [outcomes[-1]] * len(own),
            weights=[
                *np.concatenate([w[rows] for w, rows in zip(weights, judged, strict=True)]).tolist(),
                *(1.0 for _ in own),
            ],
            tolerance=TOLERANCE,
            limit=LIMIT,
        )
        values = fitted.scores[list(own)].to_numpy()
        scores[own.start : own.stop] = values / values.sum()
        settled[query] = fitted.iterations < LIMIT
    return BradleyTerryResult(
        query_ids=tuple(table.query_ids[place] for place in counts.item_query[bounds[:-1]].tolist()),
        bounds=bounds,
        docs=table.docs.take(counts.item_doc),
        scores=scores,
        is_converged=settled,
    )


def _evalica() -> Any:
    try:
        return importlib.import_module("evalica")
    except ImportError as error:
        raise MissingExtraError("a Bradley-Terry score", EXTRA) from error
