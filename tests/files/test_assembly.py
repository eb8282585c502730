"""Rows into tables: by query, and what comes twice is found."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.assembly import batch_of, qrels_of_batches
from runoff.files.problems import Problems
from runoff.tables.ids import Ids

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


@given(PAIRS, st.integers(0, 12))
def test_qrels(pairs, cut):
    """Judgments in two batches: by query, in the order of the file; what is judged twice is noted."""
    halves = [half for half in (pairs[:cut], pairs[cut:]) if half]
    batches = [
        batch_of(Ids.of(query for query, _ in half), Ids.of(doc for _, doc in half), np.arange(len(half), dtype=float))
        for half in halves
    ]
    problems = Problems()
    qrels = qrels_of_batches("qrels", batches, problems, [0, len(halves[0])])
    assert found(problems) == expected(pairs, "is judged")
    queries = list(dict.fromkeys(query for query, _ in pairs))
    grades = [grade for half in halves for grade in range(len(half))]
    rows = [(query, doc, grade) for (query, doc), grade in zip(pairs, grades, strict=True)]
    assert list(qrels) == sorted(rows, key=lambda row: queries.index(row[0]))


def test_fractions():
    problems = Problems()
    qrels = qrels_of_batches("x", [batch_of(Ids.of("qq"), Ids.of("ab"), np.array([1.0, 1.8]))], problems)
    assert (list(qrels), qrels.values, problems.total) == ([("q", "a", 1), ("q", "b", 1.8)], (1.0, 1.8), 0)


def test_too_many_different_fractions():
    docs, grades = [str(number) for number in range(200)], np.arange(200) / 64
    problems = Problems()
    qrels_of_batches("x", [batch_of(Ids.of(["q"] * 200), Ids.of(docs), grades)], problems)
    (problem,) = found(problems)
    assert problem.startswith("0: 199 different grades, some of them fractions; expected at most 127; round the grades")
