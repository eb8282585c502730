"""The audit log."""

import sqlalchemy as sa
from alembic import op

from runoff.server.store.migrations._append_only import append_only_statements

revision = "v0008"
down_revision = "v0007"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("thing", sa.String(length=40), nullable=False),
        sa.Column("thing_id", sa.Integer(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["person.id"], name=op.f("fk_audit_actor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_thing_thing_id", "audit", ["thing", "thing_id"], unique=False)
    for statement in append_only_statements(op.get_bind().dialect.name, "audit"):
        op.execute(statement)
