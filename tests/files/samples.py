"""Sample runs and qrels, and what a slow and obvious reader makes of them."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import strategies as st

from runoff.choices import TieRule
from runoff.errors import InputError
from runoff.files import streams
from runoff.tables.ids import hash_tokens

RUN = b"q1 Q0 d1 1 12.5 tag\nq1 Q0 d2 2 7 tag\nq2 Q0 d1 1 1e-7 tag\n"
QRELS = b"q1 0 d1 1\nq1 0 d9 2\nq2 0 d1 0\n"
TIE_RULES: tuple[TieRule, ...] = ("trec_eval", "float32", "file", "doc_ascending")

# Texts of scores with many ties, some of them under float32 only.
SCORES = ("1", "1.0", "0.5", "-2.97", "31.0501639782451", "31.0501639782450", "1e-7", "626487.645259", "-0.0", "0")
QUERIES = ("1", "2", "q", "301", "a-long-query-id-of-34-characters--")
DOCS = ("1", "2", "10", "d1", "d2", "D1", "FR940202-2-00150", "FR940202-2-00151", "dé", "日本", "'q\"", "x" * 300)


@dataclass(frozen=True)
class Row:
    query: str
    doc: str
    score: str


@st.composite
def run_rows(draw):
    """Rows of a run in any order, each document at most once per query."""
    pairs = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS))
    chosen = draw(st.lists(pairs, min_size=1, max_size=30, unique=True))
    rows = [Row(query, doc, draw(st.sampled_from(SCORES))) for query, doc in chosen]
    shape = draw(st.sampled_from(["as drawn", "blocks", "sorted"]))
    if shape == "blocks":
        rows.sort(key=lambda row: row.query)
    if shape == "sorted":
        rows.sort(key=lambda row: (row.query, -float(row.score)))
    return rows


judgments = st.dictionaries(
    st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS)), st.integers(-2, 3), min_size=1, max_size=25
)


def run_text(rows, separator=" "):
    return "".join(separator.join((row.query, "Q0", row.doc, "1", row.score, "tag")) + "\n" for row in rows).encode()


def qrels_text(grades):
    return "".join(f"{query} 0 {doc} {grade}\n" for (query, doc), grade in grades.items()).encode()


def compared(score, tie_rule):
    return float(np.float32(score)) if tie_rule == "float32" else float(score)


def ranking(rows, tie_rule):
    """The ranked (document, score) list of each query, by the definition of the tie rules."""
    lists: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        lists.setdefault(row.query, []).append((row.doc, float(row.score)))
    for found in lists.values():
        if tie_rule != "file":
            found.sort(key=lambda entry: entry[0].encode(), reverse=tie_rule != "doc_ascending")
        found.sort(key=lambda entry: compared(entry[1], tie_rule), reverse=True)
    return lists


def graded(rows, grades, tie_rule, depth):
    """Per judged query: the grades to the depth, the length of the list, and whether the depth cuts through a tie."""
    lists = ranking(rows, tie_rule)
    queries = list(dict.fromkeys(query for query, _ in grades))
    longest = max(len(lists.get(query, [])) for query in queries)
    kept = longest if depth is None else depth
    table = []
    for query in queries:
        found = lists.get(query, [])
        codes = [max(grades[query, doc], 0) if (query, doc) in grades else -1 for doc, _ in found]
        scores = [compared(score, tie_rule) for _, score in found]
        tied = 0 < kept < len(found) and scores[kept - 1] == scores[kept]
        table.append(((codes + [-2] * kept)[:kept], len(found), tied))
    return table


def table_of(serps):
    return list(zip(serps.grades.tolist(), serps.retrieved.tolist(), serps.depth_tied.tolist(), strict=True))


def contents(run):
    """Everything a run holds, for comparison."""
    return list(run), run.query_ids, run.bounds.tolist(), run.tie_rule


def chunks_of(patch: pytest.MonkeyPatch, size: int) -> None:
    """Let files be read in chunks of so many bytes."""
    patch.setattr(streams, "CHUNK_BYTES", size)


def weaken_hashes(patch: pytest.MonkeyPatch) -> None:
    """Let hashes have few distinct values: 4 under seed 0, more under the seeds behind it."""

    def weak(text, starts, lengths, *, seed=0):
        return hash_tokens(text, starts, lengths, seed=seed) & np.uint64((1 << min(2 + 4 * seed, 63)) - 1)

    for name, module in list(sys.modules.items()):
        if name.startswith("runoff.") and getattr(module, "hash_tokens", None) is hash_tokens:
            patch.setattr(module, "hash_tokens", weak)


def problems_of(read, *arguments, **options):
    """The sentences of the InputError that a call raises."""
    with pytest.raises(InputError) as caught:
        read(*arguments, **options)
    return str(caught.value).splitlines()
