"""The judging campaigns of a board: all of them, a new one, and the settings of one."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import ConflictError, UsageError
from runoff.phrases import as_sentence
from runoff.server.cases.judging.manage import change_campaign, choose_runs, create_campaign
from runoff.server.cases.reads import (
    Campaign,
    StoredBoard,
    load_campaign_labels,
    load_campaign_runs,
    load_campaigns,
    load_runs,
)
from runoff.server.site import Site
from runoff.server.web.campaign_form import campaign_groups, new_campaign, read_campaign, read_runs
from runoff.server.web.campaign_visits import (
    CampaignVisit,
    about_words,
    board_path,
    campaigns_address,
    load_open_labels,
    load_run_words,
    visit_board,
    visit_campaign,
)
from runoff.server.web.forms import Form, SignedList, filled
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.numbers import money
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

router = APIRouter(include_in_schema=False)


@router.get("/boards/{slug}/campaigns", response_class=HTMLResponse)
def show_campaigns(site: AnySite, visitor: SignedIn, slug: str) -> HTMLResponse:
    """All campaigns of a board."""
    with site.database.read() as connection:
        board = visit_board(connection, visitor, slug)
        found = load_campaigns(connection, board_id=board.id)
        versions = {one.id: len(load_campaign_labels(connection, one.id)) for one in found}
        runs = len(load_runs(connection, board.id, state="scored"))
    lines = [_line(site, visitor, board, one, versions[one.id]) for one in reversed(found)]
    page = Row(
        frame=frame_of(site, visitor, crumbs=board_path(board)),
        board=board.title,
        address=campaigns_address(board),
        lines=tuple(lines),
        runs=runs,
    )
    return HTMLResponse(render_page("campaigns/campaigns.html", page))


@router.get("/boards/{slug}/campaigns/new", response_class=HTMLResponse)
def show_form(site: AnySite, visitor: SignedIn, slug: str) -> HTMLResponse:
    """The form for a new campaign."""
    return _new_page(site, visitor, slug, None)


@router.post("/boards/{slug}/campaigns/new")
def take_form(site: AnySite, visitor: SignedIn, slug: str, form: SignedList) -> Response:
    """Make a draft; everything that is wrong is said at once, beside its field."""
    with site.database.read() as connection:
        board = visit_board(connection, visitor, slug)
        labels, runs = load_open_labels(connection, board), load_run_words(connection, board, visitor, site)
    settings = read_campaign(form, new_campaign(board.id, labels), label_sets=labels, is_new=True, is_started=False)
    chosen = read_runs(form, list(runs))
    if form.problems:
        return _new_page(site, visitor, slug, form)
    try:
        made = create_campaign(site.database, settings, chosen, actor=visitor.actor, now=site.now())
    except ConflictError as error:
        form.problems["slug"] = str(error)
        return _new_page(site, visitor, slug, form)
    except UsageError as error:
        return _new_page(site, visitor, slug, form, problem=as_sentence(error))
    return RedirectResponse(f"{campaigns_address(board)}/{made.id}?done=campaign", status_code=303)


@router.get("/boards/{slug}/campaigns/{number}/settings", response_class=HTMLResponse)
def show_settings(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> HTMLResponse:
    """The settings of a campaign."""
    return _settings_page(visit_campaign(site, visitor, slug, number), None)


@router.post("/boards/{slug}/campaigns/{number}/settings")
def change_settings(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedList) -> Response:
    """Change a campaign, unless somebody else has changed it meanwhile."""
    visit = visit_campaign(site, visitor, slug, number)
    with site.database.read() as connection:
        labels = load_open_labels(connection, visit.board)
        runs = load_run_words(connection, visit.board, visitor, site)
    before = visit.campaign
    is_started = before.started_at is not None
    version = form.whole("version", 1, 2**31 - 1)
    settings = read_campaign(form, before, label_sets=labels, is_new=False, is_started=is_started)
    chosen = () if is_started else read_runs(form, list(runs))
    if form.problems:
        return _settings_page(visit, form)
    try:
        change_campaign(site.database, before.id, settings, version=version, actor=visitor.actor, now=site.now())
        if not is_started:
            choose_runs(site.database, before.id, chosen, actor=visitor.actor, now=site.now())
    except (ConflictError, UsageError) as error:
        return _settings_page(visit, form, problem=str(error))
    return RedirectResponse(f"{visit.address}?done=campaign-saved", status_code=303)


def _line(site: Site, visitor: Visitor, board: StoredBoard, campaign: Campaign, versions: int) -> Row:
    is_planned = campaign.planned_at is not None
    figures = site.campaigns.figures_of(campaign, actor=visitor.actor) if is_planned else None
    done = "" if figures is None else f"{figures.progress.judgments_done:,} of {figures.expected_judgments:,}"
    return Row(
        title=campaign.title,
        href=f"{campaigns_address(board)}/{campaign.id}",
        state=campaign.state,
        about=about_words(campaign),
        done=done,
        share="" if figures is None else f"{figures.share_done:.0%}",
        spent="" if figures is None else money(figures.spent, campaign.currency),
        expected="" if figures is None else money(figures.expected_cost, campaign.currency),
        versions=versions,
    )


def _new_page(site: Site, visitor: Visitor, slug: str, sent: Form | None, *, problem: str = "") -> HTMLResponse:
    with site.database.read() as connection:
        board = visit_board(connection, visitor, slug)
        labels, runs = load_open_labels(connection, board), load_run_words(connection, board, visitor, site)
    groups = campaign_groups(new_campaign(board.id, labels), label_sets=labels, runs=runs, chosen=None, is_new=True)
    address = campaigns_address(board)
    page = Row(
        frame=frame_of(site, visitor, crumbs=(*board_path(board), Crumb(text="Campaigns", href=address))),
        board=board.title,
        head=None,
        address=f"{address}/new",
        version=0,
        is_started=False,
        groups=filled(groups, sent),
        problem=problem,
    )
    return HTMLResponse(render_page("campaigns/form.html", page), status_code=200 if sent is None else 422)


def _settings_page(visit: CampaignVisit, sent: Form | None, *, problem: str = "") -> HTMLResponse:
    site, campaign = visit.site, visit.campaign
    with site.database.read() as connection:
        labels = load_open_labels(connection, visit.board)
        runs = load_run_words(connection, visit.board, visit.visitor, site)
        chosen = load_campaign_runs(connection, campaign.id)
    is_started = campaign.started_at is not None
    some = None if set(runs) <= set(chosen) else chosen
    groups = campaign_groups(campaign, label_sets=labels, runs=runs, chosen=some, is_started=is_started)
    return visit.answer(
        "campaigns/form.html",
        "/settings",
        problem=problem,
        status=200 if sent is None else 422,
        version=campaign.version,
        is_started=is_started,
        groups=filled(groups, sent),
    )
