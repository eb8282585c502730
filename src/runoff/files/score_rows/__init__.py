"""Scores of others, a row for each score: what trec_eval, ir_measures and runoff write, recognised by content.

To add a format, copy `json_lines.py` and list it here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from runoff.errors import InputError
from runoff.files.parquet.columns import is_parquet
from runoff.files.parquet.shards import is_shard_folder
from runoff.files.runs import run_name
from runoff.files.score_rows._base import ScoreFormat, ScoreLine, ScoreRows, SingleScore
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

__all__ = ["SCORE_FORMATS", "ScoreRows", "SingleScore", "read_score_rows"]


def read_score_rows(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> ScoreRows | None:
    """The scores in a file, or in all files of a folder; None if they are not in one of these formats."""
    if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
        return None if is_shard_folder(Path(source)) else _read_folder(Path(source), max_bytes)
    if is_parquet(source):
        return None
    lines = _lines(read_bytes(source, max_bytes=max_bytes), source_name(source))
    form = _format_of(lines)
    return None if form is None else ScoreRows(form.rows(lines, source_name(source), run_name(source)))


def _read_folder(folder: Path, max_bytes: int) -> ScoreRows:
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "_")))
    rows = []
    for path in files:
        lines = _lines(read_bytes(path, max_bytes=max_bytes), str(path))
        form = _format_of(lines)
        if form is None:
            names = ", ".join(form.name for form in SCORE_FORMATS)
            raise InputError([f"{path}: no scores per query; expected one of {names}; take it out of the folder"])
        rows += form.rows(lines, str(path), run_name(path))
    if not rows:
        raise InputError([f"{folder}: no files; expected one with scores for each run; check the folder"])
    return ScoreRows(rows)


def _lines(content: bytes, name: str) -> list[ScoreLine]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InputError([f"{name}: bytes that are not UTF-8; expected text in UTF-8; convert the file"]) from None
    numbered = enumerate(text.split("\n"), start=1)
    return [ScoreLine(number, line.rstrip("\r")) for number, line in numbered if line.strip()]


def _format_of(lines: Sequence[ScoreLine]) -> ScoreFormat | None:
    return next((form for form in SCORE_FORMATS if form.fits(lines[:_LOOKED_AT])), None) if lines else None
