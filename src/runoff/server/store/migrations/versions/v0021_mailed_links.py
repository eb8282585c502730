"""One-time links that are mailed."""

import sqlalchemy as sa
from alembic import op

revision = "v0021"
down_revision = "v0020"


def upgrade() -> None:
    """Add the hash of the token that was mailed, beside that of the token that was shown."""
    op.add_column("one_time_link", sa.Column("mailed_hash", sa.String(64), nullable=True))
