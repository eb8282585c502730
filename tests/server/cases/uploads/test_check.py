"""What is in a file from a stranger: the same in the process that reads it as in this one."""

from __future__ import annotations

import gzip

import polars as pl
import pytest

from runoff.server.cases.uploads.check import FoundInFile, OpenQueries, look_through
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, LimitedReader
from tests.server.cases.reading_here import HERE

GOOD = "".join(f"q{number} Q0 d{number} 1 1.0 x\n" for number in range(40))
FOREIGN = (
    "a.run: no query of this file is one of board 'trees'; expected ids such as 'other'; check that this is the run "
    "for this board"
)


@pytest.fixture
def look(tmp_path):
    for number, text in enumerate(("other\n", "q1\nq2\nq99\n")):
        (tmp_path / f"{number}.txt").write_text(text)

    def found(content, *, sets=(0, 1), reader=HERE):
        path = tmp_path / "sent"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        lists = [(f"set {number}", tmp_path / f"{number}.txt") for number in sets]
        queries = OpenQueries(board="trees", lists=lists, depth=10)
        return look_through(path, queries, file_name="a.run", reader=reader)

    return found


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
@pytest.mark.parametrize("text, sets, expected", [
    (GOOD, (0, 1), FoundInFile(queries=4, missing_queries=2)),
    (GOOD, (1,), FoundInFile(queries=3, missing_queries=1)),
    (GOOD, (), FoundInFile(queries=40)),
    (GOOD + "q1 Q0 d\n", (1,), FoundInFile(problems=(
        "a.run:41: 3 fields; expected 6 (query_id Q0 doc_id rank score tag); fix or remove this line",
    ))),
    (GOOD, (0,), FoundInFile(queries=1, missing_queries=1, problems=(FOREIGN,))),
])  # fmt: skip
def test_faults_and_queries_are_found(look, pack, text, sets, expected):
    assert look(pack(text), sets=sets) == expected


@pytest.mark.parametrize("text, sets", [(GOOD, (0, 1)), (GOOD + "q1 Q0 d\n", (1,)), (GOOD, (0,))])
def test_both_ways_find_the_same(look, text, sets):
    assert look(text, sets=sets, reader=LimitedReader()) == look(text, sets=sets)


def test_parquet_is_read(look, tmp_path):
    frame = pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    assert look(content, sets=(1,), reader=LimitedReader()) == FoundInFile(queries=3, missing_queries=2)


def test_a_file_that_needs_too_much_memory_is_refused(look):
    # The last line is a fault, so all lines have to be kept.
    names = (number * 0x9E3779B97F4A7C15 % 2**64 for number in range(1_000_000))
    lines = b"".join(b"q%d Q0 d%d%s 1 1.0 x\n" % (name % 7, name, b"-" * 400) for name in names)
    sent = gzip.compress(lines + b"q1 Q0\n", 1)
    (problem,) = look(sent, sets=(1,), reader=LimitedReader(memory=LEAST_MEMORY // 2)).problems
    assert problem.startswith("a.run: needs more memory than 200,000,000 bytes to be read; expected less; fix its")
