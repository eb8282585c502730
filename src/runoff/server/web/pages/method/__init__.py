"""About the method: what each number means, and the papers behind it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from runoff.server.web.frame.context import Row
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, AnyVisitor

LIN: Final = (
    "Lin, Campos, Craswell, Mitra & Yilmaz 2021, Significant improvements over the state of the art? "
    "DOI 10.48550/arXiv.2102.12887"
)
CRASWELL: Final = (
    "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data regime. "
    "DOI 10.1145/3404835.3462804"
)
MOGSTAD: Final = (
    "Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods "
    "and academic achievement across countries. DOI 10.1093/restud/rdad006"
)
MOFFAT: Final = (
    "Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? DOI 10.1002/asi.24874"
)

ENTRIES: Final[tuple[Row, ...]] = (
    Row(
        key="mean",
        title="Mean and its 95% interval",
        paragraphs=(
            "The mean of the measure over all queries. A query that the run lacks counts as nothing found.",
            (
                "The interval says how far the mean would move if other queries of the same kind had been asked: "
                "the queries are drawn again with replacement, a thousand times, and the middle 95% of the means "
                "are kept."
            ),
        ),
        source=CRASWELL,
    ),
    Row(
        key="ranks",
        title="Possible ranks, group and heat map",
        paragraphs=(
            (
                "All pairs of runs are compared at once, and a run is above another one only if that comparison says "
                "so. Of 20 runs, possible ranks 2–5 means that one run is above this one and 15 are below it. All "
                "possible ranks of a board are right together with its confidence, mostly 95%. A run whose possible "
                "ranks begin at 1 could be the best."
            ),
            (
                "Runs of one group are not shown to be worse than the first of the group. To be first in a group is no "
                "proof of being better than the second."
            ),
            (
                "The heat map is something else: the queries are drawn again with replacement, a thousand times, and "
                "it shows how often each run was at each rank."
            ),
        ),
        source=MOGSTAD,
    ),
    Row(
        key="verdict",
        title="better, worse, trade-off, inconclusive",
        paragraphs=(
            (
                "Two runs are compared by the measure of the board, by which finds more of the relevant documents, and "
                "by which finds sooner what both find. A run is better if one of these shows it and none speaks "
                "against it; a trade-off if it is shown to be ahead in one and behind in another. Fewer, later, more "
                "and sooner say how."
            ),
            (
                "Against the leader of a board the measure alone decides, in one comparison of all pairs of runs, "
                "because the leader was picked after looking at the scores."
            ),
            (
                "Lin et al.'s own two rules look at finding more and sooner alone: under do no harm one of them has to "
                "be shown and the other must not be shown to be worse; under the strict rule both have to be shown."
            ),
        ),
        source=LIN,
    ),
    Row(
        key="marks",
        title="† and ‡",
        paragraphs=(
            "† the difference of the measure's means is significant at the level of the board.",
            (
                "‡ so is the vote of the queries on which every sensible measure must agree, in the same direction. "
                "On such a query one list is at least as good as the other down to every rank."
            ),
            (
                "‡ is not a statement about all measures: they may score both runs the same on those queries, and may "
                "disagree on others."
            ),
        ),
        source=MOFFAT,
    ),
    Row(
        key="day",
        title="On its day",
        paragraphs=(
            (
                "The verdict against the run that held the record when this one was submitted. It is decided once "
                "and never again, also when labels change later."
            ),
        ),
        source=LIN,
    ),
    Row(
        key="records",
        title="Records and certified records",
        paragraphs=(
            (
                "A record is a run with a better mean than every run before it. With many runs there are records by "
                "luck alone, and a record is looked at because it is high, so a plain test is too kind to it."
            ),
            (
                "The record test is conditional on being a record. A record is certified if it passes that test "
                "while the chance of a single false certificate in the whole history stays below the level of the "
                "board."
            ),
        ),
        source="runoff's own; see its documentation, 'Boards'",
    ),
    Row(
        key="private",
        title="Public, private and development queries",
        paragraphs=(
            (
                "Public queries are those whose scores are shown to teams, while their labels stay hidden; a board "
                "ranks by them. Scores on private queries are not shown before the end. Queries whose labels teams "
                "hold are development queries: scores on them say little about new queries."
            ),
            (
                "Organisers may keep some labels or queries to themselves. Nothing per query about them leaves the "
                "server: only means, with as many digits as the organisers chose, and only from the day that they "
                "set."
            ),
            (
                "Every number of a board has the digits that the organisers chose, also in drawings and in what "
                "programs read, because a mean with many digits tells what single queries scored. p-values are "
                "rounded up, so that they stay p-values; probabilities and shares are whole percents at least."
            ),
            (
                "Organisers may also leave some of the public queries out of everything that others see: means, "
                "intervals, verdicts, comparisons. Which ones is kept secret and stays the same; how many they are is "
                "said. Nothing is shown query by query on such a board."
            ),
            (
                "A board limits how often a team may submit, because many looks at the same labels let chance look "
                "like progress."
            ),
        ),
        source=CRASWELL,
    ),
)


router = APIRouter(include_in_schema=False)


@router.get("/method", response_class=HTMLResponse)
def show_method(request: Request, site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """About the method."""
    page = Row(frame=frame_of(site, visitor, path=request.url.path), entries=ENTRIES)
    return HTMLResponse(render_page("method/method.html", page))
