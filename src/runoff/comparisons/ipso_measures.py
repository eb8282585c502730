"""IPSO and measures: which measures it binds (a non-inferior list never scores lower), and their differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.exact_gains import Gain, exact_gain, gain_table
from runoff.comparisons.ipso import IpsoResult
from runoff.measures import AP, ERR, ESL, RBP, RR, BinaryMeasure, Bpref, Judged, Measure, P, R, Rprec, Success, nDCG
from runoff.phrases import listed
from runoff.significance import whole_differences
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps, as_given, numbers_of

_Gap = tuple[str, str]
"""Why a measure is not bound, and what would help; both are empty for one that is."""
_NONE: Final[_Gap] = ("", "")
_MOST_NAMED: Final = 6
"""Of more fractions the lowest and the highest are named."""


@dataclass(frozen=True, kw_only=True)
class IpsoScopeResult:
    """Whether IPSO binds a measure.

    problem  why it does not; empty if it does
    remedy   what would help, in options of the command line; empty if nothing would
    """

    measure: str
    depth: int
    problem: str = ""
    remedy: str = ""

    @property
    def is_bound(self) -> bool:
        """Whether the measure can never score a non-inferior list lower, so that `‡` means something for it."""
        return not self.problem

    @property
    def reason(self) -> str:
        """Why `‡` is not given, as a sentence; empty if the measure is bound."""
        if self.is_bound:
            return ""
        return f"‡ is not given: {self.problem}{f'; {self.remedy}' if self.remedy else ''}."


def ipso_scope(
    serps: Sequence[Serps],
    measure: Measure,
    *,
    depth: int,
    gains: Sequence[Gain] | None = None,
    level: int | None = None,
) -> IpsoScopeResult:
    """Whether non-inferior to the depth implies a score of the measure that is not lower, for these labels and lists.

        P, R, Success, RR, AP, RBP   binary IPSO, at the measure's own relevance level
        Rprec                        the same, if no query has more relevant documents than the depth
        nDCG, RBP with gains         if the gains of the grades in the labels are proportional to those of IPSO
        ERR                          if the labels have one positive grade, and IPSO counts it
        RR, Success                  also graded IPSO, at the lowest grade with a positive gain
        Bpref, ESL, Judged           never

    Where grades are fractions, IPSO is binary at a level, and a measure counts the same documents if the same grades of
    the labels reach its own level.

    A cutoff may not be beyond the depth; without one, all lists have to end by it. IPSO is binary with a level, with
    labels of one grade, and with gains that are the same for all grades in the labels that have any.

    Moffat & Mackenzie 2024, section 2, https://doi.org/10.1002/asi.24874, where all measures are binary and cut at k.

    serps  two runs or more over the same queries with the same labels; depth, gains and level as in `ipso`

    >>> from runoff.measures._example import serps_from
    >>> pair = serps_from("1100"), serps_from("1010")
    >>> ipso_scope(pair, nDCG @ 4, depth=4).is_bound
    True
    >>> ipso_scope(pair, nDCG @ 20, depth=10).reason
    '‡ is not given: nDCG@20 looks deeper than the IPSO depth of 10; use --depth 20.'
    """
    table = gain_table(serps, depth=depth, gains=gains, level=level)
    setting = _Setting(
        table=tuple(table.tolist()),
        lowest=int(np.argmax(table > 0)) if table.any() else serps[0].code_of(level or len(table)),
        grades=tuple((np.flatnonzero(serps[0].judged[:, 1:].any(axis=0)) + 1).tolist()),
        gains=None if gains is None else tuple(gains),
        serps=serps[0],
        level=level,
    )
    rule = _RULES.get(type(measure), _unknown)
    gap = rule(measure, setting)
    if gap == _NONE:
        gap = _reach(measure, serps, depth)
    return IpsoScopeResult(measure=str(measure), depth=depth, problem=gap[0], remedy=gap[1])


@dataclass(frozen=True)
class _Setting:
    """What IPSO adds up; grades are codes here, which differ from the grades where `serps.values` holds fractions.

    table   the whole gain of each grade from 0
    lowest  the lowest grade with a positive gain
    grades  the positive grades in the labels, ascending
    gains   the gains as they were given; None with a level
    """

    table: tuple[int, ...]
    lowest: int
    grades: tuple[int, ...]
    gains: tuple[Gain, ...] | None
    serps: Serps
    level: int | None

    @property
    def numbers(self) -> list[float]:
        """The grade of each code, from 0."""
        return [as_given(grade) for grade in numbers_of(len(self.table), self.serps.values).tolist()]

    @property
    def lowest_text(self) -> str:
        """The lowest grade with a positive gain, or the level that was given for it."""
        return str(self.lowest if self.serps.values is None else self.level)

    @property
    def is_binary(self) -> bool:
        """Whether all documents that gain anything gain the same."""
        return len({self.table[grade] for grade in self.grades} - {0}) <= 1

    @property
    def instead(self) -> str:
        """What follows `--level` in a remedy."""
        return "" if self.gains is None else " instead of --gains"

    def gain_texts(self, grades: Sequence[int]) -> list[str]:
        """The gains of some grades, as they were given."""
        return [_text(self.table[grade] if self.gains is None else self.gains[grade]) for grade in grades]


def _counts_relevant(measure: BinaryMeasure, setting: _Setting) -> _Gap:
    """A measure of how many documents are relevant, and where: the same documents have to count for IPSO, alike."""
    if not setting.is_binary:
        return f"{measure} counts relevant documents, while IPSO adds up gains", _use_level(measure.rel, setting)
    return _finds_first(measure, setting)


def _finds_first(measure: BinaryMeasure, setting: _Setting) -> _Gap:
    """A measure of the first relevant document: where the gain begins, whatever it is."""
    if setting.serps.code_of(measure.rel) == setting.lowest:
        return _NONE
    problem = f"{measure} counts grades from {measure.rel} as relevant, and IPSO grades from {setting.lowest_text}"
    return problem, _use_level(measure.rel, setting)


def _weighs_grades(measure: nDCG | RBP, setting: _Setting) -> _Gap:
    """A sum of gains that weigh less with every rank: gains have to be proportional to those of IPSO."""
    own = _gains_of(measure, setting.numbers)
    grades = (0, *setting.grades)
    factors = {own[grade] / setting.table[grade] for grade in grades if setting.table[grade]}
    is_nothing = all(own[grade] == 0 for grade in grades if not setting.table[grade])
    if is_nothing and len(factors) <= 1 and 0 not in factors:
        return _NONE
    named_grades = grades if own[0] else setting.grades
    if setting.serps.values is not None and len(named_grades) > _MOST_NAMED:
        problem = f"{_grades(named_grades, setting)} have gains of their own in {measure}"
        return f"{problem}, and IPSO counts all from {setting.lowest_text} alike", ""
    theirs, ours = [_text(own[grade]) for grade in named_grades], setting.gain_texts(named_grades)
    is_one = len(named_grades) == 1
    gains = [listed(texts, len(texts)) for texts in (theirs, ours)]
    problem = (
        f"the {'gain' if is_one else 'gains'} of {_grades(named_grades, setting)} {'is' if is_one else 'are'} "
        f"{gains[0]} in {measure} but {gains[1]} in IPSO{'' if is_one else ', which is not proportional'}"
    )
    can_be_added = setting.serps.values is None and own[0] == 0 and own == sorted(own) and own[-1] > 0
    return problem, f"use --gains {','.join(map(_text, own))}" if can_be_added else ""


def _weighs_or_counts(measure: RBP, setting: _Setting) -> _Gap:
    return _counts_relevant(measure, setting) if measure.gains is None else _weighs_grades(measure, setting)


def _stops_by_grade(measure: ERR, setting: _Setting) -> _Gap:
    """ERR of several grades: 0000122 is non-inferior to 0000003 under gains 2^g - 1, and its ERR is lower."""
    if len(setting.grades) > 1:
        grades = _grades(setting.grades, setting)
        problem = f"with {grades} in the labels, a list that is non-inferior by IPSO can have a lower {measure}"
        return problem, f"choose another measure, such as {nDCG(cutoff=measure.cutoff)}"
    if setting.grades and setting.grades[0] < setting.lowest:
        grade = setting.numbers[setting.grades[0]]
        problem = f"{measure} counts grade {grade} as relevant, and IPSO grades from {setting.lowest_text}"
        return problem, _use_level(int(grade), setting) if grade >= 1 else ""
    return _NONE


def _sees_nonrelevant(measure: Bpref, setting: _Setting) -> _Gap:  # noqa: ARG001
    return (
        f"{measure} depends on documents that were judged not relevant, which IPSO treats like unjudged ones",
        "choose another measure, such as AP",
    )


def _is_undefined_in_part(measure: ESL, setting: _Setting) -> _Gap:  # noqa: ARG001
    problem = f"{measure} is undefined where nothing relevant is found, so finding something late can make it worse"
    return problem, f"choose {RR(rel=measure.rel, cutoff=measure.cutoff)}"


def _counts_judged(measure: Judged, setting: _Setting) -> _Gap:  # noqa: ARG001
    return f"{measure} counts judged documents, whether they are relevant or not", "choose another measure, such as P"


def _unknown(measure: Measure, setting: _Setting) -> _Gap:  # noqa: ARG001
    return f"it is not known whether IPSO binds {measure}", "choose a measure that runoff computes"


def _reach(measure: Measure, serps: Sequence[Serps], depth: int) -> _Gap:
    """Whether the measure looks at ranks that IPSO does not see."""
    if isinstance(measure, Rprec):
        relevant = serps[0].relevant(measure.rel)
        more = int(np.count_nonzero(relevant > depth))
        problem = (
            f"{measure} looks at as many ranks as a query has relevant documents, and {more:,} "
            f"{'query has' if more == 1 else 'queries have'} more than the IPSO depth of {depth}"
        )
        return (problem, f"use --depth {relevant.max()}") if more else _NONE
    if measure.cutoff is not None:
        problem = f"{measure} looks deeper than the IPSO depth of {depth}"
        return (problem, f"use --depth {measure.cutoff}") if measure.cutoff > depth else _NONE
    longer = sum(int(np.count_nonzero(run.retrieved > depth)) for run in serps)
    problem = (
        f"{measure} looks at whole lists, and {longer:,} of them {'is' if longer == 1 else 'are'} longer than the IPSO "
        f"depth of {depth}"
    )
    return (problem, f"choose {measure @ depth}") if longer else _NONE


def _gains_of(measure: nDCG | RBP, grades: Sequence[float]) -> list[Fraction]:
    """The gain of some grades to the measure."""
    gains = {float(grade): gain for grade, gain in (measure.gains or {}).items()}
    if isinstance(measure, RBP):
        values: list[Any] = [gains.get(grade, 0) for grade in grades]
    elif measure.gains is not None:
        values = [gains.get(grade, grade) for grade in grades]
    else:
        values = [grade if measure.dcg == "log2" else 2**grade - 1 for grade in grades]
    return [exact_gain(value, code) for code, value in enumerate(values)]


def _use_level(level: int, setting: _Setting) -> str:
    return f"use --level {level}{setting.instead}"


def _grades(grades: Sequence[int], setting: _Setting) -> str:
    if setting.serps.values is not None and len(grades) > _MOST_NAMED:
        return f"{len(grades):,} grades from {setting.numbers[grades[0]]} to {setting.numbers[grades[-1]]}"
    numbers = listed([str(setting.numbers[grade]) for grade in grades], most=len(grades))
    return f"{'grade' if len(grades) == 1 else 'grades'} {numbers}"


def _text(gain: Gain) -> str:
    return f"{float(gain):.6g}"


_RULES: Final[dict[type[Measure], Callable[[Any, _Setting], _Gap]]] = {
    RR: _finds_first,
    Success: _finds_first,
    AP: _counts_relevant,
    P: _counts_relevant,
    R: _counts_relevant,
    Rprec: _counts_relevant,
    RBP: _weighs_or_counts,
    nDCG: _weighs_grades,
    ERR: _stops_by_grade,
    Bpref: _sees_nonrelevant,
    ESL: _is_undefined_in_part,
    Judged: _counts_judged,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class IpsoDifferences(ReadOnlyArrays):
    """One of the last columns of the paper's Figure 5; rows are the queries of an `IpsoResult`.

    values   float64: the first run's score less the second's; NaN where the measure is undefined for one of them
    favours  int8: 1 the first run, -1 the second, 0 neither
    """

    measure: str
    values: NDArray[np.float64]
    favours: NDArray[np.int8]


def ipso_differences(
    result: IpsoResult, first: Serps, second: Serps, measures: Sequence[Measure]
) -> tuple[IpsoDifferences, ...]:
    """What some measures say of the same two runs, for the queries that IPSO compares.

    Moffat & Mackenzie 2024, Figures 5 and 6, https://doi.org/10.1002/asi.24874

    first, second  the SERPs that `result` is of, deep enough for the measures

    >>> from runoff.comparisons import ipso
    >>> from runoff.measures._example import serps_from
    >>> from runoff.measures import P, RR
    >>> pair = serps_from("0010001000"), serps_from("0001010000")  # topic 325 of Figure 5
    >>> found = ipso_differences(ipso(*pair, depth=10), *pair, [RR @ 10, P @ 10])
    >>> [(one.measure, round(float(one.values[0]), 2), int(one.favours[0])) for one in found]
    [('RR@10', 0.08, 1), ('P@10', 0.0, 0)]
    """
    compared = set(result.query_ids)
    is_compared = np.array([query in compared for query in first.query_ids], dtype=np.bool_)
    return tuple(
        _differences(measure, measure.values(first)[is_compared], measure.values(second)[is_compared])
        for measure in measures
    )


def _differences(measure: Measure, first: NDArray[np.float64], second: NDArray[np.float64]) -> IpsoDifferences:
    defined = ~(np.isnan(first) | np.isnan(second))
    favours = np.zeros(len(first), dtype=np.int8)
    sides = np.sign(whole_differences(second[defined], first[defined])).astype(np.int8)
    favours[defined] = -sides if measure.best == "low" else sides
    return IpsoDifferences(measure=str(measure), values=first - second, favours=favours)
