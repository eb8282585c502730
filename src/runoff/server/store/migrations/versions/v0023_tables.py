"""All tables, as they were when the first 23 versions became one; a database that those made is at this version."""

from pathlib import Path

from alembic import op

from runoff.server.store.migrations._append_only import append_only_statements

revision = "v0023"
down_revision = None

_SQLITE = {
    "SERIAL": "INTEGER",
    "TIMESTAMP WITH TIME ZONE": "DATETIME",
    "BYTEA": "BLOB",
    "BOOLEAN DEFAULT false": "BOOLEAN DEFAULT 0",
    "upload_limit BIGINT": "upload_limit INTEGER",
}


def upgrade() -> None:
    """Make the tables."""
    dialect = op.get_bind().dialect.name
    sql = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    for postgresql, sqlite in _SQLITE.items() if dialect == "sqlite" else ():
        sql = sql.replace(postgresql, sqlite)
    statements = "\n".join(line for line in sql.splitlines() if not line.startswith("--")).split(";\n")
    for statement in statements:
        op.execute(statement.rstrip(";"))
    for table in ("audit", "judgment"):
        for statement in append_only_statements(dialect, table):
            op.execute(statement)
