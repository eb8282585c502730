"""Which version of the labels a board uses since when; every version that is there was in use from its beginning."""

import sqlalchemy as sa
from alembic import op

revision = "v0012"
down_revision = "v0011"


def upgrade() -> None:
    """Make the table, and fill it."""
    op.create_table(
        "label_use",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_label_use_label_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_use")),
    )
    op.create_index(op.f("ix_label_use_label_set_id"), "label_use", ["label_set_id"], unique=False)
    op.execute("INSERT INTO label_use (label_set_id, since) SELECT id, created_at FROM label_set ORDER BY id")
