"""Every widget on one page, so that a change of style is seen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from runoff.display.grid import Column, Grid
from runoff.reports.page.tables import table
from runoff.reports.sections import Fact
from runoff.server.cases.views.public import ChartSize, Theme, public_chart
from runoff.server.web.forms import Field, FieldGroup
from runoff.server.web.frame.boards import QuotaView
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import interval_on
from runoff.server.web.frame.people import ShownLink
from runoff.server.web.frame.visit import show_page
from runoff.server.web.visitors import AnySite, AnyVisitor
from runoff.verbs.scale import scale

if TYPE_CHECKING:
    from runoff.display.charts import Chart

router = APIRouter(include_in_schema=False)
ADDRESS = "/-/patterns"


def _chart() -> Chart:
    return scale("RR@5").chart()


def _fields() -> tuple[Field, ...]:
    return (
        Field(
            name="text", label="Text", value="x", problem="'x' cannot be used; expected a longer one", hint="A hint."
        ),
        Field(name="more", label="More text", kind="textarea"),
        Field(name="number", label="A number", kind="number", value="2"),
        Field(name="when", label="A time", kind="datetime-local"),
        Field(name="file", label="A file", kind="file"),
        Field(name="choice", label="A choice", kind="select", value="b", options=(("a", "first"), ("b", "second"))),
        Field(name="check", label="A box", kind="check", value="yes", hint="What it means."),
    )


@router.get(ADDRESS, response_class=HTMLResponse)
def show_patterns(site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """Every widget."""
    grid = Grid(
        title="A table",
        columns=[Column("run", "Run"), Column("mean", "RR@10", "number", best="high", help="The mean.")],
        rows=[[f"run {place}", place / 20] for place in range(1, 15)],
        notes=["A note below it."],
    )
    return show_page(
        "patterns/patterns.html",
        site,
        visitor,
        path=ADDRESS,
        notices=["Something has just been done."],
        verdicts=(("better", "†‡"), ("worse", "†"), ("inconclusive", "")),
        states=("queued", "scoring", "scored", "rejected", "under embargo"),
        facts=(Fact(name="Runs", value="117", more="of 31 teams"), Fact(name="Queries", value="6,980", more="")),
        intervals=tuple(interval_on(at - 0.1, at + 0.2, at, scale=(0.0, 1.0)) for at in (0.1, 0.5, 0.8)),
        options=(("a", "public (version 1)"), ("b", "preferences (version 2)")),
        problems=("bm25.run:812: score 'x' is not a number; expected one such as 2.5; fix the line",),
        quotas=(
            QuotaView(
                sentence="1 of 2 submissions used in the last 30 days, 1 left.",
                after="This is the last one for now.",
                dots=(True, False),
                can_submit=True,
            ),
            QuotaView(
                sentence="2 of 2 submissions used in the last 30 days, 0 left; the next is possible from 2026-04-14.",
                after="",
                dots=(True, True),
                can_submit=False,
            ),
        ),
        table=table(grid, "pattern-table"),
        chart=chart_view(public_chart(_chart()), f"{ADDRESS}/charts", {}),
        groups=(FieldGroup(title="A group", fields=_fields()),),
        pair=Row(
            number=1,
            place=4,
            question=("How long is the Nile?",),
            first=("The ", "Nile", " is about 6,650 km ", "long", "."),
            second=("نهر النيل أطول أنهار أفريقيا.",),
        ),
        code=Row(code="0123456789ABCDEF", pay="2.62", words="One task done, 17 choices counted for the pay."),
        link=ShownLink(address="https://example.org/links/x", email="somebody@example.org", mailed=True),
        field=Field(name="alone", label="A field alone", hint="What it means."),
    )


@router.get(ADDRESS + "/charts/scale_values.svg")
def show_chart(theme: Theme = "light", size: ChartSize = "page") -> Response:
    """The chart of the patterns."""
    drawn = _chart().in_style(dark=theme == "dark", size=size).to_svg()
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})
