"""Parquet: the same run as from text; damaged and oversized files are explained."""

import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from runoff.errors import LimitError, RunoffError
from runoff.files import read_qrels, read_run, read_score_matrix, read_serps
from runoff.files.parquet.columns import id_column, id_series, is_parquet, number_column
from runoff.files.parquet.shards import read_parquet
from runoff.files.problems import Problems
from tests.files.samples import QRELS, RUN, contents, problems_of, run_rows, run_text, table_of


def packed(frame):
    data = io.BytesIO()
    frame.write_parquet(data)
    return data.getvalue()


TABLE = packed(pl.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d1"], "score": [12.5, 7.0, 1e-7]}))


@given(run_rows())
def test_the_same_run_as_from_text(rows):
    frame = pl.DataFrame({
        "query_id": [row.query for row in rows],
        "doc_id": [row.doc for row in rows],
        "run_score": [float(row.score) for row in rows],
    })  # fmt: skip
    assert contents(read_run(packed(frame))) == contents(read_run(run_text(rows)))


def test_sources(tmp_path):
    file = tmp_path / "bm25.txt"
    file.write_bytes(TABLE)
    qrels = read_qrels(QRELS)
    for source in (file, str(file), TABLE):
        assert is_parquet(source)
        assert contents(read_run(source)) == contents(read_run(RUN))
        assert table_of(read_serps(source, qrels)) == table_of(read_serps(RUN, qrels))
    assert not any(is_parquet(source) for source in (RUN, "-", tmp_path, tmp_path / "none", io.BytesIO(TABLE)))


def test_whole_numbers_as_ids():
    data = packed(pl.DataFrame({"qid": [1, 1], "docno": [20, 3], "rank": [1, 2]}))
    assert list(read_run(data)) == [("1", "20", -1.0), ("1", "3", -2.0)]


def test_truncated_and_corrupt(tmp_path):
    file = tmp_path / "cut.parquet"
    file.write_bytes(TABLE[:-20])
    (problem,) = problems_of(read_run, file)
    assert problem.startswith(f"{file}: not a readable Parquet file (")
    assert problem.endswith("); expected one; write it again")


def is_read_or_explained(data):
    for read in (read_run, read_qrels, read_score_matrix):
        try:
            read(data)
        except RunoffError as error:
            assert str(error)  # noqa: PT017  # either is right


def test_truncated_anywhere():
    for end in range(4, len(TABLE)):
        is_read_or_explained(TABLE[:end])


def test_damaged():
    """Fixed places: over a few others Polars 2.1.0 asks for 2^61 bytes and aborts, which nobody can catch."""
    places = np.random.default_rng(1).choice(np.arange(4, len(TABLE)), 150, replace=False)
    for place in places:
        damaged = bytearray(TABLE)
        damaged[place] ^= 0x10
        is_read_or_explained(bytes(damaged))


def test_a_panic_of_polars_is_explained(monkeypatch):
    reason = "assertion failed: offset + length <= self.length"

    def panic(*_args, **_options):
        raise pl.exceptions.PanicException(reason)

    monkeypatch.setattr(pl, "scan_parquet", panic)
    assert problems_of(read_run, TABLE) == [
        f"<bytes>: not a readable Parquet file ({reason}); expected one; write it again"
    ]


@pytest.mark.parametrize("limit", [100, 100_000, 5_000_000])
def test_limit(limit):
    """A million rows of one value are a small file."""
    data = packed(
        pl.select(qid=pl.repeat("q", 1_000_000), docno=pl.repeat("d", 1_000_000), score=pl.repeat(1.0, 1_000_000))
    )
    assert len(data) < 100_000
    with pytest.raises(LimitError) as caught:
        read_parquet(data, max_bytes=limit)
    assert str(caught.value) == (
        f"<bytes>: holds more than {limit:,} bytes in memory, the limit that is set; expected a smaller file; "
        "raise the "
        "limit with --max-bytes"
    )


@pytest.mark.parametrize(
    "series",
    [
        pl.Series(["7", "12", "é"]),
        pl.Series(["7", "12", "é"], dtype=pl.Categorical),
        pl.Series(["7", "12", "é"], dtype=pl.Enum(["é", "12", "7"])),
        pl.Series([b"7", b"12", "é".encode()]),
    ],
)
def test_ids_as_text(series):
    problems = Problems()
    assert list(id_column(series, "query", problems, 0)) == ["7", "12", "é"]
    assert problems.total == 0


@pytest.mark.parametrize("kind", [pl.Int64, pl.Int16, pl.UInt64, pl.UInt8])
def test_whole_numbers_as_ids_shard_columns(kind):
    assert list(id_column(pl.Series([7, 12], dtype=kind), "query", Problems(), 0)) == ["7", "12"]


def test_what_cannot_be_an_id():
    problems = Problems()
    id_column(pl.Series(["a", None, "", "b\tc", "d", "\x00"]), "document", problems, 10)
    assert [(one.line, one.text[:22]) for one in problems.in_order()] == [
        (12, "document is missing; e"), (13, "document '' cannot be "), (14, "document 'b\\tc' cannot"),
        (16, "document '\\x00' cannot"),
    ]  # fmt: skip
    assert id_series(pl.Series([1.5])) is None
    odd = Problems()
    assert len(id_column(pl.Series([1.5, 2.5]), "query", odd, 0)) == 2
    assert odd.total == 2


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32, pl.Int64, pl.UInt8])
def test_numbers(kind):
    numbers = number_column(pl.Series([3, 0], dtype=kind), "score", Problems(), 0)
    assert numbers.dtype == np.float64
    assert numbers.tolist() == [3.0, 0.0]


def test_what_is_no_number():
    problems = Problems()
    number_column(pl.Series([1.0, None, float("nan"), float("inf")]), "score", problems, 0)
    assert [one.text.partition(";")[0] for one in problems.in_order()] == [
        "score is missing", "score 'nan' is not a finite number", "score 'inf' is not a finite number",
    ]  # fmt: skip
    texts = Problems()
    number_column(pl.Series(["1.0"]), "score", texts, 4)
    assert texts.in_order()[0].line == 5
