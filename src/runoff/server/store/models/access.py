"""Tables of how people get in: sessions, attempts to log in, one-time links, API tokens. Secrets are kept as hashes."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import JSON, Boolean, Column, Index, String, Table

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of
from runoff.server.store.models.people import ROLES

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
