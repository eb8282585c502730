"""How the rows of a run become ranks: the named rules for equal scores and for documents that come twice."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.ids import Rows

TieRule = Literal["trec_eval", "float32", "file", "doc_ascending"]
TIE_RULES: Final[dict[str, str]] = {
    "trec_eval": "equal scores by document id, descending (trec_eval 10.0)",
    "float32": "scores as float32, equal ones by document id, descending (trec_eval 9, pytrec_eval, ir_measures)",
    "file": "equal scores in the order of the file",
    "doc_ascending": "equal scores by document id, ascending (RR@k and Judged@k of ir_measures)",
}
"""The named tie rules, each with a sentence about it; the first is the default. `runoff.rows` numbers them so."""

DuplicateRule = Literal["error", "first", "best"]
DUPLICATE_RULES: Final[dict[str, str]] = {
    "error": "a document that is listed twice for a query is an error",
    "first": "the first of them counts, the others are dropped",
    "best": "the one with the highest score counts, the others are dropped",
}
"""What becomes of a document that a run lists twice for a query; the first is the default, numbered as above."""


def checked_tie_rule(name: str) -> TieRule:
    """The rule of that name, or a UsageError that lists the names."""
    if name not in TIE_RULES:
        raise UsageError(f"tie rule '{name}' is unknown; expected one of {', '.join(TIE_RULES)}; choose one of these")
    return name  # type: ignore[return-value]


def checked_duplicate_rule(name: str) -> DuplicateRule:
    """The rule of that name, or a UsageError that lists the names."""
    if name not in DUPLICATE_RULES:
        known = ", ".join(DUPLICATE_RULES)
        raise UsageError(f"rule for duplicates '{name}' is unknown; expected one of {known}; choose one of these")
    return name  # type: ignore[return-value]


def compared_scores(run_scores: NDArray[np.float64], tie_rule: TieRule) -> NDArray[np.floating]:
    """The scores as the tie rule compares them."""
    if tie_rule != "float32":
        return run_scores
    with np.errstate(over="ignore"):  # a score beyond float32 is infinite there too
        return run_scores.astype(np.float32)


def tied_at(scores: NDArray[np.floating], bounds: Rows, depth: int) -> NDArray[np.bool_]:
    """Per list, whether the scores at rank `depth` and the next rank are the same.

    scores  of all lists, one behind the other, in rank order
    bounds  int64, lists + 1: where each begins
    """
    tied = np.zeros(len(bounds) - 1, dtype=np.bool_)
    beyond = bounds[:-1] + depth
    longer = np.flatnonzero(beyond < bounds[1:]) if depth else np.zeros(0, dtype=np.int64)
    tied[longer] = scores[beyond[longer]] == scores[beyond[longer] - 1]
    return tied
