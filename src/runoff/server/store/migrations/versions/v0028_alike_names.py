"""Names that look alike are not taken twice, and new teams wait for an organiser."""

import sqlalchemy as sa
from alembic import op

from runoff.errors import UsageError
from runoff.server.store.names import name_key

revision = "v0028"
down_revision = "v0027"


def upgrade() -> None:
    """Add the columns; of earlier names that look alike the oldest has the key, and every earlier team is approved."""
    for table, column in (("person", "display_name"), ("team", "name")):
        op.add_column(table, sa.Column("name_key", sa.String(400)))
        _fill_keys(table, column)
        op.create_index(f"ix_{table}_name_key", table, ["name_key"], unique=True)
    op.add_column("team", sa.Column("approved_at", sa.DateTime(timezone=True)))
    op.execute("UPDATE team SET approved_at = created_at")


def _fill_keys(table: str, column: str) -> None:
    connection = op.get_bind()
    rows = sa.table(table, sa.column("id"), sa.column(column), sa.column("name_key"))
    names = sa.select(rows.c.id, rows.c[column]).order_by(rows.c.id)
    if table == "person":
        # Those who have an account: not the importer, nor assessors of a link.
        names = names.where(sa.text("email NOT LIKE '%.invalid'"))
    taken: set[str] = set()
    for number, name in connection.execute(names).all():
        try:
            key = name_key(name)
        except UsageError:
            continue
        if key not in taken:
            taken.add(key)
            connection.execute(rows.update().where(rows.c.id == number).values(name_key=key))
