"""The choice of queries that the public does not see the scores of."""

import sqlalchemy as sa
from alembic import op

revision = "v0013"
down_revision = "v0012"


def upgrade() -> None:
    """Make the table of hidden shares anew: nothing has used it so far, and its key was too short for a secret."""
    op.add_column("board", sa.Column("choice", sa.Integer(), server_default="0", nullable=False))
    op.drop_table("hidden_share")
    op.create_table(
        "hidden_share",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("choice", sa.Integer(), nullable=False),
        sa.CheckConstraint("share >= 0 AND share < 1", name=op.f("ck_hidden_share_share_inside")),
        sa.CheckConstraint("choice > 0", name=op.f("ck_hidden_share_choice_positive")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_hidden_share_board_id")),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_hidden_share")),
    )
