"""The first page: the boards of this site."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from runoff.server.cases.reads import load_boards, load_runs
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.days import taking_words
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, AnyVisitor

LONGEST: Final = 240
router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
def show_home(request: Request, site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """The boards of this site."""
    now, cards = site.now(), []
    with site.database.read() as connection:
        for board in load_boards(connection):
            runs = [run for run in load_runs(connection, board.id, state="scored") if run.is_published(now)]
            cards.append(
                Row(
                    title=board.title,
                    href=f"/boards/{board.slug}",
                    description=_short(board.description),
                    measure=board.measure,
                    runs=len(runs),
                    newest=f"{runs[-1].submitted_at:%Y-%m-%d}" if runs else "",
                    when=taking_words(board, now),
                )
            )
    return HTMLResponse(
        render_page("home/home.html", Row(frame=frame_of(site, visitor, path=request.url.path), cards=tuple(cards)))
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
