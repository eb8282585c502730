"""Reading judgments of pairs, from several files at once, and what they say of runs that are compared."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeAlias

from runoff.errors import UsageError
from runoff.files.judging.judgments import read_judgments
from runoff.files.qrels import digest_of
from runoff.files.streams import Source, source_name
from runoff.preferences import TopDocs, WinRatiosResult, quality, win_ratios
from runoff.reading.runs import read_runs
from runoff.reading.sources import ReadOptions, RunSource, is_file
from runoff.tables.preferences import JudgmentFile, Preferences, without_repeats
from runoff.verdicts import Votes

JudgmentSource: TypeAlias = Preferences | Source
"""Judged pairs: a file of any form that `read_judgments` reads, or what it returned."""
JudgmentSources: TypeAlias = JudgmentSource | Sequence[JudgmentSource]


def as_judgments(judgments: JudgmentSources) -> list[JudgmentSource]:
    """The single sources of judgments; there may be none."""
    return list(judgments) if isinstance(judgments, (list, tuple)) else [judgments]  # type: ignore[list-item]


def read_judgment_files(
    sources: JudgmentSources, *, reading: ReadOptions | None = None
) -> tuple[Preferences, tuple[JudgmentFile, ...]]:
    r"""The judgments of several files (or tables) in one, and what each file brought.

    What an assessor said twice in the same task, in whatever files, counts once; rows that name no assessor all count,
    but a file whose bytes are those of an earlier one does not.

    >>> table, files = read_judgment_files([b"q a b a\n", b"q a b b\n", b"q a b a\n"])
    >>> len(table), files[2].same_as
    (2, '<bytes>')
    """
    listed = as_judgments(sources)
    if not listed:
        raise UsageError("no judgments; expected one file or more; name some")
    reading = reading or ReadOptions()
    tables: list[Preferences] = []
    files: list[JudgmentFile] = []
    seen: dict[str, str] = {}
    for source in listed:
        if isinstance(source, Preferences):
            tables.append(source)
            files.append(JudgmentFile(name=source.name, digest="", judgments=len(source), repeated=source.repeated))
            continue
        if not is_file(source):
            raise UsageError(
                f"a {type(source).__name__} is not a file of judgments; expected a file or Preferences; read it first"
            )
        content = sys.stdin.buffer.read() if source == "-" else source
        digest, name = digest_of(content), source_name(source)
        if digest and digest in seen:
            files.append(JudgmentFile(name=name, digest=digest, judgments=0, repeated=0, same_as=seen[digest]))
            continue
        seen[digest] = name
        table = read_judgments(content, name=name, max_bytes=reading.max_bytes)
        tables.append(table)
        files.append(JudgmentFile(name=name, digest=digest, judgments=len(table), repeated=table.repeated))
    joined = tables[0] if len(tables) == 1 else without_repeats(Preferences.joined(tables))
    return joined, tuple(files)


def digests(files: Sequence[JudgmentFile]) -> tuple[str, ...]:
    """The hashes of the files that were counted."""
    return tuple(one.digest for one in files if one.digest and one.same_as is None)


def ratios_of(
    judgments: JudgmentSources,
    runs: Sequence[RunSource],
    names: Sequence[str],
    query_ids: Sequence[str],
    *,
    reading: ReadOptions | None = None,
) -> WinRatiosResult:
    """How often each run's top document was preferred to another's.

    judgments  files of judged pairs, or Preferences; those of tasks with a failed test pair do not count
    names      what the runs are called, in their order
    """
    table, _ = read_judgment_files(judgments, reading=reading)
    tops = read_runs(runs, top=1, names=names, reading=reading).tops
    return win_ratios(quality(table).kept, TopDocs.of_runs(tops, query_ids))


def votes_of(ratios: WinRatiosResult, champion: str, challenger: str) -> Votes:
    """What people preferred of two runs."""
    row, column = ratios.runs.index(champion), ratios.runs.index(challenger)
    wins, losses, even = (int(part[row, column]) for part in (ratios.wins, ratios.losses, ratios.even))
    asked = wins + losses + even + int(ratios.unjudged[row, column])
    return Votes(challenger=wins, champion=losses, even=even, asked=asked, p=float(ratios.raw_p[row, column]))
