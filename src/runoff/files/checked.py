"""Files as `runoff check` reads them: every fault is kept, and what is read even so is kept beside them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from runoff.errors import InputError
from runoff.files.column_names import Kind
from runoff.files.ir_metadata import read_metadata
from runoff.files.parquet.sharded_runs import read_sharded_lists
from runoff.files.parquet.shards import is_sharded
from runoff.files.peers import PeerFormat
from runoff.files.peers.tables import read_peer_lists, read_peer_qrels
from runoff.files.problems import Problems
from runoff.files.qrels import read_qrels
from runoff.files.recognise import recognised
from runoff.files.runs import run_name
from runoff.files.streams import (
    DEFAULT_MAX_BYTES,
    Source,
    is_regular_file,
    peeked,
    read_chunks,
    read_whole,
    skip_to_content,
    source_name,
    split_part,
)
from runoff.files.text.faults import MOST_KEPT, note_all_faults
from runoff.files.text.formats import TREC_QRELS, TextFormat
from runoff.files.text.ranks import RankOddities, rank_oddities
from runoff.files.text.runs import open_run, read_lists
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists

PARQUET: Final = "Parquet"
_LF: Final = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckedRun:
    """A run file: its faults, and if it has none its lists; where it is text, what is odd about its ranks."""

    format: str
    lines: int | None
    problems: Problems
    lists: RankedLists | None
    ranks: RankOddities | None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckedQrels:
    """A qrels file: its faults, and if it has none its judgments."""

    format: str
    lines: int | None
    problems: Problems
    qrels: Qrels | None


def check_run_file(
    source: Source, request: ListRequest, *, max_bytes: int = DEFAULT_MAX_BYTES, threads: int | None = None
) -> CheckedRun:
    """Read a run and look for all that is wrong or odd with it; `request` says what its lists are needed for."""
    checked = _check_rows(source, request, max_bytes=max_bytes, threads=threads)
    name, faults = source_name(source), Problems()
    noted = {problem.text for problem in checked.problems.kept}
    try:
        return replace(checked, metadata=read_metadata(source))
    except InputError as error:
        note_error(error, name, faults)
    for fault in faults.kept:  # what cannot be read at all is a problem already
        if fault.text not in noted:
            checked.problems.add(fault.line, fault.text)
    return checked


def _check_rows(source: Source, request: ListRequest, *, max_bytes: int, threads: int | None) -> CheckedRun:
    problems, name, peer = Problems(most=MOST_KEPT), source_name(source), None
    try:
        if is_sharded(source):
            lists = read_sharded_lists(source, request, max_bytes=max_bytes, threads=threads)
            return CheckedRun(format=PARQUET, lines=_rows(lists), problems=problems, lists=lists, ranks=None)
        source, peer = _repeatable(source, "run", max_bytes)
        if peer is not None:
            lists = read_peer_lists(peer, source, request, max_bytes=max_bytes, most=MOST_KEPT)
            return CheckedRun(format=peer.name, lines=_rows(lists), problems=problems, lists=lists, ranks=None)
        run_format, _ = open_run(source, max_bytes)
    except InputError as error:
        note_error(error, split_part(name)[0], problems)
        form = PARQUET if is_sharded(source) else "" if peer is None else peer.name
        return CheckedRun(format=form, lines=None, problems=problems, lists=None, ranks=None)
    try:
        read: RankedLists | None = read_lists(source, request, max_bytes=max_bytes, threads=threads)
    except InputError as error:
        read = None
        _note_all(source, run_format, error, problems, max_bytes, request.duplicates, verb="is listed")
    try:
        ranks = rank_oddities(source, run_format, max_bytes=max_bytes, threads=threads)
    except InputError:  # a file that ends too early, say, which is among the problems
        return CheckedRun(format=run_format.name, lines=None, problems=problems, lists=read, ranks=None)
    return CheckedRun(format=run_format.name, lines=ranks.lines, problems=problems, lists=read, ranks=ranks)


def check_qrels_file(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> CheckedQrels:
    """Read qrels and look for all that is wrong with them."""
    problems, where, name = Problems(most=MOST_KEPT), source_name(source), name or run_name(source)
    in_shards = is_sharded(source)
    form = PARQUET if in_shards else ""
    try:
        if not in_shards:
            source, peer = _repeatable(source, "qrels", max_bytes)
            form = "" if peer is None else peer.name
            if peer is not None:
                qrels = read_peer_qrels(peer, source, name=name, max_bytes=max_bytes, most=MOST_KEPT)
                return CheckedQrels(format=form, lines=len(qrels), problems=problems, qrels=qrels)
        qrels = read_qrels(source, name=name, max_bytes=max_bytes)
    except InputError as error:
        if form or not _is_trec_qrels(source, max_bytes):
            note_error(error, split_part(where)[0], problems)
            return CheckedQrels(format=form, lines=None, problems=problems, qrels=None)
        lines = _note_all(source, TREC_QRELS, error, problems, max_bytes, "error", verb="is judged")
        return CheckedQrels(format=TREC_QRELS.name, lines=lines, problems=problems, qrels=None)
    lines = len(qrels) if in_shards else _lines(source, max_bytes)
    return CheckedQrels(format=form or TREC_QRELS.name, lines=lines, problems=problems, qrels=qrels)


def note_error(error: InputError, name: str, problems: Problems) -> None:
    """Note the problems of an error as faults of the file of that name, each with its line."""
    for sentence in error.problems:
        rest = sentence.removeprefix(f"{name}:")
        number, colon, text = rest.partition(": ")
        if rest != sentence and colon and number.isdecimal():
            problems.add(int(number), text)
        else:
            problems.add(0, rest.removeprefix(" "))
    problems.total += error.total - len(error.problems)


def _note_all(
    source: Source,
    text_format: TextFormat,
    error: InputError,
    problems: Problems,
    max_bytes: int,
    duplicates: str,
    *,
    verb: str,
) -> int | None:
    """Note every fault of a text file that was refused; its lines, if it could be read to the end."""
    everything = Problems(most=MOST_KEPT)
    lines = None
    try:
        chunks = read_chunks(source, max_bytes=max_bytes)
        lines = note_all_faults(chunks, text_format, everything, duplicates=duplicates, verb=verb)
    except InputError as broken:
        note_error(broken, source_name(source), everything)
    if everything.total:
        problems.absorb(everything, 0)
    else:  # a fault of the whole, such as too many different grades
        note_error(error, source_name(source), problems)
    return lines


def _repeatable(source: Source, kind: Kind, max_bytes: int) -> tuple[Source, PeerFormat | None]:
    """Something that can be read twice, a regular file or the bytes of a stream; and its format, if of another tool."""
    name = source_name(source)
    if isinstance(source, (str, os.PathLike)):
        source = split_part(os.fspath(source))[0]
    if not isinstance(source, bytes) and not is_regular_file(source):
        source = read_whole(source, max_bytes=max_bytes)
    with peeked(source) as (head, _):
        return source, recognised(head, kind, name)


def _is_trec_qrels(source: Source, max_bytes: int) -> bool:
    try:
        fields, _ = skip_to_content(read_chunks(source, max_bytes=max_bytes), source_name(source), "qrels")
    except InputError:
        return False
    return TREC_QRELS.fits(len(fields))


def _lines(source: Source, max_bytes: int) -> int:
    return sum(int(np.count_nonzero(chunk.bytes == _LF)) for chunk in read_chunks(source, max_bytes=max_bytes))


def _rows(lists: RankedLists) -> int:
    return int(lists.lengths.sum()) + lists.dropped
