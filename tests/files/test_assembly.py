"""Rows into tables: what stands twice is found, whatever the hashes are."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.assembly import has_equal_keys, note_duplicates, qrels_of_rows, run_rows_of
from runoff.files.problems import Problems
from runoff.tables.ids import Ids
from tests.files.samples import weaken_hashes

PAIRS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "2", "long-document-id"])), min_size=1, max_size=12
)


def expected(pairs, verb="stands"):
    first: dict[tuple[str, str], int] = {}
    problems = []
    for row, (query, doc) in enumerate(pairs, start=1):
        if (query, doc) in first:
            problems.append(
                f"{row}: document '{doc}' {verb} twice for query '{query}', first in line {first[query, doc]}; "
                "expected every document once per query; remove one of the lines"
            )
        first.setdefault((query, doc), row)
    return problems


def found(problems):
    return [f"{problem.line}: {problem.text}" for problem in problems.kept]


@given(PAIRS, st.booleans())
def test_duplicates(pairs, has_weak_hashes):
    queries, docs = [query for query, _ in pairs], Ids.of(doc for _, doc in pairs)
    with pytest.MonkeyPatch.context() as patch:
        if has_weak_hashes:
            weaken_hashes(patch)
        problems = Problems()
        rows = run_rows_of(queries, docs, np.zeros(len(pairs)), problems)
        assert found(problems) == expected(pairs)
        assert [rows.query_ids[place] for place in rows.row_query] == queries
        problems = Problems()
        qrels = qrels_of_rows("qrels", queries, docs, np.arange(len(pairs)), problems, lambda row: row + 1)
        assert found(problems) == expected(pairs, "is judged")
        by_query = sorted(range(len(pairs)), key=lambda row: list(dict.fromkeys(queries)).index(queries[row]))
        assert list(qrels) == [(*pairs[row], row) for row in by_query]


@given(st.lists(st.integers(0, 6)))
def test_equal_keys(keys):
    assert has_equal_keys(np.array(keys, dtype=np.uint64)) == any(a == b for a, b in combinations(keys, 2))


def test_equal_keys_alone_are_no_duplicates():
    problems = Problems()
    pairs = [("q", "a"), ("q", "b"), ("p", "a")]
    keys = np.zeros(3, dtype=np.uint64)
    note_duplicates(keys, problems, pairs_at=lambda rows: [pairs[row] for row in rows], line_of=lambda row: row + 1)
    assert problems.total == 0
