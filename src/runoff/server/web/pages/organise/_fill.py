"""Tables of the organisers' view."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.display.grid import Column, Grid, Value
from runoff.display.rounding import rounded_grid
from runoff.reports.page.tables import Table, table
from runoff.server.cases.views.stored_board import VisibleRun
from runoff.server.store.label_sets import LabelSet, QuerySet
from runoff.server.store.quotas import Quota

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runoff.server.cases.views.public import PublicAudit


def private_table(
    runs: Sequence[VisibleRun],
    public: Mapping[int, float],
    private: Mapping[int, Mapping[str, float]],
    measure: str,
    digits: int,
) -> Table | None:
    """Every run with its public and private means, the best private one first."""
    names = tuple(dict.fromkeys(name for means in private.values() for name in means))
    if not names:
        return None
    rows: list[list[Value]] = [
        [
            one.name,
            one.team,
            one.is_entry,
            public.get(one.run.id),
            *(private.get(one.run.id, {}).get(name) for name in names),
        ]
        for one in runs
    ]
    rows.sort(key=lambda row: -(row[4] if isinstance(row[4], float) else -1.0))
    columns = [
        Column("run", "Run"),
        Column("team", "Team"),
        Column("entry", "Entry"),
        Column("public", f"Public {measure}", "number"),
    ]
    columns += [Column(f"private_{place}", name, "number") for place, name in enumerate(names, start=1)]
    return table(rounded_grid(Grid(title="The private board", columns=columns, rows=rows), digits), "private")


def sets_table(labels: Sequence[LabelSet], queries: Sequence[QuerySet]) -> Table | None:
    """Every version of the query sets and label sets."""
    rows: list[list[Value]] = [
        [one.name, kind, one.version, "private" if one.sealed else "open", one.queries, judged, _day(one.created_at),
         one.note]
        for kind, one, judged in (
            *(("queries", one, None) for one in queries), *(("labels", one, one.judged) for one in labels)
        )
    ]  # fmt: skip
    if not rows:
        return None
    columns = [
        Column("name", "Name"), Column("kind", "Kind"), Column("version", "Version", "count"),
        Column("open", "Seen by"), Column("queries", "Queries", "count"), Column("judged", "Judged", "count"),
        Column("date", "Added"), Column("note", "Note"),
    ]  # fmt: skip
    return table(Grid(title="Versions of queries and labels", columns=columns, rows=rows), "sets")


def rule_table(rows: Sequence[tuple[str, Quota]], now: datetime) -> Table | None:
    """What each team has used of the rule today, the busiest first."""
    ordered = sorted(rows, key=lambda row: (-row[1].used, row[0]))
    cells: list[list[Value]] = [
        [
            team, quota.used, quota.left, quota.variants_used,
            "now" if quota.left and quota.free_at <= now else _day(quota.free_at),
        ]
        for team, quota in ordered
    ]  # fmt: skip
    if not cells:
        return None
    columns = [
        Column("team", "Team"), Column("used", "Used", "count"), Column("left", "Left", "count"),
        Column("variants", "Variations", "count", help="Small variations among them."), Column("next", "Next from"),
    ]  # fmt: skip
    return table(Grid(title="What teams have used of the rule", columns=columns, rows=cells), "rule-table")


def organiser_tables(audit: PublicAudit) -> tuple[Table, ...]:
    """The tables of an audit."""
    return tuple(table(grid, f"audit-{place}") for place, grid in enumerate(audit.tables, start=1))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
