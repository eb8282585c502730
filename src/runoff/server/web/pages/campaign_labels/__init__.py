"""A new version of the labels from a campaign: preview it, then make it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.display.rounding import rounded_grid, rounded_text
from runoff.errors import ConflictError, UsageError
from runoff.phrases import counted
from runoff.reports.page.tables import table
from runoff.server.cases.judging.label_version import make_label_version
from runoff.server.cases.reads import load_campaign_labels, load_label_sets
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.forms import Field, SignedForm
from runoff.server.web.frame.context import Row
from runoff.server.web.visitors import AnySite, Number, SignedIn

if TYPE_CHECKING:
    from runoff.server.cases.judging.label_version import ProposedLabels

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}/new-labels"


@router.get(ADDRESS, response_class=HTMLResponse)
def show_proposal(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> HTMLResponse:
    """What a new version would hold and change."""
    return _page(visit_campaign(site, visitor, slug, number))


@router.post(ADDRESS)
def make_version(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedForm) -> Response:
    """Make the version that was looked at; if other judgments count by now, what they change is shown first."""
    visit = visit_campaign(site, visitor, slug, number)
    seen = form.needed("seen", "what was looked at")
    if form.problems:
        return _page(visit, problem=" ".join(form.problems.values()), note=form.text("note"))
    try:
        proposed = site.campaigns.proposal_of(visit.campaign, actor=visitor.actor).value
        made = make_label_version(
            site.database, site.files, number, note=form.text("note"), seen=seen, proposed=proposed,
            actor=visitor.actor, now=site.now(),
        )  # fmt: skip
    except (ConflictError, UsageError) as error:
        return _page(visit, problem=str(error), note=form.text("note"))
    return RedirectResponse(f"/boards/{visit.board.slug}/labels/{made.label_set.id}?done=version", status_code=303)


def _page(visit: CampaignVisit, *, problem: str = "", note: str = "") -> HTMLResponse:
    site, campaign, digits = visit.site, visit.campaign, visit.board.digits
    proposed: ProposedLabels | None = None
    sentences: tuple[str, ...] = ()
    is_earlier = False
    try:
        found = site.campaigns.proposal_of(campaign, actor=visit.visitor.actor)
        proposed, is_earlier = found.value, not found.is_current
    except (ConflictError, UsageError) as error:
        sentences = (f"No labels can be made yet: {error}.",)
    if proposed is not None:
        whole = f"The new labels would be based on {counted(proposed.judgments, 'judgment')}."
        if proposed.unmet:
            keep = "keeps its" if len(proposed.unmet) == 1 else "keep their"
            whole += (
                f" {counted(len(proposed.unmet), 'query', 'queries')} {keep} labels, which are newer than the plan and "
                "were not compared with other documents; extend the campaign to have them judged."
            )
        whole += f" {proposed.about}" if proposed.about else ""
        sentences = (whole, *(rounded_text(text, max(3, digits)) for text in proposed.effect.opening(0)))
    note_field = Field(
        name="note",
        label="Note",
        kind="textarea",
        value=note,
        hint="Where the labels come from and why they change. Empty: the name of the campaign.",
    )
    return visit.answer(
        "campaign_labels/new_labels.html",
        "/new-labels",
        problem=problem,
        status=409 if problem else 200,
        labels_address=f"/boards/{visit.board.slug}/labels",
        assessors_address=f"{visit.address}/assessors",
        results_address=f"{visit.address}/results",
        seen="" if proposed is None else str(proposed.labels.digest),
        is_earlier=is_earlier,
        warning="" if proposed is None else proposed.hasty.warning,
        sentences=sentences,
        changes=None if proposed is None else table(rounded_grid(proposed.effect.grid(), digits), "changes"),
        note=note_field,
        made=_made(visit),
    )


def _made(visit: CampaignVisit) -> tuple[Row, ...]:
    with visit.site.database.read() as connection:
        made = load_campaign_labels(connection, visit.campaign.id)
        versions = {labels.id: labels for labels in load_label_sets(connection, visit.board.id)}
    return tuple(
        Row(
            text=f"{versions[label.label_set_id].name}, version {versions[label.label_set_id].version}",
            href=f"/boards/{visit.board.slug}/labels/{label.label_set_id}",
            about=f"made on {label.at:%Y-%m-%d} from {counted(label.judgments, 'judgment')}; "
            f"{counted(label.changed, 'query', 'queries')} changed",
        )
        for label in reversed(made)
    )
