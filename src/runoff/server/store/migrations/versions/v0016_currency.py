"""The currency of a campaign's amounts."""

import sqlalchemy as sa
from alembic import op

revision = "v0016"
down_revision = "v0015"


def upgrade() -> None:
    """Add a column to the settings of campaigns: so far amounts have no currency."""
    op.add_column("campaign_settings", sa.Column("currency", sa.String(length=20), server_default="", nullable=False))
