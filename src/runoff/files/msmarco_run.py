"""MS MARCO runs: `query_id doc_id rank`, in rank order; minus the rank serves as the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.files._run_format import RunFormat
from runoff.files.numbers import parse_integers
from runoff.files.problems import quoted
from runoff.files.tokens import Tokens
from runoff.tables.ids import Rows


def _scores(tokens: Tokens, column: int) -> tuple[NDArray[np.float64], Rows]:
    ranks, bad = parse_integers(tokens.text, *tokens.column(column))
    return -ranks.astype(np.float64), np.union1d(bad, np.flatnonzero(ranks < 1))


def _fault(token: bytes) -> str:
    return f"rank {quoted(token)} is not a whole number of 1 or more; expected one such as 7; mend or remove the line"


MSMARCO_RUN = RunFormat(
    name="MS MARCO",
    fields=("query_id", "doc_id", "rank"),
    query=0,
    doc=1,
    score=2,
    score_of=_scores,
    fault_of=_fault,
)
