"""A board: who leads, how sure that is, what each run was worth on its day, and the records over time."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, Response

from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.views.public import ChartSize, PublicBoard, Theme
from runoff.server.cases.views.stored_board import load_private_means, load_unscored, sees_verdict
from runoff.server.site import Site
from runoff.server.store.boards import StoredBoard, load_board_by_slug
from runoff.server.store.label_sets import LabelSet, load_label_sets, load_query_sets
from runoff.server.store.scores import load_verdict_count, load_verdicts
from runoff.server.store.submissions import StoredRun, load_runs
from runoff.server.web.analyses import Choice, Offer, analyses_of
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.days import taking_words
from runoff.server.web.frame.render import environment, render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.pages.board.results import results_of
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
        raise UsageError(f"{text[:40]!r} is no date; expected one such as 2026-03-15; write it so") from None


def as_query(choice: Choice) -> dict[str, str]:
    """The filters as an address holds them."""
    days = {"since": choice.since, "until": choice.until}
    texts = {
        "labels": choice.labels,
        "queries": choice.queries,
        "team": choice.team,
        "runs": ENTRIES if choice.entries else "",
    }
    texts |= {name: day.isoformat() for name, day in days.items() if day}
    return {name: text for name, text in texts.items() if text}


@router.get("/boards/{slug}", response_class=HTMLResponse)
def show_board(site: AnySite, visitor: AnyVisitor, slug: str, choice: AskedChoice) -> HTMLResponse:
    """The page of a board."""
    return HTMLResponse(_page(site, visitor, slug, choice, site.now()))


@router.get("/boards/{slug}/charts/{name}.svg")
def show_chart(
    site: AnySite, visitor: AnyVisitor, slug: str, name: str, choice: AskedChoice, theme: Theme = "light",
    size: ChartSize = "page",
) -> Response:  # fmt: skip
    """A chart of a board as a picture."""
    kept = analyses_of(site)
    with site.database.read() as connection:
        board = load_board_by_slug(connection, slug)
    shown, _ = kept.of(site, board, choice, viewer=visitor.actor, asker=visitor.asker, now=site.now())
    if shown is None or name not in shown.charts:
        raise NotFoundError(f"board {slug[:60]!r} has no chart {name[:60]!r} of such runs")
    drawn = kept.drawing(shown.key, shown.charts[name], theme=theme, size=size)
    return picture(drawn, visitor)


def picture(drawn: str, visitor: Visitor) -> Response:
    """A drawing as an answer; only what everybody sees may be kept by a browser, which asks each time if it is new."""
    headers = {"Cache-Control": "no-store", "Vary": "Authorization, Cookie"}
    if visitor.person is None:
        # Weak: it is sent compressed or not.
        headers["ETag"] = f'W/"{hashlib.sha256(drawn.encode()).hexdigest()[:32]}"'
        headers["Cache-Control"] = "private, no-cache"
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _page(site: Site, visitor: Visitor, slug: str, choice: Choice, now: datetime) -> str:
    with site.database.read() as connection:
        board = load_board_by_slug(connection, slug)
    shown, offer = analyses_of(site).of(site, board, choice, viewer=visitor.actor, asker=visitor.asker, now=now)
    has_private, private = _private(site, board, visitor, now)
    page = Row(
        frame=frame_of(site, visitor, crumbs=[Crumb(text="Boards", href="/")], notices=_waiting(site, board)),
        title=board.title,
        description=board.description,
        about=_about(board, shown),
        address=f"/boards/{board.slug}",
        is_open=board.is_open(now),
        when=taking_words(board, now),
        private_note=_private_note(board, now, is_seen=bool(private)) if has_private else "",
        filters=_filters(choice, offer, shown),
        results=None if shown is None else _rendered(site, shown, private, choice, visitor),
        empty=_empty(choice),
        pending=_pending(site, board, visitor, now),
    )
    return render_page("board/board.html", page)


def _rendered(
    site: Site, shown: PublicBoard, private: dict[int, dict[str, float]], choice: Choice, visitor: Visitor
) -> Markup:
    """The results as HTML, rendered once for all visitors who see the same."""
    from markupsafe import Markup

    query = as_query(choice)
    seen = tuple(sorted((run, *sorted(means.items())) for run, means in private.items()))

    with site.database.read() as connection:
        decided = load_verdict_count(connection, shown.board.id)

    def make() -> str:
        with site.database.read() as connection:
            found = load_verdicts(connection, shown.board.id)
        same = (shown.labels.id, shown.query_set.id)
        verdicts = {
            one.run_id: one
            for one in found
            if (one.label_set_id, one.query_set_id) == same and sees_verdict(visitor.actor, shown.board, one.kernel)
        }
        results = results_of(shown, verdicts=verdicts, private=private, choice=query)
        return environment().get_template("board/_results.html").render(results=results)

    return Markup(analyses_of(site).pieces((shown.key, tuple(query.items()), seen, decided), make))  # noqa: S704


def _private(
    site: Site, board: StoredBoard, visitor: Visitor, now: datetime
) -> tuple[bool, dict[int, dict[str, float]]]:
    """Whether the board has private labels, and the means on them that this visitor may see."""
    with site.database.read() as connection:
        sets = (*load_label_sets(connection, board.id), *load_query_sets(connection, board.id))
        if not any(one.sealed for one in sets):
            return False, {}
        return True, load_private_means(connection, board, viewer=visitor.actor, now=now)


def _private_note(board: StoredBoard, now: datetime, *, is_seen: bool) -> str:
    if board.shows_private(now):
        return "Results on private labels are shown."
    text = "Results on private labels are shown "
    text += "to organisers alone" if board.private_until is None else f"from {board.private_until:%Y-%m-%d} (UTC)"
    return f"{text}; you see them as an organiser." if is_seen else f"{text}."


def _waiting(site: Site, board: StoredBoard) -> tuple[str, ...]:
    """What to say while runs are scored again, under changed settings or labels."""
    with site.database.read() as connection:
        waiting, runs = load_unscored(connection, board)
    if not waiting:
        return ()
    return (
        f"Settings or labels have changed: {runs - waiting:,} of {runs:,} runs are scored again, the others follow.",
    )


def _filters(choice: Choice, offer: Offer, shown: PublicBoard | None) -> Row:
    return Row(
        labels=tuple(Row(value=one.name, text=_label_text(one)) for one in offer.labels),
        queries=tuple(Row(value=one.name, text=f"{one.name} ({one.queries:,} queries)") for one in offer.queries),
        teams=(Row(value="", text="all"), *(Row(value=name, text=name) for name in offer.teams)),
        chosen_labels=shown.labels.name if shown else choice.labels,
        chosen_queries=shown.query_set.name if shown else choice.queries,
        chosen_team=choice.team,
        runs=(Row(value="", text="all"), Row(value=ENTRIES, text="one per team")),
        chosen_runs=ENTRIES if choice.entries else "",
        since=choice.since.isoformat() if choice.since else "",
        until=choice.until.isoformat() if choice.until else "",
    )


def _label_text(one: LabelSet) -> str:
    # An earlier version has its number in the name by which it is chosen.
    return one.name if one.name.endswith(f"(version {one.version})") else f"{one.name} (version {one.version})"


def _about(board: StoredBoard, shown: PublicBoard | None) -> str:
    queries = f" · {shown.queries:,} queries" if shown else ""
    return f"{board.measure} · lists to rank {board.depth:,}{queries} · level {board.alpha:g}"


def _empty(choice: Choice) -> str:
    if choice.team or choice.since or choice.until:
        return "No run fits these filters."
    return "No run has been scored yet."


def _why_pending(run: StoredRun) -> str:
    if run.state != "scored":
        return run.state
    return "not above your best by more than noise" if run.held else "under embargo"


def _pending(site: Site, board: StoredBoard, visitor: Visitor, now: datetime) -> tuple[Row, ...]:
    if not visitor.actor.teams:
        return ()
    with site.database.read() as connection:
        own = [run for team in sorted(visitor.actor.teams) for run in load_runs(connection, board.id, team_id=team)]
    return tuple(
        Row(
            name=run.name,
            href=f"/boards/{board.slug}/runs/{run.id}",
            state=_why_pending(run),
        )
        for run in own
        if not run.is_published(now)
    )
