"""Any two runs against each other: the verdict in a sentence, its numbers, and charts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, Response

from runoff.errors import NotFoundError, UsageError
from runoff.reports.page.tables import table
from runoff.server.cases.boards.board_views import Choice, Offer, chosen_sets, load_offer
from runoff.server.cases.reads import StoredBoard, load_board
from runoff.server.cases.views.analysis import Pair
from runoff.server.cases.views.public import ChartSize, PublicComparison, Theme
from runoff.server.cases.views.serp_arrays import is_partial
from runoff.server.cases.views.stored_board import VisibleRun, computation_version_for, find_run, load_visible_runs
from runoff.server.web.frame.boards import versioned
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.visit import board_crumbs, show_page
from runoff.server.web.pages.board import picture
from runoff.server.web.response_cache import shared
from runoff.server.web.visitors import AnySite, AnyVisitor

router = APIRouter(include_in_schema=False)
Text = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A comparison that was asked for, and what else could be."""

    board: StoredBoard
    seen: tuple[VisibleRun, ...]
    offer: Offer
    champion: str
    challenger: str
    pair: Pair | None = None
    comparison: PublicComparison | None = None
    computation_version: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that the drawings depend on."""
        key = self.pair.key if self.pair else None
        return "comparison", self.board.id, self.board.version, self.computation_version, key


def _run(seen: tuple[VisibleRun, ...], wanted: str) -> VisibleRun:
    run = find_run(seen, wanted)
    if run is None:
        raise UsageError(f"run {wanted[:100]!r} is not on this board, or you may not see it; choose one from the list")
    return run


def asked_of(
    site: AnySite,
    visitor: AnyVisitor,
    slug: str,
    champion: Text = "",
    challenger: Text = "",
    labels: Text = "",
    queries: Text = "",
) -> Asked:
    """The comparison that an address asks for."""
    with site.database.read() as connection:
        board = load_board(connection, slug)
        seen = load_visible_runs(connection, board, viewer=visitor.actor, now=site.now())
        offer = load_offer(connection, board, seen)
    asked = Asked(board=board, seen=seen, offer=offer, champion=champion, challenger=challenger)
    if not (champion and challenger) or champion == challenger or not (offer.labels and offer.queries):
        return asked
    chosen = chosen_sets(offer, Choice(labels=labels, queries=queries))
    pair = Pair(champion=_run(seen, champion), challenger=_run(seen, challenger), labels=chosen[0], queries=chosen[1])
    comparison = site.views.comparison(board, pair, viewer=visitor.actor, asker=visitor.asker, now=site.now())
    version = computation_version_for(visitor.actor, board, pair.labels)
    return replace(asked, pair=pair, comparison=comparison, computation_version=version)


AnyAsked = Annotated[Asked, Depends(asked_of)]


@router.get("/boards/{slug}/compare", response_class=HTMLResponse)  # noqa: FAST003
@shared
def show_comparison(site: AnySite, visitor: AnyVisitor, asked: AnyAsked) -> HTMLResponse:
    """The page that compares two runs."""
    board, comparison, pair = asked.board, asked.comparison, asked.pair
    address, chosen = f"/boards/{board.slug}/compare", pair_query(pair) if pair else {}
    return show_page(
        "compare/compare.html",
        site,
        visitor,
        crumbs=board_crumbs(board.slug, board.title),
        board=board,
        address=address,
        runs=[("", "choose a run"), *map(_option, asked.seen)],
        labels=[(labels.name, versioned(labels)) for labels in asked.offer.labels],
        queries=[(queries.name, queries.name) for queries in asked.offer.queries],
        chosen={"champion": asked.champion, "challenger": asked.challenger, "labels": "", "queries": ""} | chosen,
        comparison=comparison,
        note=_note(asked),
        empty=_empty(asked),
        tables=[table(grid, f"table-{place}") for place, grid in enumerate(comparison.tables if comparison else (), 1)],
        charts=[chart_view(chart, f"{address}/charts", chosen) for chart in (comparison.charts if comparison else ())],
    )


@router.get("/boards/{slug}/compare/charts/{name}.svg")  # noqa: FAST003
@shared
def show_chart(
    site: AnySite, visitor: AnyVisitor, name: str, asked: AnyAsked, theme: Theme = "light", size: ChartSize = "page"
) -> Response:
    """A chart of a comparison as a picture."""
    charts = {chart.name: chart for chart in asked.comparison.charts} if asked.comparison else {}
    if name not in charts:
        raise NotFoundError(f"there is no chart {name[:60]!r} of such runs")
    drawn = site.views.drawing(asked.key, charts[name], theme=theme, size=size)
    return picture(drawn, visitor)


ALONE: Final = (
    "Only these two runs are compared here. The board decides all pairs of its runs at once, so a pair that is decided "
    "here may be inconclusive there."
)


def _note(asked: Asked) -> str:
    if not asked.board.hidden_subset:
        return ALONE
    if is_partial(asked.computation_version):
        hidden = (
            "Some queries are left out of these numbers, and nothing is shown query by query: see the board's page."
        )
    else:
        hidden = "You are an organiser: these numbers are over all queries. Others see numbers over a part of them."
    return f"{ALONE} {hidden}"


def _option(visible: VisibleRun) -> tuple[str, str]:
    return str(visible.run.id), f"{visible.name} · {visible.team}" if visible.team else visible.name


def pair_query(pair: Pair) -> dict[str, str]:
    """A comparison as an address holds it."""
    return {
        "champion": str(pair.champion.run.id),
        "challenger": str(pair.challenger.run.id),
        "labels": pair.labels.name,
        "queries": pair.queries.name,
    }


def _empty(asked: Asked) -> str:
    if len(asked.seen) < 2:
        return "A comparison needs two scored runs; this board has fewer."
    if asked.champion and asked.champion == asked.challenger:
        return "These are the same run; choose two different ones."
    if asked.pair is not None:
        return "One of these runs is not scored on these labels yet."
    return "Choose the run to beat and the run that claims to be better."
