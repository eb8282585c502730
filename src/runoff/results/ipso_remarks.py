"""What a reader should know beside the numbers of IPSO: queries that nobody can answer, and labels of one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runoff.comparisons import IpsoPairsResult, IpsoResult
from runoff.errors import UsageError
from runoff.measures import RR


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
        rr = RR(rel=_lowest(gains, level))
        vote = f"the IPSO vote is the sign test of {rr @ found.depth}"
        if isinstance(found, IpsoPairsResult):
            vote = f"IPSO is the sign test of {rr} at every depth"
        yield f"No query has more than one {_relevant(gains, level)} in the labels, so {vote}."


def _relevant(gains: Sequence[float] | None, level: int | None) -> str:
    if gains is not None:
        return "document with a gain"
    return "relevant document" if level in {None, 1} else f"document of grade {level} or above"


def _lowest(gains: Sequence[float] | None, level: int | None) -> int:
    if gains is not None:
        return next(grade for grade, gain in enumerate(gains) if gain > 0)
    return level or 1
