"""What an audit found, in sentences that claim no more than the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from runoff.boards.kendall import SplitReference
from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.submissions import SubmissionRule, SubmissionsResult, Violation
from runoff.display import Column, Grid
from runoff.display.grid import Value
from runoff.phrases import counted, listed, p_text
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions, TwoOrders
from runoff.results.fit import dropped_notes, fit_notes
from runoff.tables.board import DEVELOPMENT, BoardRun
from runoff.verdicts import Verdict, rank_verdict, tau_sentence

MOST_TEAMS = 3
"""Teams that a sentence names."""


def board_words(runs: Sequence[BoardRun], scored: ScoredConditions) -> str:
    """What was looked at."""
    said = counted(len(runs), "run")
    if not scored.conditions:
        return said
    parts = [
        counted(len({getattr(one, key) for one in scored.conditions}), word)
        for key, word in (("query_set", "query set"), ("labels", "label set"), ("asked", "measure"))
    ]
    return f"{said} under {counted(len(scored.conditions), 'condition')} ({', '.join(parts)})"


def order_sentences(orders: Orders) -> Iterator[str]:
    """Who leads, how sure that is, and whether it is the same under other conditions."""
    first = orders.stabilities[0]
    leader = orders.runs[0]
    place = first.order[0]
    alike = orders.not_worse(0)
    share = f"is first in {first.p_first[place]:.1%} of {first.trials:,} bootstrap samples of the queries"
    lucky = first.first_more_often
    if lucky is not None:
        share += f", {first.runs[lucky]} more often ({first.p_first[lucky]:.1%}), so it may lead by luck"
    apart = f"; {counted(alike, 'other run')} {'is' if alike == 1 else 'are'} not shown to be worse" if alike else ""
    if orders.generalization is None:
        yield (
            f"{leader} leads {counted(len(orders.runs), 'run')} and {share}{apart}. There is only one condition "
            f"({orders.conditions[0].name}), so nothing can be said about other queries, labels or measures."
        )
        return
    ranks = [float(found.expected_ranks[place]) for found in orders.stabilities]
    yield (
        f"{leader} {where_it_leads(orders)}; its expected rank is {_range(ranks)}. Under "
        f"'{orders.conditions[0].name}' it {share}{apart}."
    )
    yield from _tau_sentences(orders)


def _tau_sentences(orders: Orders) -> Iterator[str]:
    """The two conditions whose orders are the least alike, and the least alike of those that can be tested."""
    pairs, alpha = orders.pairs(), orders.decisions[0].alpha
    lowest = pairs[0]
    if lowest.tau == 1.0:
        yield "The means order the runs alike under all conditions."
        return
    what = f"{_named(lowest)} are the least alike" if len(pairs) > 1 else f"{_named(lowest)} differ"
    yield f"The orders of {what}: Kendall's tau {lowest.tau:.2f}. {tau_sentence(lowest.reference, alpha=alpha)}"
    tested = [one for one in pairs[1:] if isinstance(one.reference, SplitReference)]
    if tested and not isinstance(lowest.reference, SplitReference):
        one = tested[0]
        yield (
            f"Of different queries with the same labels and measure, {_named(one)} are the least alike: tau "
            f"{one.tau:.2f}. {tau_sentence(one.reference, alpha=alpha)}"
        )


def _named(pair: TwoOrders) -> str:
    """The names of two conditions."""
    return f"'{pair.first}' and '{pair.second}'"


def where_it_leads(orders: Orders) -> str:
    """Under how many conditions the first run leads, shares the lead, and who leads elsewhere."""
    total, leader = len(orders.conditions), orders.runs[0]
    tops = [orders.leaders(number) for number in range(total)]
    alone, first = (sum(len(top) <= most and leader in top for top in tops) for most in (1, len(orders.runs)))
    if alone == total:
        return f"leads under all {total} conditions"
    said = f"leads under {alone} of {total} conditions"
    if first > alone:
        tied = f"ties for the lead under {first - alone}"
        said = f"{said} and {tied}" if alone else f"{tied} of {total} conditions"
    others = Counter(_joined(top) for top in tops if leader not in top)
    elsewhere = ", ".join(f"{names} under {count}" for names, count in others.most_common(3))
    return f"{said} ({elsewhere})" if elsewhere else said


def _joined(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} others"


def _range(ranks: Sequence[float]) -> str:
    low, high = f"{min(ranks):.1f}", f"{max(ranks):.1f}"
    return low if low == high else f"from {low} to {high}"


def rule_words(rule: SubmissionRule) -> str:
    """The rule in a few words."""
    return (
        f"at most {rule.most} in any {rule.days} days, at most {counted(rule.variants, 'small variation')} among them"
    )


def submission_sentence(sent: SubmissionsResult) -> str:
    """Whether teams kept to the rule."""
    if not sent.teams:
        return "No run has a team and a date, so the rule for submissions cannot be checked."
    total = counted(sum(len(team.runs) for team in sent.teams), "submission")
    of = f"{total} by {counted(len(sent.teams), 'team')}"
    if not sent.violations:
        return f"Of {of}, none breaks the rule ({rule_words(sent.rule)})."
    by_team = Counter(team for team, _ in {(one.team, one.name) for one in sent.violations})
    broke = sum(by_team.values())
    teams = sorted(by_team.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{team} ({count})" for team, count in teams[:MOST_TEAMS])
    more = f" and {counted(len(teams) - MOST_TEAMS, 'more team')}" if len(teams) > MOST_TEAMS else ""
    return (
        f"Of {of}, {broke:,} {'breaks' if broke == 1 else 'break'} the rule ({rule_words(sent.rule)}): {listed}{more}."
    )


def violation_count(one: Violation, rule: SubmissionRule) -> tuple[int, int, str]:
    """How many there are in the window, how many are allowed, and of what."""
    allowed = {"submissions": rule.most, "variants": rule.variants}[one.kind]
    return len(one.names), allowed, {"submissions": "submissions", "variants": "small variations"}[one.kind]


def violation_sentence(one: Violation, rule: SubmissionRule) -> str:
    """What one submission broke."""
    number, allowed, what = violation_count(one, rule)
    return (
        f"With {one.name} on {one.date.isoformat()}, {one.team} has {number:,} {what} in {rule.days} days, of which "
        f"{allowed:,} {'is' if allowed == 1 else 'are'} allowed: {', '.join(one.names)}."
    )


def duplicate_sentence(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> str:
    """How many pairs of runs are nearly the same."""
    share = f"overlap by {alike.threshold:.0%} or more in the top {alike.depth}"
    if not alike.pairs:
        return f"No two of {counted(len(alike.runs), 'run')} {share}."
    teams = [(runs[pair.first].team, runs[pair.second].team) for pair in alike.pairs]
    apart = sum(bool(one) and bool(other) and one != other for one, other in teams)
    share = share.replace("overlap", "overlaps", 1) if len(alike.pairs) == 1 else share
    more = (", by" if len(alike.pairs) == 1 else f"; {apart:,} of them by") + " different teams" if apart else ""
    return f"{counted(len(alike.pairs), 'pair')} of runs {share}{more}."


def monitor_sentences(monitor: Monitor, leading: str) -> Iterator[str]:
    """Which teams got an alarm, and why; `leading` is the team of the run that leads."""
    if not monitor.teams:
        yield "No team has two submissions to compare, so overfitting cannot be judged."
        return
    judged, unjudged = len(monitor.judged), [one for one in monitor.teams if one.change.unjudged]
    watched = f"{counted(judged, 'team')} with two or more submissions"
    among = any(one.change.team == leading for one in monitor.fired)
    leads = f" The leader's team, {leading}, is {'' if among else 'not '}among them." if leading else ""
    if monitor.fired:
        yield f"Overfitting alarm for {len(monitor.fired):,} of {watched}.{leads}"
        yield from (one.alarm.sentence for one in monitor.fired)
    elif judged:
        yield f"No overfitting alarm for {watched}; that does not prove that none overfitted."
    for why in dict.fromkeys(one.change.unjudged for one in unjudged):
        teams = [one.change.team for one in unjudged if one.change.unjudged == why]
        yield f"Whether {_listed(teams)} overfitted cannot be judged: {why}."
    last = monitor.field[-1] if monitor.field else None
    if last is not None and last.teams > 1:
        yield (
            f"On average the {counted(last.teams, 'team')} changed by {last.change_public:+.4f} on public and by "
            f"{last.change_private:+.4f} on private queries. This gap is not an alarm: one set may simply be harder."
        )


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many their number."""
    if len(names) > MOST_TEAMS:
        return counted(len(names), "team")
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def why_no_monitor(lacking: Sequence[str], *, has_means: bool) -> str:
    """Why no team can be judged at all: what the board has not."""
    if lacking:
        return f"This board has no {' and no '.join(lacking)} queries, so overfitting cannot be judged."
    if has_means:
        return "Only means are published, not scores per query, so overfitting cannot be judged."
    return "Overfitting cannot be judged: it takes runs with files, and labels for public and private queries."


def scoring_notes(scored: ScoredConditions, runs: Mapping[str, BoardRun]) -> Iterator[str]:
    """What was left out of the conditions, and what runs lack."""
    without = len(runs) - len(scored.runs)
    if scored.runs and without:
        yield f"Left out: {counted(without, 'run')} without a file."
    for query_set, labels in scored.left_out:
        yield f"Left out: query set {query_set} with labels {labels}, which share no query."
    by_set: dict[str, set[str]] = {}
    for condition in scored.conditions:
        by_set.setdefault(condition.query_set, set()).update(condition.scores.query_ids)
    held = by_set.pop(DEVELOPMENT, set())
    for name, queries in by_set.items():
        if both := len(queries & held):
            shared = counted(both, f"{name} query is", f"{name} queries are")
            yield f"{shared} in {DEVELOPMENT} too, where teams hold the labels."
    for labels, one in scored.fits.items():
        yield from fit_notes(one.fits, one.queries, f" in labels {labels}" if len(scored.fits) > 1 else "")
    if scored.fits:  # the runs are the same, whatever the labels
        yield from dropped_notes(next(iter(scored.fits.values())).fits)


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
