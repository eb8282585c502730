"""What organisers see of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import Field

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table
    from runoff.server.web.frame.charts import ChartView


@dataclass(frozen=True, kw_only=True)
class JobLine:
    """A job that waits, runs or has failed."""

    number: int = shown("The number of the job.")
    what: str = shown("What it does.")
    state: str = shown("queued, running or failed.")
    attempts: str = shown("How often it was begun, and how often it may be.")
    since: str = shown("When it was queued.")
    error: str = shown("The kind and place of its last error; empty if there was none.")


@dataclass(frozen=True, kw_only=True)
class Log:
    """A page of the audit log."""

    table: Table | None = shown("The changes; None where none fits.")
    filters: tuple[Field, ...] = shown("What can be chosen.")
    words: str = shown("Which of how many changes are shown.")
    newer: str = shown("The address of newer changes; empty where there are none.")
    older: str = shown("The address of older changes; empty where there are none.")


@dataclass(frozen=True, kw_only=True)
class OrganisePage(PageContext):
    """The organisers' view of a board."""

    board: str = shown("The name of the board.")
    board_address: str = shown("The page of the board.")
    address: str = shown("Where the page is.")
    findings: tuple[str, ...] = shown("What the audit found, in sentences.")
    same_files: tuple[str, ...] = shown("Files that more than one team submitted, in sentences.")
    private: Table | None = shown("Runs with their means on private labels; None without private labels.")
    private_words: str = shown("Who sees private results, and from when.")
    audit: tuple[Table, ...] = shown("Orders, overfitting, breaches of the rule, submissions, near-duplicates.")
    charts: tuple[ChartView, ...] = shown("Orders on public and private queries, and overfitting.")
    duplicates_words: str = shown("When near-duplicates were looked for, and among how many runs.")
    can_look: bool = shown("Whether there are runs that were not looked at.")
    rule: Table | None = shown("What each team has used of the rule; None without teams.")
    rule_words: str = shown("The rule in words.")
    sets: Table | None = shown("Versions of query sets and label sets.")
    jobs: tuple[JobLine, ...] = shown("Jobs that wait, run or have failed, the newest first.")
    jobs_words: str = shown("How many jobs there are.")
    log: Log = shown("A page of the audit log.")
