"""Boards, query sets, label sets."""

import sqlalchemy as sa
from alembic import op

revision = "v0003"
down_revision = "v0002"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("measure", sa.String(length=60), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("relevance_level", sa.Integer(), nullable=False),
        sa.Column("alpha", sa.Float(), nullable=False),
        sa.Column("correction", sa.String(length=40), nullable=False),
        sa.Column("gains", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("window_days", sa.Integer(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("variants", sa.Integer(), nullable=False),
        sa.Column("opens_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("upload_limit", sa.Integer(), nullable=False),
        sa.Column("digits", sa.Integer(), nullable=False),
        sa.Column("private_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("anonymous_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("alpha > 0 AND alpha < 1", name=op.f("ck_board_alpha_inside")),
        sa.CheckConstraint("depth > 0", name=op.f("ck_board_depth_positive")),
        sa.CheckConstraint("digits BETWEEN 1 AND 10", name=op.f("ck_board_digits_inside")),
        sa.CheckConstraint("upload_limit > 0", name=op.f("ck_board_upload_limit_positive")),
        sa.CheckConstraint("window_days > 0 AND most > 0 AND variants >= 0", name=op.f("ck_board_rule_possible")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board")),
        sa.UniqueConstraint("slug", name=op.f("uq_board_slug")),
    )
    op.create_table(
        "label_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=True),
        sa.Column("queries", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.CheckConstraint("sealed = (content_hash IS NULL)", name=op.f("ck_label_set_hash_of_the_unsealed")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_label_set_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_set")),
        sa.UniqueConstraint("board_id", "name", "version", name=op.f("uq_label_set_board_id_name_version")),
        sa.UniqueConstraint("id", "sealed", name=op.f("uq_label_set_id_sealed")),
    )
    op.create_table(
        "query_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=True),
        sa.Column("queries", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("sealed = (content_hash IS NULL)", name=op.f("ck_query_set_hash_of_the_unsealed")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_query_set_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_query_set")),
        sa.UniqueConstraint("board_id", "name", "version", name=op.f("uq_query_set_board_id_name_version")),
        sa.UniqueConstraint("id", "sealed", name=op.f("uq_query_set_id_sealed")),
    )
