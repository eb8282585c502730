"""Rows as frozen values: a value's fields are the columns that it is made of."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, insert, select
from sqlalchemy.exc import IntegrityError

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store.models.accounts import AUDIT


class Value(Protocol):
    """A frozen value: any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Kind = TypeVar("Kind", bound=Value)


def columns(kind: type[Value], table: Table) -> list[ColumnElement[Any]]:
    """The columns of the table that a value has fields for, by the names of these."""
    return [table.c[field.name].label(field.name) for field in fields(kind)]


def values(rows: Any, kind: type[Kind]) -> tuple[Kind, ...]:
    """Each row as a value."""
    names = tuple(rows.keys())
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def many(
    connection: Connection, kind: type[Kind], table: Table, *where: ColumnElement[bool], order: Any = None
) -> tuple[Kind, ...]:
    """The rows that fulfil all conditions, by default in the order in which they were added."""
    query = select(*columns(kind, table)).where(*where)
    place = order if order is not None else list(table.primary_key.columns)
    return values(connection.execute(query.order_by(*(place if isinstance(place, list) else [place]))), kind)


def one(connection: Connection, kind: type[Kind], table: Table, *where: ColumnElement[bool], what: str) -> Kind:
    """The one row that fulfils all conditions; `what` names it where there is none."""
    found = maybe(connection, kind, table, *where)
    if found is None:
        raise NotFoundError(f"there is no {what}")
    return found


def maybe(connection: Connection, kind: type[Kind], table: Table, *where: ColumnElement[bool]) -> Kind | None:
    """The one row that fulfils all conditions, or None."""
    row = connection.execute(select(*columns(kind, table)).where(*where)).mappings().one_or_none()
    return None if row is None else kind(**row)


def add(connection: Connection, table: Table, clash: str = "", missing: str = "", /, **row: Any) -> int:
    """Insert a row and return its number, or the first part of its key.

    clash    message of the error where a unique value is taken
    missing  message of the error where it refers to something that is not there
    """
    try:
        with connection.begin_nested():
            return int(connection.execute(_insert(table), row).scalar_one())
    except IntegrityError as error:
        if is_duplicate(error) and clash:
            raise ConflictError(clash) from error
        if missing:
            raise NotFoundError(missing) from error
        raise


def is_duplicate(error: IntegrityError) -> bool:
    """Whether a value that must be unique was there already, and not some other constraint broken."""
    if isinstance(error.orig, sqlite3.Error):
        codes = {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
        return error.orig.sqlite_errorcode in codes
    return getattr(error.orig, "sqlstate", None) == "23505"


def note(
    connection: Connection, action: str, thing: str, thing_id: int, *, actor: int | None, now: datetime, **details: Any
) -> None:
    """Write a change of state to the audit log, in the transaction of the change."""
    row = {"at": now, "actor_id": actor, "action": action, "thing": thing, "thing_id": thing_id, "details": details}
    connection.execute(_AUDIT, row)


# Made once: making a statement takes longer than the database takes to do it.
_AUDIT: Final = insert(AUDIT)


@cache
def _insert(table: Table) -> Any:
    return insert(table).returning(next(iter(table.primary_key.columns)))
