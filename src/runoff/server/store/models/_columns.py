"""Column types and constraints that all tables share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Column, DateTime, Dialect, ForeignKey, Integer, MetaData
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeDecorator

from runoff.errors import UsageError

# Constraints need names, or a later migration cannot refer to them.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class NaiveTimeError(UsageError, DontWrapMixin):
    """A time without a time zone was to be stored."""


class UtcTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC; SQLite has no time zones, so there the UTC time is written without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """What is written."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise NaiveTimeError(f"time {value} has no time zone; expected an aware time; write datetime.now(UTC)")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """What is read."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def key() -> Column[int]:
    """The number of a row."""
    return Column("id", Integer, primary_key=True)


def link(name: str, target: str, *, optional: bool = False, **options: Any) -> Column[Any]:
    """A column that names a row of another table."""
    return Column(name, Integer, ForeignKey(f"{target}.id"), nullable=optional, **options)


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """The column holds one of these words."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")
