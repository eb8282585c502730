"""Scores that somebody computed, from any file that holds them, for one measure in whatever spelling."""

from __future__ import annotations

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
def read_scores(source: Source, *, measure: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Scores:
    r"""The scores per query in a file, or in a folder with a file for each run.

    They may be what `trec_eval -q` or `ir_measures -q` prints, JSON Lines or CSV with run, query, measure and value, or
    a matrix in CSV or Parquet: queries in rows, runs in columns. Of several measures one is named.

    source   a path, `-` for standard input, bytes, or an open binary file
    measure  the measure to take, in any spelling; what the scores of a matrix are called

    >>> read_scores(b"map\tq1\t0.5\nmap\tall\t0.5\nrunid\tall\tbm25\n").means.tolist()
    [0.5]
    """
    name = source_name(source)
    is_kept = isinstance(source, bytes) or is_regular_file(source) or is_sharded(source)
    content = source if is_kept else read_bytes(source, max_bytes=max_bytes)  # to be looked at twice
    rows = read_score_rows(content, max_bytes=max_bytes)
    if rows is None:
        called = UNNAMED if measure is None else str(_parsed(measure) or measure)
        return read_score_matrix(content, measure=called, max_bytes=max_bytes)
    chosen = _chosen(rows.measures, measure, name)
    parsed = _parsed(chosen)
    return rows.scores(chosen, called=chosen if parsed is None else str(parsed))


def _chosen(measures: tuple[str, ...], measure: str | None, name: str) -> str:
    """What a file calls the measure that somebody asks for."""
    if measure is None and len(measures) == 1:
        return measures[0]
    if measure in measures:
        return measure
    wanted = None if measure is None else parse_measure(measure)
    same = [each for each in measures if wanted is not None and _parsed(each) == wanted]
    if same:
        return same[0]
    lack = f"no scores of {wanted}" if wanted is not None else f"scores of {len(measures):,} measures"
    raise UsageError(f"{name}: {lack}; expected one of {listed(measures, most=20)}; name it with -m")


def _parsed(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except (UsageError, MissingExtraError):
        return None
