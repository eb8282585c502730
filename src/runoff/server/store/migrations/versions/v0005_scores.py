"""Arrays, means and verdicts of runs."""

import sqlalchemy as sa
from alembic import op

revision = "v0005"
down_revision = "v0004"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "analysis",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("query_set_id", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("kernel", sa.String(length=60), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("NOT sealed", name=op.f("ck_analysis_open_only")),
        sa.ForeignKeyConstraint(
            ["label_set_id", "sealed"],
            ["label_set.id", "label_set.sealed"],
            name=op.f("fk_analysis_label_set_id_sealed"),
        ),
        sa.ForeignKeyConstraint(
            ["query_set_id", "sealed"],
            ["query_set.id", "query_set.sealed"],
            name=op.f("fk_analysis_query_set_id_sealed"),
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_analysis_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis")),
        sa.UniqueConstraint(
            "run_id",
            "label_set_id",
            "query_set_id",
            "kind",
            "kernel",
            name=op.f("uq_analysis_run_id_label_set_id_query_set_id_kind_kernel"),
        ),
    )
    op.create_table(
        "score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("query_set_id", sa.Integer(), nullable=False),
        sa.Column("measure", sa.String(length=60), nullable=False),
        sa.Column("kernel", sa.String(length=60), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("queries", sa.Integer(), nullable=False),
        sa.Column("missing_queries", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_score_label_set_id")),
        sa.ForeignKeyConstraint(["query_set_id"], ["query_set.id"], name=op.f("fk_score_query_set_id")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_score_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score")),
        sa.UniqueConstraint(
            "run_id",
            "label_set_id",
            "query_set_id",
            "measure",
            "kernel",
            name=op.f("uq_score_run_id_label_set_id_query_set_id_measure_kernel"),
        ),
    )
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("champion_id", sa.Integer(), nullable=True),
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("query_set_id", sa.Integer(), nullable=False),
        sa.Column("strict", sa.String(length=20), nullable=False),
        sa.Column("do_no_harm", sa.String(length=20), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("policy", sa.JSON(), nullable=False),
        sa.Column("kernel", sa.String(length=60), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("champion_id <> run_id", name=op.f("ck_verdict_against_another")),
        sa.ForeignKeyConstraint(["champion_id"], ["run.id"], name=op.f("fk_verdict_champion_id")),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_verdict_label_set_id")),
        sa.ForeignKeyConstraint(["query_set_id"], ["query_set.id"], name=op.f("fk_verdict_query_set_id")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_verdict_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
        sa.UniqueConstraint(
            "run_id", "label_set_id", "query_set_id", name=op.f("uq_verdict_run_id_label_set_id_query_set_id")
        ),
    )
