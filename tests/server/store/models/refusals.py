"""What the database itself refuses, however the program asks."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table, insert
from sqlalchemy.exc import DBAPIError


def refused(database, table: Table, row: dict[str, Any], match: str = "") -> None:
    """See that the database takes no such row, and that it is for the named reason."""
    with pytest.raises(DBAPIError, match=match):
        database.write(lambda connection: connection.execute(insert(table).values(**row)))


def taken(database, table: Table, row: dict[str, Any]) -> int:
    """See that the database takes a row, and return its number."""
    statement = insert(table).values(**row).returning(*list(table.primary_key.columns)[:1])
    return int(database.write(lambda connection: connection.execute(statement).scalar_one()))
