"""What the page of a board shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.numbers import Interval

if TYPE_CHECKING:
    from markupsafe import Markup

    from runoff.reports.page.tables import Table
    from runoff.server.web.frame.charts import ChartView


@dataclass(frozen=True, kw_only=True)
class Option:
    """One choice of a list."""

    value: str = shown("What the form sends.")
    text: str = shown("What a person reads.")


@dataclass(frozen=True, kw_only=True)
class Filters:
    """The form above the table."""

    labels: tuple[Option, ...] = shown("Open label sets.", ())
    queries: tuple[Option, ...] = shown("Open query sets.", ())
    teams: tuple[Option, ...] = shown("Teams that are named, and all of them first.", ())
    chosen_labels: str = shown("The label set that the page shows.", "")
    chosen_queries: str = shown("The query set that the page shows.", "")
    runs: tuple[Option, ...] = shown("All runs, or one of each team.", ())
    chosen_runs: str = shown("Which of the two is shown.", "")
    chosen_team: str = shown("The team whose runs are shown; empty for all.", "")
    since: str = shown("The first date of the runs, as in 2026-03-15; empty for all.", "")
    until: str = shown("The last date of the runs; empty for all.", "")


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row of the board."""

    rank: int = shown("The place by mean; 1 is best.")
    run: str = shown("The name of the run on the board.")
    href: str = shown("The page of the run.")
    compare: str = shown("The page that compares it with the first run; empty for the first.")
    team: str = shown("The team, or a word in place of it.")
    date: str = shown("The day of submission (UTC).")
    mean: str = shown("The mean, with the digits of the board.")
    low: str = shown("The lower end of its 95% interval.")
    high: str = shown("The upper end of its 95% interval.")
    interval: Interval = shown("The interval as places on a line.")
    first_rank: int = shown("The best rank of its 95% interval.")
    last_rank: int = shown("The worst rank of its 95% interval.")
    group: int = shown("Runs of one group cannot be told apart from its first.")
    begins_group: bool = shown("Whether it is the first row of its group.")
    verdict: str = shown("The verdict against the leader, with how the run differs; empty for the leader itself.")
    on_its_day: str = shown("The verdict against the record of its day, or what it was instead.")
    on_its_day_sentence: str = shown("That verdict in a sentence.")
    is_record: bool = shown("Whether it was a record when it came.")
    is_certified: bool = shown("Whether the record test certifies that record.")
    is_baseline: bool = shown("Whether it is a run of the organisers.")
    is_chosen: bool = shown("Whether its team chose it to stand for it.")
    private: tuple[str, ...] = shown("Means on private labels, in the order of their headings.")


@dataclass(frozen=True, kw_only=True)
class Results:
    """Everything of the page that depends on the filters."""

    sentence: str = shown("Who leads, and how sure that is.")
    more: tuple[str, ...] = shown("What the records are worth, in sentences.")
    caption: str = shown("What the table is about.")
    measure: str = shown("The heading of the means.")
    private: tuple[str, ...] = shown("Headings of the means on private labels.")
    lines: tuple[Line, ...] = shown("A row per run, the best first.")
    notes: tuple[str, ...] = shown("What the columns mean.")
    charts: tuple[ChartView, ...] = shown("Ranks, records, and which runs can be told apart.")
    records: Table | None = shown("The records over time; None where there are none.")


@dataclass(frozen=True, kw_only=True)
class Pending:
    """A run that its own team sees before others do."""

    name: str = shown("The name of the run.")
    href: str = shown("Its page.")
    state: str = shown("queued, scoring, rejected, or under embargo.")


@dataclass(frozen=True, kw_only=True)
class BoardPage(PageContext):
    """The page of a board."""

    title: str = shown("The name of the board.")
    description: str = shown("What the organisers say about it.")
    about: str = shown("Measure, depth and queries, in a line.")
    address: str = shown("Where the page is, without filters.")
    is_open: bool = shown("Whether the board takes submissions now.")
    when: str = shown("Until when, or since when not, it takes submissions.")
    private_note: str = shown("When results on private labels are shown; empty where there are none.")
    filters: Filters = shown("The form above the table.")
    results: Markup | None = shown("The rendered results; None where no run fits.")
    empty: str = shown("What to say in place of results.")
    pending: tuple[Pending, ...] = shown("The visitor's own runs that are not on the board.")
