"""Tables of campaigns, their plans, tasks and judgments."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of
from runoff.server.store.models.accounts import make_append_only
from runoff.tables.campaign_settings import LONGEST_CURRENCY, WAYS

TextKind = Literal["query", "document"]
TEXT_KINDS: Final = ("query", "document")


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean(create_constraint=False), nullable=False)


CAMPAIGN_SETTINGS = Table(
    "campaign_settings",
    METADATA,
    link("campaign_id", "campaign", primary_key=True),
    Column("label_set", String(60), nullable=False),
    Column("sample", Integer),
    Column("seed", Integer, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("judgments_per_pair", Integer, nullable=False),
    Column("pairs_per_task", Integer, nullable=False),
    Column("tests_per_task", Integer, nullable=False),
    Column("pay", Float, nullable=False),
    Column("fee", Float, nullable=False),
    Column("currency", String(LONGEST_CURRENCY), nullable=False, server_default=""),
    Column("seconds_per_pair", Float, nullable=False),
    Column("too_fast", Float, nullable=False),
    Column("lease_minutes", Integer, nullable=False),
    Column("consent", Text, nullable=False),
    Column("way", String(20), nullable=False),
    _flag("standing"),
    _flag("single_best"),
    Column("query_texts", String(64)),
    Column("doc_texts", String(64)),
    Column("version", Integer, nullable=False),
    Column("started_at", UtcTime),
    Column("planned_at", UtcTime),
    Column("paused_at", UtcTime),
    # Settings without a column of their own.
    Column("more_settings", JSON(none_as_null=True)),
    one_of("way", WAYS),
    CheckConstraint("sample > 0", name="sample_positive"),
    CheckConstraint("depth > 0 AND judgments_per_pair > 0 AND pairs_per_task > 0", name="plan_possible"),
    CheckConstraint("tests_per_task >= 0 AND lease_minutes > 0", name="task_possible"),
    CheckConstraint("pay >= 0 AND fee >= 0", name="money_possible"),
)

# Runs whose top documents are pooled; `tops` holds them down to `read_depth` once the run's file was read.
CAMPAIGN_RUN = Table(
    "campaign_run",
    METADATA,
    link("campaign_id", "campaign", primary_key=True),
    link("run_id", "run", primary_key=True),
    Column("added_at", UtcTime, nullable=False),
    Column("tops", LargeBinary),
    Column("read_depth", Integer),
)

POOL_ITEM = Table(
    "pool_item",
    METADATA,
    link("campaign_id", "campaign", primary_key=True),
    Column("query_id", Text, primary_key=True),
    Column("doc_id", Text, primary_key=True),
    # How many runs brought the document, and whether it is a label of the query.
    Column("runs", Integer, nullable=False),
    _flag("labelled"),
    # When it meets the best known answer: documents that come later have higher places.
    Column("place", Integer, nullable=False, server_default="0"),
)

CAMPAIGN_TEXT = Table(
    "campaign_text",
    METADATA,
    link("campaign_id", "campaign", primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("text_id", Text, primary_key=True),
    Column("content", Text, nullable=False),
    one_of("kind", TEXT_KINDS),
)

KNOWN_PAIR = Table(
    "known_pair",
    METADATA,
    key(),
    link("campaign_id", "campaign"),
    Column("query_id", Text, nullable=False),
    Column("right_doc", Text, nullable=False),
    Column("wrong_doc", Text, nullable=False),
    _flag("drawn"),
    Column("removed_at", UtcTime),
    UniqueConstraint("campaign_id", "query_id", "right_doc", "wrong_doc"),
    CheckConstraint("right_doc <> wrong_doc", name="two_documents"),
)

# A link for assessors: with a site it is for workers of that site, who bring their worker id.
CAMPAIGN_LINK = Table(
    "campaign_link",
    METADATA,
    key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    link("campaign_id", "campaign"),
    Column("site", String(60)),
    Column("most_uses", Integer),
    Column("uses", Integer, nullable=False),
    link("created_by", "person", optional=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime),
    Column("withdrawn_at", UtcTime),
    CheckConstraint("uses >= 0 AND (most_uses IS NULL OR uses <= most_uses)", name="uses_within"),
)

# Who a worker id of a crowdsourcing site is here; personal data, for organisers alone.
WORKER = Table(
    "worker",
    METADATA,
    key(),
    Column("site", String(60), nullable=False),
    Column("worker_id", String(200), nullable=False),
    link("person_id", "person", unique=True),
    # When an organiser last let the worker id in from another browser; empty once it came in.
    Column("released_at", UtcTime),
    UniqueConstraint("site", "worker_id"),
)

# Each time that somebody came in by a link; `reference` is the site's own number of the assignment.
CAMPAIGN_ENTRY = Table(
    "campaign_entry",
    METADATA,
    key(),
    link("campaign_id", "campaign"),
    link("person_id", "person"),
    link("link_id", "campaign_link", optional=True),
    Column("reference", String(200), nullable=False),
    Column("at", UtcTime, nullable=False),
    UniqueConstraint("campaign_id", "person_id", "reference"),
)

COMPLETION = Table(
    "completion",
    METADATA,
    key(),
    link("campaign_id", "campaign"),
    link("person_id", "person"),
    Column("code", String(40), nullable=False, unique=True),
    Column("reference", String(200), nullable=False),
    Column("tasks", Integer, nullable=False),
    Column("judgments", Integer, nullable=False),
    Column("discarded", Integer, nullable=False),
    Column("pay", Float, nullable=False),
    Column("at", UtcTime, nullable=False),
    Index("ix_completion_campaign_id_person_id", "campaign_id", "person_id"),
)

# An assignment is paid once: its number is the key.
PAID_ASSIGNMENT = Table(
    "paid_assignment",
    METADATA,
    link("assignment_id", "assignment", primary_key=True),
    link("completion_id", "completion"),
)

IMPORTED_TASK = Table(
    "imported_task",
    METADATA,
    key(),
    link("campaign_id", "campaign"),
    Column("assessor", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("content_hash", String(64), nullable=False),
    link("assignment_id", "assignment"),
    UniqueConstraint("campaign_id", "assessor", "task"),
)

# Which versions of labels a campaign made, and from how many judgments.
CAMPAIGN_LABEL = Table(
    "campaign_label",
    METADATA,
    link("label_set_id", "label_set", primary_key=True),
    link("campaign_id", "campaign"),
    Column("judgments", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
)


CampaignState = Literal["draft", "open", "paused", "closed"]
# A campaign that is paused is open here, and its settings say since when it is paused.
CAMPAIGN_STATES: Final = ("draft", "open", "closed")
TaskState = Literal["open", "given", "done"]
TASK_STATES: Final = ("open", "given", "done")
AssignmentState = Literal["given", "done", "returned", "discarded"]
ASSIGNMENT_STATES: Final = ("given", "done", "returned", "discarded")
Side = Literal["left", "right"]
SIDES: Final = ("left", "right")
Answer = Literal["left", "right", "tie"]
# Nobody is asked for ties here; judgments from elsewhere have them.
ANSWERS: Final = (*SIDES, "tie")

CAMPAIGN = Table(
    "campaign",
    METADATA,
    key(),
    link("board_id", "board", optional=True),
    Column("slug", String(60), nullable=False, unique=True),
    Column("title", String(200), nullable=False),
    Column("instructions", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    one_of("state", CAMPAIGN_STATES),
)

CAMPAIGN_ASSESSOR = Table(
    "campaign_assessor",
    METADATA,
    link("campaign_id", "campaign", primary_key=True),
    link("person_id", "person", primary_key=True),
    Column("consented_at", UtcTime, nullable=False),
    Column("left_at", UtcTime),
    Column("stopped_at", UtcTime),
    # Of the text that was agreed to; empty for consents before it was kept, and for assessors from elsewhere.
    Column("consent_hash", String(64)),
)

# Every text that somebody agreed to: a campaign may change its own.
CONSENT_TEXT = Table(
    "consent_text",
    METADATA,
    Column("content_hash", String(64), primary_key=True),
    Column("content", Text, nullable=False),
)

TASK = Table(
    "task",
    METADATA,
    key(),
    link("campaign_id", "campaign"),
    Column("batch", Integer, nullable=False),
    Column("copy", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    UniqueConstraint("campaign_id", "batch", "copy"),
    UniqueConstraint("id", "campaign_id", "batch"),
    one_of("state", TASK_STATES),
    # The next task is the first of this index.
    Index("ix_task_campaign_id_state", "campaign_id", "state", "copy", "batch"),
)

TASK_PAIR = Table(
    "task_pair",
    METADATA,
    key(),
    link("task_id", "task"),
    Column("place", Integer, nullable=False),
    Column("query_id", Text, nullable=False),
    Column("left_doc", Text, nullable=False),
    Column("right_doc", Text, nullable=False),
    # The right answer of a test pair; empty for a real one.
    Column("expected", String(5)),
    UniqueConstraint("task_id", "place"),
    UniqueConstraint("id", "task_id"),
    CheckConstraint("left_doc <> right_doc", name="two_documents"),
    one_of("expected", SIDES),
)

ASSIGNMENT = Table(
    "assignment",
    METADATA,
    key(),
    Column("task_id", Integer, nullable=False),
    Column("campaign_id", Integer, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("person_id", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("given_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    ForeignKeyConstraint(["task_id", "campaign_id", "batch"], ["task.id", "task.campaign_id", "task.batch"]),
    # Only who has consented is given a task.
    ForeignKeyConstraint(
        ["campaign_id", "person_id"], ["campaign_assessor.campaign_id", "campaign_assessor.person_id"]
    ),
    UniqueConstraint("id", "task_id"),
    UniqueConstraint("campaign_id", "batch", "person_id", name="batch_once"),
    one_of("state", ASSIGNMENT_STATES),
    CheckConstraint("(state = 'given') = (ended_at IS NULL)", name="end_of_the_ended"),
    Index("ix_assignment_campaign_id_person_id", "campaign_id", "person_id"),
    Index(
        "one_at_a_time",
        "campaign_id",
        "person_id",
        unique=True,
        sqlite_where=text("state = 'given'"),
        postgresql_where=text("state = 'given'"),
    ),
    # A task that was discarded for a bad test pair may be done twice: its first assessor gets the answers back.
    Index(
        "one_holder",
        "task_id",
        unique=True,
        sqlite_where=text("state = 'given'"),
        postgresql_where=text("state = 'given'"),
    ),
)

JUDGMENT = Table(
    "judgment",
    METADATA,
    key(),
    Column("assignment_id", Integer, nullable=False),
    Column("task_id", Integer, nullable=False),
    Column("task_pair_id", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("preferred", String(5)),
    Column("seconds", Float, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("retry_key", String(64)),
    ForeignKeyConstraint(["assignment_id", "task_id"], ["assignment.id", "assignment.task_id"]),
    ForeignKeyConstraint(["task_pair_id", "task_id"], ["task_pair.id", "task_pair.task_id"]),
    UniqueConstraint("assignment_id", "turn"),
    UniqueConstraint("assignment_id", "retry_key"),
    one_of("preferred", ANSWERS),
    CheckConstraint("seconds >= 0", name="seconds_possible"),
)
make_append_only(JUDGMENT)
