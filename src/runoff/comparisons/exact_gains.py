"""What each grade is worth to IPSO, as whole numbers, so that no rounding can turn a tie into a lead."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.significance._base import is_whole
from runoff.tables.serps import Serps

Gain = int | float | Fraction
_SIMPLE = 10**6
_ROOM = np.iinfo(np.int64).max


def whole_gains(gains: Sequence[Gain]) -> tuple[int, ...]:
    """The gains of grades 0, 1, ... times the smallest number that makes all of them whole.

    0.2 + 0.8 must be exactly 1.0 (Moffat & Mackenzie 2024, note 4), and in floating point 0.1 + 0.2 is not 0.3. So a
    float stands for the simplest fraction that it is the nearest float of, or else for its shortest decimal.

    >>> whole_gains([0, 0.2, 0.8, 1]), whole_gains([0, 1 / 3, 1])
    ((0, 1, 4, 5), (0, 1, 3))
    """
    fractions = [exact_gain(gain, grade) for grade, gain in enumerate(gains)]
    if not fractions or fractions[0] != 0:
        raise UsageError(
            f"the gain of grade 0 is {gains[0] if fractions else 'missing'}; expected 0, for a document that is not "
            "relevant; write --gains 0,0.5,1"
        )
    for grade, (lower, higher) in enumerate(itertools.pairwise(fractions), start=1):
        if higher < lower:
            raise UsageError(
                f"grade {grade} has the gain {gains[grade]}, less than the grade below it; expected gains that do not "
                "fall from one grade to the next; write --gains 0,0.5,1"
            )
    factor = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * factor) for fraction in fractions]
    shared = math.gcd(*whole) or 1
    return tuple(gain // shared for gain in whole)


def gain_table(
    serps: Sequence[Serps], *, depth: int, gains: Sequence[Gain] | None, level: int | None
) -> NDArray[np.int64]:
    """The whole gain of every grade from 0 to the highest in the labels; of one run or more.

    Where grades are fractions these are the gains of their codes, and a level is needed.

    gains  the gain of each grade; None: by level
    level  the lowest grade that gains 1, all below gain 0; None: 1 where the labels are binary, else an error
    """
    highest = 0
    for run in serps:
        in_labels = np.flatnonzero(run.judged.any(axis=0))
        highest = max(highest, int(in_labels[-1]) if in_labels.size else 0, int(run.grades.max(initial=0)))
    example = ",".join(f"{grade / max(highest, 1):.3g}" for grade in range(max(highest, 1) + 1))
    if gains is not None and level is not None:
        raise UsageError("gains and a relevance level are both given; expected one of them; leave one out")
    if level is not None:
        if not is_whole(level, 1):
            raise UsageError(f"relevance level {level!r} cannot be used; expected a whole number of 1 or more")
        return (np.arange(highest + 1) >= serps[0].code_of(level)).astype(np.int64)
    if serps[0].values is not None:
        raise UsageError(
            f"the labels have grades that are fractions, such as {_fraction(serps[0].values):g}, and gains are for "
            f"whole grades; expected a relevance level; write --level 1{'' if gains is None else ' instead of gains'}"
        )
    if gains is None:
        if highest > 1:
            raise UsageError(
                f"the labels have grades up to {highest}, and grades cannot be added up; expected a gain for each of "
                f"the grades 0 to {highest}; write --gains {example}, or --gains "
                f"{','.join(['0', *['1'] * highest])} to count every relevant document alike"
            )
        return np.array([0, 1], dtype=np.int64)
    whole = whole_gains(gains)
    if len(whole) <= highest:
        raise UsageError(
            f"there are gains for the grades 0 to {len(whole) - 1}, but the labels have grades up to {highest}; "
            f"expected a gain for each; write --gains {example}"
        )
    if whole[-1] * depth > _ROOM:
        raise UsageError(
            f"the gains {', '.join(map(str, gains))} have too many digits to be added up exactly to depth {depth}; "
            f"expected simple numbers; write --gains {example}"
        )
    return np.array(whole, dtype=np.int64)


def worth_finding(serps: Serps, table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per query, how many documents of the labels have a gain; where there is none, nobody can find any.

    table  the gain of each grade from 0, rising
    """
    if not table.any():
        return np.zeros(len(serps.judged), dtype=np.int64)
    counts: NDArray[np.int64] = serps.judged[:, max(int(np.argmax(table > 0)), 1) :].sum(axis=1)
    return counts


def exact_gain(gain: object, grade: int) -> Fraction:
    """The fraction that a gain stands for.

    >>> exact_gain(0.1, 1) + exact_gain(0.2, 2) == exact_gain(0.3, 3)
    True
    """
    if isinstance(gain, (int, float, Fraction)) and not isinstance(gain, bool) and 0 <= gain < math.inf:
        simple = Fraction(gain).limit_denominator(_SIMPLE) if isinstance(gain, float) else Fraction(gain)
        return simple if float(simple) == gain or not isinstance(gain, float) else Fraction(repr(float(gain)))
    raise UsageError(f"grade {grade} has the gain {gain!r}; expected a number of 0 or more; write --gains 0,0.5,1")


def _fraction(values: Sequence[float]) -> float:
    return next(grade for grade in values if grade != int(grade))
