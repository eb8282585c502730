"""Rows of a run into rank order: by score, ties by a named rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.ids import Ids, Rows, descending_order, in_descending_order

TieRule = Literal["trec_eval", "float32", "file"]
TIE_RULES: Final[dict[str, str]] = {
    "trec_eval": "equal scores by document id, descending (trec_eval 10.0)",
    "float32": "scores as float32, equal ones by document id, descending (trec_eval 9, pytrec_eval, ir_measures)",
    "file": "equal scores in the order of the file",
}
"""The named tie rules, each with a sentence about it; the first is the default."""


def checked_tie_rule(name: str) -> TieRule:
    """The rule of that name, or a UsageError that lists the names."""
    if name not in TIE_RULES:
        raise UsageError(f"tie rule '{name}' is unknown; expected one of {', '.join(TIE_RULES)}; choose one of these")
    return name  # type: ignore[return-value]


@dataclass(frozen=True, eq=False, kw_only=True)
class RunRows:
    """The rows of one run as they came, in blocks of one query each.

    query_ids     the distinct query ids, in order of first appearance
    block_starts  int64, blocks: the first row of each block
    block_query   int64, blocks: the block's query, as a place in query_ids
    run_scores    float64, rows
    """

    query_ids: tuple[str, ...]
    block_starts: Rows
    block_query: Rows
    run_scores: NDArray[np.float64]
    docs: Ids

    @property
    def row_query(self) -> Rows:
        """Per row, its query as a place in query_ids."""
        return np.repeat(self.block_query, np.diff(self.block_starts, append=len(self.run_scores)))


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rank order of some rows: those of query q are order[bounds[q]:bounds[q + 1]], best first.

    order is None where the rows are in rank order already.
    """

    order: Rows | None
    bounds: Rows


def compared_scores(run_scores: NDArray[np.float64], tie_rule: TieRule) -> NDArray[np.floating]:
    """The scores as the tie rule compares them."""
    if tie_rule != "float32":
        return run_scores
    with np.errstate(over="ignore"):  # a score beyond float32 is infinite there too
        return run_scores.astype(np.float32)


def ties_within(scores: NDArray[np.floating], bounds: Rows) -> Rows:
    """The places whose score is that of the place before, within the same query; scores are in rank order."""
    equal = np.zeros(len(scores) + 1, dtype=np.bool_)
    np.equal(scores[1:], scores[:-1], out=equal[1:-1])
    equal[bounds] = False
    return np.flatnonzero(equal)


def is_descending_within(scores: NDArray[np.floating], bounds: Rows) -> bool:
    """Whether no score is higher than the one before it in the same query."""
    fine = np.ones(len(scores) + 1, dtype=np.bool_)
    np.less_equal(scores[1:], scores[:-1], out=fine[1:-1])
    fine[bounds] = True
    return bool(fine.all())


def tied_at(bounds: Rows, tied: Rows, depth: int) -> NDArray[np.bool_]:
    """Per query, whether the scores at rank `depth` and the next rank are the same; `tied` as from `ties_within`."""
    beyond = bounds[:-1] + depth
    return (np.diff(bounds) > depth) & np.isin(beyond, tied)


def rank_rows(rows: RunRows, tie_rule: TieRule) -> Ranking:
    """The rank order of a run's rows: score descending, ties by the rule."""
    scores = compared_scores(rows.run_scores, tie_rule)
    order: Rows | None = None
    bounds = np.append(rows.block_starts, len(scores))
    in_blocks = len(rows.block_query) == len(rows.query_ids)
    if not (in_blocks and is_descending_within(scores, bounds)):
        query = rows.row_query
        order = np.lexsort((-scores, query))
        scores = scores[order]
        bounds = np.searchsorted(query[order], np.arange(len(rows.query_ids) + 1))
    if tie_rule == "file":
        return Ranking(order, bounds)
    tied = ties_within(scores, bounds)
    places = tied_places(tied)
    old = places if order is None else order[places]
    sorting = tie_order(rows.docs.take(old), places, tied)
    if sorting is not None:
        order = np.arange(len(scores)) if order is None else order
        order[places] = old[sorting]
    return Ranking(order, bounds)


def tied_places(tied: Rows) -> Rows:
    """All places that share their score with a neighbour, given those that share it with the place before."""
    return np.union1d(tied - 1, tied)


def tie_order(docs: Ids, places: Rows, tied: Rows) -> Rows | None:
    """How the documents at tied places must be reordered so that document ids descend; None if they do already.

    docs are the documents at `places`, and `places` is `tied_places(tied)`.
    """
    is_second = np.isin(places, tied)
    second = np.flatnonzero(is_second)
    starts, lengths = docs.starts, docs.lengths
    if in_descending_order(docs.text, starts[second - 1], lengths[second - 1], starts[second], lengths[second]).all():
        return None
    return descending_order(docs.text, starts, lengths, np.cumsum(~is_second, dtype=np.int64))
