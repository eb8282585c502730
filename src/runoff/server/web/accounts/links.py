"""One-time links: make an account, choose a new password, join a team."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.cases.accounts.sign_in import has_account, use_link
from runoff.server.cases.reads import Link, load_link, load_team
from runoff.server.site import Site
from runoff.server.web.accounts.view import page
from runoff.server.web.forms import SignedForm
from runoff.server.web.visitors import AnySite, AnyVisitor, Visitor

router = APIRouter(include_in_schema=False)


@router.get("/links/{token}")
def show_link(token: str, site: AnySite, visitor: AnyVisitor) -> Response:
    """The form that belongs to a link; looking at it does not use it up."""
    return _page(site, visitor, token)


@router.post("/links/{token}")
def do_use_link(token: str, site: AnySite, visitor: AnyVisitor, form: SignedForm) -> Response:
    """Use a link up."""
    try:
        link = use_link(
            site.database,
            token,
            display_name=form.get("display_name"),
            password=form.get("password"),
            person=visitor.person,
            hashing=site.hashing,
            now=site.now(),
        )
    except (UsageError, ConflictError) as error:
        return _page(site, visitor, token, problem=str(error), status=422)
    if link.kind == "team" and visitor.person is not None:
        return RedirectResponse("/account", status_code=303)
    kind = "password" if link.kind == "password" else "account"
    return RedirectResponse(f"/sign-in?after={kind}", status_code=303)


def _page(site: Site, visitor: Visitor, token: str, *, problem: str = "", status: int = 200) -> Response:
    with site.database.read() as connection:
        link: Link | None = load_link(connection, token, site.now())
        if link is None:
            raise NotFoundError("this link is unknown, was used already, or is too old; ask for a new one")
        team = "" if link.team_id is None else load_team(connection, link.team_id).name
    return page(
        "link.html", site, visitor, kind=link.kind, email=link.email, team=team, token=token, problem=problem,
        known=has_account(site.database, link), status=status,
    )  # fmt: skip
