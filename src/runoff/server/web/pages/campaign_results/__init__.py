"""What a campaign has found so far, while judging goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from runoff.display.grid import Column, Grid, Value
from runoff.display.rounding import rounded_grid, rounded_text
from runoff.errors import NotFoundError
from runoff.reports.page.tables import Table, table
from runoff.reports.sections import Fact
from runoff.server.cases.judging.live_results import EARLIER_SECONDS, LiveResults
from runoff.server.cases.views.public import ChartSize, Theme, public_chart
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.pages.campaign.view import judgment_facts
from runoff.server.web.visitors import AnySite, Number, SignedIn

if TYPE_CHECKING:
    from runoff.display.charts import Chart

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}/results"
LEFT_OUT: Final = ("Assessors", "Files")
"""Tables of the tally that have a page of their own, or nothing to say here."""
MOST_ANSWERS: Final = 500


@router.get(ADDRESS, response_class=HTMLResponse)
def show_results(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> HTMLResponse:
    """The results so far."""
    visit = visit_campaign(site, visitor, slug, number)
    found = None
    if visit.campaign.planned_at is not None:
        found = site.campaigns.results_of(visit.campaign, actor=visitor.actor)
    live = found.value if found else None
    counted = live.results.tally if live else None
    digits = visit.board.digits
    is_earlier = found is not None and not found.is_current
    return visit.answer(
        "campaign_results/results.html",
        "/results",
        headers={"Refresh": str(EARLIER_SECONDS)} if is_earlier else None,
        is_earlier=is_earlier,
        campaign_address=visit.address,
        facts=_facts(visit, live) if live else (),
        sentences=tuple(rounded_text(text, max(3, digits)) for text in counted.opening(0)) if counted else (),
        warning=_warning(visit, live) if live else "",
        charts=tuple(
            chart_view(public_chart(chart), f"{visit.address}/results/charts", {}) for chart in _charts(visit, live)
        ),
        tables=tuple(
            table(rounded_grid(grid, digits), f"tally-{place}")
            for place, grid in enumerate(counted.grids() if counted else (), start=1)
            if grid.title not in LEFT_OUT
        ),
        answers=_answers(live) if live else None,
    )


@router.get(ADDRESS + "/charts/{name}.svg")
def show_chart(
    site: AnySite, visitor: SignedIn, slug: str, number: Number, name: str, theme: Theme = "light",
    size: ChartSize = "page",
) -> Response:  # fmt: skip
    """A chart of the results as a picture, for organisers."""
    visit = visit_campaign(site, visitor, slug, number)
    live = None
    if visit.campaign.planned_at is not None:
        live = site.campaigns.results_of(visit.campaign, actor=visitor.actor).value
    for chart in _charts(visit, live):
        if live is not None and chart.name == name:
            drawn = site.views.drawing(("campaign", live.key), public_chart(chart), theme=theme, size=size)
            return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=10"})
    raise NotFoundError(f"the results of campaign {number} have no chart {name[:60]!r}")


def _charts(visit: CampaignVisit, live: LiveResults | None) -> tuple[Chart, ...]:
    counted = live.results.tally if live else None
    return tuple(chart.with_digits(visit.board.digits) for chart in counted.charts()) if counted else ()


def _facts(visit: CampaignVisit, live: LiveResults) -> tuple[Fact, ...]:
    best = live.results.best
    is_sequential = visit.campaign.way == "sequential"
    how = "compared with all candidates" if is_sequential else "from the judgments so far"
    changed = sum(set(docs) != set(live.before.get(query_id, ())) for query_id, docs in best)
    done, *saved = judgment_facts(visit.campaign, live.results.figures)
    return (
        done,
        Fact(name="Queries with a best answer", value=f"{len(best):,}", more=how),
        Fact(name="Differ from the label", value=f"{changed:,}", more="of these queries"),
        *saved,
    )


def _warning(visit: CampaignVisit, live: LiveResults) -> str:
    if live.results.figures.share_done >= 1:
        return ""
    if visit.campaign.state == "closed":
        return "The campaign was closed before everything was judged. These results use the judgments made until then."
    return (
        "Judging is not finished. Stopping as soon as a number looks good finds significance too often; decide at "
        "the end of the plan."
    )


def _answers(live: LiveResults) -> Table | None:
    """The best known answers, those that differ from the labels first."""
    rows: list[list[Value]] = []
    for query_id, docs in live.results.best:
        before = live.before.get(query_id, ())
        rows.append([query_id, " ".join(docs), " ".join(before), "same" if set(docs) == set(before) else "different"])
    if not rows:
        return None
    rows.sort(key=lambda row: row[3] == "same")
    columns = [
        Column("query", "Query"), Column("best", "Best known answer"), Column("before", "Current label"),
        Column("what", "Compared with the label"),
    ]  # fmt: skip
    notes = (
        [f"{MOST_ANSWERS} of {len(rows):,} queries; the files list all of them."] if len(rows) > MOST_ANSWERS else []
    )
    grid = Grid(title="Best known answers", columns=columns, rows=rows[:MOST_ANSWERS], notes=notes)
    return table(grid, "answers")
