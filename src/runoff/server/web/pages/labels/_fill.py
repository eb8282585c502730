"""Lines, tables and fields of the pages of label versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.display.grid import Column, Grid, Value
from runoff.display.rounding import rounded_grid, rounded_text
from runoff.reports.page.tables import Table, table
from runoff.server.cases.labels.versions import load_label_changes, load_mean_changes, load_scored_share
from runoff.server.cases.views.stored_board import in_use, load_visible_runs
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import LabelSet
from runoff.server.web.frame.fields import Field, FieldGroup
from runoff.server.web.pages.labels._context import VersionLine

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from runoff.server.cases.accounts.permissions import Actor
    from runoff.server.site import Site


def version_line(
    connection: Connection, board: StoredBoard, one: LabelSet, versions: tuple[LabelSet, ...]
) -> VersionLine:
    """A version of the labels."""
    current = in_use(versions).get(one.name)
    is_used = current is not None and current.id == one.id
    done, runs = load_scored_share(connection, board, one)
    return VersionLine(
        name=one.name,
        version=one.version,
        href=f"/boards/{board.slug}/labels/{one.id}",
        state="in use" if is_used else "used before" if one.use else "not used yet",
        sealed=one.sealed,
        queries=f"{one.queries:,}",
        judged=f"{one.judged:,}",
        added=f"{one.created_at:%Y-%m-%d}",
        scored=f"{min(done, runs):,} of {runs:,}",
        is_whole=done >= runs,
        level="" if one.relevance_level is None else f"{one.relevance_level}",
        note=one.note,
    )


def label_groups() -> tuple[FieldGroup, ...]:
    """The form for new labels."""
    return (
        FieldGroup(title="New labels", fields=(
            Field(name="name", label="Name", required=True, hint="That of labels that are there, or a new one."),
            Field(name="file", label="Labels", kind="file", required=True,
                  hint="A qrels file: query, 0, document, grade. Plain or compressed."),
            Field(name="level", label="Relevance level", kind="number",
                  hint="The lowest grade that counts as relevant. Empty: that of the board, or of earlier versions."),
            Field(name="note", label="Note", kind="textarea", hint="Where they come from, and why they change."),
            Field(name="sealed", label="Private", kind="check", hint="Nobody sees more than means on them."),
        )),
    )  # fmt: skip


def what_changes(
    site: Site, connection: Connection, board: StoredBoard, old: LabelSet, new: LabelSet, actor: Actor, now: datetime
) -> tuple[tuple[str, ...], Table | None]:
    """What a version changes against another, in sentences and a table."""
    if not (old.sealed or new.sealed):
        found = load_label_changes(connection, site.files, board, old, new, actor=actor, now=now)
        if found is not None:
            grid = rounded_grid(found.grid(), board.digits)
            said = tuple(rounded_text(text, max(3, board.digits)) for text in found.opening(0))
            return said, table(grid, "changes")
    names = {one.run.id: one.name for one in load_visible_runs(connection, board, viewer=actor, now=now)}
    rows: list[list[Value]] = [
        [names[run], before, after]
        for run, before, after in sorted(load_mean_changes(connection, board, old, new), key=lambda row: -row[2])
        if run in names
    ]
    if not rows:
        return ("No run is scored on both yet.",), None
    columns = [Column("run", "Run"), Column("old", "Old", "number"), Column("new", "New", "number")]
    grid = Grid(title=f"Means under two versions, {board.measure}", columns=columns, rows=rows)
    return ("Of private labels means alone are shown.",), table(rounded_grid(grid, board.digits), "changes")
