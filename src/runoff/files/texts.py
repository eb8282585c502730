"""Texts of queries and documents: a collection is streamed once, and only the texts that are asked for are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from runoff.errors import InputError
from runoff.files.lines import map_in_order
from runoff.files.parquet import is_parquet
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.files.text_lines import TextPart, WantedIds, json_part, tsv_part
from runoff.files.text_parquet import parquet_texts
from runoff.tables.ids import Text

LONGEST_TEXT: Final = 64 << 20
"""The longest line of a collection, in bytes: whole documents stand on one."""
SHOWN_MISSING: Final = 20


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The texts that were found, by id, and the ids that were not."""

    name: str
    by_id: dict[str, str]
    missing: tuple[str, ...]

    def require_all(self, what: str) -> None:
        """An InputError that names the ids without a text, if there are any; `what` is what they are ids of."""
        if self.missing:
            problems = [
                f"{self.name}: no text of {what} {quoted(one)}; expected one for every {what} of a pair; check that "
                "the collection belongs to the runs"
                for one in self.missing[:SHOWN_MISSING]
            ]
            raise InputError(problems, total=len(self.missing))


def read_texts(source: Source, ids: Iterable[str], *, max_bytes: int = DEFAULT_MAX_BYTES) -> Texts:
    r"""The texts of some ids in a collection: TSV, JSON lines or Parquet, told by content, plain or compressed.

    TSV: the id, and behind the first tab the text; further tabs part lines of it. JSON lines and Parquet: an id under
    `id`, `_id`, `doc_id`, `docid`, `docno`, `pid`, `query_id` or `qid`, the text under `text`, `contents`, `body`,
    `passage`, `segment` or `query`, and a `title` and `url` above it if there are any.

    The collection is never in memory as a whole. An id that is listed twice with different texts is a fault.

    >>> found = read_texts(b"7\tabout cats\n8\tabout dogs\n9\tabout owls\n", ["9", "7", "10"])
    >>> found.by_id, found.missing
    ({'9': 'about owls', '7': 'about cats'}, ('10',))
    """
    name = source_name(source)
    wanted = tuple(dict.fromkeys(ids))
    if is_parquet(source):
        rows: Iterator[tuple[int, str, str]] = parquet_texts(source, wanted, name)
        problems = Problems(name)
    else:
        problems = Problems(name)
        chunks = read_chunks(source, max_bytes=max_bytes, longest_line=LONGEST_TEXT)
        rows = _text_rows(chunks, WantedIds.of(wanted), problems)
    found: dict[str, str] = {}
    for line, one, text in rows:
        if found.setdefault(one, text) != text:
            problems.add(line, f"id {quoted(one)} is listed twice with different texts; expected one; remove a line")
    problems.raise_if_any()
    missing = tuple(one for one in wanted if one not in found)
    return Texts(name=name, by_id={one: found[one] for one in wanted if one in found}, missing=missing)


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
        yield from ((before + line, one, text) for line, one, text in part.rows)
        before += part.line_count
