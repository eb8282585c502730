from collections.abc import Sequence
from typing import Any, Final, TypeAlias

Buffer: TypeAlias = Any
Fault: TypeAlias = tuple[int, int, int, bytes]
Layout: TypeAlias = tuple[int, bool, int, int, int, int]

PADDING: Final[int]
MOST_FAULTS: Final[int]
HIGHEST_GRADE: Final[int]
CONTROL: Final[int]
NOT_UTF8: Final[int]
WIDTH: Final[int]
NUMBER: Final[int]
SCORE: Final[int]
RANK: Final[int]
GRADE: Final[int]
TREC_EVAL: Final[int]
FLOAT32: Final[int]
FILE: Final[int]
DOC_ASCENDING: Final[int]
UNRANKED: Final[int]
ERROR: Final[int]
FIRST: Final[int]
BEST: Final[int]

class Batch:
    rows: int
    queries: int
    lines: int
    in_blocks: bool
    faults: list[Fault]
    fault_total: int

class Judged:
    queries: int
    repeated: tuple[int, int] | None
    def __init__(
        self, query_text: Buffer, query_bounds: Buffer, row_query: Buffer, doc_text: Buffer, doc_bounds: Buffer, /
    ) -> None: ...
    def find(self, places: Buffer, doc_text: Buffer, doc_bounds: Buffer, /) -> Buffer: ...

class Ranked:
    lengths: Buffer
    tied: Buffer
    dropped: int
    repeated: list[tuple[int, int, int, int, bytes, bytes]]
    repeated_total: int
    docs_text: Buffer
    docs_bounds: Buffer
    scores: Buffer
    hits: tuple[tuple[Buffer, Buffer, Buffer, Buffer], ...]

class Lists:
    queries: int
    rows: int
    def query_ids(self) -> tuple[Buffer, Buffer]: ...
    def rank(
        self,
        first: int,
        last: int,
        judged: tuple[Judged, ...],
        depth: int,
        top: int,
        tie_rule: int,
        duplicates: int,
        /,
    ) -> Ranked: ...

def split_fields(
    buffer: Buffer, begin: int, end: int, width: int, open_end: bool, /
) -> tuple[Buffer, Buffer, Buffer, int, list[Fault], int]: ...
def parse_decimals(buffer: Buffer, starts: Buffer, lengths: Buffer, /) -> Buffer: ...
def block_start(buffer: Buffer, begin: int, end: int, query_column: int, /) -> int: ...
def parse_rows(buffer: Buffer, begin: int, end: int, layout: Layout, keep: bool, /) -> Batch: ...
def columns_batch(
    query_text: Buffer, query_bounds: Buffer, doc_text: Buffer, doc_bounds: Buffer, scores: Buffer, /
) -> Batch: ...
def group(batches: Sequence[Batch], /) -> Lists: ...
def _set_hash_secret(secret: bytes, /) -> None: ...
