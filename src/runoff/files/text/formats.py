"""The text formats of runs and qrels: their fields, and which of them are query, document and number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

from runoff import rows
from runoff.errors import InputError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import map_in_order
from runoff.files.text.tokens import problems_of
from runoff.phrases import counted
from runoff.rows import HIGHEST_GRADE
from runoff.tables.ids import Text


@dataclass(frozen=True)
class TextFormat:
    """A text format, recognised by its number of fields.

    number     the field with the score, rank or grade
    kind       what it is: `rows.SCORE`, `rows.RANK` or `rows.GRADE`
    rank       in a run, the field with the rank
    has_tag    in a run, whether the last field names it
    fault_of   says what is wrong with a number that cannot be used
    open_end   whether a line may have more fields than are named; they belong to the last one
    """

    name: str
    fields: tuple[str, ...]
    query: int
    doc: int
    number: int
    kind: int
    fault_of: Callable[[bytes], str]
    open_end: bool = False
    rank: int = 0
    has_tag: bool = False

    def fits(self, field_count: int) -> bool:
        """Whether a line with that many fields can be of this format."""
        return field_count >= len(self.fields) if self.open_end else field_count == len(self.fields)

    @property
    def layout(self) -> tuple[int, bool, int, int, int, int]:
        """What the reader needs to know of it."""
        return len(self.fields), self.open_end, self.query, self.doc, self.number, self.kind

    def parsed(self, text: Text, *, keep: bool) -> rows.Batch:
        """The rows of a chunk; `keep` holds all of them until they are ranked."""
        return rows.parse_rows(text.padded_bytes, 0, len(text.bytes), self.layout, keep)

    def batches(
        self, chunks: Iterable[Text], problems: Problems, *, threads: int | None = None
    ) -> tuple[list[rows.Batch], list[int]]:
        """All rows of all chunks, whose faults are noted, and how many lines are before each chunk."""
        batches = list(map_in_order(partial(self.parsed, keep=True), chunks, threads=threads))
        lines_before = list(accumulate((batch.lines for batch in batches), initial=0))
        for batch, before in zip(batches, lines_before, strict=False):
            problems.absorb(
                problems_of(batch.faults, batch.fault_total, self.fields, number_fault=self.fault_of), before
            )
        return batches, lines_before


def _score_fault(token: bytes) -> str:
    return f"score {quoted(token)} is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this line"


def _rank_fault(token: bytes) -> str:
    return f"rank {quoted(token)} is not a whole number of 1 or more; expected one such as 7; fix or remove this line"


def _grade_fault(token: bytes) -> str:
    return (
        f"grade {quoted(token)} is not a number from -{HIGHEST_GRADE} to {HIGHEST_GRADE}; "
        "expected one such as 0, 1 or 1.8; fix or remove the line"
    )


TREC_RUN: Final = TextFormat(
    name="TREC",
    fields=("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    query=0,
    doc=2,
    number=4,
    kind=rows.SCORE,
    fault_of=_score_fault,
    open_end=True,
    rank=3,
    has_tag=True,
)
"""In score order; the rank is ignored. The tag is the rest of the line, as for trec_eval, which keeps room for more."""
MSMARCO_RUN: Final = TextFormat(
    name="MS MARCO",
    fields=("query_id", "doc_id", "rank"),
    query=0,
    doc=1,
    number=2,
    kind=rows.RANK,
    fault_of=_rank_fault,
    rank=2,
)
"""In rank order; minus the rank serves as the score."""
TREC_QRELS: Final = TextFormat(
    name="TREC",
    fields=("query_id", "iteration", "doc_id", "grade"),
    query=0,
    doc=2,
    number=3,
    kind=rows.GRADE,
    fault_of=_grade_fault,
)
"""The second field is ignored."""

PLAIN_QRELS: Final = TextFormat(
    name="plain",
    fields=("query_id", "doc_id", "grade"),
    query=0,
    doc=1,
    number=2,
    kind=rows.GRADE,
    fault_of=_grade_fault,
)
"""Without the iteration; see `three_columns` for when three fields are qrels."""

RUN_FORMATS: Final = (TREC_RUN, MSMARCO_RUN)
"""The text formats for runs; each has its own number of fields."""
QRELS_FORMATS: Final = (TREC_QRELS, PLAIN_QRELS)
"""Those for qrels, likewise."""


def unknown_format(name: str, noun: str, fields: Sequence[bytes], *, hint: str, expected: str) -> InputError:
    """Of a file whose first line fits no format; `noun` is run or qrels."""
    line = b" ".join(fields)
    for sign, called in ((b",", "commas"), (b";", "semicolons")):
        if line.count(sign) > 1:
            number = "score" if noun == "run" else "grade"
            header = sign.decode().join(("query_id", "doc_id", number))
            hint = (
                f"; with {called}, it names no column of queries and none of documents; put the line '{header}' above"
            )
    count = counted(len(fields), "field")
    problem = (
        f"{name}: unknown {noun} format: the first line has {count}, it begins {quoted(line)}{hint}; "
        f"expected {expected}; check that this is a {noun} file"
    )
    return InputError([problem])
