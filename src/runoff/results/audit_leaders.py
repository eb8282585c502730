"""The leader of a board under every condition: against the leaders there, and against the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from runoff.display import Column, Grid
from runoff.display.grid import Value
from runoff.phrases import listed, p_text
from runoff.results.audit_parts import Orders
from runoff.verdicts import Verdict, rank_verdict

MOST_COLUMNS = 3
"""Baselines that have a column each; more share one."""


@dataclass(frozen=True, kw_only=True)
class LeaderTest:
    """A leader of the board against another run under a condition, from the decisions about all pairs.

    verdict  said of the leader of the board
    p        corrected for all pairs of runs of the condition
    """

    run: str
    against: str
    is_baseline: bool
    verdict: Verdict
    p: float


def leader_tests(orders: Orders, condition: int) -> tuple[LeaderTest, ...]:
    """Each leader of the board against the leaders under a condition, where others lead, and against the baselines."""
    there = orders.leaders(condition)
    return tuple(
        _test(orders, condition, run, other)
        for run in orders.leaders(0)
        for other in dict.fromkeys([*(() if run in there else there), *orders.baselines])
        if other != run
    )


def _test(orders: Orders, condition: int, run: str, other: str) -> LeaderTest:
    found = orders.decisions[condition]
    one, two = orders.place(run), orders.place(other)
    return LeaderTest(
        run=run,
        against=other,
        is_baseline=other in orders.baselines,
        verdict=rank_verdict(found, one, two),
        p=float(min(found.p[two, one], found.p[one, two])),
    )


def leader_test_keys(orders: Orders | None, condition: int) -> list[dict[str, object]]:
    """The JSON of the tests under a condition."""
    return [asdict(one) for one in leader_tests(orders, condition)] if orders else []


def leader_sentences(orders: Orders) -> Iterator[str]:
    """How the leader does where another run leads, and against each baseline."""
    leader, names = orders.runs[0], [one.name for one in orders.conditions]
    every = [[one for one in leader_tests(orders, number) if one.run == leader] for number in range(len(names))]
    led = [[one for one in tests if one.against in orders.leaders(number)] for number, tests in enumerate(every)]
    elsewhere = [name for name, tests in zip(names, led, strict=True) if tests]
    worse = [name for name, tests in zip(names, led, strict=True) if any(one.verdict == "worse" for one in tests)]
    if elsewhere and not worse:
        yield f"Where other runs lead, {leader} is not significantly different from the leader."
    elif elsewhere:
        count = f"{len(worse)} of the {len(elsewhere)}" if len(worse) < len(elsewhere) else f"the {len(elsewhere)}"
        count = f"{count} conditions" if len(elsewhere) > 1 else "the one condition"
        yield f"{leader} is significantly worse than the leader under {count} that other runs lead ({_quoted(worse)})."
    against = {
        name: [one for tests in every for one in tests if one.against == name]
        for name in orders.baselines
        if name != leader
    }
    always = [name for name, tests in against.items() if all(one.verdict == "better" for one in tests)]
    if always:
        where = {1: "the one condition", 2: "both conditions"}.get(len(names), f"all {len(names)} conditions")
        of = "baseline" if len(always) == 1 else "baselines"
        yield f"{leader} is significantly better than the {of} {listed(always)} under {where}."
    for name, tests in against.items():
        if name not in always:
            yield _baseline_sentence(leader, name, names, tests)


def _baseline_sentence(leader: str, baseline: str, names: Sequence[str], tests: Sequence[LeaderTest]) -> str:
    """Of a baseline that the leader is not shown to be better than everywhere."""
    parts = []
    for verdict in ("worse", "inconclusive"):
        under = [name for name, one in zip(names, tests, strict=True) if one.verdict == verdict]
        parts += [f"{verdict} under {_quoted(under)}"] if under else []
    better = sum(one.verdict == "better" for one in tests)
    if all(one.verdict == "inconclusive" for one in tests):
        where = f" under any of {len(names)} conditions" if len(names) > 1 else ""
        return f"{leader} is not significantly different from the baseline {baseline}{where}."
    is_better = "is significantly better" if better else "is not shown to be better"
    count = f"{better} of {len(names)} conditions" if better else f"any of {len(names)} conditions"
    where = f" under {count}" if len(names) > 1 else ""
    return f"{leader} {is_better} than the baseline {baseline}{where} ({'; '.join(parts)})."


def _quoted(names: Sequence[str]) -> str:
    return listed([f"'{name}'" for name in names])


def leader_grid(orders: Orders) -> Grid | None:
    """A row per condition and leader of the board; None where there is nothing to compare it with."""
    every = [leader_tests(orders, number) for number in range(len(orders.conditions))]
    if not any(every):
        return None
    leaders, alpha = orders.leaders(0), orders.decisions[0].alpha
    baselines = [name for name in orders.baselines if leaders != (name,)]
    listed = [(run, number) for run in leaders for number in range(len(orders.conditions))]
    ranks = [float(orders.stabilities[number].ranks[orders.place(run)]) for run, number in listed]
    rows: list[list[Value]] = []
    for (run, number), rank in zip(listed, ranks, strict=True):
        tests = {one.against: one for one in every[number] if one.run == run}
        low, high = orders.decisions[number].rank_sets[orders.place(run)].tolist()
        rows.append([
            *([run] if len(leaders) > 1 else []),
            orders.conditions[number].name,
            rank,
            f"{low} to {high}" if low != high else f"{low}",
            _against_leaders(orders.leaders(number), run, tests, alpha),
            *_against_baselines(baselines, tests, alpha),
        ])  # fmt: skip
    confident = f"With {1 - alpha:.0%} confidence for all runs of a condition together."
    columns = [
        *([Column("run", "Run")] if len(leaders) > 1 else []),
        Column("condition", "Condition"),
        Column("rank", "Rank", "number", digits=0 if all(rank.is_integer() for rank in ranks) else 1),
        Column("possible_ranks", "Possible ranks", help=confident),
        Column("against_leader", "Against the leader there"),
        *_baseline_columns(baselines),
    ]
    notes = [f"Decided for all pairs of runs of a condition at once, level {alpha:g}; p is corrected for all pairs."]
    if len(baselines) > MOST_COLUMNS:
        notes.append(f"Baselines: {', '.join(baselines)}.")
    title = f"{leaders[0]} under each condition" if len(leaders) == 1 else "The leaders under each condition"
    return Grid(title=title, columns=columns, rows=rows, notes=notes)


def _baseline_columns(baselines: Sequence[str]) -> list[Column]:
    if len(baselines) > MOST_COLUMNS:
        return [Column("baselines", f"Against {len(baselines)} baselines")]
    return [Column(f"baseline_{place}", f"Against {name}") for place, name in enumerate(baselines, start=1)]


def _against_leaders(leaders: Sequence[str], run: str, tests: Mapping[str, LeaderTest], alpha: float) -> str:
    if run in leaders:
        return "leads" if len(leaders) == 1 else f"ties with {', '.join(name for name in leaders if name != run)}"
    return "; ".join(_words(tests[name], alpha) for name in leaders)


def _against_baselines(baselines: Sequence[str], tests: Mapping[str, LeaderTest], alpha: float) -> Iterator[str]:
    if len(baselines) <= MOST_COLUMNS:
        for name in baselines:
            yield f"{tests[name].verdict} ({p_text(tests[name].p, alpha)})" if name in tests else "–"
        return
    others = [tests[name] for name in baselines if name in tests and tests[name].verdict != "better"]
    total = sum(name in tests for name in baselines)
    said = f"better than {total - len(others)} of {total}" if others else f"better than all {total}"
    yield "; ".join([said, *(_words(one, alpha) for one in others)])


def _words(test: LeaderTest, alpha: float) -> str:
    verdict = "inconclusive against" if test.verdict == "inconclusive" else f"{test.verdict} than"
    return f"{verdict} {test.against} ({p_text(test.p, alpha)})"
