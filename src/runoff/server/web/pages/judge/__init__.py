"""Judging, for assessors: consent, one pair after the other, the end with its code."""

from __future__ import annotations

import json
import secrets
from typing import Any, Final, Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from runoff.errors import ConflictError, UsageError
from runoff.phrases import counted
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.judging.enter import consent, consent_hash, consent_text
from runoff.server.cases.judging.judge import (
    Desk,
    SheetPair,
    TaskSheet,
    choose,
    finish_task,
    leave,
    load_desk,
    load_own_campaigns,
    offer_task,
    take_back,
)
from runoff.server.cases.reads import Campaign, Completion, Person
from runoff.server.site import Site
from runoff.server.web.forms import Form, SignedForm
from runoff.server.web.frame.context import PageFrame, Row
from runoff.server.web.frame.numbers import money
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.pages.judge.marks import marked_parts, readable, words_of
from runoff.server.web.problems import wants_json
from runoff.server.web.visitors import AnySite, NotSignedInError, SignedIn, Visitor
from runoff.tables.setting_types import Whole

SAID: Final = {
    "task": "Thank you. Your task was handed in.",
    "stale": "Something changed in the meantime. This is where you are now.",
    "undone": "Your last choice was undone.",
    "consent": "The text has changed in the meantime. Please read it again.",
}
"""By the word at the end of an address; anybody can write one, so other words say nothing."""

FAILED: Final = (
    "Thank you for your time. For some questions we know the answer, and in your last task you chose differently at "
    "least once. That task cannot be used, and there are no more tasks for you here."
)
NOT_TOUCHED: Final = (
    "Tasks that you handed in before are not affected. If you think this is a mistake, please tell the organisers: "
    "they can check it and let you continue."
)
STATES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "no consent": ("Before you begin", ()),
    "new consent": (
        "The text that you agreed to has changed",
        ("Please read the new one before your next task. What you have done so far stays as it is.",),
    ),
    "ready": ("Ready when you are", ()),
    "draft": ("Not open yet", ("The organisers are still preparing this. Please come back later.",)),
    "paused": (
        "A break",
        ("The organisers have paused this for now. What you have done is saved. Come back later, or finish here.",),
    ),
    "closed": (
        "This has ended",
        ("The organisers have all they need, and there are no more tasks. Thank you for your help.",),
    ),
    "left": ("Thank you", ("You have finished here and get no more tasks.",)),
    "stopped": ("No more tasks", (FAILED, NOT_TOUCHED)),
}
"""Heading and sentences of each state."""


EMPTY: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "nothing": (
        "No more tasks right now",
        ("You have done everything that is open to you. Thank you.",),
    ),
    "wait": (
        "Nothing at the moment",
        ("The next tasks depend on what others choose. Check again in a few minutes, or finish here.",),
    ),
}
"""Heading and sentences where a task was asked for and there was none, by the reason."""


def said(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address.

    >>> said("task"), said("<b>")
    (('Thank you. Your task was handed in.',), ())
    """
    return (SAID[word],) if word in SAID else ()


def pair_view(pair: SheetPair) -> Row:
    """A pair with the words of its question apart."""
    question = readable(pair.query)
    words = words_of(question)
    first, second = (marked_parts(readable(text), words) for text in (pair.left, pair.right))
    return Row(number=pair.id, place=pair.place, question=(question,), first=first, second=second)


def sheet_dict(sheet: TaskSheet) -> dict[str, Any]:
    """A task as browsers and programs get it."""
    pairs = []
    for pair in sheet.pairs:
        view = pair_view(pair)
        row = {"id": view.number, "question": view.question[0], "left": view.first, "right": view.second}
        pairs.append(row | {"answer": pair.answer})
    return {"id": sheet.assignment.id, "pairs": pairs}


def judge_page(desk: Desk, frame: PageFrame, *, is_marked: bool, empty: str = "") -> Row:
    """The page of an assessor; `empty` is why there was no task when one was asked for."""
    campaign, sheet = desk.campaign, desk.sheet
    pair = None if sheet is None or sheet.next_pair is None else pair_view(sheet.next_pair)
    total = 0 if sheet is None else len(sheet.pairs)
    answered = 0 if sheet is None else sum(one.answer is not None for one in sheet.pairs)
    heading, lines = STATES.get(desk.state, ("", ()))
    is_empty = desk.state == "ready" and empty in EMPTY
    if desk.state == "ready" and desk.tasks:
        heading = "Another task?"
    if is_empty:
        heading, lines = EMPTY[empty]
    if desk.state == "new consent" and campaign.pay:
        lines = tuple(f"{line.removesuffix('.')}, and is paid." for line in lines)
    if sheet is not None and pair is None:
        heading = f"All {total} pairs are answered"
        lines = ("Hand in the task. After that, it cannot be changed.",)
    return Row(
        frame=frame,
        slug=campaign.slug,
        title=campaign.title,
        heading=heading if pair is None else pair.question[0],
        lines=lines,
        state=desk.state,
        instructions=campaign.instructions.strip(),
        consent=consent_text(campaign),
        consent_hash=consent_hash(campaign),
        pairs_per_task=campaign.pairs_per_task + campaign.tests_per_task,
        pay=money(campaign.pay, campaign.currency) if campaign.pay else "",
        due=money(desk.due, campaign.currency) if campaign.pay else "",
        tasks=desk.tasks,
        is_owed=desk.is_owed,
        is_empty=is_empty,
        is_waiting=is_empty and empty == "wait",
        task=0 if sheet is None else sheet.assignment.id,
        total=total,
        answered=answered,
        pair=pair,
        key=secrets.token_hex(16),
        sheet="" if sheet is None else json.dumps(sheet_dict(sheet)),
        is_marked=is_marked,
        more="?mark=yes" if is_marked else "",
        codes=tuple(code_view(one, campaign) for one in reversed(desk.completions)),
    )


def leave_page(desk: Desk, frame: PageFrame) -> Row:
    """What leaving would do."""
    lines: list[str] = []
    answered = 0
    if desk.sheet is not None:
        answered = sum(pair.answer is not None for pair in desk.sheet.pairs)
        lines.append(
            f"You have a task with {answered} of {len(desk.sheet.pairs)} pairs answered. It will go to "
            "somebody else, and your answers to it will not be used."
        )
    has_code = desk.is_owed or desk.sheet is not None
    if desk.campaign.pay and has_code:
        done = [f"{counted(desk.tasks, 'finished task')}"] * bool(desk.tasks)
        done += ["the answered part of your current task"] * bool(answered)
        work = f" for {' and '.join(done)}" if done else ""
        lines.append(f"You will be paid {money(desk.due, desk.campaign.currency)}{work}.")
    code = "You get a code for the work you did, and no more tasks here."
    lines.append(code if has_code else "You get no more tasks here.")
    return Row(frame=frame, slug=desk.campaign.slug, title=desk.campaign.title, lines=tuple(lines), has_code=has_code)


def code_view(one: Completion, campaign: Campaign) -> Row:
    """A completion in words."""
    tasks, choices = counted(one.tasks, "task"), counted(one.judgments, "choice")
    words = f"{tasks} done, {choices} counted" if one.judgments else "No choice counted"
    unused = f", {one.discarded:,} not used" if one.discarded else ""
    pay = money(one.pay, campaign.currency) if campaign.pay else ""
    return Row(code=one.code, pay=pay, words=f"{words}{unused}.")


router = APIRouter(include_in_schema=False)
LONGEST_KEY: Final = 64
LARGEST: Final = 2**31 - 1
MARK: Final = "yes"
SIDES: Final[dict[str, Literal["left", "right"]]] = {"left": "left", "right": "right"}


@router.get("/judge", response_class=HTMLResponse)
def show_own_campaigns(site: AnySite, visitor: SignedIn) -> HTMLResponse:
    """The campaigns that somebody can judge in."""
    with site.database.read() as connection:
        found = load_own_campaigns(connection, person=_person(visitor), actor=visitor.actor)
    lines = tuple(Row(slug=one.slug, title=one.title, state=one.state) for one in found)
    page = Row(frame=frame_of(site, visitor, path="/judge"), campaigns=lines)
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
    task, pair, key = _number(form, "task"), _number(form, "pair"), _key(form)
    side = SIDES.get(form.get("side"))
    if side is None:
        raise UsageError(f"side={form.get('side')[:20]!r} cannot be used; expected left or right")
    try:
        choose(
            site.database,
            task,
            pair,
            side,
            claimed=_seconds(form),
            retry_key=key,
            actor=visitor.actor,
            now=site.now(),
        )
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
    return _back(slug, Form({}))


def _desk(site: Site, visitor: Visitor, slug: str) -> Desk:
    with site.database.read() as connection:
        return load_desk(connection, slug, person=_person(visitor), actor=visitor.actor)


def _person(visitor: Visitor) -> Person:
    require(visitor.actor, "judge")
    if visitor.person is None:
        raise NotSignedInError("you are not signed in; open your link again")
    return visitor.person


def _back(slug: str, form: Form, *, done: str = "") -> RedirectResponse:
    more = [f"done={done}"] * bool(done) + [f"mark={MARK}"] * (form.get("mark") == MARK)
    return RedirectResponse(f"/judge/{slug}" + ("?" + "&".join(more) if more else ""), status_code=303)


def _number(form: Form, name: str) -> int:
    text = form.get(name)
    number = Whole(low=1, high=LARGEST).typed(text)
    if number is None:
        raise UsageError(f"{name}={text[:20]!r} cannot be used; expected the number that the page has")
    return int(number)


def _key(form: Form) -> str | None:
    key = form.get("key")
    if len(key) > LONGEST_KEY:
        raise UsageError(f"key has {len(key)} characters; expected {LONGEST_KEY} or fewer")
    return key or None


def _seconds(form: Form) -> float | None:
    """What the browser counted; None if it says nothing that is a time."""
    try:
        seconds = float(form.get("seconds"))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
