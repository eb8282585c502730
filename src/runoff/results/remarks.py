"""What a reader should know beside the numbers of a comparison: gaps, ties, unjudged documents, weak arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf

import numpy as np

from runoff.comparisons import IpsoPairsResult, IpsoResult
from runoff.errors import UsageError
from runoff.measures import RR
from runoff.phrases import counted
from runoff.results.fit import KEPT
from runoff.significance import SignificanceResult
from runoff.tables.serps import Serps


def remarks_on(
    champion: Serps, challenger: Serps, *, measure: str, test: SignificanceResult, unanswerable: int, depth: int
) -> Iterator[str]:
    """Sentences on two runs that are compared, the most serious first.

    test          that of the measure, over the queries for which it is defined for both runs
    unanswerable  queries without a relevant document in the labels
    depth         ranks that outcomes look at
    """
    yield from constant_remarks(measure, test)
    undefined = len(champion.query_ids) - test.n
    if undefined:
        yield undefined_remark(measure, undefined, len(champion.query_ids))
    if unanswerable:
        yield (
            f"{counted(unanswerable, 'query has', 'queries have')} no relevant document in the labels: nobody "
            "can answer, and outcomes leave them out."
        )
    for serps in (champion, challenger):
        yield run_remark(serps, depth=depth)


def run_remark(serps: Serps, *, depth: int) -> str:
    """The sentence on one run: queries and rows that are left out, unjudged documents, short lists, ties."""
    queries, facts = len(serps.query_ids), []
    if serps.missing_queries == queries:
        facts.append("none of these queries, check that runs and qrels belong together")
    elif serps.missing_queries:
        facts.append(f"{serps.missing_queries:,} of {queries:,} queries missing, where nothing is found")
    if serps.extra_queries:
        facts.append(f"{counted(serps.extra_queries, 'other query', 'other queries')} ignored")
    if serps.dropped:
        rows = counted(serps.dropped, "row", "rows")
        kept = KEPT[serps.duplicates]
        facts.append(f"{rows} dropped, as documents are listed more than once, and the {kept} row kept")
    unjudged = serps.unjudged_share(depth)
    if unjudged == 1.0:
        facts.append(f"no document to rank {depth} is judged, check that document ids are spelled as in the labels")
    else:
        facts.append(f"{unjudged:.1%} unjudged to rank {depth}")
    short = int(np.count_nonzero((serps.retrieved > 0) & (serps.retrieved < depth)))
    if short:
        facts.append(f"{counted(short, 'list ends', 'lists end')} before rank {depth}")
    tied = int(np.count_nonzero(serps.depth_tied))
    where = f" at rank {serps.depth}" if tied else ""
    facts.append(f"{counted(tied, 'list', 'lists') if tied else 'no list'} cut by the tie rule {serps.tie_rule}{where}")
    return f"{serps.run}: {'; '.join(facts)}."


def shared_remarks(remarks: Sequence[Sequence[str]]) -> list[str]:
    """The remarks that all comparisons have in common, once; those on single runs differ and drop out."""
    first, *others = remarks
    return [remark for remark in first if all(remark in other for other in others)]


def constant_remarks(measure: str, test: SignificanceResult) -> list[str]:
    """The sentence on a t test of differences that are all the same, which it takes for certain; empty for others."""
    if test.name != "t" or not isinf(test.statistic):
        return []
    queries = counted(test.n, "query", "queries")
    certain = f"{measure} differs by the same amount on each of the {queries}, which a t test takes for certain"
    return [f"{certain} however few they are; rely on the sign test instead."]


def undefined_remark(measure: str, undefined: int, queries: int) -> str:
    """The sentence on queries for which a measure is undefined."""
    return f"{measure} is undefined for {undefined:,} of {queries:,} queries; its means and tests are over the others."


def answer_remarks(
    found: IpsoResult | IpsoPairsResult, *, gains: Sequence[float] | None = None, level: int | None = None
) -> Iterator[str]:
    """Sentences on the labels; refuses labels under which no query can be answered.

    gains, level  what IPSO was asked with
    """
    what, queries = _relevant(gains, level), found.topics + found.unanswerable
    if queries and not found.topics:
        raise UsageError(
            f"none of the {queries:,} queries has a {what} in the labels; expected one at least; use a lower "
            "relevance level, or other gains or labels"
        )
    if found.unanswerable:
        is_one = found.unanswerable == 1
        yield (
            f"{found.unanswerable:,} of {queries:,} queries {'has' if is_one else 'have'} no {what} in the labels, so "
            f"nobody can answer {'it; it is' if is_one else 'them; they are'} left out."
        )
    yield from one_label_remark(found, gains=gains, level=level)


def one_label_remark(
    found: IpsoResult | IpsoPairsResult, *, gains: Sequence[float] | None = None, level: int | None = None
) -> Iterator[str]:
    """That the vote is the sign test of RR, where no query has more than one relevant document."""
    if found.is_sign_test_of_rr:
        lowest = level or 1
        if gains is not None:
            lowest = next(grade for grade, gain in enumerate(gains) if gain > 0)
        vote = f"the IPSO vote is the sign test of {RR(rel=lowest, cutoff=found.depth)}"
        if isinstance(found, IpsoPairsResult):
            vote = f"IPSO is the sign test of {RR(rel=lowest)} at every depth"
        yield f"No query has more than one {_relevant(gains, level)} in the labels, so {vote}."


def _relevant(gains: Sequence[float] | None, level: int | None) -> str:
    if gains is not None:
        return "document with a gain"
    return "relevant document" if level in {None, 1} else f"document of grade {level} or above"
