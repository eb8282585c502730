"""Versions of a board's labels: add one, see what it changes, take it into use."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.display.grid import Column, Grid, Value
from runoff.display.rounding import rounded_grid, rounded_text
from runoff.errors import InputError, NotFoundError, UsageError
from runoff.reports.page.tables import Table, table
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.labels.versions import (
    NewLabels,
    add_labels,
    load_label_changes,
    load_mean_changes,
    load_scored_share,
    use_labels,
)
from runoff.server.cases.reads import LabelSet, StoredBoard, clean_name, load_board, load_label_sets
from runoff.server.cases.views.stored_board import in_use, load_visible_runs, shown_labels
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, Field, FieldGroup, Form, filled, read_files_form
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.visit import organise_crumbs, show_page
from runoff.server.web.uploads import reading
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from runoff.server.cases.accounts.permissions import Actor


def version_line(connection: Connection, board: StoredBoard, labels: LabelSet, versions: tuple[LabelSet, ...]) -> Row:
    """A version of the labels, its state, and how many runs are scored on it."""
    current = in_use(versions).get(labels.name)
    is_used = current is not None and current.id == labels.id
    done, runs = load_scored_share(connection, board, labels)
    return Row(
        labels=labels,
        state="in use" if is_used else "used before" if labels.use else "not used yet",
        scored=f"{min(done, runs):,} of {runs:,}",
        is_whole=done >= runs,
    )


LABEL_GROUPS: Final = (
    FieldGroup(
        title="New labels",
        fields=(
            Field(name="name", label="Name", required=True, hint="An existing name, or a new one."),
            Field(
                name="file",
                label="Labels",
                kind="file",
                required=True,
                hint="A qrels file: query, 0, document, grade. Plain or compressed.",
            ),
            Field(
                name="level",
                label="Relevance level",
                kind="number",
                hint="The lowest grade that counts as relevant. Empty: that of earlier versions, or of the board.",
            ),
            Field(name="note", label="Note", kind="textarea", hint="Where they come from, and why they change."),
            Field(name="sealed", label="Private", kind="check", hint="Only means on them are ever shown."),
        ),
    ),
)


def what_changes(
    site: Site, connection: Connection, board: StoredBoard, old: LabelSet, new: LabelSet, actor: Actor, now: datetime
) -> tuple[tuple[str, ...], Table | None]:
    """What a version changes against another, in sentences and a table."""
    if not (old.sealed or new.sealed):
        changes = load_label_changes(connection, site.files, board, old, new, actor=actor, now=now)
        if changes is not None:
            grid = rounded_grid(changes.grid(), board.digits)
            sentences = tuple(rounded_text(text, max(3, board.digits)) for text in changes.opening(0))
            return sentences, table(grid, "changes")
    names = {visible.run.id: visible.name for visible in load_visible_runs(connection, board, viewer=actor, now=now)}
    rows: list[list[Value]] = [
        [names[run], before, after]
        for run, before, after in sorted(load_mean_changes(connection, board, old, new), key=lambda row: -row[2])
        if run in names
    ]
    if not rows:
        return ("No run is scored on both yet.",), None
    columns = [Column("run", "Run"), Column("old", "Old", "number"), Column("new", "New", "number")]
    grid = Grid(title=f"Means under two versions, {board.measure}", columns=columns, rows=rows)
    why = "For private labels, only means are shown."
    if not (old.sealed or new.sealed):
        why = "The two versions have no public query in common, so only means are shown."
    return (why,), table(rounded_grid(grid, board.digits), "changes")


router = APIRouter(include_in_schema=False)


@router.get("/boards/{slug}/labels", response_class=HTMLResponse)
def show_labels(site: AnySite, visitor: SignedIn, slug: str, done: str = "") -> HTMLResponse:
    """All versions, and the form for a new one."""
    require(visitor.actor, "manage board")
    return _page(site, visitor, slug, None, done=done)


@router.post("/boards/{slug}/labels")
async def take_labels(request: Request, site: AnySite, visitor: SignedIn, slug: str) -> Response:
    """Add labels."""
    require(visitor.actor, "manage board")
    async with read_files_form(request, visitor, most_files=1) as form:
        return await run_in_threadpool(_added, site, visitor, slug, form)


@router.get("/boards/{slug}/labels/{number}", response_class=HTMLResponse)
def show_version(site: AnySite, visitor: SignedIn, slug: str, number: Number, done: str = "") -> HTMLResponse:
    """One version, and what it changes against the one in use, or that one against the version before."""
    require(visitor.actor, "manage board")
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        versions = load_label_sets(connection, board.id)
        labels = next((version for version in versions if version.id == number), None)
        if labels is None:
            raise NotFoundError(f"board {board.slug!r} has no label set {number}")
        line = version_line(connection, board, labels, versions)
        other = in_use(versions).get(labels.name)
        if line.state == "in use":
            earlier = [version for version in versions if version.name == labels.name and version.id < labels.id]
            other = earlier[-1] if earlier else None
        sentences: tuple[str, ...] = ()
        changes = None
        if other is not None:
            older, newer = sorted((labels, other), key=lambda version: version.version)
            sentences, changes = what_changes(site, connection, board, older, newer, visitor.actor, now)
        names = {shown.id: name for name, shown in shown_labels(versions).items() if not shown.sealed}
    return show_page(
        "labels/version.html",
        site,
        visitor,
        crumbs=(*organise_crumbs(board), Crumb(text="Labels", href=f"/boards/{board.slug}/labels")),
        done=done,
        board=board,
        line=line,
        labels=labels,
        shown_as=names.get(labels.id, ""),
        other=other,
        sentences=sentences,
        changes=changes,
    )


@router.post("/boards/{slug}/labels/{number}/use", dependencies=[SIGNED])
def use_version(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Let the board rank by a version."""
    with site.database.read() as connection:
        board = load_board(connection, slug)
    use_labels(site.database, board, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"/boards/{board.slug}/labels/{number}?done=used", status_code=303)


def _added(site: Site, visitor: Visitor, slug: str, form: Form) -> Response:
    with site.database.read() as connection:
        board = load_board(connection, slug)
    name = form.made("name", clean_name) or ""
    level = form.whole("level", 1, 127) if form.text("level") else None
    if "file" not in form.files:
        form.problems["file"] = "no file; expected labels, a qrels file; choose one"
    if len(name) > 50:
        form.problems["name"] = "this name is too long; expected 50 characters at most"
    if form.problems:
        return _page(site, visitor, slug, form)
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        sent = form.copied_to(Path(folder))["file"]
        new = NewLabels(
            name=name,
            path=sent.path,
            file_name=sent.file_name,
            note=form.text("note"),
            sealed=bool(form.text("sealed")),
            relevance_level=level,
        )
        try:
            with reading(site, visitor.actor):
                added = add_labels(
                    site.database, site.files, board, new, actor=visitor.actor, now=site.now(), reader=site.reader
                )
        except InputError as error:
            form.problems["file"] = "\n".join(renamed_problems(error, {}))
        except UsageError as error:
            form.problems["name"] = str(error)
        else:
            word = "first-labels" if added.use else "labels"
            return RedirectResponse(f"/boards/{board.slug}/labels/{added.id}?done={word}", status_code=303)
    return _page(site, visitor, slug, form)


def _page(site: Site, visitor: Visitor, slug: str, sent: Form | None, *, done: str = "") -> HTMLResponse:
    with site.database.read() as connection:
        board = load_board(connection, slug)
        versions = load_label_sets(connection, board.id)
        lines = [version_line(connection, board, labels, versions) for labels in versions]
    return show_page(
        "labels/labels.html",
        site,
        visitor,
        crumbs=organise_crumbs(board),
        done=done,
        status=422 if sent else 200,
        board=board,
        lines=lines,
        groups=filled(LABEL_GROUPS, sent),
    )
