"""The tables of an audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import numpy as np

from runoff.boards.kendall import HalfReference, NoReference, SplitReference, TauReference
from runoff.boards.near_duplicates import NearDuplicate, NearDuplicatesResult
from runoff.boards.overfitting import TeamChange
from runoff.boards.submissions import SubmissionsResult, TeamSubmissions
from runoff.display import Column, Grid, machine_name
from runoff.display.grid import Value
from runoff.display.rows import grid_at
from runoff.phrases import counted
from runoff.results.audit_findings import violation_count
from runoff.results.audit_parts import Monitor, Orders, TwoOrders
from runoff.tables.board import BoardRun

MOST_ROWS: Final = 30
"""Rows of the tables that could be endless; JSON has all."""
MOST_DAYS: Final = 12
Kind = TypeVar("Kind", bound=TauReference)


def rank_grid(orders: Orders, runs: Mapping[str, BoardRun], show: Sequence[str]) -> Grid:
    """The expected rank of the chosen runs under each condition, as in figure 4 of Craswell et al. 2021."""
    chosen = orders.chosen(show)
    has_teams = any(runs[run].team for run in chosen)
    names = [f"rank_{machine_name(one.name)}" for one in orders.conditions]
    if len(set(names)) < len(names):
        names = [f"rank_{number}" for number, _ in enumerate(names, start=1)]
    columns = [Column("run", "Run"), *([Column("team", "Team")] if has_teams else [])]
    columns.append(Column("spread", "Spread", "number", digits=1, help="Highest minus lowest expected rank."))
    columns += [Column(name, one.name, "number", digits=1) for name, one in zip(names, orders.conditions, strict=True)]
    rows: list[list[Value]] = [
        [
            run,
            *([runs[run].team] if has_teams else []),
            orders.spread(run),
            *(float(one.expected_ranks[orders.place(run)]) for one in orders.stabilities),
        ]
        for run in chosen
    ]
    first = orders.stabilities[0]
    notes = [
        f"Mean rank over {first.trials:,} bootstrap samples of the queries, seed {first.seed}; 1 is best.",
        "Spread: the highest minus the lowest of these; it grows with the number of conditions.",
    ]
    hidden = len(orders.runs) - len(chosen)
    if hidden:
        which = "those named" if show else "the best means, and the largest spreads of the others"
        notes.append(f"{len(chosen):,} of {len(orders.runs):,} runs: {which}.")
    return Grid(title="Expected ranks under each condition", columns=columns, rows=rows, notes=notes)


def condition_grid(orders: Orders, notes: Iterable[str]) -> Grid:
    """A row per condition: who leads, and how sure that is."""
    rows: list[list[Value]] = []
    # Labels with their own relevance levels; where several measures were asked for, names have them.
    shows_measure = len({one.asked for one in orders.conditions}) == 1 < len({one.measure for one in orders.conditions})
    is_cut = any(one.set_queries != len(one.scores.query_ids) for one in orders.conditions)
    for number, (one, found) in enumerate(zip(orders.conditions, orders.stabilities, strict=True)):
        first, leader = found.order[0], ", ".join(orders.leaders(number))
        alike = orders.not_worse(number)
        queries = [len(one.scores.query_ids), *([one.set_queries] if is_cut else [])]
        measures = [one.measure] if shows_measure else []
        rows.append(
            [one.name, *measures, *queries, leader, float(found.means[first]), float(found.p_first[first]), alike]
        )
    columns = [Column("condition", "Condition"), *([Column("measure", "Measure")] if shows_measure else [])]
    columns.append(Column("queries", "Queries", "count"))
    columns += [Column("of", "of", "count", help="Queries of the set, also those without labels.")] if is_cut else []
    columns += [
        Column("leader", "Leader", help="The best mean; all runs that share it."),
        Column("mean", "Mean", "number"),
        Column("p_first", "P(first)", "share", help="How often it is first when the queries are drawn again."),
        Column("not_worse", "Not worse", "count", help="Other runs that are not shown to be worse than the leader."),
    ]
    told = "Not worse: how many other runs are not shown to be worse than the leader, decided for all pairs at once."
    return Grid(title="Conditions", columns=columns, rows=rows, notes=[told, *notes])


def tau_grids(orders: Orders) -> Iterator[Grid]:
    """A row for each two conditions: how similar their orders are; a table for each kind of reference."""
    pairs = orders.pairs()
    yield from _tau_grid(
        "How similar the orders on different queries are",
        [(one, one.reference) for one in pairs if isinstance(one.reference, SplitReference)],
        [
            Column("median", "Splits", "number", digits=2, help="Median tau of random splits of the same queries."),
            Column("low", "95% from", "number", digits=2),
            Column("high", "to", "number", digits=2),
            Column("p", "p", "p"),
        ],
        lambda found: [found.median, *found.range95, found.p],
        "Splits: the median tau, and the middle 95%, of random splits of the same queries into sets of these sizes. A "
        "small p means that the order of the runs or the difficulty of the queries differs.",
    )
    yield from _tau_grid(
        "How similar the orders by different labels and measures are",
        [(one, one.reference) for one in pairs if isinstance(one.reference, HalfReference)],
        [
            Column("across", "Across", "number", digits=2, help="Tau between halves under different conditions."),
            Column("within_first", "Within first", "number", digits=2),
            Column("within_second", "Within second", "number", digits=2),
        ],
        lambda found: [found.across, *found.within],
        "Across and within: mean tau between disjoint random halves of the queries, under both conditions and under "
        "the same one. Where across is lower than both, more than the choice of queries differs.",
    )
    yield from _tau_grid(
        "Orders with nothing to compare them with",
        [(one, one.reference) for one in pairs if isinstance(one.reference, NoReference)],
        [Column("why", "Because")],
        lambda found: [found.why],
        "Random splits need disjoint queries with the same labels and measure; halves need the same queries.",
    )


def _tau_grid(
    title: str,
    pairs: Sequence[tuple[TwoOrders, Kind]],
    columns: Sequence[Column],
    cells: Callable[[Kind], list[Value]],
    note: str,
) -> Iterator[Grid]:
    """A table of the pairs with one kind of reference, if there are any."""
    if pairs:
        notes = [note, "Kendall's tau-b: 1 is the same order, -1 the reverse, 0 no relation or all runs tied."]
        if len(pairs) > MOST_ROWS:
            notes.append(f"The lowest {MOST_ROWS} of {len(pairs):,} pairs of conditions.")
        tau = [
            Column("first", "Condition"),
            Column("second", "and condition"),
            Column("tau", "Tau", "number", digits=2),
        ]
        rows = [[one.first, one.second, one.tau, *cells(reference)] for one, reference in pairs[:MOST_ROWS]]
        yield Grid(title=title, columns=[*tau, *columns], rows=rows, notes=notes)


_CHANGES: Final = {
    "change_public": Column("change_public", "Public", "number", signed=True),
    "change_private": Column("change_private", "Private", "number", signed=True),
}
_EXPECTED: Final = {
    "expected_private": Column(
        "expected_private", "Expected", "number", signed=True, help="On private queries, at the others' rate."
    ),
    "excess": Column(
        "excess", "Shortfall", "number", signed=True, help="Expected minus observed change on private queries."
    ),
}
_RATE: Final = (
    "Expected: what the gain on public queries is worth on private ones at the rate of all other teams together."
)
_FROM_TO: Final = {
    "first": Column("first", "From", help="The first submission."),
    "last": Column("last", "To", help="The last submission."),
}


def monitor_grid(monitor: Monitor) -> Grid:
    """A row per team, alarms first."""
    rows = [
        {
            **vars(team.change),
            "alarm": "cannot be judged" if team.change.p is None else "yes" if team.alarm.fired else "no",
            "p_corrected": team.alarm.p_corrected,
        }
        for team in monitor.teams
    ]
    public = monitor.public
    sizes = " and ".join(f"{len(one.scores.query_ids):,} {one.query_set}" for one in (public, monitor.private))
    notes = [
        f"Changes of the mean {public.measure} from the first to the last submission; above 0 is better.",
        f"Labels {public.labels}; {sizes} queries.",
        _RATE,
    ]
    if monitor.judged:
        over = f"Holm-corrected over {counted(len(monitor.judged), 'team')}"
        notes.append(f"Alarm: p, one-sided and {over}, is below {monitor.alpha:g}.")
        notes.append("No alarm does not prove that a team did not overfit.")
    reasons = Counter(one.change.unjudged for one in monitor.teams if one.change.unjudged)
    notes += [f"Cannot be judged: {counted(number, 'team')}, because {why}." for why, number in reasons.items()]
    if monitor.too_few:
        notes.append(f"Left out: {counted(monitor.too_few, 'team')} with fewer than two submissions to compare.")
    if monitor.both:
        notes.append(f"{counted(monitor.both, 'query', 'queries')} in both sets, which hides overfitting.")
    alarm = {"team": Column("team", "Team"), "alarm": Column("alarm", "Alarm")}
    columns = {**alarm, **_CHANGES, **_EXPECTED, "p_corrected": Column("p_corrected", "p", "p"), **_FROM_TO}
    return grid_at(rows, columns, title="Overfitting", notes=notes)


def field_grid(monitor: Monitor) -> Grid:
    """All teams together, a row for some of the days on which a team came back."""
    days = monitor.field
    places = sorted({round(place) for place in np.linspace(0, len(days) - 1, min(len(days), MOST_DAYS))})
    rows = [{**vars(day), "gap": day.change_public - day.change_private} for day in (days[place] for place in places)]
    notes = [
        "Mean change of all teams with two or more submissions by then, from the first to the newest.",
        "A gap is not an alarm: private queries may be harder. If it grows faster than the gains, suspect overfitting.",
    ]
    if len(days) > MOST_DAYS:
        notes.append(f"{MOST_DAYS} of {len(days):,} days; --format json has all.")
    columns = {"date": Column("date", "Until"), "teams": Column("teams", "Teams", "count"), **_CHANGES}
    columns["gap"] = Column("gap", "Gap", "number", signed=True, help="Public minus private.")
    return grid_at(rows, columns, title="All teams over time", notes=notes)


def published_grid(changes: Sequence[TeamChange], measure: str) -> Grid:
    """A row per team that has published means only."""
    return grid_at(
        changes,
        {"team": Column("team", "Team"), **_CHANGES, **_EXPECTED, **_FROM_TO},
        title="Changes of published means",
        notes=[
            f"Changes of the published {measure} from the first to the last submission; above 0 is better.",
            _RATE,
            "Without scores per query overfitting cannot be judged: luck alone moves the shortfall above and below 0.",
        ],
    )


def violation_grid(sent: SubmissionsResult) -> Grid:
    """A row per submission that broke the rule, in order of date."""
    rule = sent.rule
    rows: list[list[Value]] = [
        [
            one.name, one.team, one.date.isoformat(), one.since.isoformat(), *violation_count(one, rule),
            ", ".join(one.names),
        ]
        for one in sent.violations
    ]  # fmt: skip
    return Grid(
        title="Broken rules",
        columns=[
            Column("run", "Run"),
            Column("team", "Team"),
            Column("date", "Date"),
            Column("since", "Since", help="The date of the first that counts."),
            Column("number", "Number", "count", help="How many there are from that date to this."),
            Column("allowed", "Allowed", "count"),
            Column("what", "What"),
            Column("runs", "Which"),
        ],
        rows=rows,
        notes=[f"Number: how many there are in the {rule.days} days that end on the date."],
    )


def submission_grid(sent: SubmissionsResult, alike: NearDuplicatesResult | None) -> Grid:
    """A row per team with two or more submissions, the busiest first."""
    broken = Counter(one.team for one in sent.violations)
    several = [team for team in sent.teams if len(team.runs) > 1]
    single = len(sent.teams) - len(several)
    rule = sent.rule
    columns = [
        Column("team", "Team"),
        Column("submissions", "Runs", "count"),
        Column("first", "First"),
        Column("last", "Last"),
        Column("most_in_window", "Most", "count"),
        Column("variants", "Variants", "count", help="Declared small variations."),
    ]
    columns += [Column("near_duplicates", "Near-duplicates", "count")] if alike else []
    columns.append(Column("violations", "Broken", "count", help="How often the rule was broken."))
    rows: list[list[Value]] = []
    for team in several:
        first, last = (run.date.isoformat() if run.date else None for run in (team.runs[0], team.runs[-1]))
        same = [len(own_pairs(team, alike))] if alike else []
        rows.append([
            team.team, len(team.runs), first, last, team.most_in_window, declared(team), *same, broken[team.team],
        ])  # fmt: skip
    said = [f"Most: the largest number in any {rule.days} days."]
    if single:
        said.append(f"Not listed: {counted(single, 'team')} with one submission.")
    if sent.unchecked:
        said.append(f"Not checked: {counted(len(sent.unchecked), 'run')} without a team or a date.")
    return Grid(title="Submissions", columns=columns, rows=rows, notes=said)


def declared(team: TeamSubmissions) -> int:
    """How many runs the team says are small variations."""
    return sum(run.variant_of is not None for run in team.runs)


def own_pairs(team: TeamSubmissions, alike: NearDuplicatesResult) -> list[NearDuplicate]:
    """The near-duplicates of which both are this team's."""
    own = {run.name for run in team.runs}
    return [pair for pair in alike.pairs if pair.first in own and pair.second in own]


def duplicate_grid(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> Grid:
    """A row per pair of near-duplicates, the highest overlap first."""
    rows = [
        {**vars(pair), "relation": relation(runs[pair.first], runs[pair.second])} for pair in alike.pairs[:MOST_ROWS]
    ]
    notes = [f"Overlap: the share of the top {alike.depth} documents that both have, on average over the queries."]
    if len(alike.pairs) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(alike.pairs):,} pairs.")
    columns = {
        "first": Column("first", "Run"),
        "second": Column("second", "and run"),
        "overlap": Column("overlap", "Overlap", "share"),
        "relation": Column("relation", "By"),
    }
    return grid_at(rows, columns, title="Near-duplicates", notes=notes)


def relation(first: BoardRun, second: BoardRun) -> str:
    """Whose two runs are."""
    if first.variant_of == second.name or second.variant_of == first.name:
        return "one team, declared" if first.team == second.team else "different teams, declared"
    if first.baseline or second.baseline:
        return "a baseline and another" if first.baseline != second.baseline else "two baselines"
    if not first.team or not second.team:
        return "a run without a team"
    return "one team" if first.team == second.team else "different teams"
