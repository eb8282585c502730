"""Errors as HTTP responses: a status and a sentence, no internals; JSON for programs, a page for people."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from runoff.errors import (
    BusyError,
    ConflictError,
    InputError,
    LimitError,
    NoRoomError,
    NotAllowedError,
    NotFoundError,
    QuotaError,
    RunoffError,
    TooOftenError,
    UsageError,
)
from runoff.server.web.frame.visit import show_page
from runoff.server.web.guards import HIDDEN, route_of
from runoff.server.web.own_paths import address_of_sign_in
from runoff.server.web.visitors import NotSignedInError, Visitor

if TYPE_CHECKING:
    from runoff.server.site import Site

LOG: Final = logging.getLogger("runoff.server.web")
STATUS: Final[tuple[tuple[type[RunoffError], int, str], ...]] = (
    (LimitError, 413, "too large"),
    (InputError, 422, "bad input"),
    (UsageError, 422, "bad input"),
    (NotSignedInError, 401, "not signed in"),
    (NotAllowedError, 403, "not allowed"),
    (NotFoundError, 404, "not found"),
    (ConflictError, 409, "conflict"),
    (QuotaError, 429, "no submission left"),
    (TooOftenError, 429, "too often"),
    (BusyError, 503, "busy"),
    (NoRoomError, 507, "no room"),
)
"""The first that fits is taken; every other error is the server's fault."""
API: Final = "/api/"
NO_ROOM: Final = "the server's disk is full; nothing of this was kept; try again later, or tell an organiser"
SHOWN_LINES: Final = 50
BUSY_SECONDS: Final = 5


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an error is answered with."""

    status: int
    kind: str
    message: str
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The body of an API answer."""
        return {"error": {"kind": self.kind, "message": self.message, "problems": list(self.problems)}}


def answer_to(error: Exception, *, signed_in: bool) -> Answer:
    """The answer to an error."""
    for kind, status, name in STATUS:
        if isinstance(error, kind):
            problems = tuple(error.problems) if isinstance(error, InputError) else ()
            if kind is NotAllowedError and not signed_in:
                status, name = 401, "not signed in"  # noqa: PLW2901
            # Where the disk is is nobody's business outside.
            message = NO_ROOM if kind is NoRoomError else str(error)
            return Answer(status=status, kind=name, message=message, problems=problems)
    return Answer(status=500, kind="fault", message=HIDDEN)


def add_problem_handlers(app: FastAPI) -> None:
    """Let the app answer every error in the same form."""

    def explained(request: Request, error: Exception) -> Response:
        answer = answer_to(error, signed_in=_has_credentials(request))
        if answer.status in (500, 507):
            LOG.error("%s: %s", route_of(request.scope), type(error).__name__)
        headers: dict[str, str] = {}
        if isinstance(error, (QuotaError, TooOftenError)) and error.free_at is not None:
            site: Site = request.app.state.site
            headers["Retry-After"] = str(max(1, round((error.free_at - site.now()).total_seconds())))
        if isinstance(error, BusyError):
            headers["Retry-After"] = str(BUSY_SECONDS)
            if request.method == "GET":
                headers["Refresh"] = str(BUSY_SECONDS)  # a page looks again by itself
        if answer.status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="runoff"'
        return _response(request, answer, headers)

    def invalid(request: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        problems = tuple(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in found)
        text = "; ".join(problems)
        return _response(request, Answer(status=422, kind="bad input", message=text, problems=problems), {})

    def plain(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
        kind = {404: "not found", 405: "not allowed here"}.get(status, "bad request")
        message = {404: "there is nothing at this address", 405: "this address does not take such requests"}
        answer = Answer(status=status, kind=kind, message=message.get(status, "the request cannot be understood"))
        return _response(request, answer, headers)

    app.add_exception_handler(RunoffError, explained)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)


def wants_json(request: Request) -> bool:
    """Whether the answer is for a program: of the API, or a script of a page that asks for it."""
    return request.url.path.startswith(API) or "application/json" in request.headers.get("accept", "")


def _has_credentials(request: Request) -> bool:
    return bool(request.headers.get("authorization") or request.cookies)


def _response(request: Request, answer: Answer, headers: dict[str, str]) -> Response:
    if wants_json(request):
        return JSONResponse(answer.to_dict(), status_code=answer.status, headers=headers)
    if answer.status == 401 and request.method == "GET":
        return RedirectResponse(address_of_sign_in(request.url.path), status_code=303)
    site: Site = request.app.state.site
    is_early = answer.status == 503 and request.method == "GET"
    page = show_page(
        "problem.html",
        site,
        getattr(request.state, "visitor", Visitor()),
        status=answer.status,
        title="One moment" if is_early else answer.kind.capitalize(),
        lines=[_sentence(line) for line in answer.message.splitlines()[:SHOWN_LINES]],
        again=request.url.path + (f"?{request.url.query}" if request.url.query else "") if is_early else "",
    )
    page.headers.update(headers)
    return page


def _sentence(line: str) -> str:
    """A line of an error as a sentence, unless it begins with a name or a quotation."""
    if not line or line.startswith("..."):
        return line
    word = line.split(maxsplit=1)[0]
    line = line[:1].upper() + line[1:] if word.isalpha() else line
    return line if line.endswith((".", "?", "!", ":")) else f"{line}."
