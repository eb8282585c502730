"""Tables of judging: campaigns, the tasks of their plan, who was given which, and what was preferred.

The database keeps the plan, whatever the program does:
- a task is one place of the plan (batch, copy), and `one_holder` lets one assignment at most hold or have done it;
- an assessor is given each batch once (`batch_once`) and holds one task at a time (`one_at_a_time`);
- an answer is about a pair of the assignment's own task, and each has its turn (`judgment`): of several answers to one
  pair the last counts, and none at all if it was taken back (`preferred` is empty).
"""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of
from runoff.server.store.models.audit import make_append_only

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
    Index(
        "one_holder",
        "task_id",
        unique=True,
        sqlite_where=text("state IN ('given', 'done')"),
        postgresql_where=text("state IN ('given', 'done')"),
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
