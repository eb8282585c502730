"""Everything beyond the papers for a board of 117 runs, in CPU seconds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.tables import Benchmark, Scale, Section, Target, seconds

if TYPE_CHECKING:
    from runoff.results.board_data import BoardData

RUNS: Final = 117
QUERIES: Final = 5793
RECORDS: Final = 20
DEPTH: Final = 100


def measure(scale: Scale) -> Section:
    """Time each part by itself, and add them up."""
    from runoff.boards import board_power, board_powers, rank_sets, record_test, winner
    from runoff.significance import equivalence
    from runoff.verbs._board_evidence import board_evidence
    from runoff.verbs.board import board_of

    runs, queries, trials = (RUNS, QUERIES, 1000) if scale.main > 1000 else (4, 40, 20)
    data = _board(runs, queries)
    scores = data.scores
    chain = [scores.runs[place] for place in np.argsort(scores.means, kind="stable")[-RECORDS:]]
    board = board_of(data, trials=trials)

    def records() -> None:
        for old, new in pairwise(chain):
            if scores.of(new).mean() > scores.of(old).mean():
                record_test(scores.of(old), scores.of(new))

    def margins() -> None:
        for name in scores.runs:
            equivalence(scores.of(chain[-1]), scores.of(name), margin=0.01)

    parts: dict[str, Callable[[], object]] = {
        f"record test, {len(chain) - 1} records": records,
        "decisions about all pairs, 10,000 flips": lambda: rank_sets(scores),
        "winner's score": lambda: winner(scores, trials=trials),
        "resolution, all pairs": lambda: board_power(scores),
        "resolution by test": lambda: board_powers(scores),
        "equivalence, the best against each": margins,
        "evidence, the best against each": lambda: board_evidence(board_of(data, trials=trials), top=runs),
    }
    board_evidence(board, top=2)
    spent: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(scale.slow_rounds or 1):
        for name, part in parts.items():
            begin = time.process_time()
            part()
            spent[name].append(time.process_time() - begin)
    totals = [sum(times) for times in zip(*spent.values(), strict=True)]
    rows = [[name, seconds(min(times)), seconds(statistics.median(times))] for name, times in spent.items()]
    rows.append(["all", seconds(min(totals)), seconds(statistics.median(totals))])
    return Section(
        f"claims: {runs} runs on {queries:,} queries",
        ["what", "CPU s, best", "CPU s, median"],
        rows,
        [f"{trials:,} bootstrap samples. The evidence is of lists to rank {DEPTH}, with the comparisons under it."],
        [Target("claims: all of it, CPU time", "below", 30, "s", min(totals), statistics.median(totals))],
    )


def _board(runs: int, queries: int) -> BoardData:
    """Runs that find the one relevant document of each query early or late; each is a little better than the last."""
    from runoff.comparisons.options import CompareOptions
    from runoff.measures import parse_measure
    from runoff.results.board_data import BoardData
    from runoff.tables.board import BoardRun
    from runoff.tables.scores import Scores
    from runoff.tables.serps import Serps
    from runoff.verdicts import Policy

    rng = np.random.default_rng(0)
    measure = parse_measure(f"RR@{DEPTH}")
    names, ids = tuple(f"run{place}" for place in range(runs)), tuple(map(str, range(queries)))
    hard = rng.random(queries)
    serps = []
    for place, name in enumerate(names):
        chance = np.clip(0.5 - 0.45 * hard + 0.1 * place / runs, 0.01, 0.9)
        ranks = np.where(
            rng.random(queries) < 0.3, rng.geometric(0.4 - 0.3 * hard), np.random.default_rng(1).geometric(chance)
        )
        grades = np.full((queries, DEPTH), -1, dtype=np.int8)
        found = ranks <= DEPTH
        grades[np.flatnonzero(found), ranks[found] - 1] = 1
        serps.append(Serps(
            run=name, query_ids=ids, grades=grades, retrieved=np.full(queries, 1000), tie_rule="trec_eval",
            judged=np.tile([0, 1], (queries, 1)), depth_tied=np.zeros(queries, dtype=np.bool_),
        ))  # fmt: skip
    values = np.column_stack([measure.values(one) for one in serps])
    return BoardData(
        title="Benchmark",
        runs=tuple(BoardRun(name=name) for name in names),
        scores=Scores(measure=str(measure), query_ids=ids, runs=names, values=values),
        measure=measure,
        compared=CompareOptions(measures=measure),
        policy=Policy(),
        serps=tuple(serps),
        tie_rule="trec_eval",
    )


BENCHMARK: Final = Benchmark("claims", measure)
