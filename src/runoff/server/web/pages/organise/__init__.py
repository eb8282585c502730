"""The organisers' view of a board: what teams do not see yet, what the audit finds, rule, jobs and log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.display.grid import Column, Grid, Value
from runoff.display.rounding import rounded_grid
from runoff.errors import NotFoundError
from runoff.reports.page.tables import Table, table
from runoff.results.audit_findings import rule_words
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.label_budget import load_label_budget
from runoff.server.cases.reads import (
    Quota,
    StoredBoard,
    load_board,
    load_label_sets,
    load_people,
    load_query_sets,
    load_quota,
    load_runs,
    load_teams,
)
from runoff.server.cases.runs.jobs import FoundDuplicates, load_found_duplicates, queue_near_duplicates, retry_job
from runoff.server.cases.views.public import ChartSize, Theme
from runoff.server.cases.views.stored_board import VisibleRun, load_open_means, load_private_means, load_visible_runs
from runoff.server.web.forms import SIGNED
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.visit import board_crumbs, show_page
from runoff.server.web.pages.board import picture
from runoff.server.web.pages.organise.budget import NOTES, budget_table, budget_words
from runoff.server.web.pages.organise.log import LogChoice, job_lines, job_words, load_board_jobs, load_log
from runoff.server.web.visitors import AnySite, Number, SignedIn

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
            visible.name,
            visible.team,
            visible.is_entry,
            public.get(visible.run.id),
            *(private.get(visible.run.id, {}).get(name) for name in names),
        ]
        for visible in runs
    ]
    rows.sort(key=lambda row: -(row[4] if isinstance(row[4], float) else -1.0))
    columns = [
        Column("run", "Run"),
        Column("team", "Team"),
        Column("entry", "Entry"),
        Column("public", f"Public {measure}", "number"),
        *(Column(f"private_{place}", name, "number") for place, name in enumerate(names, start=1)),
    ]
    return table(rounded_grid(Grid(title="The private board", columns=columns, rows=rows), digits), "private")


def quota_table(quotas: Sequence[tuple[str, Quota]], now: datetime) -> Table | None:
    """What each team has used of the submission limit, the busiest first."""
    rows: list[list[Value]] = [
        [
            team,
            quota.used,
            quota.left,
            quota.variants_used,
            "now" if quota.left and quota.free_at <= now else f"{quota.free_at:%Y-%m-%d}",
        ]
        for team, quota in sorted(quotas, key=lambda row: (-row[1].used, row[0]))
    ]
    columns = [
        Column("team", "Team"),
        Column("used", "Used", "count"),
        Column("left", "Left", "count"),
        Column("variants", "Small variations", "count"),
        Column("next", "Next from"),
    ]
    return (
        table(Grid(title="Submissions used by each team", columns=columns, rows=rows), "rule-table") if rows else None
    )


router = APIRouter(include_in_schema=False)
Word = Annotated[str, Query(max_length=60)]


def log_choice(
    who: Word = "", action: Word = "", thing: Word = "", page: Annotated[int, Query(ge=1, le=100_000)] = 1
) -> LogChoice:
    """What is asked of the log."""
    return LogChoice(who=who, action=action, thing=thing, page=page)


@router.get("/boards/{slug}/organise", response_class=HTMLResponse)
def show_organise(
    site: AnySite, visitor: SignedIn, slug: str, choice: Annotated[LogChoice, Depends(log_choice)], done: str = ""
) -> HTMLResponse:
    """The organisers' view."""
    require(visitor.actor, "manage board")
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        address = f"/boards/{board.slug}/organise"
        runs = load_visible_runs(connection, board, viewer=visitor.actor, now=now)
        private = load_private_means(connection, board, viewer=visitor.actor, now=now)
        public = load_open_means(connection, board, viewer=visitor.actor)
        labels, queries = load_label_sets(connection, board.id), load_query_sets(connection, board.id)
        every = load_runs(connection, board.id)
        names = {run.id: run.name for run in every}
        busy = {run.team_id for run in every if not run.baseline}
        teams = [team for team in load_teams(connection) if team.id in busy]
        quotas = [(team.name, load_quota(connection, board, team.id, now)) for team in teams]
        jobs = load_board_jobs(connection, board.id, names)
        people = tuple(person for person in load_people(connection) if person.role != "assessor")
        log = load_log(connection, board, choice, people, address)
        alike = load_found_duplicates(connection, board, {visible.run.id: visible.name for visible in runs})
        budget = load_label_budget(connection, board, actor=visitor.actor)
        _, audit = site.views.audit(connection, board, actor=visitor.actor, now=now)
    return show_page(
        "organise/organise.html",
        site,
        visitor,
        crumbs=board_crumbs(board.slug, board.title),
        done=done,
        board=board,
        address=address,
        findings=_findings(audit, alike),
        same_files=_same_files(runs),
        private=private_table(runs, public, private, board.measure, board.digits),
        private_words=_private_words(board, now),
        audit=[table(grid, f"audit-{place}") for place, grid in enumerate(audit.tables if audit else (), start=1)],
        charts=[chart_view(chart, f"{address}/charts", {}) for chart in (audit.charts if audit else ())],
        duplicates_words=_alike_words(alike, runs),
        can_look=len(runs) > 1 and (alike is None or len(alike.runs) < len(runs)),
        rule=quota_table(quotas, now),
        budget=budget_table(budget),
        budget_words=budget_words(budget),
        budget_notes=NOTES,
        rule_words=f"{rule_words(board.rule).capitalize()}.",
        sets=[("queries", query_set) for query_set in queries] + [("labels", label_set) for label_set in labels],
        jobs=job_lines(jobs, names),
        jobs_words=job_words(jobs),
        log=log,
    )


@router.get("/boards/{slug}/organise/charts/{name}.svg")
def show_chart(
    site: AnySite, visitor: SignedIn, slug: str, name: str, theme: Theme = "light", size: ChartSize = "page"
) -> Response:
    """A chart of the audit as a picture, for organisers."""
    require(visitor.actor, "manage board")
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        key, audit = site.views.audit(connection, board, actor=visitor.actor, now=now)
    for chart in audit.charts if audit else ():
        if chart.name == name:
            return picture(site.views.drawing(key, chart, theme=theme, size=size), visitor)
    raise NotFoundError(f"the audit of board {slug[:60]!r} has no chart {name[:60]!r}")


@router.post("/boards/{slug}/organise/near-duplicates", dependencies=[SIGNED])
def look_for_duplicates(site: AnySite, visitor: SignedIn, slug: str) -> Response:
    """Queue the job that reads every run and looks for near-duplicates."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board(connection, slug)
    site.database.write(
        lambda connection: queue_near_duplicates(connection, board, actor=visitor.actor, now=site.now())
    )
    return RedirectResponse(f"/boards/{board.slug}/organise?done=looking", status_code=303)


@router.post("/boards/{slug}/organise/jobs/{number}/retry", dependencies=[SIGNED])
def try_again(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Queue a failed job again."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board(connection, slug)
    retry_job(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"/boards/{board.slug}/organise?done=retried", status_code=303)


def _findings(audit: PublicAudit | None, alike: FoundDuplicates | None) -> tuple[str, ...]:
    """What the audit says; without near-duplicates while nobody has looked for them."""
    if audit is None:
        return ("No run has been scored yet.",)
    return tuple(text for text in audit.findings if alike is not None or "overlap" not in text)


def _private_words(board: StoredBoard, now: datetime) -> str:
    if board.shows_private(now):
        return "Everybody sees these means."
    if board.private_until is None:
        return "Only organisers see these means. The settings can set a day from which everybody does."
    if board.private_from is None:
        return "Only organisers see these means, because the board has no closing time. The settings can set one."
    when = f"Others see these means from {board.private_from:%Y-%m-%d %H:%M} (UTC)"
    return f"{when}." if board.private_from == board.private_until else f"{when}, when the board closes."


def _alike_words(alike: FoundDuplicates | None, runs: tuple[VisibleRun, ...]) -> str:
    if len(runs) < 2:
        return "There are fewer than two runs to compare."
    if alike is None:
        return "Nobody has looked yet. The search reads every file, in the background."
    newer = len(runs) - len(alike.runs)
    more = f" {newer:,} newer {'run was' if newer == 1 else 'runs were'} not searched." if newer else ""
    pairs = len(alike.result.pairs)
    text = f"{pairs:,} {'pair' if pairs == 1 else 'pairs'} found among {len(alike.runs):,} runs on {alike.at:%Y-%m-%d}"
    return f"{text}; the table is with the audit.{more}"


def _same_files(runs: tuple[VisibleRun, ...]) -> tuple[str, ...]:
    by_file: dict[str, list[VisibleRun]] = defaultdict(list)
    for visible in runs:
        by_file[visible.run.content_hash].append(visible)
    return tuple(
        f"The same file was submitted as {' and as '.join(f'{visible.name} ({visible.team})' for visible in same)}."
        for same in by_file.values()
        if len(same) > 1
    )
