"""What a reader should know beside the numbers of a comparison: gaps, ties, unjudged documents, weak arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from runoff.comparisons import OutcomesResult
from runoff.measures import Measure
from runoff.phrases import counted
from runoff.results.fit import KEPT
from runoff.tables.serps import Serps


def remarks_on(
    champion: Serps, challenger: Serps, *, measure: Measure, undefined: int, found: OutcomesResult, depth: int
) -> Iterator[str]:
    """Sentences on two runs that are compared, the most serious first.

    undefined  queries for which the measure is undefined for one run or both
    depth      ranks that outcomes look at
    """
    queries = found.queries
    if undefined:
        yield undefined_remark(str(measure), undefined, queries)
    if found.unanswerable:
        yield (
            f"{counted(found.unanswerable, 'query has', 'queries have')} no relevant document in the labels: nobody "
            "can answer, and outcomes leave them out."
        )
    for serps in (champion, challenger):
        yield run_remark(serps, depth=depth)


def run_remark(serps: Serps, *, depth: int) -> str:
    """The sentence on one run: queries that it lacks, unjudged documents, lists that end before the depth, ties."""
    facts = list(_facts(serps, len(serps.query_ids), depth))
    short = int(np.count_nonzero((serps.retrieved > 0) & (serps.retrieved < depth)))
    if short:
        facts.insert(-1, f"{counted(short, 'list ends', 'lists end')} before rank {depth}")
    return f"{serps.run}: {'; '.join(facts)}."


def shared_remarks(remarks: Sequence[Sequence[str]]) -> list[str]:
    """The remarks that all comparisons have in common, once; those on single runs differ and drop out."""
    first, *others = remarks
    return [remark for remark in first if all(remark in other for other in others)]


def undefined_remark(measure: str, undefined: int, queries: int) -> str:
    """The sentence on queries for which a measure is undefined."""
    return f"{measure} is undefined for {undefined:,} of {queries:,} queries; its means and tests are over the others."


def _facts(serps: Serps, queries: int, depth: int) -> Iterator[str]:
    """What one run lacks, what of it is ignored or unjudged, and what the tie rule decided."""
    if serps.missing_queries == queries:
        yield "has none of these queries, check that runs and qrels belong together"
    elif serps.missing_queries:
        yield f"lacks {serps.missing_queries:,} of {queries:,} queries, where it finds nothing"
    if serps.extra_queries:
        yield f"{counted(serps.extra_queries, 'other query', 'other queries')} ignored"
    if serps.dropped:
        rows = counted(serps.dropped, "row", "rows")
        yield f"{rows} dropped, as documents are listed more than once, and the {KEPT[serps.duplicates]} row kept"
    unjudged = serps.unjudged_share(depth)
    if unjudged == 1.0:
        yield f"no document to rank {depth} is judged, check that document ids are spelled as in the labels"
    else:
        yield f"{unjudged:.1%} unjudged to rank {depth}"
    tied = int(np.count_nonzero(serps.depth_tied))
    where = f" at rank {serps.depth}" if tied else ""
    yield f"{counted(tied, 'list', 'lists') if tied else 'no list'} cut by the tie rule {serps.tie_rule}{where}"
