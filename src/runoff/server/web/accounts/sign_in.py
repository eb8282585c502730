"""Signing in and out, and one-time links: create an account, choose a new password, join a team."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from runoff.errors import ConflictError, NotAllowedError, NotFoundError, QuotaError, UsageError
from runoff.server.cases.accounts.sign_in import SignInRules, has_account, mail_reset_link, sign_in, sign_out, use_link
from runoff.server.cases.reads import load_link, load_team
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, SignedForm
from runoff.server.web.frame.visit import show_page
from runoff.server.web.own_paths import own_path
from runoff.server.web.visitors import AnySite, AnyVisitor, Visitor, cookie_name

router = APIRouter(include_in_schema=False)

NEWS: Final = {
    "account": "Your account was created. Sign in.",
    "password": "Your new password is set. Sign in.",
    "forgotten": "If there is such an account, a link for a new password is on its way by mail.",
}

AfterLink = Annotated[str, Query(max_length=20)]
Destination = Annotated[str, Query(max_length=2000)]


@router.get("/sign-in")
def show_sign_in(site: AnySite, visitor: AnyVisitor, to: Destination = "", after: AfterLink = "") -> Response:
    """The form; `to` is the page to go on with, `after` the kind of link that was used just now."""
    return show_page("sign_in.html", site, visitor, path="/sign-in", to=own_path(to), news=NEWS.get(after, ""))


@router.post("/sign-in")
def do_sign_in(request: Request, site: AnySite, visitor: AnyVisitor, form: SignedForm) -> Response:
    """Begin a session."""
    email, to = form.get("email"), own_path(form.get("to"))
    try:
        token = sign_in(
            site.database,
            email=email,
            password=form.get("password"),
            address=address_of(request),
            rules=sign_in_rules(site),
            hashing=site.hashing,
            now=site.now(),
        )
    except (NotAllowedError, QuotaError) as error:
        status = 429 if isinstance(error, QuotaError) else 403
        return show_page("sign_in.html", site, visitor, problem=str(error), email=email[:254], to=to, status=status)
    answer = RedirectResponse(to or "/account", status_code=303)
    set_session(answer, site, token)
    return answer


@router.post("/sign-out", dependencies=[SIGNED])
def do_sign_out(request: Request, site: AnySite) -> Response:
    """End the session."""
    token = request.cookies.get(cookie_name(site), "")
    if token:
        sign_out(site.database, token, site.now())
    answer = RedirectResponse("/sign-in", status_code=303)
    answer.delete_cookie(cookie_name(site), path="/", secure=site.settings.secure_cookies, httponly=True)
    return answer


def address_of(request: Request) -> str:
    """Where a request comes from, on the network."""
    return request.client.host if request.client is not None else ""


def sign_in_rules(site: Site) -> SignInRules:
    """How many attempts may fail, and how long a session lasts."""
    return SignInRules(failures=site.settings.login_failures, session=site.settings.session_time)


@router.get("/forgotten-password")
def show_forgotten(site: AnySite, visitor: AnyVisitor) -> Response:
    """The form that asks for a new password by mail."""
    return show_page("forgotten.html", site, visitor, path="/sign-in", has_mail=bool(site.settings.mail))


@router.post("/forgotten-password")
def do_mail_link(request: Request, site: AnySite, form: SignedForm) -> Response:
    """Mail a one-time link; the answer is the same whether there is such an account or not."""
    if not site.settings.mail:
        raise UsageError("this server sends no mail; ask an organiser for a new password")
    hours = site.settings.link_hours
    mail_reset_link(site.database, email=form.get("email"), address=address_of(request), hours=hours, now=site.now())
    return RedirectResponse("/sign-in?after=forgotten", status_code=303)


def set_session(answer: Response, site: Site, token: str) -> None:
    """Let a browser send the token of a session from now on."""
    answer.set_cookie(
        cookie_name(site),
        token,
        max_age=round(site.settings.session_time.total_seconds()),
        path="/",
        secure=site.settings.secure_cookies,
        httponly=True,
        samesite="lax",
    )


@router.get("/links/{token}")
def show_link(token: str, site: AnySite, visitor: AnyVisitor) -> Response:
    """The form that belongs to a link; looking at it does not use it up."""
    return _link_page(site, visitor, token)


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
        return _link_page(site, visitor, token, problem=str(error), status=422)
    if link.kind == "team" and visitor.person is not None:
        return RedirectResponse("/account", status_code=303)
    kind = "password" if link.kind == "password" else "account"
    return RedirectResponse(f"/sign-in?after={kind}", status_code=303)


def _link_page(site: Site, visitor: Visitor, token: str, *, problem: str = "", status: int = 200) -> Response:
    with site.database.read() as connection:
        link = load_link(connection, token, site.now())
        if link is None:
            raise NotFoundError("this link is unknown, was used already, or is too old; ask for a new one")
        team = "" if link.team_id is None else load_team(connection, link.team_id).name
        is_known = has_account(connection, link)
    return show_page(
        "link.html",
        site,
        visitor,
        link=link,
        team=team,
        token=token,
        person=visitor.person,
        has_account=is_known,
        problem=problem,
        status=status,
    )
