"""The data that simulated boards are drawn from, and pairs and boards of it whose truth is exact.

A query of a simulated board is a row of the data drawn with replacement, so the scores of all runs for it stay
together: their distributions and their dependence are those of the data, and the data's own means are the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps

SAME = 1e-12  # means that differ by less are equal
KEPT = 0.5  # of the queries' worth that tilted weights must leave: further from the data, and nothing is learnt of it
COPIED = 0.95  # the share of queries in which a near-copy has the score that it copies


@dataclass(frozen=True, eq=False, kw_only=True)
class Source:
    """Scores per query, and the SERPs behind them where there are any.

    scores  every value finite; higher is better (negate a measure where low is good)
    serps   one table per run of `scores`, in its order and with its queries; None where only scores are known
    cutoff  the ranks that outcomes and IPSO look at; level the lowest grade that is an answer; gains those of IPSO
    """

    scores: Scores
    serps: tuple[Serps, ...] | None = None
    cutoff: int | None = None
    level: int = 1
    gains: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        values = self.scores.values
        if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 2:
            runs = counted(values.shape[1] if values.ndim == 2 else 0, "run")
            raise UsageError(
                f"{runs} over {counted(len(values), 'query', 'queries')}; expected at least two of each to draw boards "
                "from; give more"
            )
        if not np.isfinite(values).all():
            raise UsageError(
                f"some scores of {self.scores.measure} are undefined; expected finite numbers; leave those queries out"
            )
        if self.serps is not None and tuple(run.run for run in self.serps) != self.scores.runs:
            raise UsageError("the SERPs are not those of the scores' runs; expected one per run, in the same order")
        if not len(self.pairs):
            raise UsageError("all runs have the same scores; expected two that differ; give other runs")

    @property
    def values(self) -> NDArray[np.float64]:
        """float64, queries x runs."""
        return self.scores.values

    @cached_property
    def pairs(self) -> NDArray[np.intp]:
        """The pairs of runs that differ in some query, pairs x 2."""
        i, j = np.triu_indices(self.values.shape[1], 1)
        codes = np.ascontiguousarray(self.values.T)
        differ = np.array([bool((codes[a] != codes[b]).any()) for a, b in zip(i, j, strict=True)])
        return np.column_stack([i[differ], j[differ]]).astype(np.intp)

    @cached_property
    def leads(self) -> NDArray[np.float64]:
        """Per pair: the mean difference, second minus first, and the mean of its square; pairs x 2."""
        means = self.values.mean(axis=0)
        gram = self.values.T @ self.values / len(self.values)
        i, j = self.pairs.T
        squares = gram[i, i] + gram[j, j] - 2.0 * gram[i, j]
        return np.column_stack([means[j] - means[i], np.maximum(squares, 0.0)])

    def pair(self, rng: np.random.Generator) -> NDArray[np.intp]:
        """Two runs that differ, in random order."""
        return rng.permutation(self.pairs[rng.integers(len(self.pairs))])

    def rows(self, queries: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """A number of queries, drawn with replacement."""
        return rng.integers(len(self.values), size=queries)


def swapped(
    pair: NDArray[np.float64], rng: np.random.Generator, chance: float = 0.5
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A pair of columns with the two scores of each query exchanged with this chance, and where they were."""
    swap = rng.random(len(pair)) < chance
    return np.where(swap[:, None], pair[:, ::-1], pair), swap


def tilted_weights(differences: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Weights w of the queries with sum of w d = 0, or None where they would leave less than half of the queries.

        w in proportion to exp(theta d): of all such weights those nearest to equal ones by Kullback-Leibler

    The runs then have the same true mean, every score is one of the data's, ties stay ties, and the differences stay as
    skewed as they are. Efron 1981, Nonparametric standard errors and confidence intervals (exponential tilting),
    https://doi.org/10.2307/3314608

    >>> weights = tilted_weights(np.array([0.1, 0.1, -0.2, 0.3, -0.1]))
    >>> bool(abs(weights @ np.array([0.1, 0.1, -0.2, 0.3, -0.1])) < 1e-12), round(float(weights.sum()), 9)
    (True, 1.0)
    """
    if not (differences > 0.0).any() or not (differences < 0.0).any():
        return None
    size = float(np.abs(differences).max())
    scaled = differences / size
    low, high = -50.0 * len(scaled), 50.0 * len(scaled)
    for _ in range(200):
        theta = (low + high) / 2
        mean = float(_weights(scaled, theta) @ scaled)
        low, high = (low, theta) if mean > 0.0 else (theta, high)
    weights = _weights(scaled, (low + high) / 2)
    return weights if 1.0 / float(weights @ weights) >= KEPT * len(scaled) else None


def _weights(scaled: NDArray[np.float64], theta: float) -> NDArray[np.float64]:
    powers = theta * scaled
    raw = np.exp(powers - powers.max())
    weights: NDArray[np.float64] = raw / raw.sum()
    return weights


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnBoard:
    """A simulated board and its truth.

    scores  of the runs r0, r1, ... for the queries that were drawn
    truth   the true mean of each
    """

    scores: Scores
    truth: NDArray[np.float64]

    @property
    def best(self) -> NDArray[np.bool_]:
        """Which runs are truly the best."""
        return np.asarray(self.truth >= self.truth.max() - SAME)


def draw_board(
    source: Source,
    queries: int,
    rng: np.random.Generator,
    *,
    runs: int,
    equal: int | None = None,
    share: float = 1.0,
) -> DrawnBoard:
    """A board of some runs of the data.

    equal  how many, the best of them, are made truly equal, by dealing out their scores again within each query; none
           if 0, all if None
    share  the share of queries in which they are dealt out; below 1 their true means are only closer
    """
    chosen = rng.permutation(source.values.shape[1])[:runs]
    means = source.values[:, chosen].mean(axis=0)
    chosen, means = chosen[np.argsort(-means, kind="stable")], -np.sort(-means)
    same = len(chosen) if equal is None else min(equal, len(chosen))
    values = source.values[np.ix_(source.rows(queries, rng), chosen)]
    if same:
        dealt = rng.permuted(values[:, :same], axis=1)
        if share < 1.0:
            dealt = np.where(rng.random((queries, 1)) < share, dealt, values[:, :same])
        values[:, :same] = dealt
        means[:same] = share * means[:same].mean() + (1.0 - share) * means[:same]
    order = rng.permutation(len(chosen))  # so that no place of a board is special
    return DrawnBoard(scores=as_scores(values[:, order]), truth=means[order])


def draw_copies(source: Source, queries: int, rng: np.random.Generator, *, runs: int) -> DrawnBoard:
    """A board of near-copies of one run and of two others, or one, all with the same true mean.

    The scores of a few runs are dealt out again within each query, so these are truly equal. A copy has the scores of
    the first, but in one query of twenty that of another of them.
    """
    few = min(max(2, min(3, runs - 1)), source.values.shape[1])
    chosen = rng.permutation(source.values.shape[1])[:few]
    base = rng.permuted(source.values[np.ix_(source.rows(queries, rng), chosen)], axis=1)
    copies = runs - few + 1
    other = rng.integers(1, few, (queries, copies))
    taken = np.where(rng.random((queries, copies)) < COPIED, 0, other)
    values = np.column_stack([np.take_along_axis(base, taken, axis=1), base[:, 1:]])
    mean = float(source.values[:, chosen].mean())
    return DrawnBoard(scores=as_scores(values[:, rng.permutation(runs)]), truth=np.full(runs, mean))


def as_scores(values: NDArray[np.float64], measure: str = "score") -> Scores:
    """Scores of r0, r1, ..."""
    return Scores(measure=measure, query_ids=query_ids(len(values)), runs=names(values.shape[1]), values=values)


@lru_cache(maxsize=32)
def query_ids(count: int) -> tuple[str, ...]:
    """Names for a number of simulated queries."""
    return tuple(f"q{number}" for number in range(1, count + 1))


@lru_cache(maxsize=32)
def names(count: int) -> tuple[str, ...]:
    """Names for a number of simulated runs."""
    return tuple(f"r{place}" for place in range(count))


def dealt_serps(
    serps: Sequence[Serps], rows: NDArray[np.intp], order: NDArray[np.intp], called: Sequence[str]
) -> tuple[Serps, ...]:
    """The SERPs of some rows dealt out: in row q the i-th run gets the list of run order[q, i]."""
    depth = max(run.depth for run in serps)
    grades = np.stack([_padded(run, depth)[rows] for run in serps], axis=1)
    retrieved = np.stack([run.retrieved[rows] for run in serps], axis=1)
    tied = np.stack([run.depth_tied[rows] for run in serps], axis=1)
    places = np.arange(len(rows))
    return tuple(
        Serps(
            run=called[place],
            query_ids=query_ids(len(rows)),
            grades=grades[places, order[:, place]],
            retrieved=retrieved[places, order[:, place]],
            judged=serps[0].judged[rows],
            depth_tied=tied[places, order[:, place]],
            tie_rule=serps[0].tie_rule,
            values=serps[0].values,
        )
        for place in range(order.shape[1])
    )


def _padded(serps: Serps, depth: int) -> NDArray[np.int8]:
    from runoff.tables.serps import NOTHING

    missing = depth - serps.depth
    return np.pad(serps.grades, ((0, 0), (0, missing)), constant_values=NOTHING) if missing else serps.grades
