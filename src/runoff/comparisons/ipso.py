"""IPSO: whether every measure that rewards relevance, and more so when it comes early, orders two runs alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_depth, check_same_ground
from runoff.comparisons.exact_gains import Gain, gain_table, worth_finding
from runoff.significance import binomial_p
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True)
class VoteEnd:
    """One end of the vote's range: the queries that vote for each side, and the p of their sign test."""

    ns: int
    ni: int
    p: float


def vote_ends(ns: int, ni: int, nonseparable: int) -> tuple[VoteEnd, VoteEnd]:
    """The vote when all non-separable queries vote ns, and when all vote ni; the lower p first.

    p is that of the sign test of |ns| = |ni|. A measure may also split these queries. No split gives a p below the
    lower one, but where the queries can balance the vote some split gives a p above the higher one: `highest_vote_p`.

    Moffat & Mackenzie 2024, section 3.5, https://doi.org/10.1002/asi.24874

    >>> [(end.ns, end.ni, float(f"{end.p:.2g}")) for end in vote_ends(81, 109, 36)]
    [(81, 145, 2.5e-05), (117, 109, 0.64)]
    """
    votes = (ns, ni + nonseparable), (ns + nonseparable, ni)
    all_p = binomial_p(*map(list, zip(*votes, strict=True))).tolist()
    ends = [VoteEnd(ns=to_ns, ni=to_ni, p=p) for (to_ns, to_ni), p in zip(votes, all_p, strict=True)]
    low, high = sorted(ends, key=lambda end: end.p)
    return low, high


def highest_vote_p(ns: int, ni: int, nonseparable: int) -> float:
    """The highest p that any measure could reach when it orders every non-separable query one way or the other.

    >>> highest_vote_p(81, 109, 36), round(highest_vote_p(81, 109, 10), 3)
    (1.0, 0.229)
    """
    votes = ns + ni + nonseparable
    most_even = min(max(votes // 2, ns), ns + nonseparable)
    return float(binomial_p(most_even, votes - most_even))


NS: Final = -1
"""The first SERP is non-superior: never ahead, somewhere behind."""
EQUAL: Final = 0
"""The SERPs are equal: neither was ever ahead."""
NI: Final = 1
"""The first SERP is non-inferior: never behind, somewhere ahead."""
NONSEPARABLE: Final = 2
"""Each SERP was ahead somewhere, so measures may disagree; it stays so at greater depth."""

SYMBOLS: Final = {NS: "ns", EQUAL: "==", NI: "ni", NONSEPARABLE: "**"}
"""Each relation as the paper prints it."""


def gains_of(grades: NDArray[np.int8], table: NDArray[np.int64], depth: int) -> NDArray[np.signedinteger]:
    """The gain at every rank to the depth, queries x depth; unjudged documents and empty ranks gain nothing.

    The type is the smallest that holds a whole SERP's gain, and so the difference of two.

    grades  queries x ranks, of which there may be fewer than `depth`
    table   the whole gain of each grade from 0, rising
    """
    smallest = np.min_scalar_type(-int(table[-1]) * depth - 1)
    gains: NDArray[np.signedinteger] = np.zeros((len(grades), depth), dtype=smallest)
    retrieved = gains[:, : grades.shape[1]]
    for grade, more in enumerate(np.diff(table).astype(smallest), start=1):
        if more:  # what this grade is worth beyond the one below: much faster than looking up every cell
            retrieved += (grades >= grade) * more
    return gains


def scan(first: NDArray[np.signedinteger], second: NDArray[np.signedinteger]) -> NDArray[np.int8]:
    """The relation of two SERPs at every depth: int8, queries x depth, of the codes above.

    Algorithm 1 of Moffat & Mackenzie 2024, https://doi.org/10.1002/asi.24874, for all queries at once: gains of the
    first are added, those of the second subtracted, and what counts is on which sides of zero the sum has been.

    first, second  whole gains, queries x depth, as from `gains_of`

    >>> scan(np.array([[1, 0, 0]], dtype=np.int8), np.array([[0, 1, 1]], dtype=np.int8)).tolist()
    [[1, 1, 2]]
    """
    lead = np.cumsum(first - second, axis=1, dtype=first.dtype)
    ahead = np.logical_or.accumulate(lead > 0, axis=1).view(np.int8)
    behind = np.logical_or.accumulate(lead < 0, axis=1).view(np.int8)
    relations: NDArray[np.int8] = ahead - behind
    relations[(ahead & behind).view(np.bool_)] = NONSEPARABLE
    return relations


GROUPS: Final = ("nonseparable_ns", "ns", "equal", "ni", "nonseparable_ni")
"""The five groups of queries in the order of the paper's Figure 5; a non-separable one is named for its first side."""


@dataclass(frozen=True, kw_only=True)
class IpsoAtDepth:
    """The queries at one depth: the counts of the four relations, and the sign test of |ns| = |ni|."""

    depth: int
    ns: int
    equal: int
    ni: int
    nonseparable: int
    sign_p: float


@dataclass(frozen=True, kw_only=True)
class IpsoVoteEnd:
    """The vote when all non-separable queries go one way.

    first, second  the queries that vote for each run
    favours        the name of the run with more votes; None where they are even
    """

    first: int
    second: int
    p: float
    favours: str | None


@dataclass(frozen=True, kw_only=True)
class IpsoTopic:
    """One line of the paper's Figure 5.

    first, second    the two SERPs to the depth, a digit per rank
    relations        two characters per depth: `==`, `ni`, `ns` or `**`
    onset            the first depth at which the SERPs are not equal; None if there is none
    nonseparable_at  the first depth at which they are non-separable; None if there is none
    """

    query_id: str
    group: str
    first: str
    second: str
    relations: str
    onset: int | None
    nonseparable_at: int | None


@dataclass(frozen=True, eq=False, kw_only=True)
class IpsoResult(ReadOnlyArrays):
    """The relations of two runs at every depth; `ni` favours the first run, `ns` the second.

    first, second    the names of the runs
    query_ids        the queries that can be answered: the labels hold a document with a gain
    relations        int8, queries x depth: NS -1, EQUAL 0, NI 1, NONSEPARABLE 2
    shown            int8, 2 x queries x depth: the SERPs as they are printed, 0 and 1 or grades
    unanswerable     how many other queries there are, which are left out
    most_relevant    the most documents with a gain that the labels hold for a query
    """

    first: str
    second: str
    query_ids: Sequence[str]
    relations: NDArray[np.int8]
    shown: NDArray[np.int8]
    unanswerable: int = 0
    most_relevant: int = 0
    sign_p_range: tuple[float, float] = field(init=False)
    """The lower and the higher p when all non-separable queries vote ns, or all vote ni; see `vote_ends`."""
    sign_p_ends: tuple[IpsoVoteEnd, IpsoVoteEnd] = field(init=False)
    """The two votes that `sign_p_range` has the p of, in the same order: who would have how many queries."""
    highest_sign_p: float = field(init=False)
    """The highest p over all ways to order the non-separable queries: 1 where they can balance the vote."""
    by_depth: tuple[IpsoAtDepth, ...] = field(init=False)
    """Counts and p at every depth from 1 to k."""
    at_depth: IpsoAtDepth = field(init=False)
    """Counts and p at the full depth."""

    def __post_init__(self) -> None:
        super().__post_init__()
        set_field = object.__setattr__
        codes = (NS, EQUAL, NI, NONSEPARABLE)
        counts = np.stack([(self.relations == code).sum(axis=0) for code in codes], axis=1)
        all_p = binomial_p(counts[:, 0], counts[:, 2]).tolist()
        by_depth = tuple(
            IpsoAtDepth(depth=depth, ns=ns, equal=equal, ni=ni, nonseparable=nonseparable, sign_p=p)
            for depth, ((ns, equal, ni, nonseparable), p) in enumerate(
                zip(counts.tolist(), all_p, strict=True), start=1
            )
        )
        last = by_depth[-1]
        votes = last.ns, last.ni, last.nonseparable
        set_field(self, "by_depth", by_depth)
        set_field(self, "at_depth", last)
        low, high = (
            IpsoVoteEnd(
                first=end.ni,
                second=end.ns,
                p=end.p,
                favours=None if end.ni == end.ns else self.first if end.ni > end.ns else self.second,
            )
            for end in vote_ends(*votes)
        )
        set_field(self, "sign_p_ends", (low, high))
        set_field(self, "sign_p_range", (low.p, high.p))
        set_field(self, "highest_sign_p", highest_vote_p(*votes))

    @property
    def topics(self) -> int:
        """The number of queries that can be answered."""
        return len(self.query_ids)

    @property
    def is_sign_test_of_rr(self) -> bool:
        """Whether no query has several documents with a gain: then the run ahead is the one with the higher RR."""
        return self.most_relevant == 1

    @property
    def depth(self) -> int:
        """The depth k to which the SERPs were scanned."""
        return int(self.relations.shape[1])

    @cached_property
    def equal_depths(self) -> NDArray[np.int64]:
        """Per query, how many depths the SERPs are equal for before one gets ahead."""
        counts: NDArray[np.int64] = np.count_nonzero(self.relations == EQUAL, axis=1)
        return counts

    @cached_property
    def nonseparable_depths(self) -> NDArray[np.int64]:
        """Per query, at how many depths the SERPs are non-separable: always the last ones."""
        counts: NDArray[np.int64] = np.count_nonzero(self.relations == NONSEPARABLE, axis=1)
        return counts

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """Per query, its group as a place in GROUPS."""
        onset = np.minimum(self.equal_depths, self.depth - 1)
        # Never non-separable at the onset: the sum is on one side of zero there, and 0 before.
        side = self.relations[np.arange(self.topics), onset].astype(np.int64)
        return 2 + side + side * (self.nonseparable_depths > 0)

    @property
    def groups(self) -> dict[str, int]:
        """How many queries each of the five groups holds, in the order of GROUPS."""
        counts = np.bincount(self.group, minlength=len(GROUPS)).tolist()
        return dict(zip(GROUPS, counts, strict=True))

    @property
    def sign_p(self) -> float:
        """The two-sided p of the sign test of |ns| = |ni| at the full depth; it promises nothing about all measures."""
        return self.at_depth.sign_p

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The queries as rows of the paper's Figure 5, as places in `query_ids`.

        By group; then, to put similar lines together, by the number of `**` (most first where the group came from
        ns, last where it came from ni), then by the number of leading `==` (fewest first, or last); then as given.
        """
        direction = np.where(self.group < GROUPS.index("equal"), 1, -1)
        return np.lexsort((direction * self.equal_depths, -direction * self.nonseparable_depths, self.group))

    @property
    def per_topic(self) -> tuple[IpsoTopic, ...]:
        """One line per query, in the order of Figure 5."""
        symbols = np.array([SYMBOLS[code] for code in (EQUAL, NI, NONSEPARABLE, NS)])  # NS is -1: the last
        gap = "" if self.shown.max(initial=0) < 10 else ","
        return tuple(
            IpsoTopic(
                query_id=self.query_ids[row],
                group=GROUPS[self.group[row]],
                first=gap.join(map(str, self.shown[0, row].tolist())),
                second=gap.join(map(str, self.shown[1, row].tolist())),
                relations="".join(symbols[self.relations[row]]),
                onset=int(self.equal_depths[row]) + 1 if self.equal_depths[row] < self.depth else None,
                nonseparable_at=self.depth + 1 - int(stars) if (stars := self.nonseparable_depths[row]) else None,
            )
            for row in self.order.tolist()
        )


def ipso(
    first: Serps, second: Serps, *, depth: int, gains: Sequence[Gain] | None = None, level: int | None = None
) -> IpsoResult:
    """The innate pairwise SERP orderings of two runs: per query, whether every reasonable measure at k must agree.

    The gains of the first SERP are added up and those of the second subtracted, rank by rank. Never below zero: the
    first is non-inferior (`ni`); never above: non-superior (`ns`); always zero: equal (`==`); else non-separable
    (`**`), now and at every greater depth. Queries for which the labels hold no document with a gain are left out.

    Moffat & Mackenzie 2024, https://doi.org/10.1002/asi.24874

    depth  the k to which both SERPs are scanned; a list that ends earlier gains nothing more
    gains  the gain of each grade from 0, needed where labels have grades above 1; added up exactly
    level  instead of gains: the lowest grade that counts as relevant; needed where grades are fractions

    >>> from runoff.measures._example import serps_from
    >>> result = ipso(serps_from("1011001000"), serps_from("1010011011"), depth=10)
    >>> result.per_topic[0].relations  # the paper's Figure 4
    '======ninininini****'
    """
    check_same_ground((first, second))
    for serps in (first, second):
        check_depth(serps, depth)
    table = gain_table((first, second), depth=depth, gains=gains, level=level)
    relevant = worth_finding(first, table)
    is_answerable = relevant > 0
    if not is_answerable.all():
        first, second = first.only(is_answerable), second.only(is_answerable)
    printed = np.zeros((2, len(first.query_ids), depth), dtype=np.int8)
    for place, serps in enumerate((first, second)):
        grades = np.maximum(serps.grades[:, :depth], 0)
        printed[place, :, : grades.shape[1]] = grades if level is None else grades >= serps.code_of(level)
    return IpsoResult(
        first=first.run,
        second=second.run,
        query_ids=first.query_ids,
        relations=scan(
            gains_of(first.grades[:, :depth], table, depth), gains_of(second.grades[:, :depth], table, depth)
        ),
        shown=printed,
        unanswerable=int(np.count_nonzero(~is_answerable)),
        most_relevant=int(relevant.max(initial=0)),
    )
