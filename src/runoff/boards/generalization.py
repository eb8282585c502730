"""Generalisation: whether the order of the runs is the same under other queries, labels and measures."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import IntegerScores, make_grid
from runoff.boards.kendall import (
    NoReference,
    Starts,
    TauReference,
    half_orders,
    half_reference,
    split_reference,
    tau_b,
)
from runoff.boards.stability import StabilityResult, redraw_board
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.scores import Scores


@dataclass(frozen=True, eq=False, kw_only=True)
class GeneralizationResult(ReadOnlyArrays):
    """The ranks of the same runs under several conditions; arrays are in the order of `conditions` and `runs`.

    stabilities     the stability of the board under each condition
    expected_ranks  mean rank over the trials, runs x conditions
    spreads         highest minus lowest expected rank, per run
    taus            Kendall's tau-b between the orders of the mean scores, conditions x conditions
    references      what the tau of two conditions can be compared with, by their places, the lower first
    """

    conditions: tuple[str, ...]
    runs: tuple[str, ...]
    trials: int
    seed: int
    stabilities: tuple[StabilityResult, ...]
    expected_ranks: NDArray[np.float64]
    spreads: NDArray[np.float64]
    taus: NDArray[np.float64]
    references: Mapping[tuple[int, int], TauReference]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "references", MappingProxyType(dict(self.references)))


def generalization(
    conditions: Mapping[str, Scores],
    *,
    labels: Mapping[str, str] | None = None,
    trials: int = 1000,
    seed: int = 0,
    best_is_low: Collection[str] = (),
) -> GeneralizationResult:
    """Compare the ranks of the same runs under named conditions, each with its own queries, labels and measure.

    labels       the label set of each condition, by its name; None where all have the same
    best_is_low  the conditions in which a low score is good

    Conditions over the same queries draw the same queries in each trial; all others are drawn apart. Tau of two
    disjoint query sets with the same labels and measure comes with random splits of their queries (`SplitReference`),
    tau of two conditions on the same queries with random halves (`HalfReference`); others have no reference
    (`NoReference`).

    Craswell et al. 2021, MS MARCO: Benchmarking ranking models in the large-data regime, section 3.2 and figure 4,
    https://doi.org/10.1145/3404835.3462804

    >>> values = np.array([[1, 1, 0], [0.5, 0.5, 0.5], [1, 0.5, 0], [0, 1, 0.5], [1, 0.5, 0]])
    >>> names = {"query_ids": tuple("abcde"), "runs": ("oak", "ash", "fir")}
    >>> first = Scores(measure="RR@10", values=values, **names)
    >>> result = generalization({"RR": first, "found": Scores(measure="R@10", values=np.ceil(values), **names)})
    >>> result.expected_ranks.round(1).tolist(), result.taus[0].round(2).tolist()
    ([[1.5, 2.0], [1.5, 1.2], [3.0, 2.9]], [1.0, 0.82])
    """
    check_sampling(seed, trials)
    boards = _aligned(conditions)
    unknown = set(best_is_low) - set(boards)
    if unknown:
        raise UsageError(f"best_is_low names {sorted(unknown)}; expected conditions, of {', '.join(boards)}")
    query_sets: dict[tuple[str, ...], int] = {}
    stabilities: list[StabilityResult] = []
    grids: dict[str, IntegerScores] = {}
    for name, scores in boards.items():
        number = query_sets.setdefault(tuple(scores.query_ids), len(query_sets))
        grids[name] = make_grid(scores, best_is_low=name in best_is_low)
        stabilities.append(redraw_board(scores, grids[name], trials=trials, seed=seed, query_set=number))
    expected = np.stack([result.expected_ranks for result in stabilities], axis=1)
    doubled = [(2 * result.ranks[None, :]).astype(np.int32) for result in stabilities]  # ranks may end in .5
    taus = np.empty((len(boards), len(boards)))
    for i in range(len(boards)):
        for j in range(i, len(boards)):
            taus[i, j] = taus[j, i] = tau_b(doubled[i], doubled[j])[0]
    return GeneralizationResult(
        conditions=tuple(boards),
        runs=stabilities[0].runs,
        trials=trials,
        seed=seed,
        stabilities=tuple(stabilities),
        expected_ranks=expected,
        spreads=np.ptp(expected, axis=1),
        taus=taus,
        references=_references(boards, grids, labels or {}, trials=trials, seed=seed),
    )


def _references(
    boards: Mapping[str, Scores],
    grids: Mapping[str, IntegerScores],
    labels: Mapping[str, str],
    *,
    trials: int,
    seed: int,
) -> dict[tuple[int, int], TauReference]:
    """What tau of each two conditions can be compared with."""
    names = tuple(boards)
    halves: dict[str, tuple[Starts, Starts]] = {}
    references: dict[tuple[int, int], TauReference] = {}
    for i, j in itertools.combinations(range(len(names)), 2):
        first, second = boards[names[i]], boards[names[j]]
        why = _no_reference(first, second, same_labels=labels.get(names[i]) == labels.get(names[j]))
        if why:
            references[i, j] = NoReference(why=why)
        elif first.query_ids != second.query_ids:
            references[i, j] = split_reference(first, second, trials=trials, seed=seed)
        else:
            for name in {names[i], names[j]} - halves.keys():
                halves[name] = half_orders(grids[name], trials=trials, seed=seed)
            references[i, j] = half_reference(halves[names[i]], halves[names[j]])
    return references


def _no_reference(first: Scores, second: Scores, *, same_labels: bool) -> str:
    """Why two conditions have nothing to compare their tau with; empty where they have."""
    if first.query_ids == second.query_ids:
        return "" if len(first.query_ids) > 1 else "a single query cannot be halved"
    shared = len({*first.query_ids} & {*second.query_ids})
    if shared:
        return f"the query sets share {shared:,} {'query' if shared == 1 else 'queries'}, but are not the same"
    differ = [*([] if same_labels else ["labels"]), *([] if first.measure == second.measure else ["measures"])]
    return f"the queries differ, and so do the {' and the '.join(differ)}" if differ else ""


def _aligned(conditions: Mapping[str, Scores]) -> dict[str, Scores]:
    """The conditions with their runs in the same order and, where the queries are the same, these too."""
    if len(conditions) < 2:
        raise UsageError(f"there are {len(conditions)} conditions; expected two or more; name another one")
    runs = next(iter(conditions.values())).runs
    if len(runs) < 2:
        raise UsageError(f"the board has {len(runs)} run; expected two or more, since orders are compared")
    orders: dict[frozenset[str], tuple[str, ...]] = {}
    aligned = {}
    for name, scores in conditions.items():
        if sorted(scores.runs) != sorted(runs):
            odd = sorted(set(scores.runs) ^ set(runs))
            raise UsageError(
                f"condition '{name}' has not the runs of the first one: {', '.join(odd[:5])} in one of them only; "
                "expected the same runs; score all runs under every condition"
            )
        query_ids = orders.setdefault(frozenset(scores.query_ids), tuple(scores.query_ids))
        columns = [scores.runs.index(run) for run in runs]
        place = {query_id: row for row, query_id in enumerate(scores.query_ids)}
        values = scores.values[np.ix_([place[query_id] for query_id in query_ids], columns)]
        aligned[name] = Scores(measure=scores.measure, query_ids=query_ids, runs=runs, values=values)
    return aligned
