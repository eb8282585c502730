"""Triggers of tables whose rows are never changed or removed."""

from __future__ import annotations

from typing import Final

_REFUSAL: Final = "rows of this table are never changed or removed"


def append_only_statements(dialect: str, table: str) -> tuple[str, ...]:
    """The statements that make a table append-only.

    >>> len(append_only_statements("sqlite", "audit")), len(append_only_statements("postgresql", "audit"))
    (2, 2)
    """
    if dialect == "sqlite":
        return tuple(
            f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            for change in ("UPDATE", "DELETE")
        )
    return (
        (
            f"CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
            f"'BEGIN RAISE EXCEPTION ''{_REFUSAL}''; END'"
        ),
        (
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        ),
    )
