"""Tables of people, teams, sessions, tokens, links, and the audit log."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import DDL, JSON, Boolean, Column, Index, Integer, String, Table, event

from runoff.server.store.migrations._append_only import append_only_statements
from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of

Role = Literal["organiser", "member", "assessor"]
ROLES: Final = ("organiser", "member", "assessor")

PERSON = Table(
    "person",
    METADATA,
    key(),
    Column("email", String(254), nullable=False, unique=True),
    Column("display_name", String(100), nullable=False),
    Column("role", String(20), nullable=False),
    Column("password_hash", String(200)),
    Column("created_at", UtcTime, nullable=False),
    Column("disabled_at", UtcTime),
    # The same for names that look alike; none for people without an account.
    Column("name_key", String(400), unique=True, index=True),
    one_of("role", ROLES),
)

TEAM = Table(
    "team",
    METADATA,
    key(),
    Column("slug", String(60), nullable=False, unique=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    # The same for names that look alike; none where a team that came with a board looks like an earlier one.
    Column("name_key", String(400), unique=True, index=True),
    # None: it waits for an organiser, and can neither submit nor invite.
    Column("approved_at", UtcTime),
)

TEAM_MEMBER = Table(
    "team_member",
    METADATA,
    link("team_id", "team", primary_key=True),
    link("person_id", "person", primary_key=True, index=True),
    Column("joined_at", UtcTime, nullable=False),
)


LinkKind = Literal["account", "team", "password"]
LINK_KINDS: Final = ("account", "team", "password")

SESSION = Table(
    "session",
    METADATA,
    key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    link("person_id", "person", index=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
)

LOGIN_ATTEMPT = Table(
    "login_attempt",
    METADATA,
    key(),
    Column("email", String(254), nullable=False),
    Column("address", String(64), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("succeeded", Boolean(create_constraint=False), nullable=False),
    Index("ix_login_attempt_email_at", "email", "at"),
    Index("ix_login_attempt_address_at", "address", "at"),
)

ONE_TIME_LINK = Table(
    "one_time_link",
    METADATA,
    key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    Column("email", String(254), nullable=False),
    Column("role", String(20)),
    link("team_id", "team", optional=True),
    link("created_by", "person", optional=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
    # Of the token that was mailed: it is drawn when the mail is sent, and opens the same link.
    Column("mailed_hash", String(64)),
    one_of("kind", LINK_KINDS),
    one_of("role", ROLES),
)

API_TOKEN = Table(
    "api_token",
    METADATA,
    key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    link("person_id", "person", index=True),
    Column("name", String(100), nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime),
    Column("revoked_at", UtcTime),
    Column("last_used_at", UtcTime),
)


AUDIT = Table(
    "audit",
    METADATA,
    key(),
    Column("at", UtcTime, nullable=False),
    link("actor_id", "person", optional=True),
    Column("action", String(60), nullable=False),
    Column("thing", String(40), nullable=False),
    Column("thing_id", Integer, nullable=False),
    Column("details", JSON, nullable=False),
    Index("ix_audit_thing_thing_id", "thing", "thing_id"),
)

# Tables whose rows stay as they were written.
APPEND_ONLY: Final = ("audit", "judgment")


def make_append_only(table: Table) -> None:
    """Add the triggers wherever the table is created from its model."""
    for dialect in ("sqlite", "postgresql"):
        for statement in append_only_statements(dialect, table.name):
            command = DDL(statement)  # type: ignore[no-untyped-call]
            event.listen(table, "after_create", command.execute_if(dialect=dialect))


make_append_only(AUDIT)
