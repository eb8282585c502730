"""The link of an assessor: what is asked of them, before they join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import NotFoundError, UsageError
from runoff.phrases import as_sentence
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import Door, consent, consent_hash, consent_text, enter_campaign, look_at_link
from runoff.server.site import Site
from runoff.server.web.accounts.sign_in import set_session
from runoff.server.web.forms import SignedForm
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import money
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, AnyVisitor, Visitor

WORKERS: Final = ("worker", "workerid", "worker_id", "prolific_pid", "participant", "participantid", "participant_id")
REFERENCES: Final = ("assignment", "assignmentid", "assignment_id", "session_id", "reference")
"""Names of parameters, in small letters: of the worker, and of the site's own number of the assignment."""
NOT_YET: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk sends where somebody looks at work without having accepted it."""
LONGEST: Final = 200


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What an address says about who comes."""

    worker: str = ""
    reference: str = ""
    is_preview: bool = False


def sent_by(parameters: Iterable[tuple[str, str]]) -> Sent:
    """Worker and assignment among the parameters of an address, however their site writes them.

    >>> sent_by([("PROLIFIC_PID", "5f"), ("STUDY_ID", "s"), ("SESSION_ID", "9a")])
    Sent(worker='5f', reference='9a', is_preview=False)
    >>> sent_by([("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"), ("hitId", "3X")]).is_preview
    True
    """
    given = {name.lower(): value[:LONGEST] for name, value in reversed(list(parameters))}
    worker = next((given[name] for name in WORKERS if given.get(name)), "")
    reference = next((given[name] for name in REFERENCES if given.get(name)), "")
    if reference == NOT_YET:
        return Sent(is_preview=True)
    return Sent(worker=worker, reference=reference)


router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/enter"
"""A link is this, a slash and its token."""


@router.get(ADDRESS + "/{token}", response_class=HTMLResponse)
def show_link(request: Request, site: AnySite, visitor: AnyVisitor, token: str) -> Response:
    """What is asked of an assessor."""
    door = _door(request, site, visitor, token)
    if door.is_known and door.link.site is None:
        return RedirectResponse(f"/judge/{door.campaign.slug}", status_code=303)
    return _page(site, visitor, token, door, sent_by(request.query_params.multi_items()))


@router.post(ADDRESS + "/{token}")
def come_in(request: Request, site: AnySite, visitor: AnyVisitor, token: str, form: SignedForm) -> Response:
    """Come in, having agreed."""
    door = _door(request, site, visitor, token)
    sent = Sent(worker=form.get("worker"), reference=form.get("reference"))
    campaign, now = door.campaign, site.now()
    text_hash = consent_hash(campaign)
    if form.get("agree") != "yes":
        return _page(site, visitor, token, door, sent, problem="Tick the box to agree, then continue.")
    if form.get("text") != text_hash:
        return _page(
            site, visitor, token, door, sent, problem="The text has changed in the meantime. Please read it again."
        )
    try:
        came = enter_campaign(
            site.database, token, worker_id=sent.worker, reference=sent.reference, person=visitor.person,
            session=site.settings.session_time, now=now,
        )  # fmt: skip
    except UsageError as error:
        return _page(site, visitor, token, door, Sent(reference=sent.reference), problem=as_sentence(error))
    actor = Actor(id=came.person.id, role=came.person.role)
    consent(site.database, campaign.id, seen=text_hash, actor=actor, now=now)
    answer = RedirectResponse(f"/judge/{campaign.slug}", status_code=303)
    if came.token is not None:
        set_session(answer, site, came.token)
    return answer


def _door(request: Request, site: Site, visitor: Visitor, token: str) -> Door:
    door = look_at_link(
        site.database,
        token,
        person=visitor.person,
        address=request.client.host if request.client is not None else "",
        failures=site.settings.login_failures,
        now=site.now(),
    )
    if door.is_full:
        raise NotFoundError("this link has been used up; ask for a new one")
    return door


def _page(site: Site, visitor: Visitor, token: str, door: Door, sent: Sent, *, problem: str = "") -> HTMLResponse:
    campaign = door.campaign
    pairs = campaign.pairs_per_task + campaign.tests_per_task
    page = Row(
        frame=frame_of(site, visitor),
        token=token,
        title=campaign.title,
        state=campaign.state,
        instructions=campaign.instructions.strip(),
        consent=consent_text(campaign),
        consent_hash=consent_hash(campaign),
        pairs_per_task=pairs,
        minutes=max(1, round(pairs * campaign.seconds_per_pair / 60)),
        pay=money(campaign.pay, campaign.currency) if campaign.pay else "",
        site_name=door.link.site or "",
        worker=sent.worker,
        reference=sent.reference,
        is_preview=sent.is_preview,
        is_known=door.is_known,
        is_member=visitor.person is not None and visitor.person.role == "member",
        problem=problem,
    )
    return HTMLResponse(render_page("enter/enter.html", page), status_code=422 if problem else 200)
