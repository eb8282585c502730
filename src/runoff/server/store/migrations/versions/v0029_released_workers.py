"""A worker id opens a session in another browser only after an organiser has released it."""

import sqlalchemy as sa
from alembic import op

revision = "v0029"
down_revision = "v0028"


def upgrade() -> None:
    """Add the column; nobody is released."""
    op.add_column("worker", sa.Column("released_at", sa.DateTime(timezone=True)))
