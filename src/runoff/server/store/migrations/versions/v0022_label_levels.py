"""Relevance levels of label sets."""

import sqlalchemy as sa
from alembic import op

revision = "v0022"
down_revision = "v0021"


def upgrade() -> None:
    """Add the relevance level of a label set; none for that of the board."""
    op.add_column("label_set", sa.Column("relevance_level", sa.Integer(), nullable=True))
