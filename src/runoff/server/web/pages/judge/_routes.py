"""The addresses of an assessor: each works as a plain form, and answers in JSON to whoever asks for it.

Looking changes nothing: a task is given, answered, handed in and left by forms alone.
"""

from __future__ import annotations

from typing import Final, Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from runoff.errors import ConflictError, UsageError
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.judging.assessor_home import Desk, load_desk, load_own_campaigns
from runoff.server.cases.judging.enter import consent, consent_hash
from runoff.server.cases.judging.judge import finish_task, leave, offer_task, take_back
from runoff.server.cases.judging.pace import choose_timed
from runoff.server.site import Site
from runoff.server.store.people import Person
from runoff.server.web.forms import SignedForm
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.pages.judge._context import OwnCampaignLine, OwnCampaignsPage
from runoff.server.web.pages.judge._fill import judge_page, leave_page, sheet_dict
from runoff.server.web.pages.judge._words import said
from runoff.server.web.problems import wants_json
from runoff.server.web.visitors import AnySite, NotSignedInError, SignedIn, Visitor

router = APIRouter(include_in_schema=False)
LONGEST_KEY: Final = 64
LARGEST: Final = 2**31 - 1
MARK: Final = "yes"


@router.get("/judge", response_class=HTMLResponse)
def show_own_campaigns(site: AnySite, visitor: SignedIn) -> HTMLResponse:
    """The campaigns that somebody can judge in."""
    with site.database.read() as connection:
        found = load_own_campaigns(connection, person=_person(visitor), actor=visitor.actor)
    lines = tuple(OwnCampaignLine(slug=one.slug, title=one.title, state=one.state) for one in found)
    page = OwnCampaignsPage(frame=frame_of(site, visitor, path="/judge"), campaigns=lines)
    return HTMLResponse(render_page("judge/campaigns.html", page))


@router.get("/judge/{slug}", response_class=HTMLResponse)
def show_desk(site: AnySite, visitor: SignedIn, slug: str, done: str = "", mark: str = "") -> HTMLResponse:
    """The pair to be judged, or what else there is."""
    desk = _desk(site, visitor, slug)
    frame = frame_of(site, visitor, path=f"/judge/{slug}", notices=said(done))
    page = judge_page(desk, frame, is_marked=mark == MARK, empty=done)
    return HTMLResponse(render_page("judge/judge.html", page))


@router.post("/judge/{slug}/consent")
def agree(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Keep that somebody who is signed in has agreed."""
    desk = _desk(site, visitor, slug)
    text_hash = consent_hash(desk.campaign)
    if form.get("agree") != "yes" or form.get("text") != text_hash:
        return _back(slug, form, done="consent" if form.get("text") != text_hash else "")
    consent(site.database, desk.campaign.id, seen=text_hash, actor=visitor.actor, now=site.now())
    return _back(slug, form)


@router.post("/judge/{slug}/task")
def take(request: Request, site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Give the next task, or the one that is in hand."""
    offer = offer_task(site.database, slug, actor=visitor.actor, now=site.now())
    if wants_json(request):
        sheet = None if offer.sheet is None else sheet_dict(offer.sheet)
        return JSONResponse({"state": offer.state, "task": sheet})
    return _back(slug, form, done=offer.state if offer.state in ("nothing", "wait") else "")


@router.post("/judge/{slug}/choices")
def keep_choice(request: Request, site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Keep a choice; sent again with the same key it is one choice."""
    task, pair, side, key = _number(form, "task"), _number(form, "pair"), _side(form), _key(form)
    try:
        choose_timed(
            site.database, task, pair, side,
            claimed=_seconds(form), retry_key=key, actor=visitor.actor, now=site.now(),
        )  # fmt: skip
    except ConflictError:
        if wants_json(request):
            raise
        return _back(slug, form, done="stale")
    return JSONResponse({"kept": True, "task": task, "pair": pair}) if wants_json(request) else _back(slug, form)


@router.post("/judge/{slug}/undo")
def undo(request: Request, site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Take the last choice back; sent again with the same key it is taken back once."""
    task, key = _number(form, "task"), _key(form)
    try:
        pair = take_back(site.database, task, retry_key=key, actor=visitor.actor, now=site.now())
    except ConflictError:
        if wants_json(request):
            raise
        return _back(slug, form, done="stale")
    if wants_json(request):
        return JSONResponse({"kept": True, "task": task, "pair": pair})
    return _back(slug, form, done="undone" if pair is not None else "")


@router.post("/judge/{slug}/done")
def hand_in(request: Request, site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """End a task whose pairs are all answered."""
    try:
        state = finish_task(site.database, _number(form, "task"), actor=visitor.actor, now=site.now())
    except ConflictError:
        if wants_json(request):
            raise
        return _back(slug, form, done="stale")
    # Whether all is well is for the page to say, in whole sentences.
    answer = _back(slug, form, done="task" if state == "done" else "")
    return JSONResponse({"kept": True, "next": answer.headers["location"]}) if wants_json(request) else answer


@router.get("/judge/{slug}/leave", response_class=HTMLResponse)
def show_leave(site: AnySite, visitor: SignedIn, slug: str) -> HTMLResponse:
    """What leaving would do."""
    desk = _desk(site, visitor, slug)
    return HTMLResponse(render_page("judge/leave.html", leave_page(desk, frame_of(site, visitor))))


@router.post("/judge/{slug}/leave")
def do_leave(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Leave, with a code for what was done."""
    desk = _desk(site, visitor, slug)
    if desk.state == "no consent":
        return _back(slug, form)
    leave(site.database, desk.campaign.id, actor=visitor.actor, now=site.now())
    return _back(slug, {})


def _desk(site: Site, visitor: Visitor, slug: str) -> Desk:
    with site.database.read() as connection:
        return load_desk(connection, slug, person=_person(visitor), actor=visitor.actor)


def _person(visitor: Visitor) -> Person:
    require(visitor.actor, "judge")
    if visitor.person is None:
        raise NotSignedInError("you are not signed in; open your link again")
    return visitor.person


def _back(slug: str, form: dict[str, str], *, done: str = "") -> RedirectResponse:
    more = [f"done={done}"] * bool(done) + [f"mark={MARK}"] * (form.get("mark") == MARK)
    return RedirectResponse(f"/judge/{slug}" + ("?" + "&".join(more) if more else ""), status_code=303)


def _number(form: dict[str, str], name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) <= LARGEST):
        raise UsageError(f"{name}={text[:20]!r} cannot be used; expected the number that the page has")
    return int(text)


def _side(form: dict[str, str]) -> Literal["left", "right"]:
    side = form.get("side", "")
    if side == "left":
        return "left"
    if side == "right":
        return "right"
    raise UsageError(f"side={side[:20]!r} cannot be used; expected left or right")


def _key(form: dict[str, str]) -> str | None:
    key = form.get("key", "")
    if len(key) > LONGEST_KEY:
        raise UsageError(f"key has {len(key)} characters; expected {LONGEST_KEY} or fewer")
    return key or None


def _seconds(form: dict[str, str]) -> float | None:
    """What the browser counted; None if it says nothing that is a time."""
    try:
        seconds = float(form.get("seconds", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
