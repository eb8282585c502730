"""A run: where it is, what is wrong with it, what it scored, and what it was worth on its day."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import BusyError, NotFoundError, TooOftenError
from runoff.server.cases.accounts.permissions import Thing, may, require
from runoff.server.cases.reads import (
    IR_METADATA,
    StoredBoard,
    StoredRun,
    StoredVerdict,
    load_board,
    load_entries,
    load_label_sets,
    load_query_sets,
    load_run,
    load_team,
)
from runoff.server.cases.runs.entries import change_run_counts, choose_entry, load_run_words, may_choose, shown_metadata
from runoff.server.cases.views.analysis import Pair
from runoff.server.cases.views.stored_board import (
    ShownScore,
    load_shown_scores,
    load_visible_runs,
    sees_all_queries,
    sees_run,
    sees_team,
    shown_labels,
)
from runoff.server.web.forms import SIGNED, SignedForm
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.visit import board_crumbs, show_page
from runoff.server.web.pages.compare import pair_query
from runoff.server.web.response_cache import NOT_KEPT, shared
from runoff.server.web.visitors import AnySite, AnyVisitor, Number, SignedIn, Visitor
from runoff.tables.run_metadata import flat_fields

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)
REFRESH: Final = 3
MOST_FIELDS: Final = 200
NAMES: Final = {"file_name": "File", "paper": "Paper", "code": "Code", "type": "Type"}


@router.get("/boards/{slug}/runs/{run_id}", response_class=HTMLResponse)
@shared
def show_run(site: AnySite, visitor: AnyVisitor, slug: str, run_id: Number, done: str = "") -> HTMLResponse:
    """The page of a run."""
    now, viewer = site.now(), visitor.actor
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = _find(connection, board, run_id, visitor, now)
        is_named = sees_team(viewer, board, run, now)
        team = load_team(connection, run.team_id).name if is_named else "anonymous"
        entry = load_entries(connection, board.id).get(run.team_id)
        scores = load_shown_scores(connection, board, run, viewer=viewer, now=now)
        words = load_run_words(connection, board, run, viewer=viewer, now=now)
        champion = None
        if words.verdict is not None and words.verdict.champion_id is not None:
            champion = load_run(connection, words.verdict.champion_id)
        pair = _pair(connection, board, run, champion, words.verdict, visitor, now)
    comparison, missing = None, ""
    try:
        comparison = pair and site.views.comparison(board, pair, viewer=viewer, asker=visitor.asker, now=now)
    except (BusyError, TooOftenError) as error:
        missing = f"The chart of this comparison is not shown: {error}."
    address, choice = f"/boards/{board.slug}/compare", pair_query(pair) if pair else {}
    page = show_page(
        "run/run.html",
        site,
        visitor,
        crumbs=board_crumbs(board.slug, board.title),
        done=done,
        board=board,
        run=run,
        team="organisers" if run.baseline else team,
        refresh=REFRESH if run.state in ("queued", "scoring") else 0,
        words=words,
        champion=champion,
        comparison=comparison,
        missing=missing,
        compare=f"{address}?{urlencode(choice)}",
        charts=[
            chart_view(chart, f"{address}/charts", choice)
            for chart in (comparison.charts if comparison else ())
            if chart.name == "outcome_bars"
        ],
        scores=[(shown, _over(board, shown, visitor)) for shown in scores],
        facts=_facts(run, visitor, is_named=is_named),
        header=flat_fields(shown_metadata(viewer, board, run, now))[:MOST_FIELDS],
        can_change_counts=_can_change_counts(run, visitor),
        entry=_entry_words(run, visitor, entry),
        can_choose=entry != run.id and may_choose(viewer, board, run, now),
    )
    if missing:
        page.headers[NOT_KEPT] = "no-store"
    return page


@router.post("/boards/{slug}/runs/{run_id}/counts")
def change_counts(site: AnySite, visitor: SignedIn, slug: str, run_id: Number, form: SignedForm) -> Response:
    """Let a run count for the rule or not, as an organiser: a submission was lost by a fault that is not the team's."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = load_run(connection, run_id)
    if run.board_id != board.id or not _can_change_counts(run, visitor):
        raise NotFoundError(f"there is no run {run_id} on board {board.slug!r} that can count")
    counts = form.get("counts") == "yes"
    change_run_counts(site.database, run.id, counts=counts, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{_address(board, run)}?done={'counts' if counts else 'counts-not'}", status_code=303)


@router.post("/boards/{slug}/runs/{run_id}/entry", dependencies=[SIGNED])
def do_choose(site: AnySite, visitor: SignedIn, slug: str, run_id: Number) -> Response:
    """Let a run stand for its team, as one of the team."""
    with site.database.read() as connection:
        board = load_board(connection, slug)
        run = _find(connection, board, run_id, visitor, site.now())
    choose_entry(site.database, board, visitor.actor, run.id, now=site.now())
    return RedirectResponse(f"{_address(board, run)}?done=entry", status_code=303)


def _entry_words(run: StoredRun, visitor: Visitor, chosen: int | None) -> str:
    """A sentence for the team about its choice; others see it on the board."""
    if run.baseline or run.state != "scored" or not may(visitor.actor, "submit run", Thing(team=run.team_id)):
        return ""
    if chosen == run.id:
        return "Your team chose this run to represent it."
    if chosen is None:
        return "Your team has not chosen a run yet: its newest represents it where the board shows one run per team."
    return "Another run represents your team."


def _can_change_counts(run: StoredRun, visitor: Visitor) -> bool:
    # Baselines are outside the rule, and rejected runs never count.
    return not run.baseline and run.state != "rejected" and may(visitor.actor, "manage board")


def _find(connection: Connection, board: StoredBoard, run_id: int, visitor: Visitor, now: datetime) -> StoredRun:
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


def _facts(run: StoredRun, visitor: Visitor, *, is_named: bool) -> list[tuple[str, str]]:
    """What was said of a run; what could tell its team is left out where the team is not named."""
    facts = [("Submitted", f"{run.submitted_at:%Y-%m-%d %H:%M} UTC")]
    if run.scored_at is not None:
        facts.append(("Scored", f"{run.scored_at:%Y-%m-%d %H:%M} UTC"))
    facts.append(("Size", f"{run.size:,} bytes"))
    if may(visitor.actor, "download run", Thing(team=run.team_id)):
        facts.append(("SHA-256", run.content_hash))
        facts.append(("Counts towards the limit", "yes" if run.counts else "no"))
    if run.variant_of is not None and is_named:
        facts.append(("Small variation of", f"run {run.variant_of}"))
    metadata = {name: value for name, value in run.metadata.items() if is_named or name != "file_name"}
    texts = {name: value for name, value in metadata.items() if name != IR_METADATA}
    return facts + [(NAMES.get(name, name), str(value)) for name, value in texts.items() if value not in ("", None)]


def _over(board: StoredBoard, shown: ShownScore, visitor: Visitor) -> str:
    """How many queries a mean is over, and how many of the set the run lacks; not of private queries."""
    text = f"{shown.score.queries:,} queries"
    if shown.queries.sealed:
        return text
    if shown.missing_queries:
        text += f"; the run lacks {shown.missing_queries:,} of the set"
    if board.hidden_subset:
        text += "; all, as organisers see them" if sees_all_queries(visitor.actor) else "; some are left out"
    return text


def _pair(
    connection: Connection,
    board: StoredBoard,
    run: StoredRun,
    champion: StoredRun | None,
    verdict: StoredVerdict | None,
    visitor: Visitor,
    now: datetime,
) -> Pair | None:
    """The run and the record of its day, to be compared; None where that is not for the visitor."""
    if champion is None or verdict is None:
        return None
    names = {run.name, champion.name}
    runs = load_visible_runs(connection, board, viewer=visitor.actor, now=now, names=names)
    visible = {found.run.id: found for found in runs}
    sets = shown_labels(load_label_sets(connection, board.id)).values()
    labels = {label_set.id: label_set for label_set in sets}[verdict.label_set_id]
    queries = {query_set.id: query_set for query_set in load_query_sets(connection, board.id)}[verdict.query_set_id]
    if labels.sealed or queries.sealed or not {run.id, champion.id} <= set(visible):
        return None
    return Pair(champion=visible[champion.id], challenger=visible[run.id], labels=labels, queries=queries)
