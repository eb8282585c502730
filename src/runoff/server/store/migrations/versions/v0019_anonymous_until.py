"""From when on the team of an anonymous run is named."""

import sqlalchemy as sa
from alembic import op

revision = "v0019"
down_revision = "v0018"


def upgrade() -> None:
    """Add the day to runs; so far the end of an embargo was it."""
    op.add_column("run", sa.Column("anonymous_until", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE run SET anonymous_until = embargo_until WHERE anonymous")
