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
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.render import render_page
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
    page = Row(
        frame=visit.frame(),
        board=visit.board.title,
        head=visit.head("/results"),
        address=f"{visit.address}/results",
        is_earlier=found is not None and not found.is_current,
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
    headers = {"Refresh": str(EARLIER_SECONDS)} if page.is_earlier else None
    return HTMLResponse(render_page("campaign_results/results.html", page), headers=headers)


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
    figures, best = live.results.figures, live.results.best
    about = "about " if visit.campaign.way == "sequential" else ""
    changed = sum(set(docs) != set(live.before.get(query_id, ())) for query_id, docs in best)
    facts = [
        Fact(name="Judgments", value=f"{figures.progress.judgments_done:,}",
             more=f"of {about}{figures.expected_judgments:,}, {figures.share_done:.0%}"),
        Fact(name="Queries with a best answer", value=f"{len(best):,}",
             more="that has met all others" if about else "by the judgments so far"),
        Fact(name="Other than the label", value=f"{changed:,}", more="of these queries"),
    ]  # fmt: skip
    if about:
        facts.append(
            Fact(name="Judgments saved", value=f"{figures.saved_judgments:,}",
                 more=f"about, against the {figures.full_judgments:,} of all pairs, three for each")
        )  # fmt: skip
    return tuple(facts)


def _warning(visit: CampaignVisit, live: LiveResults) -> str:
    if live.results.figures.share_done >= 1:
        return ""
    if visit.campaign.state == "closed":
        return "The campaign was closed before all of it was judged: these are the judgments that there are."
    return (
        "Judging goes on. Whoever looks at every new number and stops at a good one finds significance too often: "
        "decide by the end of the plan."
    )


def _answers(live: LiveResults) -> Table | None:
    """The best known answers, those that differ from the labels first."""
    rows: list[list[Value]] = []
    for query_id, docs in live.results.best:
        before = live.before.get(query_id, ())
        what = "same" if set(docs) == set(before) else "other"
        rows.append([query_id, " ".join(docs), " ".join(before), what])
    if not rows:
        return None
    rows.sort(key=lambda row: row[3] == "same")
    columns = [
        Column("query", "Query"), Column("best", "Best known answer"), Column("before", "Label before"),
        Column("what", "Than the label"),
    ]  # fmt: skip
    notes = [f"{MOST_ANSWERS} of {len(rows):,} queries; the files have all."] if len(rows) > MOST_ANSWERS else []
    grid = Grid(title="Best known answers", columns=columns, rows=rows[:MOST_ANSWERS], notes=notes)
    return table(grid, "answers")
