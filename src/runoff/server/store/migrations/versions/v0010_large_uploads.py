"""Uploads of more than 2 GB: the limit of a board has 64 bits."""

import sqlalchemy as sa
from alembic import op

revision = "v0010"
down_revision = "v0009"


def upgrade() -> None:
    """Widen the column; on SQLite every whole number has 64 bits already."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column(
            "board", "upload_limit", existing_type=sa.Integer(), type_=sa.BigInteger(), existing_nullable=False
        )
