"""Runs read for their grades alone: which files can be, and that ties across chunks are right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files import read_qrels
from runoff.files.run_sieve import WholeRunNeededError, read_hits
from tests.files.samples import DOCS, Row, chunks_of, graded, qrels_text, run_text, table_of, weaken_hashes

QRELS = read_qrels(b"q1 0 d1 1\nq1 0 d4 2\nq2 0 d1 0\n")
LINES = [b"q1 Q0 d3 1 9 t\n", b"q1 Q0 d2 2 9 t\n", b"q1 Q0 d1 3 8 t\n", b"q2 Q0 d9 1 2 t\n", b"q2 Q0 d1 2 1 t\n"]


def hits(data, tie_rule="trec_eval", qrels=QRELS):
    return read_hits(data, qrels.sieve, name="x", tie_rule=tie_rule, max_bytes=1 << 20, threads=2)


@pytest.mark.parametrize("size", [16, 40, 1 << 20])
def test_a_file_in_rank_order(size, monkeypatch):
    chunks_of(monkeypatch, size)
    found = hits(b"# comment\n\n" + b"".join(LINES))
    assert table_of(found.serps(QRELS)) == [([-1, -1, 1], 3, False), ([-1, 0, -2], 2, False)]
    assert found.serps(QRELS, depth=1).depth_tied.tolist() == [True, False]


@pytest.mark.parametrize("size", [16, 40, 1 << 20])
@pytest.mark.parametrize(
    "lines",
    [
        LINES[::-1],
        [*LINES[:3], b"q1 Q0 d7 4 8.5 t\n"],
        [*LINES, LINES[0]],
        [*LINES[:3], LINES[2], *LINES[3:]],
        [LINES[0], LINES[1], LINES[1]],
        [*LINES, b"q3 Q0 d 1 x t\n"],
        [*LINES, b"q3 Q0\n"],
        [LINES[0], LINES[3], LINES[2]],
    ],
    ids=[
        "ascending",
        "one too high",
        "query again",
        "repeated",
        "repeated and tied",
        "no number",
        "short",
        "interleaved",
    ],
)
def test_other_files_are_left_to_the_reader_of_whole_runs(lines, size, monkeypatch):
    chunks_of(monkeypatch, size)
    with pytest.raises(WholeRunNeededError):
        hits(b"".join(lines))


@given(
    st.permutations(DOCS),
    st.lists(st.sampled_from([5, 4, 4.000000001, 3]), min_size=1, max_size=len(DOCS)),
    st.dictionaries(st.tuples(st.just("q"), st.sampled_from(DOCS)), st.integers(0, 3), min_size=1),
    st.sampled_from(["trec_eval", "float32", "file"]),
    st.sampled_from([16, 50, 1 << 20]),
    st.booleans(),
)
def test_ties_by_the_definition(docs, scores, grades, tie_rule, size, has_weak_hashes):
    rows = [Row("q", doc, repr(score)) for doc, score in zip(docs, sorted(scores, reverse=True), strict=False)]
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        if has_weak_hashes:
            weaken_hashes(patch)
        qrels = read_qrels(qrels_text(grades))
        try:
            found = hits(run_text(rows), tie_rule, qrels)
        except WholeRunNeededError:
            assert has_weak_hashes  # equal keys, which only the reader of whole runs can tell from repeated documents
            return
        for depth in (None, 1, 3):
            assert table_of(found.serps(qrels, depth=depth)) == graded(rows, grades, tie_rule, depth)
