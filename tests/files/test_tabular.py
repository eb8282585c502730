"""Runs and qrels in memory: the same tables as from a file, checked as a file is."""

from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError
from runoff.files import read_qrels, read_run
from runoff.files.objects import columns_of
from runoff.files.problems import CHOICE, Problems
from runoff.files.tabular import Columns, batch_of, qrels_of_batches, qrels_of_table, run_of_table
from runoff.reading.sources import ReadOptions, as_qrels, as_run
from runoff.tables.ids import Ids
from tests.files.samples import TIE_RULES, contents, judgments, problems_of, qrels_text, run_rows, run_text

ROWS = [("1", "10", 0.5), ("1", "9", 0.5), ("1", "12", 1e-7), ("2", "9", -2.97), ("2", "10", 626487.645259)]
GRADES = [("1", "10", 1), ("1", "9", 0), ("2", "9", -1), ("2", "10", 3)]
RUN_TEXT = "".join(f"{query} Q0 {doc} 1 {score} t\n" for query, doc, score in ROWS).encode()
QRELS_TEXT = "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in GRADES).encode()


def nested(rows):
    table: dict[Any, dict[Any, float]] = {}
    for query, doc, number in rows:
        table.setdefault(query, {})[doc] = number
    return table


def forms(rows, names, record):
    """The same table in every form that is accepted, with ids as text and as whole numbers."""
    for kind in (str, int):
        typed = [(kind(query), kind(doc), number) for query, doc, number in rows]
        yield pl.DataFrame(typed, schema=list(names), orient="row")
        yield pd.DataFrame(typed, columns=list(names))
        yield nested(typed)
        yield typed
        yield iter([list(row) for row in typed])
    yield [record(*row) for row in rows]


RUN_FORMS = list(forms(ROWS, ("query_id", "doc_id", "score"), ir_measures.ScoredDoc))
QRELS_FORMS = list(forms(GRADES, ("query_id", "doc_id", "relevance"), ir_measures.Qrel))


@pytest.mark.parametrize("form", range(len(RUN_FORMS)))
def test_runs(form):
    assert contents(as_run(RUN_FORMS[form], name="x")) == contents(read_run(RUN_TEXT))


@pytest.mark.parametrize("form", range(len(QRELS_FORMS)))
def test_qrels(form):
    assert list(as_qrels(QRELS_FORMS[form], name="x")) == list(read_qrels(QRELS_TEXT))


@given(run_rows(), judgments)
def test_tables_equal_files(rows, grades):
    typed = [(row.query, row.doc, float(row.score)) for row in rows]
    for rule in TIE_RULES:
        table = as_run(typed, reading=ReadOptions(tie_rule=rule))
        assert contents(table) == contents(read_run(run_text(rows), tie_rule=rule))
    assert list(as_qrels([(*pair, grade) for pair, grade in grades.items()])) == list(read_qrels(qrels_text(grades)))


@pytest.mark.parametrize("query", ["query_id", "qid", "query", "topic"])
@pytest.mark.parametrize("doc", ["doc_id", "docno", "docid", "doc", "pid"])
def test_column_names(query, doc):
    for score in ("run_score", "score"):
        columns: Columns = {query: ["q", "q"], doc: ["a", "b"], score: [1.0, 2.0], "rank": [1, 2]}
        assert list(run_of_table(columns, "x", "file")) == [("q", "b", 2.0), ("q", "a", 1.0)]
    for grade in ("relevance", "label", "grade", "rel"):
        assert list(qrels_of_table({query: ["q"], doc: ["a"], grade: [1]}, "x")) == [("q", "a", 1)]


def test_ranks_where_there_are_no_scores():
    columns: Columns = {"qid": ["q", "q"], "docno": ["a", "b"], "rank": [2, 1]}
    assert list(run_of_table(columns, "x", "trec_eval")) == [("q", "b", -1.0), ("q", "a", -2.0)]
    assert problems_of(run_of_table, {**columns, "rank": [1.5, 0]}, "x", "trec_eval") == [
        "x:1: rank 1.5 is not a whole number of 1 or more; expected one such as 7; fix or remove the row",
        "x:2: rank 0 is not a whole number of 1 or more; expected one such as 7; fix or remove the row",
    ]


@pytest.mark.parametrize("name", ['"', "a b", "d\u00a0x", "\u200b", "日本", "🙂", "\ue000"])
def test_any_text_is_an_id(name):
    assert list(as_run([(name, name, 1)])) == [(name, name, 1.0)]


@pytest.mark.parametrize("value", ["", None, 1.5, float("nan"), True, "a\tb", "a\0", "\ud800", b"d", ("x",)])
def test_what_is_no_id(value):
    for row, what in (((value, "d", 2), "query"), (("q", value, 2), "document")):
        (problem,) = problems_of(as_run, [("q", "first", 1), row], name="x")
        assert problem.startswith(f"x:2: {what} '")
        assert problem.endswith("' cannot be an id; expected text or a whole number; fix it")


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), np.float64("-inf"), 10**400, ()])
def test_what_is_no_number(value):
    (problem,) = problems_of(as_run, {"q": {"a": 1, "b": value}}, name="x")
    assert problem.startswith("x:2: score '")
    assert problem.endswith("' is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this row")
    (problem,) = problems_of(as_qrels, {"q": {"a": value}}, name="x")
    assert problem.startswith("x:1: grade '")


def test_ranks_from_0():
    table = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "rank": [0, 1]})
    (problem,) = problems_of(as_run, table, name="x")
    assert problem == "x:1: rank 0 is not a whole number of 1 or more; expected one such as 7; add 1 to every rank"


def test_numbers_as_text():
    """As a frame has them that was read with `dtype=str`."""
    (problem,) = problems_of(as_run, {"q": {"a": 1, "b": "1.5"}}, name="x")
    assert problem == "x:2: score '1.5' is text; expected a number such as 12.5 or 1e-7; convert the column to numbers"


def test_an_index_of_pandas_is_columns():
    frame = pd.DataFrame(ROWS, columns=["qid", "docno", "score"])
    for index in (["qid", "docno"], ["docno"], ["qid"]):
        assert list(as_run(frame.set_index(index))) == list(as_run(frame))
    assert list(as_run(frame.set_index("docno", drop=False).rename_axis("qid2"))) == list(as_run(frame))


MEND = "expected one such as 0, 1 or 1.8; fix or remove the row"


@pytest.mark.parametrize("grade", [127.5, 128, -128, 1e300])
def test_what_is_no_grade(grade):
    assert problems_of(as_qrels, {"q": {"a": grade}}, name="x") == [
        f"x:1: grade {grade:g} is not a number from -127 to 127; {MEND}"
    ]


def test_grades_that_are_fractions():
    rows = [("q", "a", 1.8), ("q", "b", 1.0), ("q", "c", -0.5), ("q", "d", 0)]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row", strict=False)
    assert list(as_qrels(rows)) == list(as_qrels(frame)) == list(as_qrels(frame.to_pandas())) == rows


ONCE = "expected every document once per query; remove one of the lines"


def test_duplicates():
    rows = [("1", "a", 1), (1, "a", 2), ("1", "b", 3)]
    assert problems_of(as_run, rows) == [
        f"run:2: document 'a' is listed twice for query '1', first in line 1; {ONCE}{CHOICE}"
    ]
    assert problems_of(as_qrels, rows) == [
        f"qrels:2: document 'a' is judged twice for query '1', first in line 1; {ONCE}"
    ]


def test_no_rows():
    frame = pl.DataFrame({"query_id": [], "doc_id": [], "score": [], "relevance": []})
    tables: list[Any] = [[], {}, {"q": {}}, frame]
    for empty in tables:
        assert problems_of(as_run, empty) == ["run: no rows; expected ranked documents; check where they come from"]
        assert problems_of(as_qrels, empty) == ["qrels: no rows; expected judgments; check where they come from"]


TUPLE = "expected a tuple (query_id, doc_id, score); fix the row"
QUERY = "expected one called 'query_id' or 'qid' or 'q_id' or 'topic_id' or 'query' or 'topic'; rename a column"
SCORE = "expected one called 'run_score' or 'score' or 'rank'; rename a column"
NO_TABLE = (
    "x: a int is not a table; expected a frame, a {query: {document: score}} dict or (query, document, score) "
    "tuples; to read a file use read_run or read_qrels"
)
TWO_SCORES = pd.DataFrame([["q", "d", 1, 2]], columns=["qid", "docno", "score", "score"])


@pytest.mark.parametrize(
    "table, problem",
    [
        (7, NO_TABLE),
        ({"q": ["d"]}, "x: query 'q' maps to a list; expected a dict {document: number}; nest the dict by query"),
        ([("q", "d")], "x:1: 2 fields; expected 3 (query_id, doc_id, score); fix the row"),
        ([("q", "d", 1), 7], f"x:2: a int is not a row; {TUPLE}"),
        (["abc"], f"x:1: a str is not a row; {TUPLE}"),
        ([{"q": 1}], f"x: no column for 'query_id' among 'q'; {QUERY}"),
        (pl.DataFrame({"q": [1]}), f"x: no column for 'query_id' among 'q'; {QUERY}"),
        (pl.DataFrame({"qid": ["q"], "docno": ["d"]}), f"x: no column for 'run_score' among 'qid', 'docno'; {SCORE}"),
        (TWO_SCORES, "x: two columns are called 'score'; expected every column once; rename or drop one"),
    ],
)
def test_what_is_no_table(table, problem):
    assert problems_of(as_run, table, name="x") == [problem]


def test_columns_of_refuses_text():
    with pytest.raises(InputError, match="a str is not a table"):
        columns_of("q d 1", "run", "x")


def test_tables_pass_through():
    run, qrels = as_run(ROWS), as_qrels(GRADES)
    assert as_run(run) is run
    assert as_qrels(qrels) is qrels


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
                f"{ONCE}{CHOICE if verb == 'is listed' else ''}"
            )
        first.setdefault((query, doc), row)
    return problems


def found(problems):
    return [f"{problem.line}: {problem.text}" for problem in problems.kept]


@given(PAIRS, st.integers(0, 12))
def test_qrels_assembly(pairs, cut):
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
    assert problem.startswith("0: 199 different grades, some of them fractions; expected at most 127; if these are the")
