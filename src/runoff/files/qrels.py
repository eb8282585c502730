"""Reading and writing qrels, text or Parquet, and label versions, which comments at the top describe."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from runoff.arguments import checks_arguments
from runoff.files.irds import irds_qrels, is_irds
from runoff.files.parquet.sharded_runs import read_sharded_qrels
from runoff.files.parquet.shards import is_sharded
from runoff.files.problems import Problems
from runoff.files.recognise import recognised
from runoff.files.runs import run_name
from runoff.files.streams import (
    DEFAULT_MAX_BYTES,
    Source,
    is_regular_file,
    peeked,
    read_chunks,
    skip_to_content,
    source_name,
)
from runoff.files.tabular import qrels_of_batches
from runoff.files.text.formats import QRELS_FORMATS, TREC_QRELS, TREC_RUN, unknown_format
from runoff.tables.qrels import Qrels


@checks_arguments
def read_qrels(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Qrels:
    """The judgments in a file: TREC qrels, plain or compressed, or Parquet.

    source     a path, `-` for standard input, bytes, or an open binary file; for Parquet also a folder, a pattern or
               an address, as in `read_run`
    name       what to call them; else the file's name
    max_bytes  the largest decompressed size that is read
    """
    called = name or run_name(source)
    if is_irds(source):
        return irds_qrels(source, name=called)
    if is_sharded(source):
        return read_sharded_qrels(source, name=called, max_bytes=max_bytes)
    with peeked(source) as (head, rest):
        form = recognised(head, "qrels", source_name(source))
        if form is None:
            return _of_lines(rest, called, max_bytes)
        from runoff.files.peers.tables import read_peer_qrels

        return read_peer_qrels(form, rest, name=called, max_bytes=max_bytes)


def _of_lines(source: Source, called: str, max_bytes: int) -> Qrels:
    where = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes)
    fields, seen = skip_to_content(chunks, where, "qrels with a judged document on every line")
    qrels_format = next((form for form in QRELS_FORMATS if form.fits(len(fields))), None)
    if qrels_format is None:
        hint = "; this looks like a run file" if TREC_RUN.fits(len(fields)) else ""
        expected = f"{len(TREC_QRELS.fields)} ({' '.join(TREC_QRELS.fields)})"
        raise unknown_format(where, "qrels", fields, hint=hint, expected=expected)
    problems = Problems(where)
    batches, lines_before = qrels_format.batches(chain(seen, chunks), problems)
    qrels = qrels_of_batches(called, batches, problems, lines_before)
    problems.raise_if_any()
    return qrels


_HEADING: Final = "# runoff labels"
_FIELD: Final = re.compile(r"# (version (\d+)|parent (sha256:[0-9a-f]{64})|judgments (sha256:[0-9a-f]{64}))")
FIRST_VERSION: Final = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelVersion:
    """One version of the labels.

    version    from 1; qrels that say nothing are version 1
    digest     the hash of the file, `sha256:...`; empty for labels that are no file
    parent     the hash of the version before, None for the first
    judgments  the hashes of the files of judgments that made it from its parent
    """

    qrels: Qrels
    version: int
    digest: str
    parent: str | None
    judgments: tuple[str, ...]


def digest_of(source: Source) -> str:
    """The hash of a file's bytes; empty for what can be read only once."""
    if isinstance(source, bytes):
        return f"sha256:{hashlib.sha256(source).hexdigest()}"
    if not is_regular_file(source):
        return ""
    with Path(str(source)).open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def read_labels(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> LabelVersion:
    r"""A version of the labels: any qrels, or those that `render_labels` wrote.

    >>> read_labels(b"# runoff labels\n# version 3\nq 0 d 1\n").version
    3
    """
    qrels = read_qrels(source, name=name, max_bytes=max_bytes)
    version, parent, judgments = FIRST_VERSION, None, []
    for line in _header(source):
        match = _FIELD.fullmatch(line)
        if match:
            version = int(match[2]) if match[2] else version
            parent = match[3] or parent
            judgments += [match[4]] if match[4] else []
    return LabelVersion(
        qrels=qrels, version=version, digest=digest_of(source), parent=parent, judgments=tuple(judgments)
    )


def _header(source: Source) -> list[str]:
    """The comments on top, if they are ours."""
    if isinstance(source, bytes):
        lines = source[: 1 << 20].decode(errors="replace").splitlines()
    elif is_regular_file(source):
        with Path(source_name(source)).open("rb") as file:
            lines = file.read(1 << 20).decode(errors="replace").splitlines()
    else:
        return []
    if not lines or lines[0] != _HEADING:
        return []
    return lines[1 : next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))]


def render_labels(qrels: Qrels, *, version: int, parent: str, judgments: Sequence[str]) -> Iterator[str]:
    """The lines of a version, each with its line end; the same labels and parents give the same bytes."""
    yield f"{_HEADING}\n# version {version}\n"
    if parent:
        yield f"# parent {parent}\n"
    yield from (f"# judgments {digest}\n" for digest in sorted(set(judgments)))
    yield from render_qrels(qrels)


def render_qrels(qrels: Qrels) -> Iterator[str]:
    """The lines of qrels, each with its line end."""
    return (f"{query_id} 0 {doc_id} {grade}\n" for query_id, doc_id, grade in qrels)
