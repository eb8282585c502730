"""The rows of an audit, which are its tables and its JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date as Day  # noqa: N812
from typing import ClassVar, Final

import numpy as np

from runoff.boards.kendall import HalfReference, NoReference, SplitReference
from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.overfitting import TeamChange
from runoff.boards.submissions import SubmissionsResult
from runoff.display import Grid
from runoff.display.rows import column, each, ends, grid_of, row_class, row_of
from runoff.phrases import counted
from runoff.results.audit_findings import violation_count, violation_sentence
from runoff.results.audit_leaders import LeaderTest, leader_tests
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions
from runoff.tables.board import BoardRun

MOST_ROWS: Final = 30
"""Rows of the tables that could be endless; JSON has all."""
MOST_DAYS: Final = 12


@row_class
class RunRow:
    """A run of the board, with its mean and its ranks by condition; these are empty for a run without a file."""

    run: str = column("Run")
    team: str = column("Team", optional=True)
    date: Day | None
    baseline: bool
    variant_of: str | None
    shown: bool
    means: Mapping[str, float]
    expected_ranks: Mapping[str, float] = each("number", name="rank_{}", digits=1)
    rank_intervals: Mapping[str, Sequence[int]]
    rank_sets: Mapping[str, Sequence[int]]
    spread: float | None = column("Spread", "number", digits=1, help="Highest minus lowest expected rank.")
    missing_queries: Mapping[str, int]
    published: Mapping[str, float]


def run_rows(
    runs: Sequence[BoardRun], scored: ScoredConditions, orders: Orders | None, show: Sequence[str]
) -> list[RunRow]:
    """Scored runs first, the best under the first condition before the others, and then those without a file."""
    by_name = {run.name: run for run in runs}
    ranked = orders.runs if orders else tuple(run.name for run in scored.runs)
    chosen = orders.chosen(show) if orders else ()
    names = [*ranked, *(name for name in by_name if name not in ranked)]
    return [_run_row(by_name[name], scored, orders, is_shown=name in chosen) for name in names]


def _run_row(run: BoardRun, scored: ScoredConditions, orders: Orders | None, *, is_shown: bool) -> RunRow:
    names = [condition.name for condition in scored.conditions] if run in scored.runs else []
    ranked = orders if names else None
    place = ranked.place(run.name) if ranked else 0
    ranks = dict(zip(names, ranked.stabilities, strict=True)) if ranked else {}
    decided = dict(zip(names, ranked.decisions, strict=True)) if ranked else {}
    missing = scored.missing_queries.items()
    return row_of(
        RunRow,
        run,
        run=run.name,
        shown=is_shown,
        means={one.name: float(one.scores.of(run.name).mean()) for one in scored.conditions if names},
        expected_ranks={name: float(found.expected_ranks[place]) for name, found in ranks.items()},
        rank_intervals={name: found.rank_intervals[place].tolist() for name, found in ranks.items()},
        rank_sets={name: found.rank_sets[place].tolist() for name, found in decided.items()},
        spread=ranked.spread(run.name) if ranked else None,
        missing_queries={labels: counts[run.name] for labels, counts in missing if run.name in counts},
        published=run.scores,
    )


def rank_grid(rows: Sequence[RunRow], orders: Orders, show: Sequence[str]) -> Grid:
    """The expected rank of the chosen runs under each condition, as in figure 4 of Craswell et al. 2021."""
    chosen = [row for row in rows if row.shown]
    first = orders.stabilities[0]
    notes = [
        f"Mean rank over {first.trials:,} bootstrap samples of the queries, seed {first.seed}; 1 is best.",
        "Spread: the highest minus the lowest of these; it grows with the number of conditions.",
    ]
    if len(chosen) < len(orders.runs):
        which = "those named" if show else "the best means, and the largest spreads of the others"
        notes.append(f"{len(chosen):,} of {len(orders.runs):,} runs: {which}.")
    return grid_of(RunRow, chosen, title="Expected ranks under each condition", notes=notes)


@row_class
class ConditionRow:
    """A condition: who leads, all runs that share the best mean, and how sure that is."""

    name: str = column("Condition")
    query_set: str
    labels: str
    measure: str = column("Measure")
    relevance_level: int
    queries: int = column("Queries", "count")
    set_queries: int = column("of", "count", help="Queries of the set, also those without labels.")
    leaders: Sequence[str] = column("Leader", cell=", ".join, help="The best mean; all runs that share it.")
    leader_tests: tuple[LeaderTest, ...]
    mean: float | None = column("Mean", "number", key=False)
    p_first: float | None = column(
        "P(first)", "share", key=False, help="How often it is first when the queries are drawn again."
    )
    not_worse: int | None = column(
        "Not worse", "count", key=False, help="Other runs that are not shown to be worse than the leader."
    )


def condition_rows(scored: ScoredConditions, orders: Orders | None) -> Iterator[ConditionRow]:
    """A row per condition; without ranks nobody leads."""
    for number, condition in enumerate(scored.conditions):
        ranks = orders.stabilities[number] if orders else None
        yield row_of(
            ConditionRow,
            condition,
            relevance_level=condition.level,
            queries=len(condition.scores.query_ids),
            leaders=orders.leaders(number) if orders else (),
            leader_tests=leader_tests(orders, number) if orders else (),
            mean=ranks and ranks.means[ranks.order[0]],
            p_first=ranks and ranks.p_first[ranks.order[0]],
            not_worse=orders and orders.not_worse(number),
        )


def condition_grid(rows: Sequence[ConditionRow], orders: Orders, notes: Iterable[str]) -> Grid:
    """A row per condition: who leads, and how sure that is."""
    # Labels with their own relevance levels; where several measures were asked for, names have them.
    has_levels = len({one.asked for one in orders.conditions}) == 1 < len({row.measure for row in rows})
    is_cut = any(row.set_queries != row.queries for row in rows)
    note = "Not worse: how many other runs are not shown to be worse than the leader, decided for all pairs at once."
    without = [*([] if has_levels else ["measure"]), *([] if is_cut else ["set_queries"])]
    return grid_of(ConditionRow, rows, title="Conditions", notes=[note, *notes], without=without)


@row_class
class TauRow:
    """Two conditions, and Kendall's tau-b of their orders."""

    title: ClassVar[str]
    note: ClassVar[str]
    first: str = column("Condition")
    second: str = column("and condition")
    tau: float = column("Tau", "number", digits=2)


@row_class
class SplitTauRow(TauRow):
    """Beside random splits of the same queries."""

    title: ClassVar = "How similar the orders on different queries are"
    note: ClassVar = (
        "Splits: the median tau, and the middle 95%, of random splits of the same queries into sets of these sizes. A "
        "small p means that the order of the runs or the difficulty of the queries differs."
    )
    median: float = column("Splits", "number", digits=2, help="Median tau of random splits of the same queries.")
    range95: tuple[float, float] = ends("low", "95% from", "high", "to", "number", digits=2)
    p: float = column("p", "p")


@row_class
class HalfTauRow(TauRow):
    """Beside random halves of the same queries."""

    title: ClassVar = "How similar the orders by different labels and measures are"
    note: ClassVar = (
        "Across and within: mean tau between disjoint random halves of the queries, under both conditions and under "
        "the same one. Where across is lower than both, more than the choice of queries differs."
    )
    across: float = column("Across", "number", digits=2, help="Tau between halves under different conditions.")
    within: tuple[float, float] = ends(
        "within_first", "Within first", "within_second", "Within second", "number", digits=2
    )


@row_class
class OtherTauRow(TauRow):
    """With nothing beside it."""

    title: ClassVar = "Orders with nothing to compare them with"
    note: ClassVar = (
        "Random splits need disjoint queries with the same labels and measure; halves need the same queries."
    )
    why: str = column("Because")


def tau_grids(orders: Orders) -> Iterator[Grid]:
    """A row for each two conditions: how similar their orders are; a table for each kind of reference."""
    kinds = ((SplitReference, SplitTauRow), (HalfReference, HalfTauRow), (NoReference, OtherTauRow))
    for kind, row_type in kinds:
        rows = [row_of(row_type, pair, pair.reference) for pair in orders.pairs() if type(pair.reference) is kind]
        notes = [row_type.note, "Kendall's tau-b: 1 is the same order, -1 the reverse, 0 no relation or all runs tied."]
        if len(rows) > MOST_ROWS:
            notes.append(f"The lowest {MOST_ROWS} of {len(rows):,} pairs of conditions.")
        if rows:
            yield grid_of(row_type, rows[:MOST_ROWS], title=row_type.title, notes=notes)


@row_class
class ChangeRow:
    """The changes of a team from its first submission to its last, and whether the monitor gives an alarm."""

    team: str = column("Team")
    alarm: str = column("Alarm")
    change_public: float = column("Public", "number", signed=True)
    change_private: float = column("Private", "number", signed=True)
    expected_private: float | None = column(
        "Expected", "number", signed=True, help="On private queries, at the others' rate."
    )
    excess: float | None = column(
        "Shortfall", "number", signed=True, help="Expected minus observed change on private queries."
    )
    p_corrected: float | None = column("p", "p")
    first: str = column("From", help="The first submission.")
    last: str = column("To", help="The last submission.")


_RATE: Final = (
    "Expected: what the gain on public queries is worth on private ones at the rate of all other teams together."
)


def monitor_grid(monitor: Monitor) -> Grid:
    """A row per team, alarms first."""
    alarms = [
        "cannot be judged" if one.change.p is None else "yes" if one.alarm.fired else "no" for one in monitor.teams
    ]
    teams = zip(monitor.teams, alarms, strict=True)
    rows = [row_of(ChangeRow, team.change, team.alarm, alarm=alarm) for team, alarm in teams]
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
    reasons = Counter(team.change.unjudged for team in monitor.teams if team.change.unjudged)
    notes += [f"Cannot be judged: {counted(number, 'team')}, because {why}." for why, number in reasons.items()]
    if monitor.too_few:
        notes.append(f"Left out: {counted(monitor.too_few, 'team')} with fewer than two submissions to compare.")
    if monitor.both:
        notes.append(f"{counted(monitor.both, 'query', 'queries')} in both sets, which hides overfitting.")
    return grid_of(ChangeRow, rows, title="Overfitting", notes=notes)


def published_grid(changes: Sequence[TeamChange], measure: str) -> Grid:
    """A row per team that has published means only."""
    return grid_of(
        ChangeRow,
        [row_of(ChangeRow, change, alarm="", p_corrected=None) for change in changes],
        title="Changes of published means",
        without=["alarm", "p_corrected"],
        notes=[
            f"Changes of the published {measure} from the first to the last submission; above 0 is better.",
            _RATE,
            "Without scores per query overfitting cannot be judged: luck alone moves the shortfall above and below 0.",
        ],
    )


@row_class
class DayRow:
    """All teams together, up to a day."""

    date: Day = column("Until")
    teams: int = column("Teams", "count")
    change_public: float = column("Public", "number", signed=True)
    change_private: float = column("Private", "number", signed=True)
    gap: float = column("Gap", "number", signed=True, help="Public minus private.")


def field_grid(monitor: Monitor) -> Grid:
    """All teams together, a row for some of the days on which a team came back."""
    days = monitor.field
    places = sorted({round(place) for place in np.linspace(0, len(days) - 1, min(len(days), MOST_DAYS))})
    notes = [
        "Mean change of all teams with two or more submissions by then, from the first to the newest.",
        "A gap is not an alarm: private queries may be harder. If it grows faster than the gains, suspect overfitting.",
    ]
    if len(days) > MOST_DAYS:
        notes.append(f"{MOST_DAYS} of {len(days):,} days.")
    chosen = [days[place] for place in places]
    rows = [row_of(DayRow, day, gap=day.change_public - day.change_private) for day in chosen]
    return grid_of(DayRow, rows, title="All teams over time", notes=notes)


@row_class
class ViolationRow:
    """A submission that broke the rule; `runs` are those that count, the first of them since a date."""

    team: str = column("Team")
    kind: str
    run: str = column("Run")
    date: Day = column("Date")
    since: Day = column("Since", help="The date of the first that counts.")
    number: int = column("Number", "count", key=False, help="How many there are from that date to this.")
    allowed: int = column("Allowed", "count", key=False)
    what: str = column("What", key=False)
    runs: Sequence[str] = column("Which", cell=", ".join)
    sentence: str


def violation_rows(sent: SubmissionsResult) -> list[ViolationRow]:
    """Every submission that broke the rule, in order of date."""
    return [
        ViolationRow(
            *(broken.team, broken.kind, broken.name, broken.date, broken.since),
            *violation_count(broken, sent.rule),
            *(broken.names, violation_sentence(broken, sent.rule)),
        )
        for broken in sent.violations
    ]


def violation_grid(sent: SubmissionsResult) -> Grid:
    """A row per submission that broke the rule."""
    note = f"Number: how many there are in the {sent.rule.days} days that end on the date."
    return grid_of(ViolationRow, violation_rows(sent), title="Broken rules", notes=[note])


@row_class
class TeamRow:
    """What a team submitted; `most_in_window` is the largest number in any window of the rule."""

    team: str = column("Team")
    runs: Sequence[str] = column("Runs", "count", cell=len)
    first: Day | None = column("First")
    last: Day | None = column("Last")
    most_in_window: int = column("Most", "count")
    variants: int = column("Variants", "count", help="Declared small variations.")
    near_duplicates: int | None = column("Near-duplicates", "count", optional=True)
    violations: int = column("Broken", "count", help="How often the rule was broken.")


def team_rows(sent: SubmissionsResult, alike: NearDuplicatesResult | None) -> Iterator[TeamRow]:
    """Every team, those with most submissions first."""
    broken = Counter(violation.team for violation in sent.violations)
    for team in sent.teams:
        dates = team.runs[0].date, team.runs[-1].date
        variants = sum(run.variant_of is not None for run in team.runs)
        names = [run.name for run in team.runs]
        same = sum({pair.first, pair.second} <= set(names) for pair in alike.pairs) if alike else None
        yield TeamRow(team.team, names, *dates, team.most_in_window, variants, same, broken[team.team])


def submission_grid(sent: SubmissionsResult, alike: NearDuplicatesResult | None) -> Grid:
    """A row per team with two or more submissions, the busiest first."""
    several = [row for row in team_rows(sent, alike) if len(row.runs) > 1]
    notes = [f"Most: the largest number in any {sent.rule.days} days."]
    if single := len(sent.teams) - len(several):
        notes.append(f"Not listed: {counted(single, 'team')} with one submission.")
    if sent.unchecked:
        notes.append(f"Not checked: {counted(len(sent.unchecked), 'run')} without a team or a date.")
    return grid_of(TeamRow, several, title="Submissions", notes=notes)


@row_class
class DuplicateRow:
    """Two runs that are nearly the same, and whose they are."""

    first: str = column("Run")
    second: str = column("and run")
    overlap: float = column("Overlap", "share")
    relation: str = column("By")


def duplicate_rows(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> list[DuplicateRow]:
    """The pairs of near-duplicates, the highest overlap first."""
    return [row_of(DuplicateRow, pair, relation=relation(runs[pair.first], runs[pair.second])) for pair in alike.pairs]


def duplicate_grid(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> Grid:
    """A row per pair of near-duplicates."""
    notes = [f"Overlap: the share of the top {alike.depth} documents that both have, on average over the queries."]
    if len(alike.pairs) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(alike.pairs):,} pairs.")
    return grid_of(DuplicateRow, duplicate_rows(alike, runs)[:MOST_ROWS], title="Near-duplicates", notes=notes)


def relation(first: BoardRun, second: BoardRun) -> str:
    """Whose two runs are."""
    if first.variant_of == second.name or second.variant_of == first.name:
        return "one team, declared" if first.team == second.team else "different teams, declared"
    if first.baseline or second.baseline:
        return "a baseline and another" if first.baseline != second.baseline else "two baselines"
    if not first.team or not second.team:
        return "a run without a team"
    return "one team" if first.team == second.team else "different teams"
