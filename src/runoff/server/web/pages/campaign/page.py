"""The page of a campaign, put together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fastapi.responses import HTMLResponse

from runoff.errors import ConflictError, UsageError
from runoff.phrases import as_sentence
from runoff.server.cases.judging.extend import looked_at
from runoff.server.cases.reads import (
    KIND,
    LOOK,
    PLAN,
    READ,
    Job,
    load_campaign_links,
    load_campaign_problems,
    load_campaign_runs,
    load_is_beyond,
    load_jobs,
    load_known_pairs,
    load_participations,
)
from runoff.server.web.campaign_visits import CampaignVisit, load_run_words
from runoff.server.web.forms import FieldGroup, Form, filled
from runoff.server.web.frame.context import Row
from runoff.server.web.pages.campaign import view

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.cases.judging.extend import ExtensionPreview
    from runoff.server.cases.judging.start import Extension

WAITING = {
    READ: "The runs are being read.",
    LOOK: "Runs are being read to see what the extension would take. The answer will appear below.",
    PLAN: "The plan is being made: texts are looked up, and pairs are put into tasks.",
}
UPKEEP = "A new run is being added."
STUCK = (
    "Tasks are left, but no active assessor can take one, because they have all judged these pairs. "
    "Invite more assessors."
)
MOST_ASKED = 200
"""Where more assessors are active it is not asked whether any of them can go on."""


def campaign_page(
    visit: CampaignVisit,
    *,
    done: str = "",
    notice: str = "",
    problem: str = "",
    extend_problem: str = "",
    made_link: tuple[str, str] = ("", ""),
    sent: Mapping[str, Form] = MappingProxyType({}),
    looked: tuple[Extension, ExtensionPreview] | None = None,
) -> HTMLResponse:
    """The page.

    extend_problem  why it cannot be extended so
    made_link  a link that has just been made, and whom it is for
    sent       what was wrong in one of its forms: texts, link or extension
    looked     an extension that somebody wants to see the price of
    """
    site, campaign = visit.site, visit.campaign
    is_planned = campaign.planned_at is not None
    with site.database.read() as connection:
        links = load_campaign_links(connection, campaign.id) if is_planned else ()
        own = set(load_campaign_runs(connection, campaign.id))
        runs = load_run_words(connection, visit.board, visit.visitor, site) if is_planned else {}
        newest = _own_jobs(connection, campaign.id)[:1]
    more = {number: name for number, name in runs.items() if number not in own}
    looked = looked or looked_at(campaign, newest[0] if newest else None)
    progress = progress_of(visit, is_live=not (made_link[0] or sent or problem or extend_problem or looked))
    if not progress.waiting:
        # What was still to come when the address was made.
        done = {
            "campaign": "drafted",
            "starting": "started" if is_planned else "",
            "extending": "extended",
            "looking-on": "",
        }.get(done, done)
    return visit.answer(
        "campaign/campaign.html",
        "",
        done=done,
        notice=notice,
        problem=problem,
        status=422 if problem or extend_problem or sent else 200,
        progress=progress,
        preparation=None if campaign.started_at else _preparation(visit, progress, sent.get("texts")),
        can_pause=campaign.state == "open",
        can_resume=campaign.state in ("paused", "closed"),
        can_close=campaign.state in ("open", "paused"),
        link=made_link[0],
        link_for=made_link[1],
        is_for_site=made_link[1].startswith("workers of "),
        link_lines=tuple(view.link_line(one, site.now()) for one in reversed(links)),
        link_groups=_sent(view.link_groups(), sent.get("link")) if is_planned else (),
        extend_groups=_sent(view.extend_groups(campaign, more, looked[0] if looked else None), sent.get("extension"))
        if is_planned
        else (),
        extension=None if looked is None else view.extension_view(campaign, *looked),
        extend_problem=as_sentence(extend_problem),
    )


def progress_of(visit: CampaignVisit, *, is_live: bool = True) -> Row:
    """How far a campaign is; `is_live` lets the page ask again."""
    site, campaign = visit.site, visit.campaign
    with site.database.read() as connection:
        own = _own_jobs(connection, campaign.id)
        problems = load_campaign_problems(connection, campaign.id)
        parts = load_participations(connection, campaign.id)
    at_work = [job for job in own if job.state in ("queued", "running")]
    failed = own[0] if own and own[0].state == "failed" else None
    waiting = WAITING.get(str(at_work[0].payload["step"]), UPKEEP) if at_work else ""
    figures = None if campaign.planned_at is None else site.campaigns.figures_of(campaign, actor=visit.visitor.actor)
    active = [part.person_id for part in parts if part.is_active]
    done = None if figures is None or campaign.state != "open" else figures.progress
    is_stuck = False
    if done is not None and done.tasks_open and not done.tasks_given and 0 < len(active) <= MOST_ASKED:
        with site.database.read() as connection:
            is_stuck = load_is_beyond(connection, campaign, active)
    seconds = 2 if waiting else 10 if campaign.state == "open" else 0
    return Row(
        address=f"{visit.address}/progress",
        state=f"{campaign.state} {campaign.version} {campaign.planned_at is not None} {bool(waiting)}",
        seconds=seconds if is_live else 0,
        waiting=waiting,
        share="" if figures is None else f"{figures.share_done:.4f}",
        facts=() if figures is None else view.progress_facts(campaign, figures, len(active)),
        hint=STUCK if is_stuck else "",
        problems=() if at_work else problems,
        retry="" if failed is None else f"{visit.address}/retry/{failed.id}",
    )


def _preparation(visit: CampaignVisit, progress: Row, texts: Form | None) -> Row:
    site, campaign = visit.site, visit.campaign
    with site.database.read() as connection:
        known = len(load_known_pairs(connection, campaign.id))
    previews: Mapping = {}  # type: ignore[type-arg]
    problem = ""
    try:
        previews = site.campaigns.preview_of(campaign, actor=visit.visitor.actor)
    except (ConflictError, UsageError) as error:
        problem = "" if progress.waiting else as_sentence(error)
    has_texts = campaign.doc_texts is not None
    chosen = previews.get(campaign.way)
    return Row(
        facts=view.preview_facts(chosen) if chosen else (),
        costs=view.cost_table(previews, campaign) if chosen else None,
        saving=view.saving_words(previews) if chosen else "",
        problem=problem,
        texts="The texts have been uploaded. Other files replace them."
        if has_texts
        else "Without texts, assessors see only ids, which helps only if they can look them up.",
        has_texts=has_texts,
        text_groups=_sent(view.text_groups(), texts),
        limit=f"{site.settings.upload_limit / 1e6:,.0f} MB",
        test_pairs=_pair_words(known, campaign.tests_per_task),
        can_start=bool(chosen and chosen.pairs),
    )


def _own_jobs(connection: Connection, campaign_id: int) -> tuple[Job, ...]:
    """The jobs of a campaign, the newest first."""
    return tuple(job for job in load_jobs(connection, kinds=(KIND,)) if job.payload["campaign_id"] == campaign_id)


def _pair_words(known: int, wanted: int) -> str:
    if not wanted:
        return "Tasks have no test pairs, so careless assessors cannot be detected."
    if known >= wanted:
        return f"There are {known:,}. Check them before you start: two queries may ask the same thing."
    number = f"There are only {known:,}" if known else "There are none yet"
    return f"{number}, and each task needs {wanted:,}. They are drawn when the campaign starts, or now if you like."


def _sent(groups: tuple[FieldGroup, ...], sent: Form | None) -> tuple[FieldGroup, ...]:
    return filled(groups, sent)
