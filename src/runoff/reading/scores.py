"""Scores that somebody computed, from any file that holds them, for one measure in whatever spelling."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from runoff.arguments import checks_arguments
from runoff.boards.scales import UNNAMED
from runoff.errors import MissingExtraError, UsageError
from runoff.files.parquet.shards import is_sharded
from runoff.files.score_matrix import read_score_matrix
from runoff.files.score_rows import read_score_rows
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, is_regular_file, read_bytes, source_name
from runoff.measures import Measure, parse_measure
from runoff.phrases import listed
from runoff.tables.scores import Scores


@checks_arguments
def read_scores(
    source: Source | Sequence[Source], *, measure: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES
) -> Scores:
    r"""The scores per query in a file, or in several with some runs each.

    They may be what `trec_eval -q` or `ir_measures -q` prints, JSON Lines or CSV with run, query, measure and value, or
    a matrix in CSV or Parquet: queries in rows, runs in columns. Of several measures one is named.

    source   a path, `-` for standard input, bytes, or an open binary file; a folder, a pattern or a list of these
    measure  the measure to take, in any spelling; what the scores of a matrix are called

    >>> read_scores(b"map\tq1\t0.5\nmap\tall\t0.5\nrunid\tall\tbm25\n").means.tolist()
    [0.5]
    """
    sources: Any = source if isinstance(source, (list, tuple)) else [source]
    return read_score_tables(sources, () if measure is None else (measure,), max_bytes=max_bytes)[0]


def read_score_tables(
    sources: Sequence[Source], measures: Sequence[str] = (), *, max_bytes: int = DEFAULT_MAX_BYTES
) -> tuple[Scores, ...]:
    """A table for each of the measures, or for the only one."""
    if not sources:
        raise UsageError("no scores; expected a file or several; name one")
    name = source_name(sources[0]) if len(sources) == 1 else f"{len(sources):,} files of scores"
    repeatable = [
        source
        if isinstance(source, bytes) or is_regular_file(source) or is_sharded(source)
        else read_bytes(source, max_bytes=max_bytes)  # to be looked at twice
        for source in sources
    ]
    rows = read_score_rows(*repeatable, max_bytes=max_bytes)
    if rows is None:
        if len(measures) > 1:
            raise UsageError(f"{name}: a matrix holds scores of one measure, not of {listed(measures)}; name that one")
        called = str(_parsed(measures[0])) if measures else UNNAMED
        return (read_score_matrix(repeatable[0], measure=called, max_bytes=max_bytes),)
    chosen = [_chosen(rows.measures, measure, name) for measure in measures or (None,)]
    return tuple(rows.scores(*names, called=str(_parsed(names[0]))) for names in chosen)


def _chosen(measures: tuple[str, ...], measure: str | None, name: str) -> tuple[str, ...]:
    """What the files call the measure that somebody asks for; without one, their only measure."""
    by_measure: dict[Measure | str, list[str]] = {}
    for each in measures:
        by_measure.setdefault(_parsed(each), []).append(each)
    if measure is None and len(by_measure) == 1:
        return measures
    wanted = None if measure is None else _parsed(measure)
    if wanted in by_measure:
        return tuple(sorted(by_measure[wanted], key=lambda each: each != measure))  # the name that was given first
    lack = f"scores of {len(by_measure):,} measures" if wanted is None else f"no scores of {wanted}"
    close = get_close_matches(str(wanted), measures, n=2)
    hint = f"did you mean {' or '.join(close)}? " if close else ""
    raise UsageError(f"{name}: {lack}; {hint}expected one of {listed(measures, most=20)}; name it with -m")


def _parsed(name: str) -> Measure | str:
    """The measure of a name; the name itself where runoff does not know it."""
    try:
        return parse_measure(name)
    except (UsageError, MissingExtraError):
        return name
