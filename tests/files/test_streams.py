"""Bytes in: compression, chunks, limits, and what is said of files that cannot be read."""

import bz2
import gzip
import io
import lzma
import sys
import threading
import tracemalloc
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runoff
from runoff.errors import InputError, LimitError, RunoffError
from runoff.files import read_qrels, read_run, streams
from runoff.files.streams import (
    LONGEST_LINE,
    is_regular_file,
    map_in_order,
    read_chunks,
    skip_to_content,
    source_name,
    usable_cores,
)
from runoff.tables.ids import Text
from tests.files.samples import QRELS, RUN, chunks_of, contents, problems_of


def compress_zst(data):
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


zstd = import_module(streams._ZSTD)
COMPRESSIONS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": compress_zst}
MEBIBYTE = 1 << 20

compressed = pytest.mark.parametrize("compress", COMPRESSIONS.values(), ids=COMPRESSIONS)


def content(source, **options):
    chunks = [chunk.bytes.tobytes() for chunk in read_chunks(source, **options)]
    assert all(chunk.endswith(b"\n") for chunk in chunks)
    return b"".join(chunks)


@given(st.text("aé日 \n\r", max_size=300).map(str.encode), st.integers(3, 40), st.booleans())
def test_chunks_of_any_size_hold_the_same(data, size, has_bom):
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        end = b"" if data.endswith(b"\n") or not data else b"\n"
        assert content(b"\xef\xbb\xbf" * has_bom + data) == data + end


def test_words_can_be_loaded_at_both_ends_of_a_chunk(monkeypatch):
    chunks_of(monkeypatch, 16)
    for chunk in read_chunks(b"\xef\xbb\xbf" + RUN):
        assert not chunk.padded[:8].any()
        assert not chunk.padded[-8:].any()


@compressed
def test_compression_is_told_by_content(compress, tmp_path):
    file = tmp_path / "plain.txt"
    file.write_bytes(compress(RUN))
    assert content(file) == content(str(file)) == content(compress(RUN)) == content(io.BytesIO(compress(RUN))) == RUN


@compressed
def test_several_compressed_parts_in_one_file(compress):
    assert content(compress(RUN) + compress(QRELS)) == RUN + QRELS


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RUN))))
    assert content("-") == RUN


def test_an_open_file_stays_open(tmp_path):
    memory = io.BytesIO(RUN)
    assert content(memory) == RUN
    assert not memory.closed
    (tmp_path / "a.run").write_bytes(RUN)
    with (tmp_path / "a.run").open("rb") as file:
        assert content(file) == RUN
        assert not file.closed


def test_names():
    assert [source_name(source) for source in (b"x", "-", "a/b.run", io.BytesIO())] == [
        "<bytes>", "<stdin>", "a/b.run", "<stream>",
    ]  # fmt: skip


def test_regular_files(tmp_path):
    file = tmp_path / "a.run"
    file.touch()
    assert is_regular_file(file)
    assert not any(
        is_regular_file(source) for source in ("-", b"", tmp_path, tmp_path / "no", "x" * 5000, io.BytesIO())
    )


@compressed
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.95])
def test_truncated(compress, kept, tmp_path):
    data = compress(RUN * 50)
    file = tmp_path / "cut"
    file.write_bytes(data[: int(len(data) * kept)])
    assert problems_of(content, file) == [
        f"{file}: the compressed file ends too early; expected a complete file; copy or download it again"
    ]


@compressed
def test_corrupt(compress):
    data = bytearray(compress(RUN * 50))
    data[len(data) // 2] ^= 0xFF
    (problem,) = problems_of(content, bytes(data))
    assert problem.startswith("<bytes>: cannot be read (")
    assert problem.endswith("); expected a readable file; check or copy it again")


@given(st.sampled_from(list(COMPRESSIONS.values())), st.data())
def test_damaged_files_give_a_result_or_an_explanation(compress, data):
    damaged = bytearray(compress(RUN * 3))
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    end = data.draw(st.integers(0, len(damaged)))
    for read in (read_run, read_qrels):
        for source in (bytes(damaged), bytes(damaged[:end])):
            try:
                read(source)
            except RunoffError as error:
                assert str(error)  # noqa: PT017  # either is right


def test_missing_file_and_folder(tmp_path):
    missing = tmp_path / "none.run"
    assert problems_of(read_run, missing) == [f"{missing}: no such file; expected a readable file; check the path"]
    assert problems_of(read_qrels, tmp_path) == [
        (
            f"{tmp_path}: is a folder without Parquet files; expected a file, or a folder with some such as "
            "part-0.parquet; check the path"
        )
    ]


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "'': an empty path; expected that of a file"),
        ("q Q0 d 1 1 t\n" * 999, "...': no such file; expected a path; give what a file holds as bytes, text.encode()"),
        ("a" * 5000, "cannot be read"),
    ],
)
def test_text_that_is_no_path(text, problem):
    for read in (read_run, read_qrels, lambda path: runoff.evaluate(path, {"q": {"d": 1}}, measures="AP")):
        (said,) = problems_of(read, text)
        assert problem in said


def test_unreadable_file(tmp_path, monkeypatch):
    file = tmp_path / "secret.run"
    file.write_bytes(RUN)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    for read in (read_run, read_qrels):
        assert problems_of(read, file) == [
            f"{file}: cannot be read ([Errno 13] Permission denied); expected a readable file; check or copy it again"
        ]


def test_name_that_is_too_long():
    (problem,) = problems_of(read_run, "x" * 5000)
    assert "File name too long" in problem


def test_file_that_is_open_as_text(tmp_path):
    file = tmp_path / "a.run"
    file.write_bytes(RUN)
    with file.open() as text:
        assert problems_of(read_run, text) == [
            f"{file}: is open as text; expected a file that is open as bytes; open it with mode 'rb'"
        ]


TOO_LARGE = "<bytes>: holds more than {:,} bytes when decompressed, the limit that is set; expected a smaller file; raise the limit with --max-bytes"  # noqa: E501


@compressed
def test_limit(compress):
    data = compress(RUN)
    assert content(data, max_bytes=len(RUN)) == RUN
    with pytest.raises(LimitError) as caught:
        content(data, max_bytes=len(RUN) - 1)
    assert str(caught.value) == TOO_LARGE.format(len(RUN) - 1)


@pytest.mark.parametrize("filling", [b"\0", b"\n", b"# x\n", RUN])
@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_decompression_bomb_is_stopped_in_little_memory(read, filling):
    part = gzip.compress(filling * (10 * MEBIBYTE // len(filling)), compresslevel=1)
    bomb = (gzip.compress(RUN if read is read_run else QRELS) if filling == b"\n" else b"") + part * 20  # 200 MiB
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"holds more than 1,000,000 bytes|unknown qrels format"):
            read(bomb, max_bytes=1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 40 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_blank_lines_before_the_first_are_passed_over_at_once():
    assert len(read_run(b"\n" * MEBIBYTE + RUN)) == 3


LONG = "<bytes>: a line is longer than 1,048,576 bytes; expected one ranked or judged document per line; check that this is a run or qrels file"  # noqa: E501


@pytest.mark.parametrize("chunk_size", [streams.CHUNK_BYTES, 100_000])
@pytest.mark.parametrize("before, behind", [(b"", b""), (RUN, b""), (RUN * 1000, RUN)])
def test_the_longest_line(before, behind, chunk_size, monkeypatch):
    chunks_of(monkeypatch, chunk_size)
    line = b"q9 Q0 d1 1 1 " + b"x" * (LONGEST_LINE - 13)
    assert content(before + line + b"\n" + behind) == before + line + b"\n" + behind
    assert problems_of(content, before + line + b"x\n" + behind) == [LONG]
    assert problems_of(content, before + line + b"x") == [LONG]


@pytest.mark.parametrize("size", [16, 17, 23, 64, 199])
def test_runs_are_the_same_for_any_chunk_size(size, monkeypatch):
    data = b"\xef\xbb\xbf" + RUN.replace(b" ", b"\t") + "# é\r\n\nqé Q0 日本 1 3 x\r\nq1 Q0 dé 9 7 x".encode()
    whole = contents(read_run(data))
    chunks_of(monkeypatch, size)
    assert contents(read_run(data)) == whole


class Trickle(io.RawIOBase):
    """A pipe that gives one byte at a time."""

    def __init__(self, data):
        self._data = data

    def readable(self):
        return True

    def readinto(self, buffer):
        count = min(1, len(self._data))
        buffer[:count], self._data = self._data[:count], self._data[count:]
        return count


def trickle(data):
    return io.BufferedReader(Trickle(data))


def test_compression_is_told_even_if_the_first_bytes_come_one_by_one():
    for content in (gzip.compress(b"some\nlines\n"), b"some\nlines\n"):
        chunks = list(read_chunks(trickle(content)))
        assert b"".join(chunk.bytes.tobytes() for chunk in chunks) == b"some\nlines\n"
    assert [chunk.bytes.tobytes() for chunk in read_chunks(trickle(b"ab"))] == [b"ab\n"]


def texts(count):
    return [Text.of(b"%d\n" % number) for number in range(count)]


@pytest.mark.parametrize("threads", [None, 1, 2, 4])
def test_results_are_in_order(threads):
    results = list(map_in_order(lambda text: int(text.bytes.tobytes()), texts(50), threads=threads))
    assert results == list(range(50))


def test_few_chunks_are_taken_ahead():
    taken = []

    def chunks():
        for text in texts(40):
            taken.append(text)
            yield text

    results = map_in_order(lambda text: text, chunks(), threads=3)
    next(results)
    assert len(taken) <= 5
    results.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5


def test_a_failure_ends_all_threads():
    def fail(text):
        raise ZeroDivisionError

    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError):
        list(map_in_order(fail, texts(20), threads=4))
    assert set(threading.enumerate()) <= before


def test_there_is_a_core():
    assert usable_cores() >= 1


@given(st.lists(st.sampled_from([b"a", b"bc", b"#", b" ", b"\t", b"\n", b"\r\n", b"\n\n"]), max_size=30).map(b"".join))
def test_the_first_line_that_counts(data):
    data += b"\n"
    lines = [line.split() for line in data.split(b"\n")]
    fields, _ = skip_to_content(iter([Text.of(data), Text.of(b"end\n")]), "a.run", "lines")
    assert fields == next((line for line in lines if line and not line[0].startswith(b"#")), [b"end"])


def test_chunks_before_the_first_line_are_kept():
    chunks = iter([Text.of(b"\n\n"), Text.of(b"# x\n"), Text.of(b" a  b\nc\n"), Text.of(b"d\n")])
    fields, seen = skip_to_content(chunks, "x", "lines")
    assert (fields, len(seen), len(list(chunks))) == ([b"a", b"b"], 3, 1)


def test_a_long_beginning_without_content(monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_BEGINNING", 5)
    assert skip_to_content(map(Text.of, [b"#abc\n", b"a\n"]), "a.run", "lines")[0] == [b"a"]
    assert problems_of(skip_to_content, map(Text.of, [b"#abc\n", b"\n", b"a\n"]), "a.run", "lines") == [
        "a.run: the first 6 bytes are blank lines and comments; expected lines; check the file, or remove these lines"
    ]


@pytest.mark.parametrize("chunks", [[], [b"\n"], [b"# only\n", b" \t\r\n#\n"]])
def test_empty(chunks):
    assert problems_of(skip_to_content, map(Text.of, chunks), "a.run", "lines") == [
        "a.run: the file is empty; expected lines; check that it was written to the end"
    ]


def test_a_reader_that_is_dropped_waits_for_nobody():
    begun, go_on, others = threading.Event(), threading.Event(), set(threading.enumerate())

    def slow(number):
        if number:
            begun.set()
            go_on.wait(60)
        return number

    results = map_in_order(slow, iter([0, *range(1, 20)]), threads=2)
    assert next(results) == 0
    assert begun.wait(60)
    # As the garbage collector does it: without waiting for what is being done.
    results.close()  # type: ignore[attr-defined]
    assert not go_on.is_set()
    go_on.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(60)
