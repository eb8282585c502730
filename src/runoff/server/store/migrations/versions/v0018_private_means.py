"""Private means are hidden unless a day is named: boards that showed them at once name the day they were made."""

from alembic import op

revision = "v0018"
down_revision = "v0017"


def upgrade() -> None:
    """Name the day on which boards without one began to show private means."""
    op.execute("UPDATE board SET private_until = created_at WHERE private_until IS NULL")
