"""Forms of pages: fields to show, what was sent with all its problems, and the check that a page of ours sent it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, TypeVar
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from runoff.errors import InputError, NotAllowedError, UsageError
from runoff.server.cases.boards.files import SentFile
from runoff.server.cases.characters import check_characters
from runoff.server.web.visitors import AnyVisitor, Visitor
from runoff.tables.setting_types import Moment, Whole

FIELD: Final = "csrf"
LONGEST: Final = 100_000
MOST_BOXES: Final = 5_000
MOST_WITH_FILES: Final = 60
LONGEST_TEXT: Final = 5_000
Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a form.

    kind      text, email, textarea, number, datetime-local, file, select or check
    problem   what is wrong with the value that was sent; empty if nothing is
    options   of a select: values and their labels
    """

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    hint: str = ""
    problem: str = ""
    options: tuple[tuple[str, str], ...] = ()
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class FieldGroup:
    """Fields that belong together."""

    title: str
    fields: tuple[Field, ...]


class Form:
    """A form that was sent: its fields and files, and by field what is wrong with it, so that all is shown at once.

    fields  as they were sent
    files   that were chosen, by field

    >>> sent = Form({"most": "two", "depth": "10"})
    >>> sent.whole("most", 1, 1000), sent.whole("depth", 1, 100), sent.problems
    (1, 10, {'most': "'two' cannot be used; expected a whole number from 1 to 1,000"})
    """

    def __init__(self, fields: Mapping[str, str], files: Mapping[str, UploadFile] | None = None) -> None:
        self.fields = dict(fields)
        self.files = dict(files or {})
        stripped = {name: text.strip() for name, text in fields.items()}
        self.sent = {name: text[:LONGEST_TEXT] for name, text in stripped.items()}
        self.problems: dict[str, str] = {
            name: f"{len(fields[name]):,} characters; expected {LONGEST_TEXT:,} at most"
            for name, text in stripped.items()
            if len(text) > LONGEST_TEXT
        }

    def text(self, name: str) -> str:
        """The text of a field; empty if it was not sent."""
        return self.sent.get(name, "")

    def needed(self, name: str, what: str) -> str:
        """The text of a field that cannot be empty."""
        if not self.text(name):
            self.problems.setdefault(name, f"is empty; expected {what}")
        return self.text(name)

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number within limits."""
        text = self.text(name)
        value = Whole(low=low, high=high).typed(text)
        if value is None:
            self.problems[name] = f"{text[:40]!r} cannot be used; expected a whole number from {low:,} to {high:,}"
        return low if value is None else int(value)

    def number(self, name: str, low: float, high: float) -> float:
        """A number from `low` and below `high`."""
        try:
            value = float(self.text(name))
        except ValueError:
            value = float("nan")
        if not low <= value < high:
            self.problems[name] = (
                f"{self.text(name)[:40]!r} cannot be used; expected a number from {low:g}, below {high:,.10g}"
            )
            return low
        return value

    def moment(self, name: str) -> datetime | None:
        """A time in UTC; None for an empty field."""
        text = self.text(name)
        moment: datetime | None = Moment().typed(text)
        if text and moment is None:
            self.problems[name] = f"{text[:40]!r} cannot be used; expected {Moment().expected}"
        return moment

    def one_of(self, name: str, known: Iterable[str]) -> str:
        """One of some words."""
        allowed = list(known)
        if self.text(name) not in allowed:
            self.problems[name] = f"{self.text(name)[:40]!r} is unknown; expected one of {', '.join(allowed)}"
            return allowed[0]
        return self.text(name)

    def made(self, name: str, make: Callable[[str], Value]) -> Value | None:
        """What a function makes of a text; its `UsageError` is the problem of the field."""
        try:
            return make(self.text(name))
        except UsageError as error:
            self.problems.setdefault(name, str(error))
            return None

    def get(self, name: str) -> str:
        """The value of a field as it was sent, such as a password; empty if it was not sent."""
        return self.fields.get(name, "")

    def copied_to(self, folder: Path) -> dict[str, SentFile]:
        """Every file in the folder, under a name that nobody chose."""
        copies = {}
        for place, (name, file) in enumerate(self.files.items()):
            path = folder / f"sent-{place}"
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
                file.file.seek(0)
                shutil.copyfileobj(file.file, target)
            copies[name] = SentFile(path=path, file_name=file.filename or "")
        return copies


def filled(groups: tuple[FieldGroup, ...], sent: Form | None) -> tuple[FieldGroup, ...]:
    """The same fields with what was sent, and what is wrong with it; as they are if nothing was sent."""
    if sent is None:
        return groups

    def again(field: Field) -> Field:
        # A box that is not ticked is not sent.
        default = "" if field.kind == "check" else field.value
        return replace(field, value=sent.sent.get(field.name, default), problem=sent.problems.get(field.name, ""))

    return tuple(replace(group, fields=tuple(map(again, group.fields))) for group in groups)


async def signed_form(request: Request, visitor: AnyVisitor) -> Form:
    """The form that was sent; every page that changes something takes its form from here.

    A form of somebody who is signed in has to hold the token of the session.
    """
    return await _read(request, visitor, most=100)


async def signed_list(request: Request, visitor: AnyVisitor) -> Form:
    """The fields of a form with a box for each of many things, such as the runs of a board."""
    return await _read(request, visitor, most=MOST_BOXES)


SignedForm = Annotated[Form, Depends(signed_form)]
SignedList = Annotated[Form, Depends(signed_list)]
SIGNED: Final = Depends(signed_form)
"""For routes that need nothing of the form but that this server made it."""


def check_fields(fields: Mapping[str, str]) -> None:
    """Raise if a form holds what no database and no page takes, in a value or in the name of a field."""
    for name, value in fields.items():
        if not (name + value).isprintable():  # seldom: a line end, or what is refused
            check_characters("the name of a field", name)
            check_characters(f"the field {name[:40]!r}", value)


def check_csrf(visitor: Visitor, sent: str) -> None:
    """Raise unless the form of somebody who is signed in holds the token of the session."""
    if visitor.person is not None and not (
        visitor.csrf and secrets.compare_digest(visitor.csrf.encode(), sent.encode())
    ):
        raise NotAllowedError("this form was not made by this server, or you have signed in again; load the page again")


def check_origin(request: Request) -> None:
    """Raise if a browser says that another site sent the form."""
    fetch = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    foreign = fetch not in (None, "same-origin", "none")
    if fetch is None and origin is not None:
        foreign = urlsplit(origin).netloc != request.headers.get("host", "")
    if foreign:
        raise NotAllowedError("this form was sent by another site; open the page here and send it again")


async def _read(request: Request, visitor: Visitor, *, most: int) -> Form:
    check_origin(request)
    try:
        async with request.form(max_files=0, max_fields=most, max_part_size=LONGEST) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
    except (HTTPException, KeyError, ValueError):
        raise InputError(["request: the form cannot be read; send it again"]) from None
    check_fields(fields)
    check_csrf(visitor, fields.get(FIELD, ""))
    return Form(fields)


@asynccontextmanager
async def read_files_form(request: Request, visitor: Visitor, *, most_files: int) -> AsyncIterator[Form]:
    """A form that this server made, with at most `most_files` files; the guards limit its size as it arrives."""
    check_origin(request)
    try:
        form = await request.form(max_files=most_files, max_fields=MOST_WITH_FILES, max_part_size=LONGEST)
    except (HTTPException, KeyError, ValueError):
        raise InputError(["request: the form cannot be read; send it again"]) from None
    try:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        check_fields(fields)
        check_csrf(visitor, fields.get(FIELD, ""))
        files = {name: value for name, value in form.items() if isinstance(value, UploadFile) and value.filename}
        yield Form(fields, files)
    finally:
        await form.close()
