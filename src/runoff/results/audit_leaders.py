"""The leader of a board under other conditions and against the baselines, in sentences and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display import Grid
from runoff.display.rows import column, each, grid_of, row_class
from runoff.phrases import listed, p_text
from runoff.results.audit_parts import Orders
from runoff.verdicts import Verdict, rank_verdict

MOST_COLUMNS: Final = 3
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
    leaders = orders.leaders(condition)
    return tuple(
        _test(orders, condition, run, other)
        for run in orders.leaders(0)
        for other in dict.fromkeys([*(() if run in leaders else leaders), *orders.baselines])
        if other != run
    )


def _test(orders: Orders, condition: int, run: str, other: str) -> LeaderTest:
    decisions = orders.decisions[condition]
    first, second = orders.place(run), orders.place(other)
    return LeaderTest(
        run=run,
        against=other,
        is_baseline=other in orders.baselines,
        verdict=rank_verdict(decisions, first, second),
        p=float(min(decisions.p[second, first], decisions.p[first, second])),
    )


def leader_sentences(orders: Orders) -> Iterator[str]:
    """How the leader does where another run leads, and against each baseline."""
    leader, names = orders.runs[0], [condition.name for condition in orders.conditions]
    every = [[test for test in leader_tests(orders, number) if test.run == leader] for number in range(len(names))]
    led = [[test for test in tests if test.against in orders.leaders(number)] for number, tests in enumerate(every)]
    elsewhere = [name for name, tests in zip(names, led, strict=True) if tests]
    worse = [name for name, tests in zip(names, led, strict=True) if any(test.verdict == "worse" for test in tests)]
    if elsewhere and not worse:
        yield f"Where other runs lead, {leader} is not significantly different from the leader."
    elif elsewhere:
        count = f"{len(worse)} of the {len(elsewhere)}" if len(worse) < len(elsewhere) else f"the {len(elsewhere)}"
        count = f"{count} conditions" if len(elsewhere) > 1 else "the one condition"
        yield f"{leader} is significantly worse than the leader under {count} that other runs lead ({_quoted(worse)})."
    against = {
        name: [test for tests in every for test in tests if test.against == name]
        for name in orders.baselines
        if name != leader
    }
    always = [name for name, tests in against.items() if all(test.verdict == "better" for test in tests)]
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
        under = [name for name, test in zip(names, tests, strict=True) if test.verdict == verdict]
        parts += [f"{verdict} under {_quoted(under)}"] if under else []
    better = sum(test.verdict == "better" for test in tests)
    if all(test.verdict == "inconclusive" for test in tests):
        where = f" under any of {len(names)} conditions" if len(names) > 1 else ""
        return f"{leader} is not significantly different from the baseline {baseline}{where}."
    is_better = "is significantly better" if better else "is not shown to be better"
    count = f"{better} of {len(names)} conditions" if better else f"any of {len(names)} conditions"
    where = f" under {count}" if len(names) > 1 else ""
    return f"{leader} {is_better} than the baseline {baseline}{where} ({'; '.join(parts)})."


def _quoted(names: Sequence[str]) -> str:
    return listed([f"'{name}'" for name in names])


@row_class
class LeaderRow:
    """A leader of the board under a condition, against the leaders there and against the baselines."""

    run: str = column("Run")
    condition: str = column("Condition")
    rank: float = column("Rank", "number")
    possible_ranks: str = column("Possible ranks")
    against_leader: str = column("Against the leader there")
    against: Mapping[str, str] = each(name="against_{}", heading="Against {}")


def leader_grid(orders: Orders) -> Grid | None:
    """A row per condition and leader of the board; None where there is nothing to compare it with."""
    every = [leader_tests(orders, number) for number in range(len(orders.conditions))]
    if not any(every):
        return None
    leaders, alpha = orders.leaders(0), orders.decisions[0].alpha
    baselines = [name for name in orders.baselines if leaders != (name,)]
    table = []
    for run in leaders:
        place = orders.place(run)
        for number, condition in enumerate(orders.conditions):
            tests = {test.against: test for test in every[number] if test.run == run}
            low, high = orders.decisions[number].rank_sets[place].tolist()
            ranks = f"{low} to {high}" if low != high else f"{low}"
            against = (
                _against_leaders(orders.leaders(number), run, tests, alpha),
                _against_baselines(baselines, tests, alpha),
            )
            table.append(
                LeaderRow(run, condition.name, float(orders.stabilities[number].ranks[place]), ranks, *against)
            )
    notes = [f"Decided for all pairs of runs of a condition at once, level {alpha:g}; p is corrected for all pairs."]
    if len(baselines) > MOST_COLUMNS:
        notes.append(f"Baselines: {', '.join(baselines)}.")
    return grid_of(
        LeaderRow,
        table,
        title=f"{leaders[0]} under each condition" if len(leaders) == 1 else "The leaders under each condition",
        notes=notes,
        without=[] if len(leaders) > 1 else ["run"],
        rank={"digits": 0 if all(row.rank.is_integer() for row in table) else 1},
        possible_ranks={"help": f"With {1 - alpha:.0%} confidence for all runs of a condition together."},
    )


def _against_leaders(leaders: Sequence[str], run: str, tests: Mapping[str, LeaderTest], alpha: float) -> str:
    if run in leaders:
        return "leads" if len(leaders) == 1 else f"ties with {', '.join(name for name in leaders if name != run)}"
    return "; ".join(_verdict(tests[name], alpha) for name in leaders)


def _against_baselines(baselines: Sequence[str], tests: Mapping[str, LeaderTest], alpha: float) -> dict[str, str]:
    if len(baselines) <= MOST_COLUMNS:
        return {
            name: f"{tests[name].verdict} ({p_text(tests[name].p, alpha)})" if name in tests else "–"
            for name in baselines
        }
    others = [tests[name] for name in baselines if name in tests and tests[name].verdict != "better"]
    total = sum(name in tests for name in baselines)
    better = f"better than {total - len(others)} of {total}" if others else f"better than all {total}"
    return {f"{len(baselines)} baselines": "; ".join([better, *(_verdict(test, alpha) for test in others)])}


def _verdict(test: LeaderTest, alpha: float) -> str:
    verdict = "inconclusive against" if test.verdict == "inconclusive" else f"{test.verdict} than"
    return f"{verdict} {test.against} ({p_text(test.p, alpha)})"
