"""The release rule of a board, and the runs that it holds back."""

import sqlalchemy as sa
from alembic import op

revision = "v0015"
down_revision = "v0014"


def upgrade() -> None:
    """Add a column to boards and one to runs: so far every score is shown."""
    op.add_column("board", sa.Column("release", sa.String(length=20), server_default="all", nullable=False))
    op.add_column("run", sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False))
