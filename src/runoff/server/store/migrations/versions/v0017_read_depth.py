"""How many ranks of a run a campaign has read."""

import sqlalchemy as sa
from alembic import op

revision = "v0017"
down_revision = "v0016"

# Ten ranks or the depth of the campaign were read so far, whichever is more.
_FILL = """
UPDATE campaign_run SET read_depth = (
    SELECT CASE WHEN s.depth > 10 THEN s.depth ELSE 10 END
    FROM campaign_settings s WHERE s.campaign_id = campaign_run.campaign_id
) WHERE tops IS NOT NULL
"""


def upgrade() -> None:
    """Add a column to the runs of campaigns, and fill it for those that were read."""
    op.add_column("campaign_run", sa.Column("read_depth", sa.Integer(), nullable=True))
    op.execute(_FILL)
