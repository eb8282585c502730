"""Fingerprints of the lists of runs; those of earlier runs are made when they are scored again."""

import sqlalchemy as sa
from alembic import op

revision = "v0031"
down_revision = "v0030"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "run_lists",
        sa.Column("run_id", sa.Integer, sa.ForeignKey("run.id", name="fk_run_lists_run_id"), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_run_lists"),
    )
