"""Runs from text: both formats, every fault with its line, large files."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import RunoffError
from runoff.files import read_run, streams
from runoff.files.text import runs as reader
from runoff.files.text.formats import RUN_FORMATS
from runoff.files.text.runs import read_lists
from runoff.tables.ranked_lists import ALL, ListRequest
from tests.files.samples import RUN, chunks_of, problems_of, run_rows, run_text

FIELDS = "expected 6 (TREC: query_id Q0 doc_id rank score tag) or 3 (MS MARCO: query_id doc_id rank)"
EXPECTED = "expected " + " or ".join(
    f"{len(each.fields)} ({each.name}: {' '.join(each.fields)})" for each in RUN_FORMATS
)
FIX = "fix or remove this line"
WRITTEN = "check that it was written to the end"
ONCE = "expected every document once per query; remove one of the lines, or choose what counts with --duplicates"


def test_every_format_has_its_own_number_of_fields():
    numbers = [len(run_format.fields) for run_format in RUN_FORMATS]
    assert numbers[:2] == [6, 3]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("threads", [1, 4])
@given(rows=run_rows(), size=st.integers(16, 200), separator=st.sampled_from([" ", "\t", "  \t"]))
def test_rows_are_the_same_for_any_chunk_size_and_threads(threads, rows, size, separator):
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        lists = read_lists(run_text(rows, separator), ListRequest(top=ALL, tie_rule="file"), threads=threads)
    queries = tuple(dict.fromkeys(row.query for row in rows))
    assert lists.query_ids == queries
    ranked = sorted(rows, key=lambda row: (queries.index(row.query), -float(row.score)))
    assert list(lists.top_docs) == [row.doc for row in ranked]
    assert lists.top_scores.tolist() == [float(row.score) for row in ranked]
    assert lists.lengths.tolist() == [sum(row.query == query for row in rows) for query in queries]


BLOCKS = b"q1 Q0 d3 1 9 t\nq1 Q0 d2 2 9 t\nq1 Q0 d1 3 8 t\n# q2\n\nq2 Q0 d9 1 1 t\nq2 Q0 d1 2 2 t\n"


@pytest.mark.parametrize("size", [16, 40, 1 << 20])
@pytest.mark.parametrize(
    "data, whole",
    [
        (BLOCKS, False),
        (BLOCKS + b"q1 Q0 d7 1 1 t\n", True),
        (BLOCKS + b"q2 Q0 d1 1 1 t\n", True),
        (BLOCKS + b"q3 Q0 d1 1 x t\n", True),
    ],
    ids=["blocks", "query again", "document again", "no number"],
)
def test_only_files_out_of_order_and_faulty_ones_are_held_whole(data, whole, size, monkeypatch):
    chunks_of(monkeypatch, size)
    called = []
    monkeypatch.setattr(reader, "_read_whole", lambda *_: called.append(True))
    read_lists(data, ListRequest())
    assert bool(called) == whole


def test_a_query_larger_than_a_chunk(monkeypatch):
    """It is read on until its end, and beyond a limit the file is held whole; the lists are the same."""
    data = b"".join(b"q Q0 d%d 1 %d t\n" % (row, row) for row in range(50)) + b"r Q0 d 1 1 t\n"
    expected = list(read_run(data))
    chunks_of(monkeypatch, 64)
    for limit in (1 << 20, 100):
        monkeypatch.setattr(streams, "LARGEST_BLOCK", limit)
        assert list(read_run(data)) == expected


@pytest.mark.parametrize(
    "fields", [count for count in (1, 2, 4, 5) if not any(run_format.fits(count) for run_format in RUN_FORMATS)]
)
def test_unknown_format(fields):
    line = b" ".join([b"a", b"b", b"c", b"d", b"e"][:fields])
    start = f"'{line.decode()}'" + ("; this looks like a qrels file" if fields == 4 else "")
    assert problems_of(read_run, line) == [
        (
            f"<bytes>: unknown run format: the first line has {fields} field{'s' * (fields > 1)}, it begins {start}; "
            f"{EXPECTED}; check that this is a run file"
        )
    ]
    assert EXPECTED.startswith(FIELDS)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"# only a comment\n", gzip.compress(b"", mtime=0)])
def test_empty(data):
    assert problems_of(read_run, data) == [
        "<bytes>: the file is empty; expected a run with a ranked document on every line; " + WRITTEN
    ]


def test_all_faults_in_one_report_in_line_order(tmp_path):
    file = tmp_path / "bm25.run"
    file.write_bytes(
        b"# a comment\nq1 Q0 d1 1 3 t\nq1 Q0 d2 2 nan t\n\nq1 Q0 d3\nq1 Q0 d1 4 1 t\nq1 Q0 d\x004 5 1 t\n"
        b"q2 Q0 d1 1 1 t\nq1 Q0 d\xff 6 1 t\nq2 Q0 d1 2 x t\r\n"
    )
    assert problems_of(read_run, file) == [
        f"{file}:3: score 'nan' is not a finite number; expected one such as 12.5 or 1e-7; {FIX}",
        f"{file}:5: 3 fields; expected 6 (query_id Q0 doc_id rank score tag); {FIX}",
        f"{file}:6: document 'd1' is listed twice for query 'q1', first in line 2; {ONCE}",
        f"{file}:7: control character 0x00; expected text in UTF-8; check that this is a run or qrels file",
        f"{file}:9: bytes that are not UTF-8; expected text in UTF-8; convert the file",
        f"{file}:10: score 'x' is not a finite number; expected one such as 12.5 or 1e-7; {FIX}",
        f"{file}:10: document 'd1' is listed twice for query 'q2', first in line 8; {ONCE}",
    ]


@pytest.mark.parametrize("size", [16, 50, 200, 1 << 22])
def test_faults_are_the_same_for_any_chunk_size(size, monkeypatch):
    chunks_of(monkeypatch, size)
    lines = [f"q{row % 3} Q0 d{row} 1 1 t" for row in range(60)]
    lines[10], lines[30], lines[59] = "q1 Q0", "q0 Q0 d30 1 1e999 t", "q1 Q0 d1 1 1 t"
    assert problems_of(read_run, "\n".join(lines).encode()) == [
        f"<bytes>:11: 2 fields; expected 6 (query_id Q0 doc_id rank score tag); {FIX}",
        f"<bytes>:31: score '1e999' is not a finite number; expected one such as 12.5 or 1e-7; {FIX}",
        f"<bytes>:60: document 'd1' is listed twice for query 'q1', first in line 2; {ONCE}",
    ]


def test_the_first_twenty_are_shown_and_all_are_counted():
    problems = problems_of(read_run, RUN + b"q1 Q0 d1 1 x t\n" * 1500)
    assert len(problems) == 21
    assert problems[19].startswith("<bytes>:13: ")  # lines 4 to 13, two faults each
    assert problems[20] == "... and 2,980 more problems"


@given(run_rows(), st.data())
def test_duplicates_far_apart(rows, data):
    again = data.draw(st.sampled_from(rows))
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, data.draw(st.sampled_from([16, 60, 1 << 20])))
        (problem,) = problems_of(read_run, run_text([*rows, again]))
    assert problem.startswith(f"<bytes>:{len(rows) + 1}: document '")
    assert problem.endswith(f"twice for query '{again.query}', first in line {rows.index(again) + 1}; {ONCE}")


def large_run(lines):
    """A run with three bad lines, and their numbers; 1000 documents per query."""
    middle, last = lines // 2 + 1, lines - 1
    text = [
        b"q%d Q0 doc%d %d %d.25 tag" % (row // 1000, row, row % 1000 + 1, 1000 - row % 1000) for row in range(lines)
    ]
    text[6], text[middle - 1], text[last - 1] = b"q0 Q0 doc7", b"q1 Q0 doc-x 1 inf tag", text[last - 2]
    return b"\n".join(text), middle, last


def check_large(lines):
    data, middle, last = large_run(lines)
    query, doc = (lines - 3) // 1000, lines - 3
    assert problems_of(read_run, data) == [
        f"<bytes>:7: 3 fields; expected 6 (query_id Q0 doc_id rank score tag); {FIX}",
        f"<bytes>:{middle}: score 'inf' is not a finite number; expected one such as 12.5 or 1e-7; {FIX}",
        f"<bytes>:{last}: document 'doc{doc}' is listed twice for query 'q{query}', first in line {last - 1}; {ONCE}",
    ]


def test_three_bad_lines_among_many():
    check_large(200_000)


@pytest.mark.proof
def test_three_bad_lines_among_five_million():
    check_large(5_000_000)


def test_a_file_that_stands_twice_in_itself_is_reported_soon():
    data = b"".join(b"q%d Q0 d%d 1 0.5 t\n" % (row // 1000, row) for row in range(100_000))
    problems = problems_of(read_run, data + data)
    assert problems[0] == f"<bytes>:100001: document 'd0' is listed twice for query 'q0', first in line 1; {ONCE}"
    assert problems[20] == "... and 99,980 more problems"


PIECES = st.sampled_from(
    [RUN, b"q1 d1 1\n", b"q1", b" ", b"\t", b"\n", b"\xff", b"\x00", b"#", b"Q0 d 1 ", b"1e5 t\n", b"-7\n"]
)


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=20).map(b"".join)), st.integers(16, 100))
def test_any_bytes_give_a_run_or_an_explanation(data, size):
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        try:
            assert len(read_run(data)) > 0
        except RunoffError as error:
            assert str(error)  # noqa: PT017  # either is right
