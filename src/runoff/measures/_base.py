"""The contract of a measure: a frozen value that knows its facts, checks its parameters and scores SERPs.

A measure is a value: it compares by its parameters, prints as it is typed (`RBP(p=0.8)@10`), and turns the SERPs of one
run into one number per query. What it is called, who defined it, and on which scale its values are, is in the same
file as the computation.
"""

from __future__ import annotations

import math
from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MeasureError, UsageError
from runoff.measures._trec_eval_names import ALONE, CUT
from runoff.rows import HIGHEST_GRADE
from runoff.tables.scores import SLAB_CELLS
from runoff.tables.serps import Serps

Scale = Literal["ordinal", "interval", "ratio"]
CutoffUse = Literal["optional", "required", "none"]

M = TypeVar("M", bound="Measure")


class MeasureType(ABCMeta):
    """Lets a measure's class be typed like the measure: `nDCG @ 10` is `nDCG(cutoff=10)`."""

    def __matmul__(cls: type[M], cutoff: int) -> M:  # type: ignore[misc]  # cls is a class whose type is this one
        return cls(cutoff=cutoff)


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(metaclass=MeasureType):
    """What every measure has; a listed measure sets the facts and defines `_values`.

    cutoff    the last rank that counts (the k of `@k`); None is the whole list
    spelling  the text that the measure was read from; it plays no part in equality
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    description: ClassVar[str]
    source: ClassVar[str]
    scale_reason: ClassVar[str]
    value_range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    best: ClassVar[Literal["high", "low"]] = "high"
    cutoff_use: ClassVar[CutoffUse] = "optional"

    cutoff: int | None = None
    spelling: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.cutoff is None:
            return
        if self.cutoff_use == "none":
            raise MeasureError(f"{self.name} takes no cutoff; expected the whole list; write {self.name} without '@'")
        check_whole_number(self.name, "cutoff", self.cutoff)

    @property
    @abstractmethod
    def scale(self) -> Scale:
        """The scale type of the values under the conservative reading of measurement theory."""

    @abstractmethod
    def _values(self, serps: Serps) -> NDArray[np.float64]:
        """The values for SERPs that are known to be deep enough."""

    def values(self, serps: Serps) -> NDArray[np.float64]:
        """One value per query of `serps`, shape (queries,); NaN where the measure is undefined (only ESL is)."""
        self.require_cutoff()
        self._check_depth(serps)
        queries, rows = len(serps.query_ids), max(1, SLAB_CELLS // max(1, serps.depth))
        if queries <= rows:
            return self._values(serps)
        scores = np.empty(queries)
        for low in range(0, queries, rows):
            scores[low : low + rows] = self._values(serps.rows(low, min(low + rows, queries)))
        return scores

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """The parameters that the measure takes, in the order in which they print; `cutoff` comes last."""
        own = [f.name for f in fields(cls) if f.name not in ("cutoff", "spelling")]
        return (*own, "cutoff") if cls.cutoff_use != "none" else tuple(own)

    def require_cutoff(self) -> None:
        """Refuse a measure that means nothing without `@k`; `P(rel=2)` alone is only a step towards `P(rel=2) @ 10`."""
        if self.cutoff_use == "required" and self.cutoff is None:
            raise MeasureError(f"{self} has no cutoff; expected a last rank k; write {self}@k, for example {self}@10")

    def _check_depth(self, serps: Serps) -> None:
        needed = serps.retrieved if self.cutoff is None else np.minimum(serps.retrieved, self.cutoff)
        cut_off = int((needed > serps.depth).sum())
        if cut_off:
            ranks = "the whole list" if self.cutoff is None else f"{self.cutoff} ranks"
            raise UsageError(
                f"{self} needs {ranks}, but the SERPs of run '{serps.run}' keep {serps.depth} and {cut_off:,} of its "
                f"lists are longer; build them with a depth of {ranks} or use a smaller cutoff"
            )

    @property
    def trec_eval_name(self) -> str:
        """What trec_eval calls the measure; runoff's name where it has none.

        >>> from runoff.measures import AP, RBP, nDCG
        >>> [measure.trec_eval_name for measure in (nDCG @ 10, AP(), RBP(p=0.9))]
        ['ndcg_cut_10', 'map', 'RBP(p=0.9)']
        """
        names = ALONE if self.cutoff is None else CUT
        theirs = next((theirs for theirs, ours in names.items() if ours == self.name), None)
        if theirs is None or self != type(self)(cutoff=self.cutoff):
            return str(self)
        return theirs if self.cutoff is None else f"{theirs}_{self.cutoff}"

    def __matmul__(self, cutoff: int) -> Self:
        return replace(self, cutoff=cutoff, spelling=None)

    def __str__(self) -> str:
        return self.spelling or self._canonical()

    __repr__ = __str__

    def _canonical(self) -> str:
        """The form ir_measures prints: parameters that are not the default, then `@cutoff`."""
        defaults = {f.name: f.default for f in fields(self)}
        parameters = [(name, getattr(self, name)) for name in self.parameters() if name != "cutoff"]
        changed = ",".join(f"{name}={value!r}" for name, value in parameters if value != defaults[name])
        cut = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({changed}){cut}" if changed else f"{self.name}{cut}"


@dataclass(frozen=True, kw_only=True, repr=False)
class BinaryMeasure(Measure):
    """A measure that asks only whether a document is relevant: its grade is `rel` or higher."""

    rel: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole_number(self.name, "rel", self.rel, high=HIGHEST_GRADE)


def check_whole_number(measure: str, parameter: str, value: object, *, high: int | None = None) -> None:
    """Refuse a parameter that is not a whole number from 1 to `high`."""
    right_kind = isinstance(value, int) and not isinstance(value, bool)
    if not right_kind or value < 1 or (high is not None and value > high):  # type: ignore[operator]  # an int here
        expected = "a whole number of 1 or more" if high is None else f"a whole number from 1 to {high}"
        example = f"{measure}@10" if parameter == "cutoff" else f"{measure}({parameter}=2)"
        raise MeasureError(f"{measure}: {parameter}={value!r} cannot be used; expected {expected}; write {example}")


class Gains(Mapping[int, float]):
    """A frozen mapping from grade to gain that hashes, and prints as ir_measures reads it: `{0:0,1:0.5,2:1}`."""

    def __init__(self, pairs: Mapping[int, float]) -> None:
        self._pairs = dict(sorted(pairs.items()))

    def __getitem__(self, grade: int) -> float:
        return self._pairs[grade]

    def __iter__(self) -> Iterator[int]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __hash__(self) -> int:
        return hash(tuple(self._pairs.items()))

    def __repr__(self) -> str:
        return "{" + ",".join(f"{grade}:{gain!r}" for grade, gain in self._pairs.items()) + "}"

    def table(self, grades: NDArray[np.float64]) -> NDArray[np.float64]:
        """The gain of each grade; one that is not in the mapping, such as a fraction, is worth itself."""
        by_grade = {float(grade): gain for grade, gain in self._pairs.items()}
        return np.array([by_grade.get(grade, grade) for grade in grades.tolist()], dtype=np.float64)


def check_gains(measure: str, gains: object, *, highest: float = math.inf) -> Gains:
    """Refuse gains that are not a mapping from grades to numbers from 0 to `highest`."""
    example = f"write {measure}(gains={{1:0.5,2:1}})"
    if not isinstance(gains, Mapping) or not gains:
        raise MeasureError(f"{measure}: gains={gains!r} cannot be used; expected a gain for each grade; {example}")
    for grade, gain in gains.items():
        if not isinstance(grade, int) or isinstance(grade, bool) or grade < 0:
            raise MeasureError(f"{measure}: gains has the grade {grade!r}; expected a whole number from 0; {example}")
        if not isinstance(gain, (int, float)) or isinstance(gain, bool) or not 0 <= gain <= highest or gain == math.inf:
            limit = "0 or more" if highest == math.inf else f"from 0 to {highest:g}"
            raise MeasureError(f"{measure}: grade {grade} has the gain {gain!r}; expected a number {limit}; {example}")
    return Gains(gains)


def found(grades: NDArray[np.int8], code: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and rank (from 1) of every cell of at least `code`, row by row in rank order."""
    flat = np.flatnonzero(grades >= code)
    rows, columns = np.divmod(flat, max(grades.shape[1], 1))
    return rows, columns + 1


def count_found(grades: NDArray[np.int8], code: int) -> NDArray[np.int64]:
    """Per row, how many cells are of at least `code`."""
    counts: NDArray[np.int64] = np.count_nonzero(grades >= code, axis=1)
    return counts


def first_rank(grades: NDArray[np.int8], code: int) -> NDArray[np.float64]:
    """Per row, the rank of the first cell of at least `code`; NaN where there is none."""
    if grades.shape[1] == 0:
        return np.full(grades.shape[0], np.nan)
    hits = grades >= code
    columns = hits.argmax(axis=1)
    is_hit = hits[np.arange(len(columns)), columns]
    return np.where(is_hit, columns + 1.0, np.nan)


def begin_of_row(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For ascending row numbers, the place of the first entry of the same row."""
    highest = int(rows[-1]) if len(rows) else -1
    return np.searchsorted(rows, np.arange(highest + 1))[rows]


def place_in_row(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For ascending row numbers, how many earlier entries have the same row."""
    return np.arange(len(rows)) - begin_of_row(rows)


def sum_by_row(rows: NDArray[np.int64], weights: NDArray[np.float64], serps: Serps) -> NDArray[np.float64]:
    """Per query, the sum of the weights of its entries, added in the order given."""
    sums: NDArray[Any] = np.bincount(rows, weights=weights, minlength=len(serps.query_ids))
    return sums.astype(np.float64, copy=False)  # numpy gives integers where there is nothing to sum


def share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """`part / whole`, 0 where the whole is 0."""
    shares: NDArray[np.float64] = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
    return shares
