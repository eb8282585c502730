"""Private labels and what is per query about them."""

import sqlalchemy as sa
from alembic import op

revision = "v0006"
down_revision = "v0005"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "hidden_share",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.CheckConstraint("share >= 0 AND share < 1", name=op.f("ck_hidden_share_share_inside")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_hidden_share_board_id")),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_hidden_share")),
    )
    op.create_table(
        "sealed_analysis",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("query_set_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("kernel", sa.String(length=60), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_sealed_analysis_label_set_id")),
        sa.ForeignKeyConstraint(["query_set_id"], ["query_set.id"], name=op.f("fk_sealed_analysis_query_set_id")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_sealed_analysis_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sealed_analysis")),
        sa.UniqueConstraint(
            "run_id",
            "label_set_id",
            "query_set_id",
            "kind",
            "kernel",
            name=op.f("uq_sealed_analysis_run_id_label_set_id_query_set_id_kind_kernel"),
        ),
    )
    op.create_table(
        "sealed_labels",
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_sealed_labels_label_set_id")),
        sa.PrimaryKeyConstraint("label_set_id", name=op.f("pk_sealed_labels")),
    )
    op.create_table(
        "sealed_queries",
        sa.Column("query_set_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["query_set_id"], ["query_set.id"], name=op.f("fk_sealed_queries_query_set_id")),
        sa.PrimaryKeyConstraint("query_set_id", name=op.f("pk_sealed_queries")),
    )
