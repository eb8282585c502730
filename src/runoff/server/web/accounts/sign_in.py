"""Signing in and out."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from runoff.errors import NotAllowedError, QuotaError
from runoff.server.cases.accounts.sign_in import SignInRules, sign_in, sign_out
from runoff.server.site import Site
from runoff.server.web.accounts.view import page
from runoff.server.web.forms import SIGNED, SignedForm
from runoff.server.web.own_paths import own_path
from runoff.server.web.visitors import AnySite, AnyVisitor, cookie_name

router = APIRouter(include_in_schema=False)

NEWS: Final = {"account": "Your account is made. Sign in with it.", "password": "Your new password is set. Sign in."}

AfterLink = Annotated[str, Query(max_length=20)]
Destination = Annotated[str, Query(max_length=2000)]


@router.get("/sign-in")
def show_sign_in(site: AnySite, visitor: AnyVisitor, to: Destination = "", after: AfterLink = "") -> Response:
    """The form; `to` is the page to go on with, `after` the kind of link that was used just now."""
    return page("sign_in.html", site, visitor, problem="", email="", to=own_path(to), news=NEWS.get(after, ""))


@router.post("/sign-in")
def do_sign_in(request: Request, site: AnySite, visitor: AnyVisitor, form: SignedForm) -> Response:
    """Begin a session."""
    email, to = form.get("email"), own_path(form.get("to"))
    address = request.client.host if request.client is not None else ""
    settings = site.settings
    try:
        token = sign_in(
            site.database,
            email=email,
            password=form.get("password"),
            address=address,
            rules=SignInRules(failures=settings.login_failures, session=settings.session_time),
            hashing=site.hashing,
            now=site.now(),
        )
    except (NotAllowedError, QuotaError) as error:
        status = 429 if isinstance(error, QuotaError) else 403
        return page("sign_in.html", site, visitor, problem=str(error), email=email[:254], to=to, news="", status=status)
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
