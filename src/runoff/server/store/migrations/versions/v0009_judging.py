"""Judging."""

import sqlalchemy as sa
from alembic import op

from runoff.server.store.migrations._append_only import append_only_statements

revision = "v0009"
down_revision = "v0008"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=True),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name=op.f("ck_campaign_state_known")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_campaign_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
        sa.UniqueConstraint("slug", name=op.f("uq_campaign_slug")),
    )
    op.create_table(
        "campaign_assessor",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("consented_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_assessor_campaign_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_campaign_assessor_person_id")),
        sa.PrimaryKeyConstraint("campaign_id", "person_id", name=op.f("pk_campaign_assessor")),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.CheckConstraint("state IN ('open', 'given', 'done')", name=op.f("ck_task_state_known")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_task_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("campaign_id", "batch", "copy", name=op.f("uq_task_campaign_id_batch_copy")),
        sa.UniqueConstraint("id", "campaign_id", "batch", name=op.f("uq_task_id_campaign_id_batch")),
    )
    op.create_index("ix_task_campaign_id_state", "task", ["campaign_id", "state"], unique=False)
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(state = 'given') = (ended_at IS NULL)", name=op.f("ck_assignment_end_of_the_ended")),
        sa.CheckConstraint(
            "state IN ('given', 'done', 'returned', 'discarded')", name=op.f("ck_assignment_state_known")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "person_id"],
            ["campaign_assessor.campaign_id", "campaign_assessor.person_id"],
            name=op.f("fk_assignment_campaign_id_person_id"),
        ),
        sa.ForeignKeyConstraint(
            ["task_id", "campaign_id", "batch"],
            ["task.id", "task.campaign_id", "task.batch"],
            name=op.f("fk_assignment_task_id_campaign_id_batch"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("campaign_id", "batch", "person_id", name="batch_once"),
        sa.UniqueConstraint("id", "task_id", name=op.f("uq_assignment_id_task_id")),
    )
    op.create_index(
        "one_at_a_time",
        "assignment",
        ["campaign_id", "person_id"],
        unique=True,
        sqlite_where=sa.text("state = 'given'"),
        postgresql_where=sa.text("state = 'given'"),
    )
    op.create_index(
        "one_holder",
        "assignment",
        ["task_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('given', 'done')"),
        postgresql_where=sa.text("state IN ('given', 'done')"),
    )
    op.create_table(
        "task_pair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Text(), nullable=False),
        sa.Column("left_doc", sa.Text(), nullable=False),
        sa.Column("right_doc", sa.Text(), nullable=False),
        sa.Column("expected", sa.String(length=5), nullable=True),
        sa.CheckConstraint("expected IN ('left', 'right')", name=op.f("ck_task_pair_expected_known")),
        sa.CheckConstraint("left_doc <> right_doc", name=op.f("ck_task_pair_two_documents")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_task_pair_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_pair")),
        sa.UniqueConstraint("id", "task_id", name=op.f("uq_task_pair_id_task_id")),
        sa.UniqueConstraint("task_id", "place", name=op.f("uq_task_pair_task_id_place")),
    )
    op.create_table(
        "judgment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("task_pair_id", sa.Integer(), nullable=False),
        sa.Column("preferred", sa.String(length=5), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("preferred IN ('left', 'right')", name=op.f("ck_judgment_preferred_known")),
        sa.CheckConstraint("seconds >= 0", name=op.f("ck_judgment_seconds_possible")),
        sa.ForeignKeyConstraint(
            ["assignment_id", "task_id"],
            ["assignment.id", "assignment.task_id"],
            name=op.f("fk_judgment_assignment_id_task_id"),
        ),
        sa.ForeignKeyConstraint(
            ["task_pair_id", "task_id"],
            ["task_pair.id", "task_pair.task_id"],
            name=op.f("fk_judgment_task_pair_id_task_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgment")),
        sa.UniqueConstraint("assignment_id", "task_pair_id", name=op.f("uq_judgment_assignment_id_task_pair_id")),
    )
    for statement in append_only_statements(op.get_bind().dialect.name, "judgment"):
        op.execute(statement)
