"""All pairs of a board: tests, outcomes and IPSO beside scipy and plain Python, which do a sample of the pairs."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.tables import Benchmark, Scale, Section, Target, seconds, times

RUNS: Final = 100
DEPTH: Final = 100
SCIPY_PAIRS: Final = 40
PLAIN_PAIRS: Final = 2
LOOP_PAIRS: Final = 200
"""Pairs that the peers do; their time is scaled up to all pairs."""
DENSE: Final = 0.2
"""The share of relevant ranks on the dense board."""


def measure(scale: Scale) -> Section:
    """Time one board of sparse labels and one of dense labels."""
    runs, queries = (RUNS, scale.main) if scale.main > 1000 else (6, 50)
    pairs = runs * (runs - 1) // 2
    sparse, dense = _board(runs, queries, sparse=True), _board(runs, queries, sparse=False)
    rows, targets = [], []
    for name, ours, theirs, done, limit in (
        ("RR@100: t, signed rank, rank sum, sign / scipy loop", lambda: _tests(sparse),
         lambda: _scipy(sparse, SCIPY_PAIRS), min(SCIPY_PAIRS, pairs), 20.0),
        ("more and sooner, one relevant document / loop over pairs", lambda: _facets(sparse),
         lambda: _loop_facets(sparse, LOOP_PAIRS), min(LOOP_PAIRS, pairs), 1.0),
        ("more and sooner, 20% relevant / loop over pairs", lambda: _facets(dense),
         lambda: _loop_facets(dense, LOOP_PAIRS), min(LOOP_PAIRS, pairs), 5.0),
        ("IPSO to depth 100, one relevant document / plain scan", lambda: _ipso(sparse),
         lambda: _plain_ipso(sparse, PLAIN_PAIRS), PLAIN_PAIRS, 100.0),
        ("IPSO to depth 100, 20% relevant / plain scan", lambda: _ipso(dense),
         lambda: _plain_ipso(dense, PLAIN_PAIRS), PLAIN_PAIRS, 100.0),
    ):  # fmt: skip
        fast, slow = _interleave(ours, theirs, scale.slow_rounds or 1)
        best, median = (how(slow) * pairs / done / how(fast) for how in (min, statistics.median))
        rows.append([name, seconds(min(fast)), seconds(min(slow) * pairs / done), times(best), times(median)])
        targets.append(Target(f"all_pairs: {name}", "at least", limit, "×", best, median))
    return Section(
        f"all_pairs: {pairs:,} pairs of {runs} runs on {queries:,} queries",
        ["what / peer", "runoff best s", "peer best s, all pairs", "ratio, best", "median"],
        rows,
        [
            f"Peers do {SCIPY_PAIRS} (scipy), {LOOP_PAIRS} (numpy) or {PLAIN_PAIRS} (plain) pairs in turn with us.",
        ],
        targets,
    )


def _board(runs: int, queries: int, *, sparse: bool) -> list[Any]:
    from runoff.tables import Serps

    rng = np.random.default_rng(0)
    ids = tuple(map(str, range(queries)))
    board = []
    for run in range(runs):
        grades = np.zeros((queries, DEPTH), dtype=np.int8)
        if sparse:
            ranks = np.minimum(rng.zipf(1.35, queries), 10 * DEPTH) - 1
            found = np.flatnonzero(ranks < DEPTH)
            grades[found, ranks[found]] = 1
        else:
            grades[rng.random((queries, DEPTH)) < DENSE] = 1
        board.append(
            Serps(
                run=f"run {run}",
                query_ids=ids,
                grades=grades,
                retrieved=np.full(queries, DEPTH),
                judged=np.tile([0, 1 if sparse else DEPTH], (queries, 1)),
                depth_tied=np.zeros(queries, dtype=np.bool_),
                tie_rule="trec_eval",
            )
        )
    return board


def _interleave(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int
) -> tuple[list[float], list[float]]:
    ours()  # imports and caches
    fast: list[float] = []
    slow: list[float] = []
    for _ in range(rounds):
        for function, times_taken in ((ours, fast), (theirs, slow)):
            begin = time.perf_counter()
            function()
            times_taken.append(time.perf_counter() - begin)
            print(f"  {times_taken[-1]:.2f} s", file=sys.stderr, flush=True)
    return fast, slow


def _rr(board: Sequence[Any]) -> Any:
    from runoff.measures import RR

    return np.column_stack([RR(cutoff=DEPTH).values(one) for one in board])


def _tests(board: Sequence[Any]) -> None:
    from runoff.significance import rank_sum_all_pairs, sign_all_pairs, signed_rank_all_pairs, t_all_pairs

    values = _rr(board)
    for kernel in (t_all_pairs, signed_rank_all_pairs, rank_sum_all_pairs, sign_all_pairs):
        kernel(values)


def _facets(board: Sequence[Any]) -> None:
    from runoff.comparisons import outcomes_all_pairs
    from runoff.significance import SignedRank

    outcomes_all_pairs(board, SignedRank(), cutoff=DEPTH)


def _loop_facets(board: Sequence[Any], count: int) -> None:
    """The same pair by pair, each over all queries at once; the ranks of a run are found once."""
    from runoff.comparisons._inputs import relevant_ranks
    from runoff.significance import Sign, SignedRank

    found = [relevant_ranks(one, cutoff=DEPTH) for one in board[: max(3, int((2 * count) ** 0.5) + 2)]]
    width = max(int(one.found.max()) for one in found)
    tables = [np.where((table := one.table(width, 0)) > 0, table, np.nan) for one in found]
    done = 0
    for i in range(len(found)):
        for j in range(i):
            if done == count:
                return
            done += 1
            Sign().compare(found[i].found.astype(np.float64), found[j].found.astype(np.float64))
            shared = ~np.isnan(tables[i]) & ~np.isnan(tables[j])
            levels = shared.sum(axis=1)
            both = levels > 0
            first, second = (
                np.where(shared, table, 0.0).sum(axis=1)[both] / levels[both] for table in (tables[i], tables[j])
            )
            SignedRank().compare(first, second)


def _scipy(board: Sequence[Any], count: int) -> None:
    from scipy import stats

    values = _rr(board)
    pairs = [(i, j) for i in range(len(board)) for j in range(i)][:count]
    for i, j in pairs:
        one, other = values[:, i], values[:, j]
        stats.ttest_rel(one, other)
        stats.wilcoxon(one, other)
        stats.mannwhitneyu(one, other, method="asymptotic")
        wins, losses = int((one > other).sum()), int((one < other).sum())
        stats.binomtest(wins, wins + losses)


def _ipso(board: Sequence[Any]) -> None:
    from runoff.comparisons import ipso_all_pairs

    ipso_all_pairs(board, depth=DEPTH)


def _plain_ipso(board: Sequence[Any], count: int) -> None:
    for place in range(count):
        counts = dict.fromkeys(("==", "ni", "ns", "**"), 0)
        for first, second in zip(board[place].grades.tolist(), board[place + 1].grades.tolist(), strict=True):
            total, above, below = 0, False, False
            for gain, loss in zip(first, second, strict=True):
                total += gain - loss
                above = above or total > 0
                below = below or total < 0
                if above and below:
                    break
            counts["**" if above and below else "ni" if above else "ns" if below else "=="] += 1


BENCHMARK: Final = Benchmark("all_pairs", measure)
