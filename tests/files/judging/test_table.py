"""Judgments as CSV and as JSON lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files import read_judgments, render_judgment_csv
from runoff.tables import Preferences
from tests.files.samples import problems_of
from tests.preferences.judged import judgments


@given(judgments(), st.sampled_from([",", "\t", ";"]), st.permutations(range(6)))
def test_columns_in_any_order(rows, separator, order):
    header = ("query", "left", "right", "preferred", "assessor", "colour")
    cells = [(*row[:3], row[3] or "tie", row[4] or "", "red") for row in rows]
    lines = [separator.join(line[place] for place in order) for line in (header, *cells)]
    table = read_judgments("\r\n".join(lines).encode())
    seen = list(dict.fromkeys(row for row in rows if row[4])) + [row for row in rows if not row[4]]
    assert sorted(map(str, ([tuple(row)[:5] for row in table]))) == sorted(map(str, seen))
    assert table.ignored_columns == ("colour",)


full = st.lists(
    st.tuples(
        st.just("q"),
        st.just("a,1"),
        st.just('b"2'),
        st.sampled_from(["a,1", 'b"2', None]),
        st.sampled_from(["ann lee", None]),
        st.sampled_from(["t;1", None]),
        st.one_of(st.none(), st.floats(0, 1e6)),
        st.sampled_from(["a,1", None]),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda row: row[3:6],
)


@given(full)
def test_written_csv_and_json_hold_everything(rows):
    table = Preferences.of(rows)
    assert list(read_judgments("".join(render_judgment_csv(table)).encode())) == list(table)
    keys = ("query", "left", "right", "preferred", "assessor", "task", "seconds", "expected")
    lines = [json.dumps(dict(zip(keys, [*row[:3], row[3] or "tie", *row[4:]], strict=True))) for row in rows]
    assert list(read_judgments("\n".join(lines).encode())) == list(table)


def test_faults_of_csv_have_their_lines():
    data = b"# by hand\n\nquery,left,right,preferred\nq,a,b,a\n\nq,a,b\nq,a,b,z\n"
    assert problems_of(read_judgments, data) == [
        "<bytes>:6: 3 fields; expected 4 as in the first line; fix or remove this line",
        (
            "<bytes>:7: preferred 'z' is neither 'a' nor 'b'; expected one of them, left, right or tie; "
            "fix or remove this line"
        ),
    ]
    (problem,) = problems_of(read_judgments, b'query,left,right,preferred\nq,a,"b"x,a\n')
    assert problem.startswith("<bytes>:2: not CSV (")


def test_faults_of_the_header():
    assert problems_of(read_judgments, b"query,qid,left,preferred\n1,1,a,a\n") == [
        "<bytes>:1: 'query' and 'qid' are both the query; expected one such column; rename or drop the others",
        (
            "<bytes>:1: no column for 'right' among 'query', 'qid', 'left', 'preferred'; "
            "expected one called 'right' or 'doc_b'; rename a column"
        ),
    ]


def test_faults_of_json_have_their_lines():
    data = b'{"query": "q", "left": "a"}\n\n[1]\n{x}\n'
    problems = problems_of(read_judgments, data)
    assert [problem.split(":")[1] for problem in problems] == ["1", "3", "4"]
    assert "no right and no preferred; expected query, left, right, preferred" in problems[0]
    assert "a list; expected an object on every line" in problems[1]
    assert "not JSON" in problems[2]


@pytest.mark.parametrize("head", [b"query,left,right,preferred\n", b'{"query": "q"}\n'])
def test_not_utf8(head):
    assert problems_of(read_judgments, head + b"q,a,\xff,a\n") == [
        "<bytes>:2: bytes that are not UTF-8; expected text in UTF-8; convert the file"
    ]
