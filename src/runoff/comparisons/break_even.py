"""Break-even of two runs: how many results a user has to read for the one to be the better choice, not the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_depth, check_same_ground
from runoff.errors import UsageError
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.scores import SLAB_CELLS
from runoff.tables.serps import Serps

LEVEL: Final = 0.95


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """A number of results at which the better run changes.

    results           the number of results
    ci95              the range around it in which neither run is shown to be better, None at an end that is open
    challenger_above  whether the challenger is better for users who read more than that
    """

    results: float
    ci95: tuple[int | None, int | None]
    challenger_above: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class BreakEvenResult(ReadOnlyArrays):
    """How much less a user reads with the challenger, by how many results they read at most.

    saved    float64, depth: the mean over queries of what the challenger saves a user who gives up after c results,
             c = 1, 2, ..., summed over relevant documents; below 0 the champion saves as much
    error    float64, depth: its standard error over queries
    ci95     float64, depth x 2: its 95% interval, Student's
    changes  the numbers of results at which the better run changes, ascending
    """

    champion: str
    challenger: str
    queries: int
    saved: NDArray[np.float64]
    error: NDArray[np.float64]
    ci95: NDArray[np.float64]
    changes: tuple[BreakEven, ...]

    @property
    def depth(self) -> int:
        """The most results that a user reads."""
        return len(self.saved)


def break_even(champion: Serps, challenger: Serps, *, cutoff: int, level: int = 1) -> BreakEvenResult:
    """For whom each of two runs is the better choice: users who give up after c results, for every c to the cutoff.

        D(c) = mean over queries of the sum over i <= max(n_A, n_B) of min(b_i, c) - min(a_i, c)

    with a_i and b_i the ranks of the i-th relevant document of each run, c where it is not found. `saved` is -D for B
    the challenger. Where one run finds more documents and the other finds them sooner, D changes its sign: the
    break-even. Its interval is the range of c around it at which a paired t test does not reject D(c) = 0. A document
    deep in the list never makes a run worse.

    cutoff  the last rank that counts; level the lowest grade that counts as relevant

    >>> from runoff.measures._example import serps_from
    >>> sooner, more = serps_from(*["1000000000"] * 9, relevant=2), serps_from(*["0010010000"] * 9, relevant=2)
    >>> result = break_even(sooner, more, cutoff=10)
    >>> result.saved.tolist()
    [0.0, -1.0, -2.0, -2.0, -2.0, -2.0, -1.0, 0.0, 1.0, 2.0]
    >>> [(change.results, change.challenger_above) for change in result.changes]
    [(8.0, True)]
    """
    from scipy.special import stdtrit

    check_same_ground((champion, challenger))
    for serps in (champion, challenger):
        check_depth(serps, cutoff)
    sums, squares, queries = np.zeros(cutoff), np.zeros(cutoff), 0
    rows = max(1, SLAB_CELLS // cutoff)
    for low in range(0, len(champion.query_ids), rows):
        shares_found = [_found_by(serps.rows(low, low + rows), cutoff, level) for serps in (champion, challenger)]
        # Reading on from rank c costs one more result for every document that is not found by then.
        saved = np.zeros_like(shares_found[0])
        np.cumsum((shares_found[1] - shares_found[0])[:, :-1], axis=1, out=saved[:, 1:])
        sums += saved.sum(axis=0)
        squares += (saved * saved).sum(axis=0)
        answerable = (champion.relevant(level)[low : low + rows] > 0) | (
            shares_found[0][:, -1] + shares_found[1][:, -1] > 0
        )
        queries += int(np.count_nonzero(answerable))
    if not queries:
        raise UsageError(f"no query has a relevant document at level {level}; expected one; choose a lower level")
    mean = sums / queries
    spread = np.maximum(squares - queries * mean * mean, 0.0) / max(queries - 1, 1)
    error = np.sqrt(spread / queries) if queries > 1 else np.full(cutoff, np.inf)
    half = float(stdtrit(max(queries - 1, 1), 0.5 + LEVEL / 2)) * error
    return BreakEvenResult(
        champion=champion.run,
        challenger=challenger.run,
        queries=queries,
        saved=mean,
        error=error,
        ci95=np.column_stack([mean - half, mean + half]),
        changes=_changes(mean, np.abs(mean) <= half),
    )


def _found_by(serps: Serps, cutoff: int, level: int) -> NDArray[np.float64]:
    """How many relevant documents are found by every rank, queries x cutoff; whole numbers."""
    shares = np.zeros((len(serps.query_ids), cutoff))
    grades = serps.grades[:, :cutoff]
    np.cumsum(grades >= serps.code_of(level), axis=1, out=shares[:, : grades.shape[1]])
    if grades.shape[1]:
        shares[:, grades.shape[1] :] = shares[:, grades.shape[1] - 1 : grades.shape[1]]
    return shares


def _changes(saved: NDArray[np.float64], is_open: NDArray[np.bool_]) -> tuple[BreakEven, ...]:
    """Where the sign changes, each with the stretch around it in which the t test does not reject 0 (`is_open`)."""
    signs = np.flatnonzero(saved)
    changes = []
    for before, after in zip(signs[:-1].tolist(), signs[1:].tolist(), strict=True):
        if saved[before] * saved[after] > 0.0:
            continue
        # Between whole numbers of results the curve is a straight line; where it is 0 for a while, take the middle.
        share = saved[before] / (saved[before] - saved[after]) if after == before + 1 else 0.5
        low, high = before, after
        while low >= 0 and is_open[low]:
            low -= 1
        while high < len(saved) and is_open[high]:
            high += 1
        changes.append(
            BreakEven(
                results=before + 1 + float(share) * (after - before),
                ci95=(
                    None if low < 0 else min(low + 2, before + 1),
                    None if high == len(saved) else max(high, after + 1),
                ),
                challenger_above=bool(saved[after] > 0.0),
            )
        )
    return tuple(changes)
