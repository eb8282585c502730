"""Addresses where a campaign is extended: see what it would take, then do it; both read the same form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from runoff.errors import ConflictError, InputError, UsageError
from runoff.server.cases.judging.extend import extend_campaign, look_at_extension
from runoff.server.cases.judging.extension import Extension
from runoff.server.store.campaigns import Campaign
from runoff.server.web.campaign_form import RUN
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.form_values import Values
from runoff.server.web.forms import SignedList
from runoff.server.web.pages.campaign._page import campaign_page
from runoff.server.web.visitors import AnySite, Number, SignedIn

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}/extend"


@router.post(ADDRESS + "/look")
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


@router.post(ADDRESS)
def extend(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedList) -> Response:
    """Ask for more of a campaign that has started."""

    def do(visit: CampaignVisit, more: Extension) -> Response:
        made = extend_campaign(
            site.database, site.files, number, more, actor=visitor.actor, now=site.now, reader=site.reader
        )
        word = "extended" if made.version != visit.campaign.version else "extending"
        # The form stands far down, and what was done is told at the top.
        return RedirectResponse(f"{visit.address}?done={word}#content", status_code=303)

    return _answered(visit_campaign(site, visitor, slug, number), form, do)


def read_extension(values: Values, before: Campaign) -> Extension:
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


def _answered(
    visit: CampaignVisit, form: Mapping[str, str], do: Callable[[CampaignVisit, Extension], Response]
) -> Response:  # fmt: skip
    """The answer to the form, or the page with what is wrong in it."""
    values = Values(form)
    more = read_extension(values, visit.campaign)
    if values.problems:
        return campaign_page(visit, sent={"extension": values})
    try:
        return do(visit, more)
    except (ConflictError, InputError, UsageError) as error:
        return campaign_page(visit, extend_problem=f"{error}.")
