"""Every API token ends: those from before ends were chosen, a year after they were made."""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "v0030"
down_revision = "v0029"
LONGEST = timedelta(days=366)


def upgrade() -> None:
    """Give tokens without an end the latest one that can be chosen."""
    moment = sa.DateTime(timezone=True)
    token = sa.table("api_token", sa.column("id"), sa.column("created_at", moment), sa.column("expires_at", moment))
    connection = op.get_bind()
    endless = sa.select(token.c.id, token.c.created_at).where(token.c.expires_at.is_(None))
    for number, created_at in connection.execute(endless).all():
        connection.execute(token.update().where(token.c.id == number).values(expires_at=created_at + LONGEST))
