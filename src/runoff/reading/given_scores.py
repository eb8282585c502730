"""Scores that a caller has already: a table, one for each measure, or a frame with a row per run, query and measure."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias, cast

from runoff.errors import MissingExtraError, UsageError
from runoff.files.score_frame import scores_of_frame
from runoff.files.streams import Source, is_regular_file
from runoff.measures import Measure, NamedMeasure, PeerMeasure, parse_measure
from runoff.phrases import listed
from runoff.reading.scores import read_score_tables
from runoff.reading.sources import Frame, MeasureSource, is_file
from runoff.tables.scores import Scores
from runoff.tables.systems import systems_of

ScoresSource: TypeAlias = Scores | Sequence[Scores] | Frame | Source | Sequence[Source]
"""Per-query scores: a table, one per measure, a frame with the columns name, qid, measure and value, as PyTerrier's
`Experiment(perquery=True)` returns it, or files that `read_scores` reads."""


def as_scores(source: ScoresSource, measures: MeasureSource | None = None) -> tuple[Scores, ...]:
    """A table for each of the measures, or for all in their order; all are over the same queries.

    A measure is called as the scores call it, or as one of runoff is spelled anywhere.
    """
    named = [measures] if isinstance(measures, (str, Measure, PeerMeasure)) else list(measures or ())
    if isinstance(source, Scores):
        tables: tuple[Scores, ...] = (source,)
    elif is_file(source):
        tables = read_score_tables([source], list(map(str, named)))
    elif not isinstance(source, Sequence):
        tables = scores_of_frame(source)
    elif source and all(map(is_file, source)):
        tables = read_score_tables(cast("Sequence[Source]", source), list(map(str, named)))
    else:
        tables = tuple(cast("Sequence[Scores]", source))
    if not tables or not all(isinstance(table, Scores) for table in tables):
        raise UsageError("no scores; expected Scores, files, a list of these, or a frame of per-query scores; give one")
    names = [table.measure for table in tables]
    if len(set(names)) < len(names):
        raise UsageError(f"scores of {listed(names)}; expected every measure once; leave one out")
    if any(tuple(table.query_ids) != tuple(tables[0].query_ids) for table in tables):
        raise UsageError(f"the scores of {listed(names)} are of different queries; expected the same for all")
    return tuple(tables[place] for place in dict.fromkeys(_place_of(measure, names) for measure in named)) or tables


def runs_named(scores: Scores, names: Sequence[str]) -> list[str]:
    """The runs of some names, which are their own or those of their systems."""
    systems = systems_of(scores.runs)
    unknown = [name for name in names if name not in scores.runs and name not in systems]
    if unknown:
        advice = "repeat --scores for each file" if is_regular_file(unknown[0]) else "choose one"
        raise UsageError(f"no scores of a run '{unknown[0]}'; expected one of {listed(tuple(systems))}; {advice}")
    return [run for name in names for run in ([name] if name in scores.runs else systems[name])]


def _place_of(measure: NamedMeasure, names: Sequence[str]) -> int:
    """Where the scores of a measure are, however it is spelled."""
    if str(measure) in names:
        return names.index(str(measure))
    for place, name in enumerate(names):
        with suppress(UsageError, MissingExtraError):
            if parse_measure(name) == parse_measure(measure):
                return place
    raise UsageError(f"no scores of {measure}; expected one of {listed(names)}; choose one of these")
