"""How records of a board are certified."""

import sqlalchemy as sa
from alembic import op

revision = "v0023"
down_revision = "v0022"


def upgrade() -> None:
    """Add the rule; boards so far were decided by online fallback, whatever their board.toml said."""
    op.add_column("board", sa.Column("record_rule", sa.String(20), nullable=False, server_default="fallback"))
