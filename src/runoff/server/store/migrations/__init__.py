"""Versions of the tables, and how a database gets from one to the next; alembic's form, run without its command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from runoff.errors import StoreError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

HEAD: Final = "head"
# One number for this program, so that two servers that start at once do not both make the tables.
_LOCK: Final = 7_236_633
# Nothing was released while the tables had these versions, so it is a commit.
_UNTIL_V0023: Final = "runoff as of commit 5d02eef"


def scripts() -> ScriptDirectory:
    """All versions, as alembic reads them."""
    from alembic.script import ScriptDirectory

    folder = Path(__file__).parent
    return ScriptDirectory(str(folder), version_locations=[str(folder / "versions")])


def revisions() -> tuple[str, ...]:
    """The names of all versions, oldest first.

    >>> revisions()[0]
    'v0023'
    """
    return tuple(script.revision for script in reversed(list(scripts().walk_revisions())))


def current_revision(connection: Connection) -> str | None:
    """The version that the tables of a database have; None if it has none."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def migrate(connection: Connection, revision: str = HEAD) -> tuple[str, ...]:
    """Bring the tables to a version within the transaction of `connection`; return the versions passed."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    versions, directory = revisions(), scripts()
    target = versions[-1] if revision == HEAD else revision
    context = MigrationContext.configure(connection)
    current = context.get_current_revision()
    if current is not None and current not in versions:
        raise StoreError(_refusal(current, versions))
    start = 0 if current is None else versions.index(current) + 1
    steps = versions[start : versions.index(target) + 1]
    for step in steps:
        script = directory.get_revision(step)
        with Operations.context(context):
            script.module.upgrade()
        context.stamp(directory, step)
    return steps


def _refusal(current: str, known: tuple[str, ...]) -> str:
    message = f"the database has version {current} of the tables; this program knows {known[0]} to {known[-1]}; "
    if re.fullmatch(r"v\d{4}", current) and current < known[0]:
        return message + f"start it once with {_UNTIL_V0023}, which brings it to {known[0]}, then start this program"
    return message + "use the newer program that wrote it"
