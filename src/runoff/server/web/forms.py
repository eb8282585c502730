"""Forms of pages: read with limits, and only if a page of this server sent them."""

from __future__ import annotations

import secrets
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from runoff.errors import InputError, NotAllowedError
from runoff.server.web.visitors import AnyVisitor, Visitor

FIELD: Final = "csrf"
LONGEST: Final = 100_000
MOST_BOXES: Final = 5_000


async def signed_form(request: Request, visitor: AnyVisitor) -> dict[str, str]:
    """The fields of a form; every page that changes something takes its form from here.

    A form of somebody who is signed in has to hold the token of the session.
    """
    return await _read(request, visitor, most=100)


async def signed_list(request: Request, visitor: AnyVisitor) -> dict[str, str]:
    """The fields of a form with a box for each of many things, such as the runs of a board."""
    return await _read(request, visitor, most=MOST_BOXES)


SignedForm = Annotated[dict[str, str], Depends(signed_form)]
SignedList = Annotated[dict[str, str], Depends(signed_list)]


def check_csrf(visitor: Visitor, sent: str) -> None:
    """Raise unless the form of somebody who is signed in holds the token of the session."""
    if visitor.person is not None and not (
        visitor.csrf and secrets.compare_digest(visitor.csrf.encode(), sent.encode())
    ):
        raise NotAllowedError("this form was not made by this server, or you have signed in anew; load the page again")


def check_origin(request: Request) -> None:
    """Raise if a browser says that another site sent the form."""
    fetch = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    foreign = fetch not in (None, "same-origin", "none")
    if fetch is None and origin is not None:
        foreign = urlsplit(origin).netloc != request.headers.get("host", "")
    if foreign:
        raise NotAllowedError("this form was sent by another site; open the page here and send it again")


async def _read(request: Request, visitor: Visitor, *, most: int) -> dict[str, str]:
    check_origin(request)
    try:
        async with request.form(max_files=0, max_fields=most, max_part_size=LONGEST) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
    except (HTTPException, KeyError, ValueError):
        raise InputError(["request: the form cannot be read; send it again"]) from None
    check_csrf(visitor, fields.get(FIELD, ""))
    return fields
