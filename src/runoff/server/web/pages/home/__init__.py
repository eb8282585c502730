"""The first page: the boards of this site."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from runoff.server.cases.reads import load_boards, load_runs
from runoff.server.web.frame.boards import taking_words
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.visit import show_page
from runoff.server.web.visitors import AnySite, AnyVisitor

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
def show_home(site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """The boards of this site."""
    now, cards = site.now(), []
    with site.database.read() as connection:
        for board in load_boards(connection):
            runs = [run for run in load_runs(connection, board.id, state="scored") if run.is_published(now)]
            cards.append(Row(board=board, runs=runs, when=taking_words(board, now)))
    return show_page("home/home.html", site, visitor, path="/", cards=cards)
