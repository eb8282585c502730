"""TREC runs: `query_id Q0 doc_id rank score tag`, in score order.

The rank field is ignored. The tag is the rest of the line, as for trec_eval, which keeps room there for more.
"""

from __future__ import annotations

from runoff import rows
from runoff.files.problems import quoted
from runoff.files.text._base import RunFormat


def _fault(token: bytes) -> str:
    return f"score {quoted(token)} is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this line"


TREC_RUN = RunFormat(
    name="TREC",
    fields=("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    query=0,
    doc=2,
    number=4,
    kind=rows.SCORE,
    fault_of=_fault,
    open_end=True,
)
