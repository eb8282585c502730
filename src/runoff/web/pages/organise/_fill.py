"""Tables of the organisers' view."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.reports.grid import Column, Grid, Value
from runoff.reports.page.tables import Table, table
from runoff.store.audit import AuditEntry
from runoff.store.boards import StoredBoard
from runoff.store.label_sets import LabelSet, QuerySet
from runoff.store.links import Link
from runoff.tables.board import Board, BoardRun
from runoff.web.pages.organise._context import SettingField
from runoff.workflows.audit import AuditQuestion, audit
from runoff.workflows.stored_board import VisibleRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runoff.workflows.audit_result import AuditResult

NEWEST: Final = 200
PUBLIC, PRIVATE = "public", "private"


def audit_of_board(
    board: StoredBoard, runs: Sequence[VisibleRun], public: Mapping[int, float], private: Mapping[int, float]
) -> AuditResult:
    """The audit of what the server knows of a board without reading its files: dates, teams and means."""
    described = Board(
        title=board.title,
        measure=board.measure,
        runs=tuple(
            BoardRun(
                name=one.name,
                team=one.team,
                date=one.run.submitted_at.date(),
                baseline=one.run.baseline,
                scores={
                    name: means[one.run.id]
                    for name, means in ((PUBLIC, public), (PRIVATE, private))
                    if one.run.id in means
                },
            )
            for one in runs
        ),
    )
    return audit(described, question=AuditQuestion(rule=board.rule))


def private_table(
    runs: Sequence[VisibleRun], public: Mapping[int, float], private: Mapping[int, Mapping[str, float]], measure: str
) -> Table | None:
    """Every run with its public and private means, the best private one first."""
    names = tuple(dict.fromkeys(name for means in private.values() for name in means))
    if not names:
        return None
    rows: list[list[Value]] = [
        [one.name, one.team, public.get(one.run.id), *(private.get(one.run.id, {}).get(name) for name in names)]
        for one in runs
    ]
    rows.sort(key=lambda row: -(row[3] if isinstance(row[3], float) else -1.0))
    columns = [Column("run", "Run"), Column("team", "Team"), Column("public", f"Public {measure}", "number")]
    columns += [Column(f"private_{place}", name, "number") for place, name in enumerate(names, start=1)]
    return table(Grid(title="The private board", columns=columns, rows=rows), "private")


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


def log_table(entries: Sequence[AuditEntry], people: Mapping[int, str]) -> Table | None:
    """The newest changes."""
    rows: list[list[Value]] = [
        [
            entry.id, f"{entry.at:%Y-%m-%d %H:%M:%S}",
            "the server" if entry.actor_id is None else people.get(entry.actor_id, f"person {entry.actor_id}"),
            entry.action, f"{entry.thing} {entry.thing_id}",
            ", ".join(f"{name}: {value}" for name, value in entry.details.items()),
        ]
        for entry in sorted(entries, key=lambda entry: -entry.id)[:NEWEST]
    ]  # fmt: skip
    if not rows:
        return None
    columns = [
        Column("number", "Number", "count"), Column("at", "When (UTC)"), Column("who", "Who"),
        Column("action", "Did"), Column("thing", "To"), Column("details", "Details"),
    ]  # fmt: skip
    return table(Grid(title=f"The newest {len(rows):,} changes", columns=columns, rows=rows), "log")


def invitation_table(links: Sequence[Link]) -> Table | None:
    """Links that can still be used."""
    rows: list[list[Value]] = [
        [link.email, link.kind, link.role or "", _day(link.created_at), _day(link.expires_at)] for link in links
    ]
    if not rows:
        return None
    columns = [
        Column("email", "To"), Column("kind", "For"), Column("role", "Role"), Column("made", "Made"),
        Column("until", "Until"),
    ]  # fmt: skip
    return table(Grid(title="Open invitations", columns=columns, rows=rows), "invitations")


def organiser_tables(result: AuditResult) -> tuple[Table, ...]:
    """The tables of an audit."""
    return tuple(table(grid, f"audit-{place}") for place, grid in enumerate(result.grids(), start=1) if grid.rows)


def setting_fields(board: StoredBoard) -> tuple[SettingField, ...]:
    """The settings that the form changes."""

    def made(name: str, label: str, kind: str, hint: str = "") -> SettingField:
        value = getattr(board, name)
        text = f"{value:%Y-%m-%dT%H:%M}" if isinstance(value, datetime) else "" if value is None else str(value)
        return SettingField(name=name, label=label, kind=kind, value=text, hint=hint)

    when = "datetime-local"
    return (
        made("title", "Title", "text"),
        made("description", "Description", "textarea"),
        made("window_days", "Days of the rule", "number", "Any so many days in a row."),
        made("most", "Submissions in these days", "number"),
        made("variants", "Small variations among them", "number"),
        made("digits", "Digits of a score", "number", "Fewer digits tell less about single queries."),
        made("opens_at", "Opens (UTC)", when),
        made("closes_at", "Closes (UTC)", when),
        made("private_until", "Private results are shown from (UTC)", when, "Empty: they are shown at once."),
        made("anonymous_until", "Teams are named from (UTC)", when, "Empty: they are named at once."),
    )


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
