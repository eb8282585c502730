"""Scores of others, a row for each score: what trec_eval, ir_measures and runoff write, recognised by content.

To add a format, copy `json_lines.py` and list it here.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from runoff.errors import InputError
from runoff.files.parquet.shards import is_shard_folder, is_sharded
from runoff.files.run_paths import SkippedFilesWarning, run_paths
from runoff.files.runs import run_name
from runoff.files.score_rows._base import FIELD_NAMES, MEANS, ScoreFormat, ScoreLine, ScoreRows, SingleScore
from runoff.files.score_rows.ir_measures import IR_MEASURES
from runoff.files.score_rows.json_lines import JSON_LINES
from runoff.files.score_rows.long_csv import LONG_CSV
from runoff.files.score_rows.trec_eval import TREC_EVAL
from runoff.files.score_rows.trec_eval_report import TREC_EVAL_REPORT
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_bytes, source_name

SCORE_FORMATS: Final[tuple[ScoreFormat, ...]] = (JSON_LINES, LONG_CSV, TREC_EVAL_REPORT, TREC_EVAL, IR_MEASURES)
"""Every format; the first that fits is taken, and no two fit the same file."""

_LOOKED_AT: Final = 1000
"""Lines by which a format is recognised."""

__all__ = ["FIELD_NAMES", "SCORE_FORMATS", "ScoreRows", "SingleScore", "read_score_rows"]


def read_score_rows(*sources: Source, max_bytes: int = DEFAULT_MAX_BYTES) -> ScoreRows | None:
    """The scores in some files, those in folders and of patterns among them; None for one file of another format."""
    files = [file for source in sources for file in _files(source)]
    files_called = Counter(map(run_name, files))
    is_one_file = len(files) == 1 and files[0] is sources[0]
    read: list[tuple[str, list[SingleScore]]] = []
    for file in files:
        lines = [] if is_sharded(file) else _lines(read_bytes(file, max_bytes=max_bytes), source_name(file))
        form = _format_of(lines)
        if form is not None:
            called = run_name(file) if files_called[run_name(file)] == 1 else source_name(file)
            read.append((called, form.rows(lines, source_name(file), called)))
        elif is_one_file:
            return None
        else:
            names = ", ".join(form.name for form in SCORE_FORMATS)
            problem = f"{source_name(file)}: no scores per query; expected one of {names}; leave the file out"
            raise InputError([problem])
    return ScoreRows(_called_apart(read))


def _called_apart(files: Sequence[tuple[str, list[SingleScore]]]) -> Iterator[SingleScore]:
    """The rows of all files; runs of one name with the same scores to give are called as their files are."""
    files_of = Counter(key for _, rows in files for key in {(row.run, row.query, row.measure) for row in rows})
    twice = {run for (run, query, _), count in files_of.items() if count > 1 and query not in MEANS}
    for name, rows in files:
        runs = {row.run for row in rows}
        is_ambiguous = len(runs) == 1 and runs <= twice
        yield from (row._replace(run=name) for row in rows) if is_ambiguous else rows


def _files(source: Source) -> list[Source]:
    """A file, or those in a folder or of a pattern; a folder of Parquet is one."""
    if not isinstance(source, (str, os.PathLike)):
        return [source]
    listed = run_paths(source)
    if listed is not None:
        if listed.skipped:
            warnings.warn(f"not read as scores: {', '.join(listed.skipped)}", SkippedFilesWarning, stacklevel=2)
        return list(listed.runs)
    if Path(source).is_dir() and not is_shard_folder(Path(source)):
        raise InputError([f"{source}: no files; expected one with scores for each run; check the folder"])
    return [source]


def _lines(content: bytes, name: str) -> list[ScoreLine]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InputError([f"{name}: bytes that are not UTF-8; expected text in UTF-8; convert the file"]) from None
    numbered = enumerate(text.split("\n"), start=1)
    return [ScoreLine(number, line.rstrip("\r")) for number, line in numbered if line.strip()]


def _format_of(lines: Sequence[ScoreLine]) -> ScoreFormat | None:
    return next((form for form in SCORE_FORMATS if form.fits(lines[:_LOOKED_AT])), None) if lines else None
