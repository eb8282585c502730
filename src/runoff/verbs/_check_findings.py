"""What looks odd about files that can be read, and whether runs and labels belong together."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from runoff.files.problems import quoted
from runoff.files.streams import is_regular_file
from runoff.files.text.ranks import Oddity, RankOddities
from runoff.reading.sources import RunSource
from runoff.results import check_messages as messages
from runoff.results.check_messages import Finding
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists

MANY_TIES: Final = 0.1
"""The share of lists with a tie at the depth from which on a run is warned of it."""
MANY_UNJUDGED: Final = 0.5
"""The share of documents without a judgment, to the depth."""
FEW_DOCUMENTS: Final = 0.5
"""The median length of a run's lists, as a part of that of the other runs."""


def rank_findings(ranks: RankOddities, queries: int) -> Iterator[Finding]:
    """What is odd about ranks, scores and tags."""
    by_query = (
        (messages.NOT_FROM_ONE, ranks.not_from_one),
        (messages.RANK_TWICE, ranks.rank_twice),
        (messages.CONTRADICTED, ranks.contradicted),
        (messages.ONE_SCORE, ranks.one_score),
    )
    if ranks.bad_ranks.count:
        yield _of_rows(messages.BAD_RANKS, ranks.bad_ranks)
    for message, odd in by_query:
        if odd.count:
            yield message.finding(odd.line, count=odd.count, queries=queries, query=odd.query, value=odd.value)
    if ranks.other_tags.count:
        yield _of_rows(messages.OTHER_TAGS, ranks.other_tags)


def _of_rows(message: messages.Message, odd: Oddity) -> Finding:
    return message.finding(odd.line, count=odd.count, value=quoted(odd.value))


def list_findings(lists: RankedLists, request: ListRequest) -> Iterator[Finding]:
    """Rows that the rule for duplicates drops, and many ties at the depth."""
    if lists.dropped:
        yield messages.DROPPED.finding(count=lists.dropped, rule=request.duplicates)
    tied, queries, depth = int(lists.depth_tied.sum()), len(lists.lengths), request.depth or 0
    if tied and tied >= MANY_TIES * queries:
        yield messages.TIES.finding(depth=depth, next=depth + 1, count=tied, queries=queries, tie_rule=request.tie_rule)


def misfits(lists: RankedLists, qrels: Qrels) -> Iterator[Finding]:
    """Why a run cannot be scored with these labels."""
    (hits,) = lists.hits
    if not (hits.places >= 0).any():
        queries, like = len(qrels.query_ids), qrels.query_ids[0]
        yield messages.NO_COMMON_QUERIES.finding(qrels=qrels.name, queries=queries, like=like)
    elif not len(hits.rows):
        yield messages.NO_JUDGED_DOCUMENT.finding(qrels=qrels.name, like=qrels.docs[0])


def fit_findings(lists: RankedLists, request: ListRequest, *, run: str) -> Iterator[Finding]:
    """What lacks of a run that can be scored: queries, and judgments of its documents."""
    (qrels,) = request.labels
    serps = lists.serps(0, request, run=run)
    missing = np.flatnonzero(serps.retrieved == 0)
    if missing.size:
        yield messages.MISSING_QUERIES.finding(
            count=len(missing),
            queries=len(qrels.query_ids),
            qrels=qrels.name,
            query=qrels.query_ids[int(missing[0])],
        )
    share = serps.unjudged_share()
    is_sparse = not (qrels.relevance <= 0).any()  # labels of relevant documents alone: the rest is never judged
    if share > MANY_UNJUDGED and not is_sparse:
        yield messages.UNJUDGED.finding(share=share, depth=request.depth, qrels=qrels.name)


def qrels_findings(qrels: Qrels) -> Iterator[Finding]:
    """Queries without a relevant document."""
    barren = np.flatnonzero(qrels.judged[:, 1:].sum(axis=1) == 0)
    if barren.size:
        query = qrels.query_ids[int(barren[0])]
        yield messages.NO_RELEVANT.finding(count=len(barren), queries=len(qrels.query_ids), query=query)


def length_findings(lists: Sequence[RankedLists | None]) -> list[list[Finding]]:
    """For each run, whether its lists are far shorter than those of the others."""
    lengths = [None if run is None or not len(run.lengths) else float(np.median(run.lengths)) for run in lists]
    findings: list[list[Finding]] = []
    for place, own in enumerate(lengths):
        others = [length for number, length in enumerate(lengths) if number != place and length is not None]
        usual = float(np.median(others)) if others else 0.0
        is_short = own is not None and own < FEW_DOCUMENTS * usual
        findings.append(
            [messages.FEW_DOCUMENTS.finding(count=round(own or 0), others=round(usual))] if is_short else []
        )
    return findings


def same_file_findings(sources: Sequence[RunSource], names: Sequence[str]) -> list[list[Finding]]:
    """For each run, whether an earlier file has the same bytes."""
    paths = [Path(source) if is_regular_file(source) else None for source in sources]  # type: ignore[arg-type]
    sizes = [None if path is None else path.stat().st_size for path in paths]
    first: dict[bytes, str] = {}
    findings: list[list[Finding]] = []
    for path, size, name in zip(paths, sizes, names, strict=True):
        other = None
        if path is not None and sizes.count(size) > 1:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").digest()
            other = first.setdefault(digest, name)
        findings.append([messages.SAME_FILE.finding(other=other)] if other not in {None, name} else [])
    return findings
