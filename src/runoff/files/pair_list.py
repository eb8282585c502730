"""Pairs that are to be judged, one on each line: `query_id doc_a doc_b`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runoff.errors import InputError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name

FIELDS = ("query_id", "doc_a", "doc_b")


def read_pairs(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[tuple[str, str, str], ...]:
    r"""The pairs in a file; of test pairs the right answer comes first. Blank lines and `#` comments are passed over.

    >>> read_pairs(b"q1 d1 d2\n")
    (('q1', 'd1', 'd2'),)
    """
    where = source_name(source)
    problems = Problems(where)
    rows = []
    text = b"".join(chunk.bytes.tobytes() for chunk in read_chunks(source, max_bytes=max_bytes))
    for number, line in enumerate(text.split(b"\n"), start=1):
        fields = line.decode(errors="backslashreplace").split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != len(FIELDS) or fields[1] == fields[2]:
            problems.add(number, f"{quoted(line)} is no pair; expected {' '.join(FIELDS)}; fix or remove this line")
        else:
            rows.append((fields[0], fields[1], fields[2]))
    problems.raise_if_any()
    if not rows:
        raise InputError([f"{where}: no pairs; expected {' '.join(FIELDS)} on every line; check the file"])
    return tuple(rows)


def render_pairs(pairs: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """The lines of such a file, each with its line end."""
    return (f"{' '.join(pair)}\n" for pair in pairs)
