"""MS MARCO runs: `query_id doc_id rank`, in rank order; minus the rank serves as the score."""

from __future__ import annotations

from runoff import rows
from runoff.files.problems import quoted
from runoff.files.text._base import RunFormat


def _fault(token: bytes) -> str:
    return f"rank {quoted(token)} is not a whole number of 1 or more; expected one such as 7; fix or remove this line"


MSMARCO_RUN = RunFormat(
    name="MS MARCO",
    fields=("query_id", "doc_id", "rank"),
    query=0,
    doc=1,
    number=2,
    kind=rows.RANK,
    fault_of=_fault,
)
