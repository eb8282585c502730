"""What is in a file from a stranger, found here or in a process of its own."""

from __future__ import annotations

import gzip

import pytest

from runoff.store.boards import BoardSettings
from runoff.workflows import upload_check
from runoff.workflows.limited_process import LEAST_MEMORY, ask_process
from runoff.workflows.upload_check import FoundInFile, look_through

BOARD = BoardSettings(slug="trees", title="Trees", measure="RR@10")
GOOD = "".join(f"q{number} Q0 d{number} 1 1.0 x\n" for number in range(40))
FOREIGN = (
    "a.run: no query of this file is one of board 'trees'; expected ids such as 'other'; check that this is the run "
    "for this board"
)


@pytest.fixture
def look(tmp_path):
    for number, text in enumerate(("other 0 d1 1\n", "q1 0 d1 1\nq2 0 d2 1\nq99 0 d1 1\n")):
        (tmp_path / f"{number}.qrels").write_text(text)

    def found(content, *, labels=(0, 1), **more):
        path = tmp_path / "sent"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        places = [(f"labels {number}", tmp_path / f"{number}.qrels") for number in labels]
        return look_through(path, places, BOARD, file_name="a.run", max_bytes=10**9, **more)

    return found


@pytest.fixture
def asked(monkeypatch):
    """How often a process was asked."""
    calls = []
    real = ask_process

    def counted(*args, **more):
        calls.append(args)
        return real(*args, **more)

    monkeypatch.setattr(upload_check, "ask_process", counted)
    return calls


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
@pytest.mark.parametrize("text, labels, expected", [
    (GOOD, (0, 1), FoundInFile(queries=1, missing_queries=1)),
    (GOOD, (1,), FoundInFile(queries=3, missing_queries=1)),
    (GOOD, (), FoundInFile(queries=1, missing_queries=1)),
    (GOOD + "q1 Q0 d\n", (1,), FoundInFile(problems=(
        "a.run:41: 3 fields; expected 6 (query_id Q0 doc_id rank score tag); mend or remove the line",
    ))),
    (GOOD, (0,), FoundInFile(queries=1, missing_queries=1, problems=(FOREIGN,))),
])  # fmt: skip
def test_both_ways_find_the_same(look, asked, pack, text, labels, expected):
    content = pack(text)
    assert look(content, labels=labels) == expected
    assert len(asked) == (content[:2] == b"\x1f\x8b")


def test_large_text_and_parquet_have_a_process(look, asked, tmp_path):
    import polars as pl

    many = "".join(f"q{number} Q0 d{number} 1 1.0 x\n" for number in range(60_000))
    assert look(many, labels=(1,)) == FoundInFile(queries=3)
    frame = pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert look((tmp_path / "a.parquet").read_bytes(), labels=(1,)) == FoundInFile(queries=3, missing_queries=2)
    assert len(asked) == 2


def test_a_file_that_needs_too_much_memory_is_refused(look):
    # The last line is a fault, so all lines have to be kept.
    names = (number * 0x9E3779B97F4A7C15 % 2**64 for number in range(1_000_000))
    lines = b"".join(b"q%d Q0 d%d%s 1 1.0 x\n" % (name % 7, name, b"-" * 400) for name in names)
    (problem,) = look(gzip.compress(lines + b"q1 Q0\n", 1), labels=(1,), memory=LEAST_MEMORY).problems
    assert problem.startswith(
        "a.run: needs more memory than 400,000,000 bytes to be read; expected less; mend its faults"
    )
