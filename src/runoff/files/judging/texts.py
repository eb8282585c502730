"""Texts of queries and documents: a collection is read once, and only the texts that are needed are kept."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np

from runoff.arguments import checks_arguments
from runoff.errors import InputError, needs_extra
from runoff.files.irds import Part, irds_texts, is_irds
from runoff.files.parquet.columns import is_parquet
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, map_in_order, read_chunks, source_name
from runoff.tables.ids import Ids, Text, Words, hash_tokens

ID_NAMES: Final = ("id", "_id", "doc_id", "docid", "docno", "pid", "query_id", "qid")
TEXT_NAMES: Final = ("text", "contents", "body", "passage", "segment", "query")
ABOVE_NAMES: Final = ("url", "title")
_LF, _TAB, _CR = 10, 9, 13
_FIRST_KEY: Final = re.compile(rb'\s*\{\s*"(\w+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+))')
"""The first key of a JSON object and its value, if that is text or a whole number."""


@dataclass(frozen=True, eq=False)
class WantedIds:
    """Ids to look for; hashes find lines that may have one, the id itself decides."""

    ids: frozenset[bytes]
    hashes: Words

    @classmethod
    def of(cls, ids: Sequence[str]) -> WantedIds:
        """The ids, ready to be looked for."""
        return cls(frozenset(text_id.encode() for text_id in ids), np.unique(Ids.of(ids).hashes()))


@dataclass
class TextPart:
    """What a chunk of lines has: line in the chunk, id and text of what is wanted."""

    line_count: int
    rows: list[tuple[int, str, str]] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def add(self, line: int, text_id: bytes, text: bytes) -> None:
        """Take a text that is wanted."""
        try:
            self.rows.append((line, text_id.decode(), text.decode()))
        except UnicodeDecodeError:
            self.problems.add(line, "bytes that are not UTF-8; expected text in UTF-8; convert the file")


def tsv_part(text: Text, wanted: WantedIds) -> TextPart:
    """The wanted texts of some lines `id TAB text`."""
    data = text.bytes
    ends = np.flatnonzero(data == _LF)
    starts = np.concatenate([[0], ends[:-1] + 1])
    tabs = np.flatnonzero(data == _TAB)
    tab = tabs[np.minimum(np.searchsorted(tabs, starts), len(tabs) - 1)] if len(tabs) else np.full(len(starts), -1)
    has_tab = (tab > starts) & (tab < ends)
    part = TextPart(line_count=len(ends))
    for row in np.flatnonzero(~has_tab).tolist():
        line = data[starts[row] : ends[row]].tobytes()
        if line.strip():
            part.problems.add(row + 1, f"{quoted(line)} has no tab after an id; expected id, tab, text; fix the line")
    rows = np.flatnonzero(has_tab)
    if not len(rows):
        return part
    hashes = hash_tokens(text, starts[rows], tab[rows] - starts[rows])
    for row in rows[np.isin(hashes, wanted.hashes)].tolist():
        text_id = data[starts[row] : tab[row]].tobytes()
        if text_id in wanted.ids:
            part.add(row + 1, text_id, data[tab[row] + 1 : ends[row]].tobytes().rstrip(b"\r").replace(b"\t", b"\n"))
    return part


def json_part(text: Text, wanted: WantedIds) -> TextPart:
    """The wanted texts of some lines that hold a JSON object each; most others are not parsed."""
    lines = text.bytes.tobytes().split(b"\n")[:-1]
    part = TextPart(line_count=len(lines))
    names = frozenset(name.encode() for name in ID_NAMES)
    for number, line in enumerate(lines, start=1):
        head = _FIRST_KEY.match(line)
        if head and head[1] in names and b"\\" not in (head[2] or b""):
            if (head[2] or head[3]) not in wanted.ids:
                continue
        elif not line.strip():
            continue
        _add_json(part, number, line, wanted)
    return part


def _add_json(part: TextPart, number: int, line: bytes, wanted: WantedIds) -> None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        part.problems.add(number, f"not JSON ({error}); expected an object on every line; fix or remove this line")
        return
    if not isinstance(record, dict):
        part.problems.add(number, f"a {type(record).__name__}; expected an object on every line; fix the line")
        return
    text_id = first_of(record, ID_NAMES)
    if text_id is None:
        part.problems.add(number, f"no id; expected a key such as {', '.join(ID_NAMES)}; fix the line")
        return
    key = str(text_id).encode(errors="replace")
    if key in wanted.ids:
        text = text_of(record)
        if text is None:
            part.problems.add(number, f"no text; expected a key such as {', '.join(TEXT_NAMES)}; fix the line")
        else:
            part.rows.append((number, key.decode(), text))


def first_of(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value under the first name that is there."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def text_of(record: Mapping[str, Any]) -> str | None:
    """The text of a record with its title above; None if it has no text."""
    text = first_of(record, TEXT_NAMES)
    if text is None:
        return None
    return "\n".join(str(part) for part in (*(record.get(name) for name in ABOVE_NAMES), text) if part)


def parquet_texts(source: Source, wanted: Sequence[str], name: str) -> Iterator[tuple[int, str, str]]:
    """Row 0 (a filter keeps no row numbers), id and text of all rows with an id that is wanted."""
    with needs_extra("a Parquet file", "polars"):
        import polars as pl

    try:
        scan = pl.scan_parquet(io.BytesIO(source) if isinstance(source, bytes) else cast("str", source))
        columns = scan.collect_schema().names()
        ids, texts = (next((column for column in names if column in columns), None) for names in (ID_NAMES, TEXT_NAMES))
        if ids is None or texts is None:
            problem = (
                f"{name}: the columns are {', '.join(columns)}; expected an id ({', '.join(ID_NAMES)}) and a text "
                f"({', '.join(TEXT_NAMES)}); rename columns"
            )
            raise InputError([problem])
        selected = [ids, texts, *(column for column in ABOVE_NAMES if column in columns)]
        rows = scan.select(selected).filter(pl.col(ids).cast(pl.String).is_in(list(wanted)))
        frame = rows.collect(engine="streaming")
    # Polars panics over some damaged files
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError([f"{name}: not a readable Parquet file ({reason}); expected one; write it again"]) from None
    for record in frame.iter_rows(named=True):
        text = text_of(record)
        if text is not None:
            yield 0, str(record[ids]), text


LONGEST_TEXT: Final = 64 << 20
"""The longest line of a collection, in bytes: a line may hold a whole document."""
SHOWN_MISSING: Final = 20


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The texts that were found, by id, and the ids that were not."""

    name: str
    by_id: dict[str, str]
    missing: tuple[str, ...]

    def require_all(self, noun: str) -> None:
        """An InputError that names the ids without a text, if there are any; `noun` says what they are ids of."""
        if self.missing:
            problems = [
                f"{self.name}: no text of {noun} {quoted(text_id)}; expected one for every {noun} of a pair; check "
                "that the collection belongs to the runs"
                for text_id in self.missing[:SHOWN_MISSING]
            ]
            raise InputError(problems, total=len(self.missing))


@checks_arguments
def read_texts(source: Source, ids: Iterable[str], *, part: Part = "docs", max_bytes: int = DEFAULT_MAX_BYTES) -> Texts:
    r"""The texts of some ids in a collection: TSV, JSON lines or Parquet, recognised by content, plain or compressed.

    TSV: the id, and behind the first tab the text; further tabs part lines of it. JSON lines and Parquet: an id under
    `id`, `_id`, `doc_id`, `docid`, `docno`, `pid`, `query_id` or `qid`, the text under `text`, `contents`, `body`,
    `passage`, `segment` or `query`, and a `title` and `url` above it if there are any.

    A dataset of ir_datasets, `irds:NAME`, has texts of documents and of queries: `part` says which.

    The collection is never in memory as a whole. An id that is listed twice with different texts is a fault.

    >>> found = read_texts(b"7\tabout cats\n8\tabout dogs\n9\tabout owls\n", ["9", "7", "10"])
    >>> found.by_id, found.missing
    ({'9': 'about owls', '7': 'about cats'}, ('10',))
    """
    name = source_name(source)
    wanted = tuple(dict.fromkeys(ids))
    if is_irds(source):
        rows: Iterator[tuple[int, str, str]] = ((0, *pair) for pair in irds_texts(source, wanted, part))
        problems = Problems(name)
    elif is_parquet(source):
        rows = parquet_texts(source, wanted, name)
        problems = Problems(name)
    else:
        problems = Problems(name)
        chunks = read_chunks(source, max_bytes=max_bytes, longest_line=LONGEST_TEXT)
        rows = _text_rows(chunks, WantedIds.of(wanted), problems)
    by_id: dict[str, str] = {}
    for line, text_id, text in rows:
        if by_id.setdefault(text_id, text) != text:
            problems.add(
                line, f"id {quoted(text_id)} is listed twice with different texts; expected one; remove a line"
            )
    problems.raise_if_any()
    missing = tuple(text_id for text_id in wanted if text_id not in by_id)
    return Texts(name=name, by_id={text_id: by_id[text_id] for text_id in wanted if text_id in by_id}, missing=missing)


def _text_rows(chunks: Iterator[Text], wanted: WantedIds, problems: Problems) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of everything that is wanted."""
    first = next(chunks, None)
    if first is None:
        raise InputError([f"{problems.source}: the file is empty; expected texts, one on every line; check the file"])
    is_json = first.bytes.tobytes().lstrip()[:1] == b"{"

    def part_of(text: Text) -> TextPart:
        return json_part(text, wanted) if is_json else tsv_part(text, wanted)

    def all_chunks() -> Iterator[Text]:
        yield first
        yield from chunks

    before = 0
    for part in map_in_order(part_of, all_chunks()):
        problems.absorb(part.problems, before)
        yield from ((before + line, text_id, text) for line, text_id, text in part.rows)
        before += part.line_count
