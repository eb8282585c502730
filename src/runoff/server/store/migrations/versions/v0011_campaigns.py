"""Campaigns with settings, pools, texts and pay; answers that can be taken back."""

import sqlalchemy as sa
from alembic import op

from runoff.server.store.migrations._append_only import append_only_statements

revision = "v0011"
down_revision = "v0010"

_SETTINGS = """
    INSERT INTO campaign_settings (campaign_id, label_set, seed, depth, judgments_per_pair, pairs_per_task,
        tests_per_task, pay, fee, seconds_per_pair, too_fast, lease_minutes, consent, way, standing, single_best,
        version, started_at, planned_at)
    SELECT id, '', 0, 1, 1, 10, 3, 2.0, 0.4, 20.0, 2.0, 60, '', 'full', false, false, 1,
        CASE WHEN state = 'draft' THEN NULL ELSE created_at END, CASE WHEN state = 'draft' THEN NULL ELSE created_at END
    FROM campaign"""
_COPY = """
    INSERT INTO judgment (id, assignment_id, task_id, task_pair_id, preferred, seconds, at, turn)
    SELECT id, assignment_id, task_id, task_pair_id, preferred, seconds, at,
        row_number() OVER (PARTITION BY assignment_id ORDER BY id)
    FROM judgment_before ORDER BY id"""
_NUMBER = """
    UPDATE judgment SET turn = numbered.turn
    FROM (SELECT id, row_number() OVER (PARTITION BY assignment_id ORDER BY id) AS turn FROM judgment) AS numbered
    WHERE numbered.id = judgment.id"""


def upgrade() -> None:
    """Make the tables; campaigns that are there get settings, and judgments their turns."""
    _create_tables()
    op.execute(_SETTINGS)
    op.create_index("ix_assignment_campaign_id_person_id", "assignment", ["campaign_id", "person_id"], unique=False)
    op.drop_index("ix_task_campaign_id_state", table_name="task")
    op.create_index("ix_task_campaign_id_state", "task", ["campaign_id", "state", "copy", "batch"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_judgment()
    else:
        _alter_judgment()


def _rebuild_judgment() -> None:
    """SQLite changes no constraints: the table is made anew, with its rows; nothing refers to it."""
    op.rename_table("judgment", "judgment_before")
    op.create_table(
        "judgment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("task_pair_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("preferred", sa.String(length=5), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retry_key", sa.String(length=64), nullable=True),
        sa.CheckConstraint("preferred IN ('left', 'right', 'tie')", name=op.f("ck_judgment_preferred_known")),
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
        sa.UniqueConstraint("assignment_id", "retry_key", name=op.f("uq_judgment_assignment_id_retry_key")),
        sa.UniqueConstraint("assignment_id", "turn", name=op.f("uq_judgment_assignment_id_turn")),
    )
    op.execute(_COPY)
    op.drop_table("judgment_before")
    for statement in append_only_statements("sqlite", "judgment"):
        op.execute(statement)


def _alter_judgment() -> None:
    op.add_column("judgment", sa.Column("turn", sa.Integer(), nullable=True))
    op.add_column("judgment", sa.Column("retry_key", sa.String(length=64), nullable=True))
    # Judgments are never changed: only here, where each gets its turn.
    op.execute("ALTER TABLE judgment DISABLE TRIGGER judgment_append_only")
    op.execute(_NUMBER)
    op.execute("ALTER TABLE judgment ENABLE TRIGGER judgment_append_only")
    op.alter_column("judgment", "turn", nullable=False)
    op.alter_column("judgment", "preferred", nullable=True)
    op.drop_constraint(op.f("ck_judgment_preferred_known"), "judgment", type_="check")
    op.create_check_constraint(op.f("ck_judgment_preferred_known"), "judgment", "preferred IN ('left', 'right', 'tie')")
    op.drop_constraint(op.f("uq_judgment_assignment_id_task_pair_id"), "judgment", type_="unique")
    op.create_unique_constraint(op.f("uq_judgment_assignment_id_retry_key"), "judgment", ["assignment_id", "retry_key"])
    op.create_unique_constraint(op.f("uq_judgment_assignment_id_turn"), "judgment", ["assignment_id", "turn"])


def _create_tables() -> None:
    op.create_table(
        "worker",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site", sa.String(length=60), nullable=False),
        sa.Column("worker_id", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_worker_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
        sa.UniqueConstraint("person_id", name=op.f("uq_worker_person_id")),
        sa.UniqueConstraint("site", "worker_id", name=op.f("uq_worker_site_worker_id")),
    )
    op.create_table(
        "campaign_label",
        sa.Column("label_set_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("judgments", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_label_campaign_id")),
        sa.ForeignKeyConstraint(["label_set_id"], ["label_set.id"], name=op.f("fk_campaign_label_label_set_id")),
        sa.PrimaryKeyConstraint("label_set_id", name=op.f("pk_campaign_label")),
    )
    op.create_table(
        "campaign_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("site", sa.String(length=60), nullable=True),
        sa.Column("most_uses", sa.Integer(), nullable=True),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "uses >= 0 AND (most_uses IS NULL OR uses <= most_uses)", name=op.f("ck_campaign_link_uses_within")
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_link_campaign_id")),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_campaign_link_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_campaign_link_token_hash")),
    )
    op.create_table(
        "campaign_run",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tops", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_run_campaign_id")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_campaign_run_run_id")),
        sa.PrimaryKeyConstraint("campaign_id", "run_id", name=op.f("pk_campaign_run")),
    )
    op.create_table(
        "campaign_settings",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("label_set", sa.String(length=60), nullable=False),
        sa.Column("sample", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("judgments_per_pair", sa.Integer(), nullable=False),
        sa.Column("pairs_per_task", sa.Integer(), nullable=False),
        sa.Column("tests_per_task", sa.Integer(), nullable=False),
        sa.Column("pay", sa.Float(), nullable=False),
        sa.Column("fee", sa.Float(), nullable=False),
        sa.Column("seconds_per_pair", sa.Float(), nullable=False),
        sa.Column("too_fast", sa.Float(), nullable=False),
        sa.Column("lease_minutes", sa.Integer(), nullable=False),
        sa.Column("consent", sa.Text(), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("standing", sa.Boolean(), nullable=False),
        sa.Column("single_best", sa.Boolean(), nullable=False),
        sa.Column("query_texts", sa.String(length=64), nullable=True),
        sa.Column("doc_texts", sa.String(length=64), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("planned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("way IN ('full', 'sequential')", name=op.f("ck_campaign_settings_way_known")),
        sa.CheckConstraint(
            "depth > 0 AND judgments_per_pair > 0 AND pairs_per_task > 0",
            name=op.f("ck_campaign_settings_plan_possible"),
        ),
        sa.CheckConstraint("pay >= 0 AND fee >= 0", name=op.f("ck_campaign_settings_money_possible")),
        sa.CheckConstraint("sample > 0", name=op.f("ck_campaign_settings_sample_positive")),
        sa.CheckConstraint(
            "tests_per_task >= 0 AND lease_minutes > 0", name=op.f("ck_campaign_settings_task_possible")
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_settings_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_campaign_settings")),
    )
    op.create_table(
        "campaign_text",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("text_id", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('query', 'document')", name=op.f("ck_campaign_text_kind_known")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_text_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", "kind", "text_id", name=op.f("pk_campaign_text")),
    )
    op.create_table(
        "completion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("reference", sa.String(length=200), nullable=False),
        sa.Column("tasks", sa.Integer(), nullable=False),
        sa.Column("judgments", sa.Integer(), nullable=False),
        sa.Column("discarded", sa.Integer(), nullable=False),
        sa.Column("pay", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_completion_campaign_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_completion_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_completion")),
        sa.UniqueConstraint("code", name=op.f("uq_completion_code")),
    )
    op.create_index("ix_completion_campaign_id_person_id", "completion", ["campaign_id", "person_id"], unique=False)
    op.create_table(
        "known_pair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Text(), nullable=False),
        sa.Column("right_doc", sa.Text(), nullable=False),
        sa.Column("wrong_doc", sa.Text(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("right_doc <> wrong_doc", name=op.f("ck_known_pair_two_documents")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_known_pair_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_known_pair")),
        sa.UniqueConstraint(
            "campaign_id",
            "query_id",
            "right_doc",
            "wrong_doc",
            name=op.f("uq_known_pair_campaign_id_query_id_right_doc_wrong_doc"),
        ),
    )
    op.create_table(
        "pool_item",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Text(), nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("labelled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_pool_item_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", "query_id", "doc_id", name=op.f("pk_pool_item")),
    )
    op.create_table(
        "campaign_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=True),
        sa.Column("reference", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_campaign_entry_campaign_id")),
        sa.ForeignKeyConstraint(["link_id"], ["campaign_link.id"], name=op.f("fk_campaign_entry_link_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_campaign_entry_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_entry")),
        sa.UniqueConstraint(
            "campaign_id", "person_id", "reference", name=op.f("uq_campaign_entry_campaign_id_person_id_reference")
        ),
    )
    op.create_table(
        "imported_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("assessor", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_imported_task_assignment_id")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_imported_task_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imported_task")),
        sa.UniqueConstraint("campaign_id", "assessor", "task", name=op.f("uq_imported_task_campaign_id_assessor_task")),
    )
    op.create_table(
        "paid_assignment",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("completion_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_paid_assignment_assignment_id")),
        sa.ForeignKeyConstraint(["completion_id"], ["completion.id"], name=op.f("fk_paid_assignment_completion_id")),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_paid_assignment")),
    )
