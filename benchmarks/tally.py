"""A million judgments: read, tournament, agreement; and win ratios of a board; beside plain Python on some of them."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.data import bench_folder
from benchmarks.tables import Benchmark, Scale, Section, Target, seconds, times

JUDGMENTS: Final = 1_000_000
RUNS: Final = 100
POOL: Final = 10
PLAIN_SHARE: Final = 20
PLAIN_PAIRS: Final = 30
"""Plain Python does a twentieth of the judgments and some pairs of runs; its time is scaled up."""


def measure(scale: Scale) -> Section:
    """Time the parts one after the other, and the same in plain Python on a part."""
    from runoff.files import read_judgments
    from runoff.preferences import agreement, tournament, win_ratios

    is_full = scale.main > 1000
    judgments, runs = (JUDGMENTS, RUNS) if is_full else (2000, 6)
    queries = scale.main if is_full else 50
    file = _file(judgments, queries)
    rounds = scale.slow_rounds or 1
    table = read_judgments(file)
    tops = _tops(runs, queries)
    votes, places = _tops_votes(table, tops), tops.places.tolist()
    lines = file.read_text(encoding="utf-8").splitlines()[: judgments // PLAIN_SHARE]
    pairs = runs * (runs - 1) // 2
    rows, targets, spent = [], [], 0.0
    for name, ours, theirs, share in (
        ("read", lambda: read_judgments(file), lambda: _plain_read(lines), judgments / len(lines)),
        ("tournament", lambda: tournament(table), lambda: _plain_wins(lines), judgments / len(lines)),
        ("agreement", lambda: agreement(table), lambda: _plain_agreement(lines), judgments / len(lines)),
        (f"win ratios, {runs} runs x {queries:,} queries", lambda: win_ratios(table, tops),
         lambda: _plain_ratios(votes, places), pairs / min(PLAIN_PAIRS, pairs)),
    ):  # fmt: skip
        fast, slow = _times(ours, rounds), _times(theirs, rounds)
        best, median = (how(slow) * share / how(fast) for how in (min, statistics.median))
        rows.append([name, seconds(min(fast)), seconds(min(slow) * share), times(best), times(median)])
        if name.startswith("win"):
            targets.append(Target(f"tally: {name}", "below", 5, "s", min(fast), statistics.median(fast)))
        else:
            spent += min(fast)
    targets.append(Target(f"tally: {judgments:,} judgments, all three", "below", 5, "s", spent, spent))
    return Section(
        f"tally: {judgments:,} judgments",
        ["what", "runoff best s", "plain Python best s, scaled up", "ratio, best", "median"],
        rows,
        [
            f"Plain Python does 1 of {PLAIN_SHARE} judgments with dictionaries, and {PLAIN_PAIRS} pairs of runs.",
            "Its reading only splits lines; runoff also finds equal ids, repeats and every fault.",
        ],
        targets,
    )


def _times(function: Callable[[], object], rounds: int) -> list[float]:
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begin)
    return taken


def _name(query: int, doc: int) -> str:
    return f"passage_{doc:02d}_{query:09d}"


def _file(judgments: int, queries: int) -> Path:
    file = bench_folder() / f"judgments-{judgments}-{queries}.txt"
    if not file.is_file():
        rng = np.random.default_rng(0)
        query = np.sort(rng.integers(0, queries, judgments))
        left = rng.integers(0, POOL, judgments)
        right = (left + rng.integers(1, POOL, judgments)) % POOL
        chosen = np.where(rng.random(judgments) < 0.33, np.maximum(left, right), np.minimum(left, right))
        who = rng.integers(0, 500, judgments)
        columns = (column.tolist() for column in (query, left, right, chosen, who))
        text = "".join(
            f"{q} {_name(q, a)} {_name(q, b)} {_name(q, c)} w{w}\n" for q, a, b, c, w in zip(*columns, strict=True)
        )
        file.write_text(text, encoding="utf-8")
    return file


def _tops(runs: int, queries: int) -> Any:
    from runoff.preferences import TopDocs
    from runoff.tables import Ids

    places = np.random.default_rng(1).integers(0, POOL, (runs, queries)) + np.arange(queries) * POOL
    return TopDocs(
        runs=tuple(f"run {run}" for run in range(runs)),
        query_ids=tuple(map(str, range(queries))),
        docs=Ids.of(_name(query, doc) for query in range(queries) for doc in range(POOL)),
        places=places,
    )


def _plain_read(lines: list[str]) -> list[list[str]]:
    rows = [line.split() for line in lines]
    if any(row[3] not in row[1:3] for row in rows):
        raise ValueError
    return rows


def _votes(lines: list[str]) -> dict[tuple[str, frozenset[str]], Counter[str]]:
    votes: dict[tuple[str, frozenset[str]], Counter[str]] = defaultdict(Counter)
    for row in _plain_read(lines):
        votes[row[0], frozenset(row[1:3])][row[3]] += 1
    return votes


def _plain_wins(lines: list[str]) -> None:
    wins: dict[str, Counter[str]] = defaultdict(Counter)
    for (query, _), count in _votes(lines).items():
        wins[query][count.most_common(1)[0][0]] += 1
    for count in wins.values():
        count.most_common(1)


def _plain_agreement(lines: list[str]) -> float:
    votes = [count for count in _votes(lines).values() if count.total() > 1]
    return sum(max(count.values()) == count.total() for count in votes) / max(len(votes), 1)


def _tops_votes(table: Any, tops: Any) -> Counter[tuple[int, int]]:
    """Votes for one document minus those for another, as places in the top documents."""
    shown = {doc: place for place, doc in enumerate(tops.docs)}
    codes = [shown[doc] for doc in table.docs]
    votes: Counter[tuple[int, int]] = Counter()
    for left, right, choice in zip(table.left.tolist(), table.right.tolist(), table.choice.tolist(), strict=True):
        votes[codes[left], codes[right]] += choice
        votes[codes[right], codes[left]] -= choice
    return votes


def _plain_ratios(votes: Counter[tuple[int, int]], places: list[list[int]]) -> None:
    chosen = [(one, other) for one in range(len(places)) for other in range(one)][:PLAIN_PAIRS]
    for one, other in chosen:
        wins = losses = 0
        for a, b in zip(places[one], places[other], strict=True):
            if a != b:
                vote = votes[a, b]
                wins += vote > 0
                losses += vote < 0


BENCHMARK: Final = Benchmark("tally", measure)
