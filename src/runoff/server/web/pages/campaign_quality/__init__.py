"""How the assessors of a campaign judge: test pairs, speed, sides, agreement and pay."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.server.cases.judging.assessors import AssessorView
from runoff.server.cases.judging.enter import consent_text, reinstate, release_worker
from runoff.server.cases.judging.known_pairs import list_known_pairs
from runoff.server.cases.judging.live_results import EARLIER_SECONDS
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.forms import SIGNED
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import money
from runoff.server.web.pages.campaign_pairs import pair_warnings
from runoff.server.web.visitors import AnySite, Number, SignedIn

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}/assessors"
STATES: Final = {"active": "active", "stopped": "barred", "left": "left"}
SMALLEST: Final = 0.001


@router.get(ADDRESS, response_class=HTMLResponse)
def show_assessors(site: AnySite, visitor: SignedIn, slug: str, number: Number, done: str = "") -> HTMLResponse:
    """The assessors."""
    visit = visit_campaign(site, visitor, slug, number)
    asked = site.campaigns.assessors_of(visit.campaign, actor=visitor.actor)
    found = asked.value
    texts = _texts(visit, found)
    numbers = {one.text: one.number for one in texts}
    return visit.answer(
        "campaign_quality/quality.html",
        "/assessors",
        done=done,
        headers=None if asked.is_current else {"Refresh": str(EARLIER_SECONDS)},
        is_earlier=not asked.is_current,
        sentences=_sentences(found),
        warnings=pair_warnings(list_known_pairs(site.database, number, actor=visitor.actor)),
        pairs=f"{visit.address}/test-pairs",
        too_fast=f"{visit.campaign.too_fast:g}",
        currency=visit.campaign.currency,
        lines=tuple(_line(visit, one, numbers) for one in found),
        texts=texts,
    )


@router.post(ADDRESS + "/{person}/reinstate", dependencies=[SIGNED])
def let_in_again(site: AnySite, visitor: SignedIn, slug: str, number: Number, person: Number) -> Response:
    """Give tasks again to somebody who was barred."""
    visit = visit_campaign(site, visitor, slug, number)
    reinstate(site.database, number, person, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{visit.address}/assessors?done=reinstated", status_code=303)


@router.post(ADDRESS + "/{person}/release", dependencies=[SIGNED])
def let_in_elsewhere(site: AnySite, visitor: SignedIn, slug: str, number: Number, person: Number) -> Response:
    """Let a worker in from another browser."""
    visit = visit_campaign(site, visitor, slug, number)
    release_worker(site.database, number, person, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{visit.address}/assessors?done=released", status_code=303)


def _sentences(found: Sequence[AssessorView]) -> tuple[str, ...]:
    if not found:
        return ("There are no assessors yet. Create a link on the overview page.",)
    states = Counter(STATES[one.state] for one in found)
    counts = ", ".join(f"{states[word]:,} {word}" for word in STATES.values() if states[word])
    who = "One assessor" if len(found) == 1 else f"{len(found):,} assessors"
    tests, failed = sum(one.tests for one in found), sum(one.failed_tests for one in found)
    kept, gone = sum(one.kept for one in found), sum(one.discarded for one in found)
    said = [f"{who}: {counts}.", f"{kept:,} judgments count, {gone:,} were discarded."]
    said.append(
        f"{failed:,} of {tests:,} answers to test pairs were wrong." if tests else "No test pair has been answered yet."
    )
    return tuple(said)


def _texts(visit: CampaignVisit, found: Sequence[AssessorView]) -> tuple[Row, ...]:
    """The texts in the order in which somebody first agreed to them, and at the end one that nobody has seen yet."""
    said = sorted((consent for one in found for consent in one.consents), key=lambda consent: consent.at)
    people: dict[str, set[int]] = {}
    for consent in said:
        people.setdefault(consent.text, set()).add(consent.person_id)
    now = consent_text(visit.campaign)
    if people:
        people.setdefault(now, set())
    return tuple(
        Row(
            number=number,
            is_current=text == now,
            people="one person" if len(who) == 1 else f"{len(who):,} people" if who else "nobody yet",
            text=text,
        )
        for number, (text, who) in enumerate(people.items(), start=1)
    )


def _line(visit: CampaignVisit, one: AssessorView, numbers: Mapping[str, int]) -> Row:
    deleted = f"deleted-{one.person_id}"
    discarded = f", {one.failed_tasks:,} discarded" if one.failed_tasks else ""
    return Row(
        name=one.pseudonym,
        worker=_worker(one),
        state=STATES[one.state],
        reinstate=f"{visit.address}/assessors/{one.person_id}/reinstate" if one.state == "stopped" else "",
        release="" if not _comes_from_site(one) else f"{visit.address}/assessors/{one.person_id}/release",
        delete=f"/organise/people/{one.person_id}/delete" if one.site and one.worker_id != deleted else "",
        tasks=f"{one.tasks:,}{discarded}",
        tests=f"{one.failed_tests:,} of {one.tests:,}",
        kept=f"{one.kept:,}",
        seconds="–" if one.seconds is None else f"{one.seconds:.1f}",
        too_fast=_share(one.too_fast),
        left=_share(one.left_share),
        left_p="–" if one.left_p is None else f"{one.left_p:.3f}" if one.left_p >= SMALLEST else f"<{SMALLEST:g}",
        agrees=f"{one.agrees:.0%} of {one.agrees_of:,}" if one.agrees is not None and one.agrees_of else "–",
        paid=money(one.paid, ""),
        due=money(one.due, ""),
        agreed=", ".join(f"text {numbers[said.text]} on {said.at:%Y-%m-%d}" for said in reversed(one.consents)) or "–",
    )


def _comes_from_site(assessor: AssessorView) -> bool:
    return bool(assessor.site) and not assessor.site.startswith("import ")


def _worker(one: AssessorView) -> str:
    """Where somebody comes from: a site with its worker id, or a file of judgments with a name in it."""
    if not one.site:
        return ""
    return f"in a file: {one.worker_id}" if one.site.startswith("import ") else f"{one.site}: {one.worker_id}"


def _share(share: float | None) -> str:
    """A share in percent; of no judgments, or of ties alone, there is none."""
    return "–" if share is None or math.isnan(share) else f"{share:.0%}"
