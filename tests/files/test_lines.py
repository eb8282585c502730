"""Chunks through threads, and the first line that counts."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files import lines
from runoff.files.lines import first_fields, map_in_order, skip_to_content, usable_cores
from runoff.tables.ids import Text
from tests.files.samples import problems_of


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

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        list(map_in_order(fail, texts(20), threads=4))
    assert threading.active_count() == before


def test_there_is_a_core():
    assert usable_cores() >= 1


@given(st.lists(st.sampled_from([b"a", b"bc", b"#", b" ", b"\t", b"\n", b"\r\n", b"\n\n"]), max_size=30).map(b"".join))
def test_first_fields(data):
    data += b"\n"
    fields = [line.split() for line in data.split(b"\n")]
    assert first_fields(Text.of(data)) == next((line for line in fields if line and not line[0].startswith(b"#")), None)


def test_chunks_before_the_first_line_are_kept():
    chunks = iter([Text.of(b"\n\n"), Text.of(b"# x\n"), Text.of(b" a  b\nc\n"), Text.of(b"d\n")])
    fields, seen = skip_to_content(chunks, "x", "lines")
    assert (fields, len(seen), len(list(chunks))) == ([b"a", b"b"], 3, 1)


def test_a_long_beginning_without_content(monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_BEGINNING", 5)
    assert skip_to_content(map(Text.of, [b"#abc\n", b"a\n"]), "a.run", "lines")[0] == [b"a"]
    assert problems_of(skip_to_content, map(Text.of, [b"#abc\n", b"\n", b"a\n"]), "a.run", "lines") == [
        "a.run: the first 6 bytes are blank lines and comments; expected lines; check the file, or remove these lines"
    ]


@pytest.mark.parametrize("chunks", [[], [b"\n"], [b"# only\n", b" \t\r\n#\n"]])
def test_empty(chunks):
    assert problems_of(skip_to_content, map(Text.of, chunks), "a.run", "lines") == [
        "a.run: the file is empty; expected lines; check that it was written to the end"
    ]
