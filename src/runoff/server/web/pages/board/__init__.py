"""A board: who leads, how sure that is, what each run was worth on its day, and the records over time."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, Response

from runoff.display.rows import row_dict
from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.boards.board_views import AskedView, Choice, load_asked_view
from runoff.server.cases.reads import (
    StoredBoard,
    StoredRun,
    load_board,
    load_runs,
    load_verdict_count,
    load_verdicts,
)
from runoff.server.cases.views.public import ChartSize, PublicBoard, Theme
from runoff.server.cases.views.stored_board import load_private_means, load_unscored, sees_verdict
from runoff.server.site import Site
from runoff.server.web.frame.boards import taking_words, versioned
from runoff.server.web.frame.render import environment
from runoff.server.web.frame.visit import HOME, show_page
from runoff.server.web.pages.board.results import results_of
from runoff.server.web.response_cache import shared
from runoff.server.web.visitors import AnySite, AnyVisitor, Visitor

if TYPE_CHECKING:
    from markupsafe import Markup

router = APIRouter(include_in_schema=False)
Text = Annotated[str, Query(max_length=200)]
ENTRIES: Final = "entries"


def choice_of(
    labels: Text = "", queries: Text = "", team: Text = "", runs: Text = "", since: Text = "", until: Text = ""
) -> Choice:
    """The filters of an address; empty ones are no filters."""
    days = {"since": _day(since), "until": _day(until)}
    return Choice(labels=labels, queries=queries, team=team, entries=runs == ENTRIES, **days)


AskedChoice = Annotated[Choice, Depends(choice_of)]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"{text[:40]!r} is not a date; expected one such as 2026-03-15") from None


def as_query(choice: Choice) -> dict[str, str]:
    """The filters as an address holds them."""
    days = {"since": choice.since, "until": choice.until}
    texts = {
        **row_dict(choice, "labels", "queries", "team"),
        "runs": ENTRIES if choice.entries else "",
    }
    texts |= {name: day.isoformat() for name, day in days.items() if day}
    return {name: text for name, text in texts.items() if text}


@router.get("/boards/{slug}", response_class=HTMLResponse)
@shared
def show_board(site: AnySite, visitor: AnyVisitor, slug: str, choice: AskedChoice) -> HTMLResponse:
    """The page of a board."""
    now = site.now()
    # One transaction, so that everything on the page is of the same moment; what is slow is computed after it.
    with site.database.read() as connection:
        board = load_board(connection, slug)
        asked = load_asked_view(connection, board, choice, viewer=visitor.actor, now=now)
        private = load_private_means(connection, board, viewer=visitor.actor, now=now) if asked.offer.has_sealed else {}
        unscored = load_unscored(connection, board)
        verdicts = load_verdict_count(connection, board.id)
        own = [run for team in sorted(visitor.actor.teams) for run in load_runs(connection, board.id, team_id=team)]
    shown = site.views.of(asked, asker=visitor.asker, now=now)
    return show_page(
        "board/board.html",
        site,
        visitor,
        crumbs=[HOME],
        notices=_waiting(*unscored),
        board=board,
        queries=shown.queries if shown else None,
        is_open=board.is_open(now),
        when=taking_words(board, now),
        private_note=_private_note(board, now, is_seen=bool(private)) if asked.offer.has_sealed else "",
        filters=_filters(asked, shown),
        choice=choice,
        results=None if shown is None else _rendered(site, shown, private, choice, visitor, verdicts),
        empty=_empty(choice),
        pending=[(run, _why_pending(run)) for run in own if not run.is_published(now)],
    )


@router.get("/boards/{slug}/charts/{name}.svg")
@shared
def show_chart(
    site: AnySite, visitor: AnyVisitor, slug: str, name: str, choice: AskedChoice, theme: Theme = "light",
    size: ChartSize = "page",
) -> Response:  # fmt: skip
    """A chart of a board as a picture."""
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        asked = load_asked_view(connection, board, choice, viewer=visitor.actor, now=now)
    shown = site.views.of(asked, asker=visitor.asker, now=now)
    if shown is None or name not in shown.charts:
        raise NotFoundError(f"board {slug[:60]!r} has no chart {name[:60]!r} of such runs")
    drawn = site.views.drawing(shown.key, shown.charts[name], theme=theme, size=size)
    return picture(drawn, visitor)


def picture(drawn: str, visitor: Visitor) -> Response:
    """A drawing as an answer; only what everybody sees may be kept by a browser, which asks each time if it is new."""
    headers = {"Cache-Control": "no-store", "Vary": "Authorization, Cookie"}
    if visitor.person is None:
        # Weak: it is sent compressed or not.
        headers["ETag"] = f'W/"{hashlib.sha256(drawn.encode()).hexdigest()[:32]}"'
        headers["Cache-Control"] = "private, no-cache"
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _rendered(
    site: Site,
    shown: PublicBoard,
    private: dict[int, dict[str, float]],
    choice: Choice,
    visitor: Visitor,
    verdict_count: int,
) -> Markup:
    """The results as HTML, rendered once for all visitors who see the same."""
    from markupsafe import Markup

    query = as_query(choice)
    means = tuple(sorted((run, *sorted(by_labels.items())) for run, by_labels in private.items()))

    def make() -> str:
        with site.database.read() as connection:
            stored = load_verdicts(connection, shown.board.id)
        same = (shown.labels.id, shown.query_set.id)
        verdicts = {
            verdict.run_id: verdict
            for verdict in stored
            if (verdict.label_set_id, verdict.query_set_id) == same
            and sees_verdict(visitor.actor, shown.board, verdict.computation_version)
        }
        results = results_of(shown, verdicts=verdicts, private=private, choice=query)
        return environment().get_template("board/_results.html").render(results=results)

    return Markup(site.views.pieces((shown.key, tuple(query.items()), means, verdict_count), make))  # noqa: S704


def _private_note(board: StoredBoard, now: datetime, *, is_seen: bool) -> str:
    if board.shows_private(now):
        return "private results are shown"
    text = "private results are shown "
    text += "to organisers only" if board.private_from is None else f"from {board.private_from:%Y-%m-%d} (UTC)"
    return f"{text}; you see them as an organiser" if is_seen else text


def _waiting(waiting: int, runs: int) -> tuple[str, ...]:
    """A notice while runs are scored again, under changed settings or labels."""
    if not waiting:
        return ()
    return (f"The settings or labels have changed: {runs - waiting:,} of {runs:,} runs are rescored so far.",)


def _filters(asked: AskedView, shown: PublicBoard | None) -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """Name, label, options and choice of each filter."""
    choice, offer = asked.choice, asked.offer
    labels = [(labels.name, versioned(labels)) for labels in offer.labels]
    queries = [(queries.name, f"{queries.name} ({queries.queries:,} queries)") for queries in offer.queries]
    teams = [("", "all"), *((name, name) for name in offer.teams)]
    return [
        ("labels", "Labels", labels, shown.labels.name if shown else choice.labels),
        ("queries", "Queries", queries, shown.query_set.name if shown else choice.queries),
        ("team", "Team", teams, choice.team),
        ("runs", "Runs", [("", "all"), (ENTRIES, "one per team")], ENTRIES if choice.entries else ""),
    ]


def _empty(choice: Choice) -> str:
    if choice.team or choice.since or choice.until:
        return "No run fits these filters."
    return "No run has been scored yet."


def _why_pending(run: StoredRun) -> str:
    if run.state != "scored":
        return run.state
    return "not above your best by more than noise" if run.held else "under embargo"
