"""Runs."""

import sqlalchemy as sa
from alembic import op

revision = "v0004"
down_revision = "v0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("submitted_by", sa.Integer(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submission_key", sa.String(length=100), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("variant_of", sa.Integer(), nullable=True),
        sa.Column("baseline", sa.Boolean(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("embargo_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("scored_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('queued', 'scoring', 'scored', 'rejected')", name=op.f("ck_run_state_known")),
        sa.CheckConstraint("size >= 0", name=op.f("ck_run_size_possible")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_run_board_id")),
        sa.ForeignKeyConstraint(["submitted_by"], ["person.id"], name=op.f("fk_run_submitted_by")),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_run_team_id")),
        sa.ForeignKeyConstraint(["variant_of"], ["run.id"], name=op.f("fk_run_variant_of")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("board_id", "team_id", "name", name=op.f("uq_run_board_id_team_id_name")),
        sa.UniqueConstraint(
            "board_id", "team_id", "submission_key", name=op.f("uq_run_board_id_team_id_submission_key")
        ),
    )
    op.create_index(
        "ix_run_board_id_team_id_submitted_at", "run", ["board_id", "team_id", "submitted_at"], unique=False
    )
