"""Addresses of the organisers' view of a board."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import RunoffError, UsageError
from runoff.store.audit import load_audit
from runoff.store.boards import BoardSettings, StoredBoard, load_board_by_slug, save_board_settings
from runoff.store.label_sets import load_label_sets, load_query_sets
from runoff.store.links import load_open_links
from runoff.store.people import load_people
from runoff.store.scores import load_scores
from runoff.web.forms import SignedForm
from runoff.web.frame.render import render_page
from runoff.web.frame.visit import board_crumbs, frame_of
from runoff.web.pages.organise import _fill as fill
from runoff.web.pages.organise._context import OrganisePage
from runoff.web.site import Site
from runoff.web.visitors import AnySite, SignedIn, Visitor
from runoff.workflows.permissions import require
from runoff.workflows.serp_arrays import whole_kernel_of
from runoff.workflows.stored_board import VisibleRun, load_private_means, load_visible_runs

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)


@router.get("/boards/{slug}/organise", response_class=HTMLResponse)
def show_organise(site: AnySite, visitor: SignedIn, slug: str) -> HTMLResponse:
    """The organisers' view."""
    require(visitor.actor, "manage board")
    return _page(site, visitor, slug)


@router.post("/boards/{slug}/organise")
def change_settings(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Change the settings of a board, unless somebody else has changed them meanwhile."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board_by_slug(connection, slug)
    try:
        settings, version = _settings(board, form), _whole("version", form.get("version", ""))
        actor = visitor.actor.id
        site.database.write(
            lambda connection: save_board_settings(
                connection, board.id, settings, version=version, actor=actor, now=site.now()
            )
        )
    except RunoffError as error:
        return _page(site, visitor, slug, problem=str(error))
    return RedirectResponse(f"/boards/{board.slug}/organise", status_code=303)


def _settings(board: StoredBoard, form: dict[str, str]) -> BoardSettings:
    kept = {field.name: getattr(board, field.name) for field in dataclasses.fields(BoardSettings)}
    for field in fill.setting_fields(board):
        sent = form.get(field.name)
        if sent is None:
            continue
        if field.kind == "number":
            kept[field.name] = _whole(field.name, sent)
        elif field.kind == "datetime-local":
            kept[field.name] = _moment(field.name, sent)
        else:
            kept[field.name] = sent
    return BoardSettings(**kept)


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise UsageError(f"{name}={text[:40]!r} cannot be used; expected a whole number")
    return int(text)


def _moment(name: str, text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None
    except ValueError:
        raise UsageError(f"{name}={text[:40]!r} is no time; expected one such as 2026-05-01T12:00") from None


def _page(site: Site, visitor: Visitor, slug: str, *, problem: str = "") -> HTMLResponse:
    now = site.now()
    with site.database.read() as connection:
        board = load_board_by_slug(connection, slug)
        runs = load_visible_runs(connection, board, viewer=visitor.actor, now=now)
        private = load_private_means(connection, board, viewer=visitor.actor, now=now)
        public = _open_means(connection, board)
        labels, queries = load_label_sets(connection, board.id), load_query_sets(connection, board.id)
        own = {one.run.id for one in runs}
        log = [
            *load_audit(connection, thing="board", thing_id=board.id),
            *(entry for entry in load_audit(connection, thing="run") if entry.thing_id in own),
        ]
        links = load_open_links(connection, now)
        people = {person.id: person.display_name for person in load_people(connection)}
    first = {run: next(iter(means.values())) for run, means in private.items()}
    result = fill.audit_of_board(board, runs, public, first) if runs else None
    page = OrganisePage(
        frame=frame_of(site, visitor, crumbs=board_crumbs(board.slug, board.title)),
        board=board.title,
        address=f"/boards/{board.slug}/organise",
        version=board.version,
        findings=_findings(result.opening(0)) if result else ("No run has been scored yet.",),
        private=fill.private_table(runs, public, private, board.measure),
        audit=fill.organiser_tables(result) if result else (),
        same_files=_same_files(runs),
        sets=fill.sets_table(labels, queries),
        log=fill.log_table(log, people),
        invitations=fill.invitation_table(links),
        settings=fill.setting_fields(board),
        problem=problem,
    )
    return HTMLResponse(render_page("organise/organise.html", page), status_code=422 if problem else 200)


def _findings(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """What the audit says about submissions and teams; the order of the runs is on the board's own page."""
    return tuple(text for text in sentences if "no order to look at" not in text and not text.startswith("Audit of"))


def _open_means(connection: Connection, board: StoredBoard) -> dict[int, float]:
    sealed = {one.id for one in load_label_sets(connection, board.id) if one.sealed}
    hidden = {one.id for one in load_query_sets(connection, board.id) if one.sealed}
    means: dict[int, float] = {}
    for score in load_scores(connection, board.id):
        if (
            score.kernel == whole_kernel_of(board)
            and score.label_set_id not in sealed
            and score.query_set_id not in hidden
        ):
            means.setdefault(score.run_id, score.mean)
    return means


def _same_files(runs: tuple[VisibleRun, ...]) -> tuple[str, ...]:
    by_file: dict[str, list[VisibleRun]] = defaultdict(list)
    for one in runs:
        by_file[one.run.content_hash].append(one)
    return tuple(
        f"The same file was submitted as {' and as '.join(f'{one.name} ({one.team})' for one in same)}."
        for same in by_file.values()
        if len(same) > 1
    )
