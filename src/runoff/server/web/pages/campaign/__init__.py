"""A judging campaign: before the start what it will cost, then how far it is, who comes in, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import ConflictError, InputError, NotFoundError, UsageError
from runoff.phrases import counted
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.judging.campaign_files import save_campaign_texts
from runoff.server.cases.judging.enter import make_campaign_link, withdraw_campaign_link
from runoff.server.cases.judging.extend import extend_campaign, look_at_extension
from runoff.server.cases.judging.manage import close_campaign, pause_campaign, resume_campaign, start_campaign
from runoff.server.cases.judging.start import Extension
from runoff.server.cases.reads import Campaign, clean_name
from runoff.server.cases.runs.jobs import retry_job
from runoff.server.cases.uploads.run import clean_file_name
from runoff.server.web.campaign_form import RUN
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.forms import SIGNED, Form, SignedForm, SignedList, check_csrf, check_origin
from runoff.server.web.frame.render import environment
from runoff.server.web.pages.campaign.page import campaign_page, progress_of
from runoff.server.web.uploads import Upload, read_uploads, reading
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}"
EXTEND: Final = f"{ADDRESS}/extend"


@router.post(EXTEND + "/look")
def look_at_more(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedList) -> Response:
    """See what an extension would take."""

    def look(visit: CampaignVisit, more: Extension) -> Response:
        found = look_at_extension(
            site.database, site.files, number, more, actor=visitor.actor, now=site.now(), reader=site.reader
        )
        if found is None:
            return RedirectResponse(f"{visit.address}?done=looking-on#extend", status_code=303)
        return campaign_page(visit, looked=(more, found))

    return _answered(visit_campaign(site, visitor, slug, number), form, look)


@router.post(EXTEND)
def extend(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedList) -> Response:
    """Ask for more of a campaign that has started."""

    def do(visit: CampaignVisit, more: Extension) -> Response:
        made = extend_campaign(
            site.database, site.files, number, more, actor=visitor.actor, now=site.now, reader=site.reader
        )
        word = "extended" if made.version != visit.campaign.version else "extending"
        # The form is far down the page, and the notice is at the top.
        return RedirectResponse(f"{visit.address}?done={word}#content", status_code=303)

    return _answered(visit_campaign(site, visitor, slug, number), form, do)


def read_extension(values: Form, before: Campaign) -> Extension:
    """What the form asks for; its problems are in the values."""
    is_full = before.way == "full"
    times = values.whole("judgments_per_pair", before.judgments_per_pair, 1000) if is_full else None
    wants_all = before.sample is not None and not values.text("sample")
    sample = None
    if before.sample is not None and not wants_all:
        sample = values.whole("sample", before.sample, 10_000_000)
    numbers = [name.removeprefix(RUN) for name, text in values.sent.items() if name.startswith(RUN) and text]
    return Extension(
        judgments_per_pair=times,
        depth=values.whole("depth", before.depth, 1000) if values.text("depth") else None,
        sample=sample,
        all_queries=wants_all,
        run_ids=tuple(int(one) for one in numbers if one.isascii() and one.isdigit() and len(one) < 10),
    )


def _answered(visit: CampaignVisit, form: Form, do: Callable[[CampaignVisit, Extension], Response]) -> Response:
    """The answer to the form, or the page with what is wrong in it."""
    more = read_extension(form, visit.campaign)
    if form.problems:
        return campaign_page(visit, sent={"extension": form})
    try:
        return do(visit, more)
    except (ConflictError, InputError, UsageError) as error:
        return campaign_page(visit, extend_problem=str(error))


ENTER: Final = "/enter/{token}"
"""Where assessors come in."""
TEXTS: Final = {"queries": "texts of the queries", "docs": "texts of the documents"}
MOVES: Final = {
    "pause": (pause_campaign, "paused"),
    "resume": (resume_campaign, "resumed"),
    "close": (close_campaign, "ended"),
}


@router.get(ADDRESS, response_class=HTMLResponse)
def show_campaign(site: AnySite, visitor: SignedIn, slug: str, number: Number, done: str = "") -> HTMLResponse:
    """The campaign."""
    return campaign_page(visit_campaign(site, visitor, slug, number), done=done)


@router.get(ADDRESS + "/progress", response_class=HTMLResponse)
def show_progress(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> HTMLResponse:
    """How far it is: the part of the page that is asked for again."""
    visit = visit_campaign(site, visitor, slug, number)
    frame = visit.frame()
    part = environment().get_template("campaign/_progress.html").render(frame=frame, progress=progress_of(visit))
    return HTMLResponse(part)


@router.post(ADDRESS + "/start", dependencies=[SIGNED])
def start(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Start a draft."""
    visit = visit_campaign(site, visitor, slug, number)
    try:
        made = start_campaign(site.database, site.files, number, actor=visitor.actor, now=site.now, reader=site.reader)
    except (ConflictError, InputError, UsageError) as error:
        return campaign_page(visit_campaign(site, visitor, slug, number), problem=str(error))
    return RedirectResponse(f"{visit.address}?done={'started' if made.planned_at else 'starting'}", status_code=303)


@router.post(ADDRESS + "/state/{move}", dependencies=[SIGNED])
def move_on(site: AnySite, visitor: SignedIn, slug: str, number: Number, move: str) -> Response:
    """Pause, resume or close a campaign."""
    visit = visit_campaign(site, visitor, slug, number)
    if move not in MOVES:
        raise NotFoundError("there is nothing at this address")
    change, word = MOVES[move]
    try:
        change(site.database, number, actor=visitor.actor, now=site.now())
    except (ConflictError, UsageError) as error:
        return campaign_page(visit, problem=str(error))
    return RedirectResponse(f"{visit.address}?done={word}", status_code=303)


@router.post(ADDRESS + "/links")
def make_link(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedForm) -> Response:
    """Make a link for assessors, and show it once."""
    visit = visit_campaign(site, visitor, slug, number)
    name = form.made("site", clean_name) if form.text("site") else None
    most = form.whole("most_uses", 1, 1_000_000) if form.text("most_uses") else None
    until = form.moment("expires_at")
    if until is not None and until <= site.now():
        form.problems["expires_at"] = "this time has passed; choose a later one"
    if name is not None and len(name) > 60:
        form.problems["site"] = "this name is too long; expected 60 characters at most"
    if form.problems:
        return campaign_page(visit, sent={"link": form})
    token = make_campaign_link(
        site.database, number, site=name, most_uses=most, expires_at=until, actor=visitor.actor, now=site.now()
    )
    link = f"{site.settings.base_url}{ENTER.format(token=token)}"
    whom = "any number of people" if most is None else counted(most, "person", "people")
    return campaign_page(visit, made_link=(link, f"workers of {name}" if name else whom))


@router.post(ADDRESS + "/links/{link}/withdraw", dependencies=[SIGNED])
def end_link(site: AnySite, visitor: SignedIn, slug: str, number: Number, link: Number) -> Response:
    """Let nobody else in by a link."""
    visit = visit_campaign(site, visitor, slug, number)
    withdraw_campaign_link(site.database, number, link, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{visit.address}?done=link-gone#links", status_code=303)


@router.post(ADDRESS + "/retry/{job}", dependencies=[SIGNED])
def try_again(site: AnySite, visitor: SignedIn, slug: str, number: Number, job: Number) -> Response:
    """Queue a failed step of the campaign again."""
    visit = visit_campaign(site, visitor, slug, number)
    retry_job(site.database, job, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{visit.address}?done=retried", status_code=303)


@router.post(ADDRESS + "/texts")
async def take_texts(request: Request, site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Take the texts of queries and documents; both files are written to the disk as they arrive."""
    require(visitor.actor, "manage campaign")
    check_origin(request)
    visit = await run_in_threadpool(visit_campaign, site, visitor, slug, number)
    async with read_uploads(request, list(TEXTS)) as uploads:
        check_csrf(visitor, uploads["queries"].fields.get("csrf", ""))
        return await run_in_threadpool(_take_texts, visit, visitor, uploads)


def _take_texts(visit: CampaignVisit, visitor: Visitor, uploads: dict[str, Upload]) -> Response:
    values, site = Form({}), visit.site
    for field, what in TEXTS.items():
        if uploads[field].is_nothing:
            values.problems[field] = f"no file; expected {what}; choose one"
    if visit.campaign.started_at is not None:
        return campaign_page(visit, problem=f"Campaign {visit.campaign.slug!r} has started; its texts are fixed.")
    if values.problems:
        return campaign_page(visit, sent={"texts": values})
    queries, docs = (uploads[field] for field in TEXTS)
    try:
        with reading(site, visitor.actor):
            found = save_campaign_texts(
                site.database, site.files, visit.campaign.id, queries=queries.file, docs=docs.file, actor=visitor.actor,
                now=site.now(), reader=site.reader,
            )  # fmt: skip
    except InputError as error:
        for field, sent in uploads.items():
            ours = str(sent.file.path)
            if own := [problem for problem in error.problems if ours in problem]:
                problems = renamed_problems(InputError(own), {ours: clean_file_name(sent.file_name)})
                values.problems[field] = "\n".join(problems)
        return campaign_page(visit, sent={"texts": values}, problem="" if values.problems else str(error))
    except ConflictError as error:
        return campaign_page(visit, problem=str(error))
    if found.is_whole:
        return RedirectResponse(f"{visit.address}?done=texts", status_code=303)
    missing = (
        f"The texts were stored, but some are missing: {found.queries:,} of {found.queries_wanted:,} queries and "
        f"{found.docs:,} of {found.docs_wanted:,} documents that may be judged have one. The "
        "campaign cannot start if a pair lacks a text."
    )
    return campaign_page(visit_campaign(site, visitor, visit.board.slug, visit.campaign.id), notice=missing)
