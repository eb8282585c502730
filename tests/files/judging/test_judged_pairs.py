"""Judged pairs: rows, faults, chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import RunoffError, UsageError
from runoff.files import read_judgments, render_judged_pairs
from runoff.files.judging.judged_pairs import read_pairs, render_pairs
from runoff.tables import Preferences
from tests.files.samples import chunks_of, problems_of
from tests.preferences.judged import judgments

MEND = "fix or remove this line"


@given(judgments(ties=False), st.integers(16, 200), st.booleans())
def test_rows_as_they_stand(rows, size, named):
    rows = [(*row[:4], row[4] or "zoe") if named else row[:4] for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        table = read_judgments("".join(" ".join(row) + "\n" for row in rows).encode(), name="pairs")
    kept = list(dict.fromkeys(rows)) if named else rows
    assert [tuple(row)[: len(rows[0])] for row in table] == kept
    assert (table.repeated, table.name) == (len(rows) - len(kept), "pairs")


def test_all_faults_in_one_report():
    data = b"q a b a\nq a b c\nq a a a\nq a b\nq a b b ann\n# fine\n\nq a \xff a\nq b a b\n"
    assert problems_of(read_judgments, data) == [
        f"<bytes>:2: preferred 'c' is neither 'a' nor 'b'; expected one of the two documents; {MEND}",
        "<bytes>:3: document 'a' is compared with itself; expected two documents; remove the line",
        f"<bytes>:4: 3 fields; expected 4 (query_id doc_a doc_b preferred); {MEND}",
        f"<bytes>:5: 5 fields; expected 4 (query_id doc_a doc_b preferred); {MEND}",
        "<bytes>:8: bytes that are not UTF-8; expected text in UTF-8; convert the file",
    ]


@given(judgments(ties=False))
def test_written_pairs_read_the_same(rows):
    table = Preferences.of([row[:4] for row in rows])
    assert list(read_judgments("".join(render_judged_pairs(table)).encode())) == list(table)


def test_assessors_are_written_if_all_are_named():
    named = Preferences.of([("q", "a", "b", "a", "ann"), ("q", "a", "c", None, "bob")])
    assert list(render_judged_pairs(named)) == ["q a b a ann\n"]
    assert list(render_judged_pairs(Preferences.of([*named, ("q", "a", "b", "b")]))) == ["q a b a\n", "q a b b\n"]
    with pytest.raises(UsageError, match="assessor 'ann b' has spaces"):
        list(render_judged_pairs(Preferences.of([("q", "a", "b", "a", "ann b")])))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_explained(data):
    try:
        found = len(read_judgments(data))
    except RunoffError as error:
        found = len(str(error))
    assert found > 0


def test_written_and_read_again():
    pairs = (("q1", "a", "b"), ("q2", "日本", "c"))
    assert read_pairs("".join(render_pairs(pairs)).encode()) == pairs
    assert read_pairs(b"# mine\n\nq a b\n") == (("q", "a", "b"),)


@pytest.mark.parametrize(
    "data, start",
    [(b"q a\n", "<bytes>:1: 'q a' is not a pair"), (b"q a a\n", "<bytes>:1: 'q a a'"), (b"#\n", "<bytes>: no pairs")],
)
def test_faults(data, start):
    assert problems_of(read_pairs, data)[0].startswith(start)
