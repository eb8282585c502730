"""Whether a measure is an interval scale: its SERP states, attainable values and equal steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.measures import AP, ERR, ESL, RBP, RR, Measure, P, R, Success, nDCG, parse_measure
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps

State: TypeAlias = tuple[int, ...]

MOST_CELLS: Final = 1 << 21
"""Lists times ranks: all lists of 16 ranks that are relevant or not, or 1,447 ranks with one relevant document."""
HIGHEST_GRADE: Final = 127
"""A grade is stored as int8."""


def all_states(grades: Sequence[int], limits: Sequence[int] | None, depth: int) -> NDArray[np.int8]:
    """All lists of `depth` grades, states x depth, best first; no more of each grade above 0 than its limit.

    >>> all_states((0, 1), None, 2).tolist()
    [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> all_states((0, 1), (1,), 3).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    _check_number(len(grades), limits, depth)
    choices = np.array([*reversed(grades[1:]), 0], dtype=np.int8)
    states = np.zeros((1, depth), dtype=np.int8)
    most = [depth] * (len(grades) - 1) if limits is None else list(reversed(limits))
    left = np.array([[*most, depth]], dtype=np.int64)
    for rank in range(depth):
        parents, choice = np.nonzero(left)
        states, left = states[parents], left[parents]
        states[:, rank] = choices[choice]
        left[np.arange(len(left)), choice] -= choice < len(grades) - 1
    return states


def count_states(grades: int, limits: Sequence[int] | None, depth: int) -> int:
    """How many lists there are, without making them.

    >>> count_states(2, None, 10), count_states(2, (1,), 100), count_states(3, (1, 1), 3)
    (1024, 101, 13)
    """
    if limits is None:
        return int(grades**depth)
    ways = [1] + [0] * depth  # ways[used]: lists of the grades so far that fill `used` ranks
    for limit in limits:
        ways = [
            sum(ways[used - more] * math.comb(depth - used + more, more) for more in range(min(limit, used) + 1))
            for used in range(depth + 1)
        ]
    return sum(ways)


def serps_of_states(states: NDArray[np.int8], limits: Sequence[int] | None, *, highest: int) -> Serps:
    """A run whose lists are the states, for queries with as many documents of each grade as the limits say.

    Without limits each query has as many documents of every grade as ranks.
    """
    count, depth = states.shape
    judged = np.zeros((count, highest + 1), dtype=np.int64)
    used = [1 + at for at in range(highest)] if limits is None or len(limits) == highest else [highest]
    judged[:, used] = depth if limits is None else np.asarray(limits)
    return Serps(
        run="every SERP",
        query_ids=tuple(map(str, range(1, count + 1))),
        grades=states,
        retrieved=np.full(count, depth, dtype=np.int64),
        judged=judged,
        depth_tied=np.zeros(count, dtype=np.bool_),
        tie_rule="trec_eval",
    )


def _check_number(grades: int, limits: Sequence[int] | None, depth: int) -> None:
    """Refuse what would take too long."""
    most = MOST_CELLS // depth
    # A look at the depth and at one grade first: the exact number itself can be slow to find.
    is_deep = depth >= most or (limits is None and grades > 1 and depth > most.bit_length())
    if (
        is_deep
        or (limits is not None and math.comb(depth, min(max(limits), depth // 2)) > most)
        or count_states(grades, limits, depth) > most
    ):
        raise UsageError(
            f"all lists of {depth:,} ranks with {grades} grades are too many to look at; expected at most 16 ranks "
            "that are relevant or not; take a smaller cutoff, fewer grades, or say how many documents are relevant"
        )


UNNAMED: Final = "score"
"""What a score matrix is of when nobody said."""
MOST_WITNESSES: Final = 10
NOISE: Final = 1e-12
"""Values closer than this share of the largest are one: float64 computes a measure to about 1e-15 of it. ERR@16 and
RBP@16 have values 2e-10 and 5e-9 apart, none nearer. The tests find the same values with fractions."""
FREE: Final = (RR, P, Success, RBP, ERR, ESL)
"""Measures that do not ask how many relevant documents there are."""
BASED: Final = (AP, nDCG, R)
"""Measures with a recall base: their values depend on how many relevant documents the query has."""


@dataclass(frozen=True, kw_only=True)
class Witness:
    """Four SERP states that break the solvability condition: gap = v(c) - v(d), which fits between v(b) and v(a).

    A state x with v(a) - v(x) = gap, and a state y with v(y) - v(b) = gap, would have to exist. `missing_x` and
    `missing_y` are the values they would have; None where there is such a state.
    """

    a: State
    b: State
    c: State
    d: State
    gap: float
    missing_x: float | None
    missing_y: float | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleResult(ReadOnlyArrays):
    """What a measure can say of a SERP.

    grades         the grades that a rank can have
    relevant       how many documents of each grade above 0 the query has; None: any number
    states         how many SERP states there are
    undefined      in how many of them the measure is undefined (only ESL is)
    values         the attainable values, ascending, (values,)
    examples       for each value a state with as few relevant documents as possible
    is_equispaced  whether all steps between neighbouring values are the same
    witnesses      states that break the solvability condition, smallest gap first, at most ten; none if it holds
    """

    measure: Measure
    depth: int
    grades: tuple[int, ...]
    relevant: tuple[int, ...] | None
    states: int
    undefined: int
    values: NDArray[np.float64]
    examples: tuple[State, ...]

    @property
    def is_equispaced(self) -> bool:
        """Whether the measure takes equal steps over these states, and so is an interval scale of them."""
        return len(self.values) < 3 or bool(np.ptp(np.diff(self.values)) <= NOISE * self._span)

    @property
    def interval_values(self) -> NDArray[np.float64]:
        """Each value's rank among the attainable ones, scaled to 0..1; 0 for a measure with one value."""
        return np.arange(len(self.values)) / max(len(self.values) - 1, 1)

    @cached_property
    def witnesses(self) -> tuple[Witness, ...]:
        """Gaps between neighbouring values that are not found from the top down or from the bottom up."""
        if self.is_equispaced:
            return ()
        gaps = np.diff(self.values)
        examples: list[Witness] = []
        for place in np.argsort(gaps, kind="stable").tolist():
            is_known = examples and gaps[place] - examples[-1].gap <= NOISE * self._span
            if not is_known and (witness := self._witness(place, 0, len(self.values) - 1)) is not None:
                examples.append(witness)
            if len(examples) == MOST_WITNESSES:
                break
        # From top and bottom every gap may be there; the smallest never fits into the widest, which holds no value.
        widest, smallest = int(gaps.argmax()), int(gaps.argmin())
        witness = None if examples else self._witness(smallest, widest, widest + 1)
        return tuple(examples) if witness is None else (witness,)

    @property
    def _span(self) -> float:
        return float(np.abs(self.values).max())

    def _witness(self, place: int, bottom: int, top: int) -> Witness | None:
        gap = float(self.values[place + 1] - self.values[place])
        x, y = float(self.values[top]) - gap, float(self.values[bottom]) + gap
        missing_x, missing_y = (None if self._is_value(value) else value for value in (x, y))
        if missing_x is None and missing_y is None:
            return None
        a, b, c, d = (self.examples[at] for at in (top, bottom, place + 1, place))
        return Witness(a=a, b=b, c=c, d=d, gap=gap, missing_x=missing_x, missing_y=missing_y)

    def _is_value(self, value: float) -> bool:
        return bool(np.abs(self.values - value).min() <= NOISE * self._span)


def scale(measure: Measure, *, highest: int | None = None, relevant: Sequence[int] | None = None) -> ScaleResult:
    """Find the values that a measure takes over all lists of k grades, and whether their steps are equal.

    measure   with a cutoff k: RR, P, Success, RBP, ERR, ESL; AP, nDCG and R with `relevant`
    highest   the highest grade; by default 1, or the measure's `rel`: a rank is relevant or not
    relevant  how many documents of each grade above 0 the query has; then no list holds more of them

    A finite set of values satisfies the solvability condition just if its steps are equal. AP, nDCG and R take other
    values for every number of relevant documents, so they need it, and the answer is for queries with that number only.

    Craswell et al. 2021, section 4.1, https://doi.org/10.1145/3404835.3462804, after
    Ferrante et al. 2021, https://doi.org/10.1109/ACCESS.2021.3116857

    >>> result = scale(RR @ 3)
    >>> result.states, result.values.round(2).tolist(), result.is_equispaced
    (8, [0.0, 0.33, 0.5, 1.0], False)
    >>> one = result.witnesses[0]
    >>> one.c, one.d, round(one.gap, 2), round(one.missing_x, 2), round(one.missing_y, 2)
    ((0, 1, 0), (0, 0, 1), 0.17, 0.83, 0.17)
    """
    grades = _grades(measure, highest, relevant)
    depth = int(measure.cutoff or 0)  # `_grades` has refused None
    limits = None if relevant is None else tuple(map(int, relevant))
    states = all_states(grades, limits, depth)
    values = measure.values(serps_of_states(states, limits, highest=grades[-1]))
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]  # NaN is last
    tolerance = NOISE * float(np.abs(values[order]).max())
    is_new = np.diff(values[order], prepend=-np.inf) > tolerance
    # Within a value, the fewest relevant documents first: they are enough for it.
    plain = np.lexsort((order, states[order].sum(axis=1, dtype=np.int64), np.cumsum(is_new)))
    return ScaleResult(
        measure=measure,
        depth=depth,
        grades=grades,
        relevant=limits,
        states=len(states),
        undefined=len(states) - len(order),
        values=values[order][is_new],
        examples=tuple(map(tuple, states[order[plain[is_new]]].tolist())),
    )


def interval_scores(scores: Scores, result: ScaleResult, *, tolerance: float = 1e-9) -> Scores:
    """The same scores on the interval-scaled version of their measure: each value's rank among the attainable ones.

    scores     of the measure that `found` is about
    tolerance  how far a score may be from an attainable value; 5e-5 for scores that were rounded to four places

    >>> values = np.array([[1, 1 / 3], [0.5, 0]])
    >>> scores = Scores(measure="RR@3", query_ids=("q1", "q2"), runs=("a", "b"), values=values)
    >>> interval_scores(scores, scale(RR @ 3)).values.round(4).tolist()
    [[1.0, 0.3333], [0.6667, 0.0]]
    """
    if scores.measure != UNNAMED and parse_measure(scores.measure) != result.measure:
        raise UsageError(
            f"these are scores of {scores.measure} and the scale is that of {result.measure}; expected the same "
            "measure; give the scale of the scores"
        )
    right = np.searchsorted(result.values, scores.values).clip(1, max(len(result.values) - 1, 1))
    left, right = right - 1, np.minimum(right, len(result.values) - 1)
    distances = np.abs(scores.values - result.values[left]), np.abs(scores.values - result.values[right])
    nearest = np.where(distances[0] <= distances[1], left, right)
    bad = np.argwhere(np.minimum(*distances) > tolerance)
    if len(bad):
        query, run = bad[0]
        raise UsageError(
            f"{len(bad):,} scores are no values of {result.measure}, first {scores.values[query, run]!r} of run "
            f"'{scores.runs[run]}' for query '{scores.query_ids[query]}'; expected its {len(result.values):,} "
            "attainable values; give the scale of the same grades and relevant documents, or, if rounded, a tolerance"
        )
    values = np.where(np.isnan(scores.values), np.nan, result.interval_values[nearest])
    return replace(scores, measure=f"interval-scaled {scores.measure}", values=values)


def _grades(measure: Measure, highest: int | None, relevant: Sequence[int] | None) -> tuple[int, ...]:
    """The grades that a rank can have, for a measure and arguments that can be used."""
    if not isinstance(measure, (*FREE, *BASED)):
        names = ", ".join(kind.name for kind in (*FREE, *BASED))
        raise UsageError(f"the scale of {measure} depends on more than a list of grades; expected one of {names}")
    if measure.cutoff is None:
        raise UsageError(f"{measure} has no cutoff; expected a number of ranks to fill; write {measure}@3")
    if isinstance(measure, BASED) and relevant is None:
        raise UsageError(
            f"the values of {measure} depend on how many relevant documents a query has; expected that number; "
            "write --relevant 2"
        )
    level = getattr(measure, "rel", 1)
    top = level if highest is None else highest
    grades = (0, level) if highest is None else tuple(range(top + 1))
    if not level <= top <= HIGHEST_GRADE:
        raise UsageError(
            f"highest={highest!r} cannot be used for {measure}; expected a grade from {level} to {HIGHEST_GRADE}; "
            "leave it out or change it"
        )
    if relevant is not None and (len(relevant) != len(grades) - 1 or min(relevant) < 0 or not any(relevant)):
        raise UsageError(
            f"relevant={tuple(relevant)} cannot be used; expected {len(grades) - 1} counts of 0 or more, one for each "
            f"of the grades {', '.join(map(str, grades[1:]))}, and one document at least"
        )
    return grades
