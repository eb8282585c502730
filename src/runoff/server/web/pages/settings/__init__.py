"""Change the settings of a board."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import ConflictError, UsageError
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.change import change_board, load_organiser_settings
from runoff.server.cases.reads import load_board, load_runs
from runoff.server.site import Site
from runoff.server.web.board_form import read_settings, setting_groups
from runoff.server.web.forms import Form, SignedForm, filled
from runoff.server.web.frame.visit import organise_crumbs, show_page
from runoff.server.web.visitors import AnySite, SignedIn, Visitor

router = APIRouter(include_in_schema=False)


@router.get("/boards/{slug}/settings", response_class=HTMLResponse)
def show_settings(site: AnySite, visitor: SignedIn, slug: str) -> HTMLResponse:
    """The settings."""
    require(visitor.actor, "manage board")
    return _page(site, visitor, slug, None)


@router.post("/boards/{slug}/settings")
def change_settings(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Change the settings of a board, unless somebody else has changed them meanwhile."""
    require(visitor.actor, "manage board")
    with site.database.read() as connection:
        board = load_board(connection, slug)
        before = load_organiser_settings(connection, board)
    version = form.whole("version", 1, 2**31 - 1)
    settings = read_settings(form, before, is_new=False)
    if form.problems:
        return _page(site, visitor, slug, form)
    try:
        changed = change_board(site.database, board.id, settings, version=version, actor=visitor.actor, now=site.now())
    except (ConflictError, UsageError) as error:
        return _page(site, visitor, slug, form, problem=f"{error}.")
    word = "rescore" if changed.rescored else "saved"
    return RedirectResponse(f"/boards/{board.slug}/organise?done={word}", status_code=303)


def _page(site: Site, visitor: Visitor, slug: str, sent: Form | None, *, problem: str = "") -> HTMLResponse:
    with site.database.read() as connection:
        board = load_board(connection, slug)
        settings = load_organiser_settings(connection, board)
        runs = len(load_runs(connection, board.id, state="scored"))
    groups = filled(setting_groups(settings, is_new=False), sent)
    return show_page(
        "settings/settings.html",
        site,
        visitor,
        crumbs=organise_crumbs(board),
        status=422 if sent else 200,
        board=board,
        runs=runs,
        groups=groups,
        problem=problem,
    )
