"""A run: where it is, what is wrong with it, what it scored, and what it was worth on its day."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import NotFoundError
from runoff.server.cases.accounts.permissions import Thing, may, require
from runoff.server.cases.reads import (
    MeanScore,
    QuerySet,
    StoredBoard,
    StoredRun,
    StoredVerdict,
    load_board,
    load_entries,
    load_label_sets,
    load_query_sets,
    load_run,
    load_scores,
    load_team,
)
from runoff.server.cases.runs.entries import change_run_counts, choose_entry, load_run_words, may_choose
from runoff.server.cases.views.analysis import Pair
from runoff.server.cases.views.stored_board import (
    computation_version_for,
    load_visible_runs,
    sees_all_queries,
    sees_run,
    sees_scores,
    sees_team,
    shown_labels,
)
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, SignedForm
from runoff.server.web.frame.charts import ChartView, chart_view
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.flash import done_words
from runoff.server.web.frame.numbers import number
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import board_crumbs, frame_of
from runoff.server.web.response_cache import shared
from runoff.server.web.visitors import AnySite, AnyVisitor, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)
REFRESH: Final = 3
NAMES: Final = {"file_name": "File", "paper": "Paper", "code": "Code", "type": "Type"}


@router.get("/boards/{slug}/runs/{run_id}", response_class=HTMLResponse)
@shared
def show_run(site: AnySite, visitor: AnyVisitor, slug: str, run_id: Number, done: str = "") -> HTMLResponse:
    """The page of a run."""
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = _found(connection, board, run_id, visitor, now)
        is_named = sees_team(visitor.actor, board, run, now)
        team = load_team(connection, run.team_id).name if is_named else "anonymous"
        is_shown = sees_scores(visitor.actor, run)
        chosen = load_entries(connection, board.id).get(run.team_id)
        scores = _scores(connection, board, run, visitor, now) if is_shown else ()
        words = load_run_words(connection, board, run, viewer=visitor.actor, now=now)
        verdict = words.verdict
        champion = None
        if verdict is not None and verdict.champion_id is not None:
            champion = load_run(connection, verdict.champion_id)
            champion = champion if sees_run(visitor.actor, champion, now) else None
    marks, charts, compare = _against(site, board, run, champion, verdict, visitor)
    page = Row(
        frame=frame_of(site, visitor, crumbs=board_crumbs(board.slug, board.title), notices=done_words(done)),
        name=run.name,
        team="organisers" if run.baseline else team,
        board=Crumb(text=board.title, href=f"/boards/{board.slug}"),
        state=run.state,
        refresh=REFRESH if run.state in ("queued", "scoring") else 0,
        status=words.status,
        pairs=_pairs(run, visitor, is_named=is_named),
        description=run.description,
        problems=tuple(run.problems),
        scores=scores,
        verdict="" if verdict is None else verdict.spoken,
        marks=marks,
        sentence=words.sentence,
        champion=None if champion is None else Crumb(text=champion.name, href=_address(board, champion)),
        charts=charts,
        counts=run.counts,
        counts_address=_counts_address(board, run, visitor),
        entry=_entry_words(run, visitor, chosen),
        entry_address=_entry_address(board, run, visitor, now) if chosen != run.id else "",
        compare=compare,
    )
    return HTMLResponse(render_page("run/run.html", page))


@router.post("/boards/{slug}/runs/{run_id}/counts")
def change_counts(site: AnySite, visitor: SignedIn, slug: str, run_id: Number, form: SignedForm) -> Response:
    """Let a run count for the rule or not, as an organiser: a submission was lost by a fault that is not the team's."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = load_run(connection, run_id)
    if run.board_id != board.id or not _counts_address(board, run, visitor):
        raise NotFoundError(f"there is no run {run_id} on board {board.slug!r} that can count")
    counts = form.get("counts") == "yes"
    change_run_counts(site.database, run.id, counts=counts, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{_address(board, run)}?done={'counts' if counts else 'counts-not'}", status_code=303)


@router.post("/boards/{slug}/runs/{run_id}/entry", dependencies=[SIGNED])
def do_choose(site: AnySite, visitor: SignedIn, slug: str, run_id: Number) -> Response:
    """Let a run stand for its team, as one of the team."""
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = _found(connection, board, run_id, visitor, site.now())
    choose_entry(site.database, board, visitor.actor, run.id, now=site.now())
    return RedirectResponse(f"{_address(board, run)}?done=entry", status_code=303)


def _entry_address(board: StoredBoard, run: StoredRun, visitor: Visitor, now: datetime) -> str:
    return f"{_address(board, run)}/entry" if may_choose(visitor.actor, board, run, now) else ""


def _entry_words(run: StoredRun, visitor: Visitor, chosen: int | None) -> str:
    """A sentence for the team about its choice; others see it on the board."""
    if run.baseline or run.state != "scored" or not may(visitor.actor, "submit run", Thing(team=run.team_id)):
        return ""
    if chosen == run.id:
        return "Your team chose this run to stand for it."
    if chosen is None:
        return "Your team has not chosen a run yet: its newest represents it where the board shows one run per team."
    return "Another run represents your team."


def _counts_address(board: StoredBoard, run: StoredRun, visitor: Visitor) -> str:
    # Baselines are outside the rule, and rejected runs never count.
    if run.baseline or run.state == "rejected" or not may(visitor.actor, "manage board"):
        return ""
    return f"{_address(board, run)}/counts"


def _found(connection: Connection, board: StoredBoard, run_id: int, visitor: Visitor, now: datetime) -> StoredRun:
    """The run, in the same words whether there is none or it is not for this visitor."""
    try:
        run = load_run(connection, run_id)
    except NotFoundError:
        run = None
    if run is None or run.board_id != board.id or not sees_run(visitor.actor, run, now):
        raise NotFoundError(f"there is no run {run_id} on board {board.slug!r} that you may see")
    return run


def _address(board: StoredBoard, run: StoredRun) -> str:
    return f"/boards/{board.slug}/runs/{run.id}"


def _pairs(run: StoredRun, visitor: Visitor, *, is_named: bool) -> tuple[tuple[str, str], ...]:
    """What was said of a run; what could tell its team is left out where the team is not named."""
    pairs = [("Submitted", f"{run.submitted_at:%Y-%m-%d %H:%M} UTC")]
    if run.scored_at is not None:
        pairs.append(("Scored", f"{run.scored_at:%Y-%m-%d %H:%M} UTC"))
    pairs.append(("Size", f"{run.size:,} bytes"))
    if may(visitor.actor, "download run", Thing(team=run.team_id)):
        pairs.append(("SHA-256", run.content_hash))
        pairs.append(("Counts for the rule", "yes" if run.counts else "no"))
    if run.variant_of is not None and is_named:
        pairs.append(("Small variation of", f"run {run.variant_of}"))
    said = {name: value for name, value in run.metadata.items() if is_named or name != "file_name"}
    return (*pairs, *((NAMES.get(name, name), str(value)) for name, value in said.items() if value not in ("", None)))


def _scores(
    connection: Connection, board: StoredBoard, run: StoredRun, visitor: Visitor, now: datetime
) -> tuple[Row, ...]:
    labels = {one.id: one for one in load_label_sets(connection, board.id) if one.use}
    queries = {one.id: one for one in load_query_sets(connection, board.id)}
    shown_private = may(visitor.actor, "see private results", Thing(published=board.shows_private(now)))
    lines = []
    for score in load_scores(connection, board.id, run_id=run.id):
        label, query = labels.get(score.label_set_id), queries[score.query_set_id]
        if label is None:
            continue  # a version that is not used yet
        private = label.sealed or query.sealed
        if score.computation_version != computation_version_for(visitor.actor, board, label) or (
            private and not shown_private
        ):
            continue
        lines.append(
            Row(
                labels=f"{label.name}, version {label.version}",
                queries=f"{query.name}, version {query.version}",
                measure=score.measure,
                mean=number(score.mean, board.digits),
                count=_over(board, score, query, visitor),
                private=private,
            )
        )
    return tuple(lines)


def _over(board: StoredBoard, score: MeanScore, queries: QuerySet, visitor: Visitor) -> str:
    """How many queries a mean is over, and how many of the set the run lacks; not of private queries."""
    text = f"{score.queries:,} queries"
    if not queries.sealed and score.missing_queries:
        text += f"; the run lacks {score.missing_queries:,} of the set"
    if board.hidden_subset and not queries.sealed:
        text += "; all, as organisers see them" if sees_all_queries(visitor.actor) else "; some are left out"
    return text


def _against(
    site: Site,
    board: StoredBoard,
    run: StoredRun,
    champion: StoredRun | None,
    verdict: StoredVerdict | None,
    visitor: Visitor,
) -> tuple[str, tuple[ChartView, ...], str]:
    """Marks, charts and the address of the comparison of a run with the record of its day."""
    if champion is None or verdict is None:
        return "", (), ""
    with site.database.read() as connection:
        found = load_visible_runs(
            connection, board, viewer=visitor.actor, now=site.now(), names={run.name, champion.name}
        )
        seen = {one.run.id: one for one in found}
        sets = shown_labels(load_label_sets(connection, board.id)).values()
        labels = {one.id: one for one in sets}[verdict.label_set_id]
        queries = {one.id: one for one in load_query_sets(connection, board.id)}[verdict.query_set_id]
    if labels.sealed or queries.sealed or not {run.id, champion.id} <= set(seen):
        return "", (), ""
    pair = Pair(champion=seen[champion.id], challenger=seen[run.id], labels=labels, queries=queries)
    comparison = site.views.comparison(board, pair, viewer=visitor.actor, asker=visitor.asker, now=site.now())
    if comparison is None:
        return "", (), ""
    choice = {
        "champion": str(champion.id), "challenger": str(run.id), "labels": labels.name, "queries": queries.name,
    }  # fmt: skip
    folder = f"/boards/{board.slug}/compare"
    charts = tuple(
        chart_view(chart, f"{folder}/charts", choice) for chart in comparison.charts if chart.name == "outcome_bars"
    )
    return comparison.marks, charts, f"{folder}?{urlencode(choice)}"
